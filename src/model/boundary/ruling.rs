//! Verdicts, effect classes, policy, and why a call was ruled as it was.
//!
//! ```
//! use gatespec::model::boundary::Verdict;
//!
//! assert!(Verdict::Pass < Verdict::Hold && Verdict::Hold < Verdict::Refuse);
//! assert_eq!(Verdict::from_word("allow"), None);
//! ```

use serde::{Deserialize, Serialize};

use super::forest::Seat;
use super::scoped::Reach;

/// What a call is met with, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It runs.
    Pass,
    /// It is parked.
    Hold,
    /// It is declined in band.
    Refuse,
}

impl Verdict {
    /// From the loosest to the strictest.
    pub const ALL: [Self; 3] = [Self::Pass, Self::Hold, Self::Refuse];

    /// The verdict's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Hold => "hold",
            Self::Refuse => "refuse",
        }
    }

    /// The verdict with exactly this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }
}

/// What a call does to the world. Only [`Effect::Read`] is special in the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It looks.
    Read,
    /// It changes something.
    Write,
    /// It changes something that cannot be changed back.
    Destructive,
    /// It touches what must not be shown.
    Secret,
}

impl Effect {
    /// Every effect class.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Destructive, Self::Secret];

    /// The class's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
            Self::Secret => "secret",
        }
    }
}

/// Standing policy: a verdict for each effect class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Of reads.
    pub read: Verdict,
    /// Of writes.
    pub write: Verdict,
    /// Of destructive calls.
    pub destructive: Verdict,
    /// Of calls that touch secrets.
    pub secret: Verdict,
}

impl Policy {
    /// What policy says of an effect class.
    #[must_use]
    pub const fn of(&self, effect: Effect) -> Verdict {
        match effect {
            Effect::Read => self.read,
            Effect::Write => self.write,
            Effect::Destructive => self.destructive,
            Effect::Secret => self.secret,
        }
    }
}

/// A tool call, as far as the boundary looks at it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// Its id, unique in its conversation.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it does.
    pub effect: Effect,
}

/// What a call is met with, and why.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ruling {
    /// What it is met with.
    pub verdict: Verdict,
    /// Which rule decided.
    pub reason: Reason,
}

/// The rule that decided a ruling, in the order of precedence (BND-06).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The operator answered this very call.
    Answer,
    /// A floor stands over the agent: its own, or the one of this ancestor.
    Floor(Seat),
    /// An answer stands over calls like this one; an extension.
    Standing(Reach),
    /// Nothing but policy speaks of it.
    Policy,
}
