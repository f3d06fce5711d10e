//! Counts: how many cases of how many, by suite, depth, clause and what they came to.
//!
//! ```
//! use gatespec::conform::Kind;
//! use gatespec::conform::tally::Tally;
//!
//! let mut tally = Tally::default();
//! tally.planned = 4;
//! tally.passed = 2;
//! tally.failed.insert(Kind::Crashed, 1);
//! assert_eq!((tally.failures(), tally.finished(), tally.unfinished()), (1, 3, 1));
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Depth, Kind, Verdict};
use crate::model::Clause;

/// The cases of one suite at one depth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Tally {
    /// Cases that were to be run.
    pub planned: u64,
    /// Cases whose answer conforms.
    pub passed: u64,
    /// Cases that were not put to the gate, or that it declined, for a word that it lacks.
    pub unsupported: u64,
    /// Cases that failed, by the way they did.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<Kind, u64>,
}

impl Tally {
    /// Cases that failed in any way.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.values().sum()
    }

    /// Cases that came to something.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.passed + self.unsupported + self.failures()
    }

    /// Cases that were planned and never finished.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.planned.saturating_sub(self.finished())
    }

    pub(super) fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Unsupported(_) => self.unsupported += 1,
            Verdict::Failed { kind, .. } => *self.failed.entry(*kind).or_default() += 1,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.planned += other.planned;
        self.passed += other.passed;
        self.unsupported += other.unsupported;
        for (kind, count) in &other.failed {
            *self.failed.entry(*kind).or_default() += count;
        }
    }
}

/// One suite's counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SuiteTally {
    /// The suite's word.
    pub suite: String,
    /// The counts by depth.
    pub depths: BTreeMap<Depth, Tally>,
}

impl SuiteTally {
    /// All depths together.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for tally in self.depths.values() {
            total.add(tally);
        }
        total
    }
}

/// How often a clause was put to the test.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Reach {
    /// Cases that passed and whose expected answer rests on the clause.
    pub passed: u64,
    /// Cases that failed and broke the clause, named first.
    pub failed: u64,
    /// Cases that would have put it to the test but need what the gate lacks.
    pub unsupported: u64,
}

/// How often each clause was put to the test.
pub type Reached = BTreeMap<Clause, Reach>;

/// How many cases that passed came to each fate, by the suite's word and the fate's.
pub type Fates = BTreeMap<String, BTreeMap<String, u64>>;
