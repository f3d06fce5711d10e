//! Faulty gates: what the suite must catch. One file a suite.
//!
//! Each suite's file holds one gate written anew from the spec, with a [`Mutant`] for each place
//! where it can go wrong; without a fault it must agree with the model, which makes it a second
//! implementation as well. Every mutant breaks one rule and names the clause whose check must kill
//! it.
//!
//! Beside them stand gates that are wrong as a whole, in every suite: the [`degenerate`] ones,
//! which do not look at what they are asked, and those that [`cheat`].
//!
//! ```
//! use gatespec::mutants;
//!
//! // a faulty gate answers some golden vector wrongly, and is blamed for the clause that it breaks
//! let vectors = gatespec::conform::vectors::embedded().unwrap();
//! let mutant = mutants::all().into_iter().find(|m| m.id == "key/leading_zero").unwrap();
//! let blamed = vectors
//!     .iter()
//!     .filter(|case| case.suite() == mutant.clause.suite())
//!     .flat_map(|case| case.op.judge(&(mutant.answer)(&case.op)));
//! assert!(blamed.into_iter().any(|clause| clause == mutant.clause));
//! ```

use std::fmt;

use crate::model::Clause;
use crate::ops::{Op, Output};

pub mod boundary;
pub mod cheat;
pub mod degenerate;
pub mod key;
pub mod ledger;
pub mod outcome;
pub mod pass;
pub mod verdict;
pub mod window;

/// A class of faults seen in real gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FaultClass {
    /// The key that a settlement is filed under is not unique to its ask.
    Identity = 1,
    /// Two subjects share a key, or a name that holds the delimiter changes the parse.
    Grammar,
    /// A resolution is taken though it answers another ask.
    WrongQuestion,
    /// What runs is not what was licensed.
    Bytes,
    /// One approval runs the call twice.
    SpentTwice,
    /// An old answer settles a later ask.
    Stale,
    /// A crash, a time-out or an unreadable answer lets the call run.
    FailsOpen,
    /// A refusal was obtained and the call ran all the same.
    NotEnforced,
    /// The record says other than what ended the wait.
    Misrecorded,
    /// A later layer turns a deny into something softer.
    Loosened,
    /// Calls of children or nested calls are not adjudicated.
    Escapes,
    /// A revoke does not reach all that it covers.
    RevokeMisses,
    /// One act settles more than the held call.
    TooWide,
    /// The same name is normalised on one side only.
    LopsidedMatch,
    /// A valid yes does not release.
    OverRefuses,
}

impl fmt::Display for FaultClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}", *self as u8)
    }
}

/// A gate with one fault.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// A permanent name, `<suite>/<what_it_does>`.
    pub id: &'static str,
    /// What it does wrong, as a sentence.
    pub sentence: &'static str,
    /// The clause that it breaks, and whose check must kill it.
    pub clause: Clause,
    /// The classes of real faults that it stands for.
    pub classes: &'static [FaultClass],
    /// Its answer to an op of its clause's suite; every other op it answers as the model does.
    pub answer: fn(&Op) -> Output,
}

/// What a gate says to a case, before anyone has read it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// An output.
    Output(Output),
    /// The JSON of an output, of whatever shape.
    Raw(String),
    /// The gate says that it has not what the case asks about.
    Unsupported(String),
}

impl From<Output> for Reply {
    fn from(output: Output) -> Self {
        Self::Output(output)
    }
}

/// A gate that is wrong as a whole, in every suite.
#[derive(Clone, Copy)]
pub struct Gate {
    /// A permanent name, `degenerate/<what_it_does>` or `cheat/<what_it_does>`.
    pub id: &'static str,
    /// What it does, as a sentence.
    pub sentence: &'static str,
    /// How it comes to its answers.
    pub manner: Manner,
}

/// How a [`Gate`] comes to its answers.
#[derive(Clone, Copy)]
pub enum Manner {
    /// By the question alone.
    Plain(fn(&Op) -> Reply),
    /// With the published vectors in hand.
    Cribbed(fn(&cheat::Table, &Op) -> Reply),
    /// As the model does, but it breaks the protocol: only a process can.
    Tricked(degenerate::Trick),
}

/// Every gate that is wrong as a whole.
pub fn gates() -> impl Iterator<Item = Gate> {
    degenerate::GATES.iter().chain(cheat::GATES).copied()
}

/// Every mutant that breaks a rule, in reading order of the clauses.
#[must_use]
pub fn all() -> Vec<Mutant> {
    let mut all = Vec::new();
    all.extend(key::MUTANTS);
    all.extend(verdict::MUTANTS);
    all.extend(window::MUTANTS);
    all.extend(boundary::MUTANTS);
    all.extend(outcome::MUTANTS);
    all.extend(ledger::MUTANTS);
    all.extend(pass::MUTANTS);
    all
}

/// Runs a suite's faulty gate on an op of that suite, and the model on any other.
macro_rules! run {
    ($op:expr, $suite:ident, $answer:expr) => {
        match $op {
            crate::ops::Op::$suite(op) => {
                let answer: fn(&_) -> _ = $answer;
                crate::ops::Output::$suite(answer(op))
            }
            other => other.expected(),
        }
    };
}
pub(crate) use run;
