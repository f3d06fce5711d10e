//! How strong the suite is: what it catches, measured by running it against faulty gates.
//!
//! Every mutant goes through the same [`check`](super::check) as a stranger's gate, a depth at a
//! time, so that it is known of each depth what it catches alone. A mutant is *killed* when a
//! finding names the clause that the mutant breaks; a mutant that dies by another clause's check
//! alone shows that its own clause is not tested.
//!
//! ```
//! use gatespec::conform::strength::{Bounds, measure};
//! use gatespec::model::Suite;
//!
//! let mut bounds = Bounds::shallow(1_000).unwrap();
//! bounds.plan.selection.suites = [Suite::Key].into();
//! let strength = measure(&bounds, None, &|_| {});
//! assert_eq!(strength.complaints(), Vec::<String>::new());
//! assert!(strength.of(Suite::Key).count() > 20);
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::value::RawValue;

use super::shrink::Failing;
use super::{Depth, Kind, Plan};
use crate::model::{Clause, Suite};
use crate::mutants::{self, FaultClass, Mutant};

mod gates;
mod measure;

pub use gates::Spawn;

/// What is measured, and with which bounds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Bounds {
    /// The cases: settings, vectors, random cases, and the suites selected.
    pub plan: Plan,
    /// The depths that mutants are put to.
    pub depths: Vec<Depth>,
    /// How many cases of an enumeration a mutant is put to, until one of these bounds kills it by
    /// its own clause. `None` is all of them.
    pub rungs: Vec<Option<u64>>,
    /// How many mutants are tested at once.
    pub threads: usize,
}

impl Bounds {
    /// The whole suite, with the cases of a seed.
    ///
    /// # Errors
    /// When a vector that the crate carries breaks a rule of loading.
    pub fn whole(seed: u64) -> Result<Self, super::vectors::VectorError> {
        Ok(Self {
            plan: Plan::new(seed)?,
            depths: MEASURED.to_vec(),
            rungs: vec![Some(1 << 14), Some(1 << 18), None],
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        })
    }

    /// The vectors and the first `most` cases of each enumeration: for tests that must be quick.
    ///
    /// # Errors
    /// When a vector that the crate carries breaks a rule of loading.
    pub fn shallow(most: u64) -> Result<Self, super::vectors::VectorError> {
        Ok(Self {
            depths: vec![Depth::Vector, Depth::Enumerated],
            rungs: vec![Some(most)],
            ..Self::whole(0)?
        })
    }

    /// The suites that are measured: those selected.
    pub fn suites(&self) -> impl Iterator<Item = Suite> + '_ {
        let selected = |suite: &Suite| self.plan.selection.suite(*suite);
        Suite::ALL.into_iter().filter(selected)
    }

    /// The same plan for one suite and one depth.
    fn only(&self, suite: Suite, depth: Depth) -> Plan {
        let mut plan = self.plan.clone();
        plan.selection.suites = [suite].into();
        plan.selection.depths = [depth].into();
        plan
    }
}

/// The depths that a mutant can be put to, in the order in which they run.
pub const MEASURED: [Depth; 3] = [Depth::Vector, Depth::Enumerated, Depth::Generated];

/// How strong the suite is.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Strength {
    /// What the model itself came to, a row a suite.
    pub reference: Vec<Reference>,
    /// The mutants, in reading order.
    pub mutants: Vec<Killed>,
    /// The gates that are wrong as a whole.
    pub gates: Vec<GateRow>,
    /// The published vectors, and which mutants each kills.
    pub vectors: Vec<VectorUse>,
}

/// What the model came to when its own suite was run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// The suite's word.
    pub suite: &'static str,
    /// How many cases it passed.
    pub passed: u64,
    /// What is wrong, if it does not conform.
    pub wrong: Option<String>,
}

/// What became of a mutant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Killed {
    /// The mutant's name.
    pub id: &'static str,
    /// What it does wrong.
    pub sentence: &'static str,
    /// The clause that it breaks, whose check must kill it.
    pub clause: Clause,
    /// The classes of real faults that it stands for.
    #[serde(serialize_with = "words")]
    pub classes: &'static [FaultClass],
    /// What each depth alone made of it.
    pub depths: BTreeMap<Depth, Kill>,
}

fn words<S: serde::Serializer>(
    classes: &&'static [FaultClass],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(classes.iter().map(ToString::to_string))
}

/// What one depth made of a mutant.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Kill {
    /// How many cases were put to it.
    pub cases: u64,
    /// How many cases named each clause first.
    pub clauses: BTreeMap<Clause, u64>,
    /// How many cases it took until one failed by the mutant's own clause.
    pub after: Option<u64>,
    /// The smallest case that fails by the mutant's own clause.
    pub smallest: Option<Smallest>,
}

/// The smallest case that kills a mutant.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Smallest {
    /// The case that it was made from.
    pub from: String,
    /// The op's name.
    pub op: &'static str,
    /// The op's input.
    pub input: Box<RawValue>,
}

impl Smallest {
    fn of(failing: &Failing) -> Self {
        Self {
            from: failing.case.id.clone(),
            op: failing.case.op.name(),
            input: failing.case.op.input(),
        }
    }
}

impl Killed {
    /// Whether a depth, alone, kills it by its own clause.
    #[must_use]
    pub fn by(&self, depth: Depth) -> bool {
        self.depths
            .get(&depth)
            .is_some_and(|kill| kill.after.is_some())
    }

    /// The first depth that kills it by its own clause, and what it made of it.
    #[must_use]
    pub fn first(&self) -> Option<(Depth, &Kill)> {
        let killing = |(_, kill): &(&Depth, &Kill)| kill.after.is_some();
        self.depths
            .iter()
            .find(killing)
            .map(|(depth, kill)| (*depth, kill))
    }

    /// The smallest case of any depth that kills it by its own clause.
    #[must_use]
    pub fn smallest(&self) -> Option<&Smallest> {
        let cases = self
            .depths
            .values()
            .filter_map(|kill| kill.smallest.as_ref());
        cases.min_by_key(|case| case.input.get().len())
    }

    /// Every clause that a finding names first, in any depth.
    #[must_use]
    pub fn clauses(&self) -> BTreeSet<Clause> {
        self.depths
            .values()
            .flat_map(|kill| kill.clauses.keys().copied())
            .collect()
    }

    /// What is wrong with the suite, when this mutant does not die by its own clause.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        let Self { id, clause, .. } = self;
        if self.first().is_some() {
            return None;
        }
        let clauses = self.clauses();
        Some(if clauses.is_empty() {
            format!("`{id}` survives: no case of its suite fails, and {clause} is not tested")
        } else {
            let by: Vec<&str> = clauses.iter().map(|clause| clause.id()).collect();
            let by = by.join(", ");
            format!("`{id}` breaks {clause} and dies only by the checks of {by}")
        })
    }
}

/// A gate that is wrong as a whole, and what each suite made of it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GateRow {
    /// The gate's name.
    pub id: &'static str,
    /// What it does.
    pub sentence: &'static str,
    /// What each suite made of it, by the suite's word.
    pub suites: BTreeMap<&'static str, Caught>,
}

/// What a suite made of a gate that is wrong as a whole.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Caught {
    /// The depths that alone do not let it conform.
    pub depths: BTreeSet<Depth>,
    /// The depths that alone fail it; the rest of `depths` is inconclusive.
    pub fails: BTreeSet<Depth>,
    /// The ways in which cases failed.
    pub kinds: BTreeSet<Kind>,
    /// The clauses named first.
    pub clauses: BTreeSet<Clause>,
    /// Cases that failed.
    pub failed: u64,
    /// Cases that were put to it.
    pub cases: u64,
}

/// A published vector, and what it is worth.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct VectorUse {
    /// The vector's id.
    pub id: String,
    /// The clauses that its answer rests on.
    pub clauses: Vec<Clause>,
    /// The mutants that fail it.
    pub kills: Vec<&'static str>,
}

/// The score of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Score {
    /// Mutants killed by their own clause.
    pub killed: usize,
    /// All mutants.
    pub of: usize,
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.killed, self.of)
    }
}

impl Strength {
    /// The mutants of a suite.
    pub fn of(&self, suite: Suite) -> impl Iterator<Item = &Killed> {
        self.mutants
            .iter()
            .filter(move |killed| killed.clause.suite() == suite)
    }

    /// The score of a suite, by one depth alone or by all of them.
    #[must_use]
    pub fn score(&self, suite: Suite, depth: Option<Depth>) -> Score {
        let killed = |killed: &&Killed| {
            depth.map_or_else(|| killed.first().is_some(), |depth| killed.by(depth))
        };
        Score {
            killed: self.of(suite).filter(killed).count(),
            of: self.of(suite).count(),
        }
    }

    /// All that is wrong with the suite, a sentence each.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let reference = self.reference.iter().filter_map(|row| {
            let wrong = row.wrong.as_ref()?;
            Some(format!(
                "the model does not conform to `{}`: {wrong}",
                row.suite
            ))
        });
        let mutants = self.mutants.iter().filter_map(Killed::complaint);
        let beyond = |killed: &Killed| killed.depths.keys().any(|depth| *depth > Depth::Vector);
        let beyond = self.mutants.iter().any(beyond);
        reference
            .chain(mutants)
            .chain(gates::complaints(&self.gates, beyond))
            .collect()
    }

    /// Vectors of a suite that kill no mutant.
    pub fn idle(&self, suite: Suite) -> impl Iterator<Item = &VectorUse> {
        self.vectors_of(suite)
            .filter(|vector| vector.kills.is_empty())
    }

    /// Vectors of a suite that kill a mutant, and none that no other vector kills.
    #[must_use]
    pub fn doubled(&self, suite: Suite) -> Vec<&VectorUse> {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for id in self.vectors_of(suite).flat_map(|vector| &vector.kills) {
            *count.entry(id).or_default() += 1;
        }
        let shared = |id: &&'static str| count.get(id).is_some_and(|count| *count > 1);
        let doubled = |v: &&VectorUse| !v.kills.is_empty() && v.kills.iter().all(&shared);
        self.vectors_of(suite).filter(doubled).collect()
    }

    /// The vectors of a suite.
    pub fn vectors_of(&self, suite: Suite) -> impl Iterator<Item = &VectorUse> {
        let of = move |vector: &&VectorUse| {
            vector
                .id
                .split_once('/')
                .is_some_and(|(word, _)| word == suite.word())
        };
        self.vectors.iter().filter(of)
    }
}

/// Runs the suite against every faulty gate.
///
/// `spawn` says how a gate that breaks the protocol is started; without it those gates are left
/// out. `told` hears the name of each gate that is done.
#[must_use]
pub fn measure(bounds: &Bounds, spawn: Option<Spawn>, told: &(dyn Fn(&str) + Sync)) -> Strength {
    let suites: Vec<Suite> = bounds.suites().collect();
    let mut bounds = bounds.clone();
    if bounds.depths.contains(&Depth::Generated) {
        suites.iter().for_each(|suite| bounds.plan.draw(*suite));
    }
    let bounds = &bounds;
    let of_suites = |mutant: &Mutant| suites.contains(&mutant.clause.suite());
    let mutants: Vec<Mutant> = mutants::all().into_iter().filter(of_suites).collect();
    let mut strength = Strength {
        reference: in_parallel(bounds.threads, &suites, |suite| {
            measure::reference(bounds, *suite)
        }),
        mutants: in_parallel(bounds.threads, &mutants, |mutant| {
            let killed = measure::mutant(bounds, mutant);
            told(mutant.id);
            killed
        }),
        gates: Vec::new(),
        vectors: measure::vectors(bounds, &suites, &mutants),
    };
    let gates: Vec<(mutants::Gate, Suite)> = mutants::gates()
        .flat_map(|gate| suites.iter().map(move |&suite| (gate, suite)))
        .collect();
    let table = gates::table(bounds);
    let caught = in_parallel(bounds.threads, &gates, |(gate, suite)| {
        let caught = gates::caught(bounds, &table, gate, *suite, spawn);
        told(gate.id);
        caught
    });
    for ((gate, suite), caught) in gates.into_iter().zip(caught) {
        if strength.gates.last().is_none_or(|row| row.id != gate.id) {
            let (id, sentence) = (gate.id, gate.sentence);
            strength.gates.push(GateRow {
                id,
                sentence,
                suites: BTreeMap::new(),
            });
        }
        if let (Some(row), Some(caught)) = (strength.gates.last_mut(), caught) {
            row.suites.insert(suite.word(), caught);
        }
    }
    strength.gates.retain(|row| !row.suites.is_empty());
    strength
}

/// Applies a function to every item, on several threads, and gives the results in order.
fn in_parallel<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    if let Ok(mut done) = done.lock() {
                        done.insert(at, result);
                    }
                }
            });
        }
    });
    done.into_inner()
        .map(|done| done.into_values().collect())
        .unwrap_or_default()
}
