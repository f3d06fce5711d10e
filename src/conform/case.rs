//! A case: one question, where it comes from, and what an answer to it comes to.
//!
//! ```
//! use gatespec::conform::{Answer, Kind, Verdict};
//!
//! let case = gatespec::conform::vectors::embedded().unwrap().remove(0);
//! assert_eq!(case.judge(&Answer::Output(case.op.expected())), Verdict::Passed);
//! // a crash is never a refusal that happens to be right
//! let crashed = case.judge(&Answer::Crashed("signal 11".to_owned()));
//! assert!(matches!(crashed, Verdict::Failed { kind: Kind::Crashed, .. }));
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

use super::subject::Answer;
use crate::model::{Clause, Profile, Suite};
use crate::ops::Op;

/// How a case was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Depth {
    /// A counterexample that an earlier run kept.
    Kept,
    /// A golden case of `spec/vectors/`.
    Vector,
    /// One of a bounded space, all of which is run.
    Enumerated,
    /// Drawn at random from the seed.
    Generated,
}

impl Depth {
    /// Every depth, in the order in which they run.
    pub const ALL: [Self; 4] = [Self::Kept, Self::Vector, Self::Enumerated, Self::Generated];

    /// The word in case ids and reports.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Vector => "vectors",
            Self::Enumerated => "enumerated",
            Self::Generated => "generated",
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One question to a gate, with a name to ask for it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// A vector's permanent id, or `<suite>/<depth>/<number>` within the settings of the run.
    pub id: String,
    /// How the case was made.
    pub depth: Depth,
    /// The question.
    pub op: Op,
}

impl Case {
    /// The suite that the case belongs to.
    #[must_use]
    pub const fn suite(&self) -> Suite {
        self.op.suite()
    }

    /// The profile that a gate must have taken on to be asked it.
    #[must_use]
    pub fn profile(&self) -> Profile {
        let needs = self.op.needs();
        let extension = Profile::ALL
            .into_iter()
            .find(|profile| needs.contains(&profile.word()));
        extension.unwrap_or(Profile::Core)
    }

    /// What an answer comes to.
    #[must_use]
    pub fn judge(&self, answer: &Answer) -> Verdict {
        let kind = match answer {
            Answer::Output(output) => {
                let clauses = self.op.judge(output);
                return if clauses.is_empty() {
                    Verdict::Passed
                } else {
                    Verdict::Failed {
                        kind: Kind::Diverged,
                        clauses,
                    }
                };
            }
            Answer::Unsupported(why) => return Verdict::Unsupported(why.clone()),
            Answer::Malformed { .. } => Kind::Malformed,
            Answer::Error(_) => Kind::Errored,
            Answer::Crashed(_) => Kind::Crashed,
            Answer::TimedOut(_) => Kind::TimedOut,
            Answer::Protocol(_) => Kind::Protocol,
        };
        Verdict::Failed {
            kind,
            clauses: self.op.clauses(),
        }
    }
}

/// What an answer to a case comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer conforms.
    Passed,
    /// The gate says that it has not what the case asks about: a skip, never a pass.
    Unsupported(String),
    /// The answer breaks these clauses, the one to name first.
    Failed {
        /// In which way it failed.
        kind: Kind,
        /// Never empty.
        clauses: Vec<Clause>,
    },
}

/// The ways to fail a case, kept apart in every report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// The gate answered, and the answer is not the law's.
    Diverged,
    /// The gate answered with an output that is not of the op's shape.
    Malformed,
    /// The gate said that it broke: not a refusal.
    Errored,
    /// The adapter died.
    Crashed,
    /// The adapter did not answer in time.
    TimedOut,
    /// The adapter broke the protocol.
    Protocol,
}

impl Kind {
    /// What it says in a report.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Diverged => "diverged",
            Self::Malformed => "malformed output",
            Self::Errored => "error",
            Self::Crashed => "crashed",
            Self::TimedOut => "timed out",
            Self::Protocol => "protocol error",
        }
    }
}
