//! Traceability: every clause is stated in a chapter, by a law, by vectors, by cases that reach it,
//! and by a mutant that its checks kill. What is missing has a reason here, or is a defect.
//!
//! ```
//! use gatespec::conform::trace::{Column, Parts};
//! use gatespec::model::Clause;
//! use gatespec::{conform, laws, mutants};
//!
//! let mut parts = Parts {
//!     chapters: Default::default(),
//!     laws: laws::all(),
//!     vectors: conform::vectors::embedded().unwrap(),
//!     reached: Default::default(),
//!     mutants: mutants::all(),
//!     exempt: Vec::new(),
//! };
//! let has = |parts: &Parts, column| {
//!     let rows = parts.rows();
//!     rows.iter().find(|row| row.clause == Clause::Key02).unwrap().has(column)
//! };
//! assert!(has(&parts, Column::Law) && has(&parts, Column::Mutant));
//! parts.mutants.retain(|mutant| mutant.clause != Clause::Key02);
//! assert!(!has(&parts, Column::Mutant));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::plan::generated;
use super::{Case, Depth, Plan};
use crate::generate::{self, Settings};
use crate::laws::{self, LawInfo};
use crate::model::{Clause, Suite};
use crate::mutants::{self, Mutant};
use crate::ops::Op;

/// What a clause must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Column {
    /// A law that states it again.
    Law,
    /// A golden vector whose answer rests on it.
    Vector,
    /// An enumerated or random case that puts it to the test.
    Check,
    /// A mutant that breaks it.
    Mutant,
}

impl Column {
    /// Every column, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Law, Self::Vector, Self::Check, Self::Mutant];

    /// What it is called.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Vector => "vector",
            Self::Check => "enumerated or random case",
            Self::Mutant => "mutant",
        }
    }

    /// What to do about a clause that has none.
    fn remedy(self, suite: Suite) -> String {
        match self {
            Self::Law => format!("add the clause to a law in src/laws/{suite}.rs"),
            Self::Vector => format!("add one below spec/vectors/{suite}/"),
            Self::Check => format!("make src/generate/{suite}.rs reach it"),
            Self::Mutant => format!("add one to src/mutants/{suite}.rs"),
        }
    }
}

/// A reason why a clause has nothing in a column.
#[derive(Clone, Copy, Debug)]
pub struct Exemption {
    /// The clause.
    pub clause: Clause,
    /// The column.
    pub column: Column,
    /// Why.
    pub reason: &'static str,
}

/// Every reason; one that is no longer needed is a defect.
pub const EXEMPT: &[Exemption] = &[
    whole_pass(Column::Law),
    whole_pass(Column::Vector),
    whole_pass(Column::Check),
    whole_pass(Column::Mutant),
    no_law(
        Clause::Win21,
        "it leaves a choice; what it forbids is stated by the laws on consults, which read no ids",
    ),
    no_law(
        Clause::Bnd01,
        "a list of words in their order: it cannot be said in another way",
    ),
    no_law(
        Clause::Bnd02,
        "the members of an envelope: they cannot be said in another way",
    ),
    no_law(
        Clause::Led27,
        "the digest is an implementation's own; a test holds ours to RFC 8785",
    ),
];

/// A clause that a law could only repeat.
const fn no_law(clause: Clause, reason: &'static str) -> Exemption {
    Exemption {
        clause,
        column: Column::Law,
        reason,
    }
}

/// OUT-12 stands in the chapter of the record, and only a pass can show it.
const fn whole_pass(column: Column) -> Exemption {
    Exemption {
        clause: Clause::Out12,
        column,
        reason: "it speaks of all that a pass shows; PASS-53 states it of a pass, and is tested",
    }
}

/// All that a clause can have.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The text of the chapters, by suite.
    pub chapters: BTreeMap<Suite, String>,
    /// The laws.
    pub laws: Vec<LawInfo>,
    /// The golden vectors.
    pub vectors: Vec<Case>,
    /// The depths that reach a clause, of those that make cases.
    pub reached: BTreeMap<Clause, BTreeSet<Depth>>,
    /// The mutants.
    pub mutants: Vec<Mutant>,
    /// The reasons.
    pub exempt: Vec<Exemption>,
}

impl Parts {
    /// What this crate has, with the chapters as they are given.
    ///
    /// # Errors
    /// When a vector that the crate carries breaks a rule of loading.
    pub fn of_crate(
        chapters: BTreeMap<Suite, String>,
    ) -> Result<Self, super::vectors::VectorError> {
        Ok(Self {
            chapters,
            laws: laws::all(),
            vectors: super::vectors::embedded()?,
            reached: reached(&Settings::default()),
            mutants: mutants::all(),
            exempt: EXEMPT.to_vec(),
        })
    }

    /// A row a clause, of every suite that has ops.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let vectors = |clause| {
            let of = self
                .vectors
                .iter()
                .filter(move |case| case.op.clauses().contains(&clause));
            of.map(|case| case.id.clone()).collect()
        };
        let clauses = Clause::ALL.iter().copied();
        clauses
            .map(|clause| Row {
                clause,
                laws: names(
                    &self.laws,
                    |law| law.clauses.contains(&clause),
                    |law| law.id,
                ),
                vectors: vectors(clause),
                checks: self.reached.get(&clause).cloned().unwrap_or_default(),
                mutants: names(&self.mutants, |of| of.clause == clause, |of| of.id),
            })
            .collect()
    }

    /// All that is missing, stale or at odds, a sentence each.
    #[must_use]
    pub fn gaps(&self) -> Vec<String> {
        let rows = self.rows();
        let mut gaps = Vec::new();
        for suite in Suite::ALL {
            gaps.extend(self.prose(suite));
        }
        for row in &rows {
            gaps.extend(
                Column::ALL
                    .into_iter()
                    .filter_map(|column| self.gap(row, column)),
            );
        }
        for Exemption { clause, column, .. } in &self.exempt {
            let stale = rows
                .iter()
                .any(|row| row.clause == *clause && row.has(*column));
            if stale {
                let word = column.word();
                gaps.push(format!(
                    "{clause} has a {word}, and is exempt from having one: the reason is stale"
                ));
            }
        }
        gaps
    }

    fn gap(&self, row: &Row, column: Column) -> Option<String> {
        let clause = row.clause;
        let exempt = self
            .exempt
            .iter()
            .any(|of| of.clause == clause && of.column == column);
        (!exempt && !row.has(column)).then(|| {
            let (word, remedy) = (column.word(), column.remedy(clause.suite()));
            format!(
                "{clause} has no {word}: {remedy}, or write into EXEMPT in \
                 src/conform/trace.rs why it cannot have one"
            )
        })
    }

    /// Where the chapter of a suite and its clauses differ.
    fn prose(&self, suite: Suite) -> Vec<String> {
        let Some(text) = self.chapters.get(&suite) else {
            return vec![format!(
                "the suite `{suite}` has no chapter: write spec/{suite}.md"
            )];
        };
        let mut gaps = Vec::new();
        let mut stated = BTreeSet::new();
        for Heading {
            id,
            provenance,
            text,
        } in headings(text)
        {
            let Some(clause) = Clause::from_id(id).filter(|clause| clause.suite() == suite) else {
                gaps.push(format!(
                    "spec/{suite}.md states {id}, and `{suite}` has no such clause: add it to \
                     src/model/clause.rs, with its law, vectors, cases and mutant"
                ));
                continue;
            };
            if clause.provenance().word() != provenance {
                let word = clause.provenance().word();
                gaps.push(format!(
                    "spec/{suite}.md marks {id} `{provenance}`, and src/model/clause.rs `{word}`"
                ));
            }
            if clause.text() != text {
                gaps.push(format!(
                    "spec/{suite}.md and src/model/clause.rs state {id} in other words"
                ));
            }
            if !stated.insert(clause) {
                gaps.push(format!("spec/{suite}.md states {id} twice"));
            }
        }
        let all = Clause::ALL.iter().copied();
        let of_suite = all.filter(|clause| clause.suite() == suite);
        let missing = of_suite.filter(|clause| !stated.contains(clause));
        gaps.extend(missing.map(|clause| format!("spec/{suite}.md does not state {clause}")));
        gaps
    }
}

/// What a clause has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The clause.
    pub clause: Clause,
    /// The laws that state it.
    pub laws: Vec<&'static str>,
    /// The vectors whose answer rests on it.
    pub vectors: Vec<String>,
    /// The depths that reach it.
    pub checks: BTreeSet<Depth>,
    /// The mutants that break it.
    pub mutants: Vec<&'static str>,
}

impl Row {
    /// Whether it has something in a column.
    #[must_use]
    pub fn has(&self, column: Column) -> bool {
        !match column {
            Column::Law => self.laws.is_empty(),
            Column::Vector => self.vectors.is_empty(),
            Column::Check => self.checks.is_empty(),
            Column::Mutant => self.mutants.is_empty(),
        }
    }
}

fn names<T>(
    all: &[T],
    chosen: impl Fn(&&T) -> bool,
    name: fn(&T) -> &'static str,
) -> Vec<&'static str> {
    all.iter().filter(chosen).map(name).collect()
}

struct Heading<'a> {
    id: &'a str,
    provenance: &'a str,
    text: &'a str,
}

/// The clauses that a chapter states.
fn headings(chapter: &str) -> impl Iterator<Item = Heading<'_>> {
    let lines = chapter.lines().zip(chapter.lines().skip(1).chain([""]));
    lines.filter_map(|(line, text)| {
        let (id, provenance) = line.strip_prefix("### ")?.split_once(" · ")?;
        Some(Heading {
            id,
            provenance,
            text,
        })
    })
}

/// The depths that reach each clause: cases are made until every clause of their suite is reached.
#[must_use]
pub fn reached(settings: &Settings) -> BTreeMap<Clause, BTreeSet<Depth>> {
    let mut reached: BTreeMap<Clause, BTreeSet<Depth>> = BTreeMap::new();
    let most = usize::try_from(Plan::GENERATED).unwrap_or(usize::MAX);
    for suite in Suite::ALL {
        let all = Clause::ALL.iter().copied();
        let all: BTreeSet<Clause> = all.filter(|clause| clause.suite() == suite).collect();
        let enumerated = until_all(&all, generate::enumerate(suite, settings));
        let random = until_all(&all, generated(suite, settings).take(most));
        for (depth, clauses) in [(Depth::Enumerated, enumerated), (Depth::Generated, random)] {
            for clause in clauses {
                reached.entry(clause).or_default().insert(depth);
            }
        }
    }
    reached
}

fn until_all(all: &BTreeSet<Clause>, ops: impl Iterator<Item = Op>) -> BTreeSet<Clause> {
    let mut seen = BTreeSet::new();
    for op in ops {
        seen.extend(op.clauses());
        if all.is_subset(&seen) {
            break;
        }
    }
    seen
}
