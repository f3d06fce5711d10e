//! The counts of an audit: they add up over shards, whatever the order of adding.
//!
//! ```
//! use gatespec::audit::Summary;
//!
//! let mut shard = Summary::default();
//! shard.outcomes.lawful = 3;
//! let mut all = shard.clone();
//! all.merge(shard);
//! assert_eq!((all.judged(), all.unlawful()), (6, 0));
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Note, Unknown, Why};
use crate::model::Clause;

/// What an audit counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Summary {
    /// The version of gatespec.
    pub gatespec: String,
    /// What was read.
    pub read: Read,
    /// The outcomes that stand by themselves.
    pub outcomes: Verdicts,
    /// The traces of calls.
    pub traces: Verdicts,
    /// The traces of which nothing can be said, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<Why, u64>,
    /// The clauses that were broken.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Broken>"))]
    pub clauses: BTreeMap<Clause, Broken>,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Read {
    /// Files, and streams.
    pub files: u64,
    /// Files of which a part could not be read.
    pub unread: u64,
    /// Bytes, as they are unpacked.
    pub bytes: u64,
    /// Lines, empty ones too.
    pub lines: u64,
    /// Lines that are an event.
    pub events: u64,
    /// Lines that are no record.
    pub bad_lines: u64,
    /// Last lines that were cut short.
    pub torn: u64,
}

/// Three verdicts, kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Verdicts {
    /// No clause is broken.
    pub lawful: u64,
    /// A clause is broken.
    pub unlawful: u64,
    /// It cannot be said; never counted as lawful.
    pub unknown: u64,
}

/// A clause that was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Broken {
    /// In how many findings it is the one named.
    pub findings: u64,
    /// The first of them.
    pub first: Finding,
}

impl Default for Summary {
    fn default() -> Self {
        Self {
            gatespec: env!("CARGO_PKG_VERSION").to_owned(),
            read: Read::default(),
            outcomes: Verdicts::default(),
            traces: Verdicts::default(),
            unknown: BTreeMap::new(),
            clauses: BTreeMap::new(),
        }
    }
}

impl Summary {
    /// Counts what is said of the log.
    pub fn count(&mut self, note: &Note) {
        match note {
            Note::Finding(finding) => {
                let broken = self
                    .clauses
                    .entry(finding.clause)
                    .or_insert_with(|| Broken {
                        findings: 0,
                        first: finding.clone(),
                    });
                broken.findings += 1;
            }
            Note::Unknown(Unknown { why, .. }) => {
                *self.unknown.entry(*why).or_default() += 1;
                self.traces.unknown += 1;
            }
            Note::BadLine(line) if line.torn => self.read.torn += 1,
            Note::BadLine(_) => self.read.bad_lines += 1,
            Note::Log(log) => self.read.unread += u64::from(log.unread),
        }
    }

    /// Adds a later shard. Of two first findings this one's stays.
    ///
    /// Each number is a sum, so shards may be added in any order; a call whose trace runs over two
    /// shards is unknown in both.
    pub fn merge(&mut self, later: Self) {
        self.read.add(&later.read);
        self.outcomes.add(later.outcomes);
        self.traces.add(later.traces);
        for (why, count) in later.unknown {
            add(self.unknown.entry(why).or_default(), count);
        }
        for (clause, broken) in later.clauses {
            match self.clauses.get_mut(&clause) {
                Some(known) => add(&mut known.findings, broken.findings),
                None => {
                    self.clauses.insert(clause, broken);
                }
            }
        }
    }

    /// How many outcomes and traces were judged: lawful or not.
    #[must_use]
    pub const fn judged(&self) -> u64 {
        let lawful = self.outcomes.lawful.saturating_add(self.traces.lawful);
        lawful.saturating_add(self.unlawful())
    }

    /// How many outcomes and traces are unlawful.
    #[must_use]
    pub const fn unlawful(&self) -> u64 {
        self.outcomes.unlawful.saturating_add(self.traces.unlawful)
    }

    /// How many findings there are.
    #[must_use]
    pub fn findings(&self) -> u64 {
        self.clauses
            .values()
            .fold(0, |all, broken| all.saturating_add(broken.findings))
    }
}

fn add(to: &mut u64, count: u64) {
    // a shard may claim any number
    *to = to.saturating_add(count);
}

impl Read {
    fn add(&mut self, other: &Self) {
        add(&mut self.files, other.files);
        add(&mut self.unread, other.unread);
        add(&mut self.bytes, other.bytes);
        add(&mut self.lines, other.lines);
        add(&mut self.events, other.events);
        add(&mut self.bad_lines, other.bad_lines);
        add(&mut self.torn, other.torn);
    }
}

impl Verdicts {
    fn add(&mut self, other: Self) {
        add(&mut self.lawful, other.lawful);
        add(&mut self.unlawful, other.unlawful);
        add(&mut self.unknown, other.unknown);
    }
}
