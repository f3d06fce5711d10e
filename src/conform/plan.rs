//! Which cases a run puts to a gate: what is selected, and where each case comes from.
//!
//! ```
//! use gatespec::conform::{Depth, Plan};
//! use gatespec::model::Suite;
//!
//! let mut plan = Plan::new(7).unwrap();
//! plan.selection.suites = [Suite::Ledger].into();
//! assert!(plan.cases(Suite::Ledger, Depth::Vector).count() > 0);
//! assert!(!plan.selection.suite(Suite::Key));
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{Case, Depth};
use crate::generate::{self, Settings};
use crate::model::{Clause, Profile, Suite};
use crate::ops::Op;

/// What a run is restricted to; empty means everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// These suites.
    pub suites: BTreeSet<Suite>,
    /// Cases whose expected answer rests on one of these clauses.
    pub clauses: BTreeSet<Clause>,
    /// Cases with these ids.
    pub ids: BTreeSet<String>,
    /// Cases of these profiles.
    pub profiles: BTreeSet<Profile>,
    /// These depths.
    pub depths: BTreeSet<Depth>,
}

impl Selection {
    /// Whether a suite is selected, by itself or by one of its clauses or cases.
    #[must_use]
    pub fn suite(&self, suite: Suite) -> bool {
        let of_clauses = || self.clauses.iter().any(|clause| clause.suite() == suite);
        let of_ids = || {
            self.ids
                .iter()
                .any(|id| id.starts_with(&format!("{suite}/")))
        };
        let of_profiles = || {
            let has = |clause: &&Clause| self.profiles.contains(&clause.profile());
            Clause::ALL.iter().filter(has).any(|of| of.suite() == suite)
        };
        (self.suites.is_empty() || self.suites.contains(&suite))
            && (self.profiles.is_empty() || of_profiles())
            && (self.clauses.is_empty() || of_clauses())
            && (self.ids.is_empty() || of_ids())
    }

    /// Whether a case of a selected suite is selected.
    #[must_use]
    pub fn case(&self, case: &Case) -> bool {
        let by_clause = || {
            case.op
                .clauses()
                .iter()
                .any(|clause| self.clauses.contains(clause))
        };
        (self.ids.is_empty() || self.ids.contains(&case.id))
            && (self.clauses.is_empty() || by_clause())
            && (self.profiles.is_empty() || self.profiles.contains(&case.profile()))
    }

    /// Whether the run goes over all cases of its suites, so that every clause must be reached.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.clauses.is_empty()
            && self.ids.is_empty()
            && self.profiles.is_empty()
            && self.depths.is_empty()
    }
}

/// The cases of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The bounds and the seed.
    pub settings: Settings,
    /// How many random cases a suite gets.
    pub generated: u64,
    /// At most how many cases of an enumeration are run: all of them when `None`.
    pub enumerated: Option<u64>,
    /// What the run is restricted to.
    pub selection: Selection,
    /// Counterexamples that earlier runs kept.
    pub kept: Vec<Case>,
    /// The golden vectors.
    pub vectors: Vec<Case>,
    /// The ids of cases that are known to fail: each is run, and is no finding.
    pub known: BTreeSet<String>,
    /// The random cases of each suite, when they were drawn beforehand.
    drawn: BTreeMap<Suite, Arc<[Case]>>,
}

impl Plan {
    /// Random cases a suite, unless asked otherwise.
    pub const GENERATED: u64 = 20_000;

    /// The default plan with a seed.
    ///
    /// # Errors
    /// When a vector that the crate carries breaks a rule of loading.
    pub fn new(seed: u64) -> Result<Self, super::vectors::VectorError> {
        Ok(Self {
            settings: Settings::seeded(seed),
            generated: Self::GENERATED,
            enumerated: None,
            selection: Selection::default(),
            kept: Vec::new(),
            vectors: super::vectors::embedded()?,
            known: BTreeSet::new(),
            drawn: BTreeMap::new(),
        })
    }

    /// Draws the random cases of a suite now, for a plan that many gates are put to: drawing costs
    /// more than judging.
    pub(super) fn draw(&mut self, suite: Suite) {
        let drawn = self.cases(suite, Depth::Generated).collect();
        self.drawn.insert(suite, drawn);
    }

    /// The selected cases of a suite at a depth.
    pub fn cases(&self, suite: Suite, depth: Depth) -> Box<dyn Iterator<Item = Case> + '_> {
        if !self.selection.depths.is_empty() && !self.selection.depths.contains(&depth) {
            return Box::new(std::iter::empty());
        }
        let known = |cases: &'_ [Case]| -> Vec<Case> {
            cases
                .iter()
                .filter(|case| case.suite() == suite)
                .cloned()
                .collect()
        };
        let numbered = move |(number, op): (u64, Op)| Case {
            id: format!("{suite}/{depth}/{number}"),
            depth,
            op,
        };
        let most = |bound: u64| usize::try_from(bound).unwrap_or(usize::MAX);
        let all: Box<dyn Iterator<Item = Case> + '_> = match depth {
            Depth::Kept => Box::new(known(&self.kept).into_iter()),
            Depth::Vector => Box::new(known(&self.vectors).into_iter()),
            Depth::Enumerated => Box::new(
                (1..)
                    .zip(generate::enumerate(suite, &self.settings))
                    .take(self.enumerated.map_or(usize::MAX, most))
                    .map(numbered),
            ),
            Depth::Generated => match self.drawn.get(&suite) {
                Some(drawn) => Box::new(drawn.iter().take(most(self.generated)).cloned()),
                None => {
                    let cases = generated(suite, &self.settings);
                    Box::new((1..).zip(cases.take(most(self.generated))).map(numbered))
                }
            },
        };
        Box::new(all.filter(|case| self.selection.case(case)))
    }

    /// The clauses of a suite that a vector covers, with the words that its cases need: a run over
    /// everything must reach each clause of which a gate has the words of some case.
    #[must_use]
    pub fn covered(&self, suite: Suite) -> BTreeMap<Clause, Vec<Vec<&'static str>>> {
        let mut covered: BTreeMap<Clause, Vec<Vec<&'static str>>> = BTreeMap::new();
        for case in self.vectors.iter().filter(|case| case.suite() == suite) {
            for clause in case.op.clauses() {
                covered.entry(clause).or_default().push(case.op.needs());
            }
        }
        covered
    }
}

/// An endless stream of random cases of a suite: a function of the seed and the suite alone.
pub fn generated(suite: Suite, settings: &Settings) -> impl Iterator<Item = Op> + use<> {
    let mut runner = TestRunner::new_with_rng(Config::default(), rng(settings.seed, suite));
    let strategy = generate::strategy(suite, settings);
    std::iter::from_fn(move || Some(strategy.new_tree(&mut runner).ok()?.current()))
}

pub(super) fn rng(seed: u64, suite: Suite) -> TestRng {
    let mut bytes = [0u8; 32];
    let tag = suite.word().bytes().chain(std::iter::repeat(0)).take(24);
    for (byte, value) in bytes
        .iter_mut()
        .zip(seed.to_le_bytes().into_iter().chain(tag))
    {
        *byte = value;
    }
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}
