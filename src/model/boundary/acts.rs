//! The operator's acts: their words, their envelopes, their receipts (BND-01 to BND-03).
//!
//! ```
//! use gatespec::model::boundary::{Act, Refusal, Seat};
//!
//! let act = Act::Revoke(Seat::new("w", "p-c"));
//! let mut envelope = act.envelope();
//! assert_eq!(Act::read(&envelope), Ok(act));
//! envelope.agent = None;
//! assert_eq!(Act::read(&envelope), Err(Refusal::MissingMember));
//! ```

use serde::{Deserialize, Serialize};

use super::forest::Seat;
use super::ruling::Verdict;
use super::scoped::Scope;

/// The verdicts, in the order in which an operator is offered them (BND-01): the two that move the
/// conversation, then the one that does not.
pub const VERDICTS: [Verdict; 3] = [Verdict::Pass, Verdict::Refuse, Verdict::Hold];

/// What an operator does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Answers the call that is held at the agent.
    Answer {
        /// The agent.
        seat: Seat,
        /// The answer.
        verdict: Verdict,
        /// How far it stands; an extension, [`Scope::Call`] in the core (BND-27).
        scope: Scope,
    },
    /// Raises the agent's floor.
    Revoke(Seat),
    /// Lowers the agent's floor.
    Restore(Seat),
}

impl Act {
    /// The answer to the one call held at an agent.
    #[must_use]
    pub const fn answer(seat: Seat, verdict: Verdict) -> Self {
        Self::Answer {
            seat,
            verdict,
            scope: Scope::Call,
        }
    }

    /// The act that an envelope carries (BND-03).
    ///
    /// # Errors
    /// When the act, the verdict or the scope is no word of the spec, or a member is missing.
    pub fn read(envelope: &Envelope) -> Result<Self, Refusal> {
        let word = envelope.op.as_str();
        let (Some(workspace), Some(agent)) = (&envelope.workspace, &envelope.agent) else {
            return Err(Refusal::MissingMember);
        };
        let seat = Seat::new(workspace, agent);
        match word {
            "answer" => {
                let verdict = envelope.verdict.as_deref().ok_or(Refusal::MissingMember)?;
                let verdict = Verdict::from_word(verdict).ok_or(Refusal::UnknownVerdict)?;
                let scope = match envelope.scope.as_deref() {
                    None => Scope::Call,
                    Some(word) => Scope::from_word(word).ok_or(Refusal::UnknownScope)?,
                };
                Ok(Self::Answer {
                    seat,
                    verdict,
                    scope,
                })
            }
            "revoke" => Ok(Self::Revoke(seat)),
            "restore" => Ok(Self::Restore(seat)),
            _ => Err(Refusal::UnknownAct),
        }
    }

    /// The envelope that carries this act (BND-02).
    #[must_use]
    pub fn envelope(&self) -> Envelope {
        let (op, seat) = match self {
            Self::Answer { seat, .. } => ("answer", seat),
            Self::Revoke(seat) => ("revoke", seat),
            Self::Restore(seat) => ("restore", seat),
        };
        let (verdict, scope) = match self {
            Self::Answer { verdict, scope, .. } => (Some(*verdict), Some(*scope)),
            Self::Revoke(_) | Self::Restore(_) => (None, None),
        };
        Envelope {
            op: op.to_owned(),
            workspace: Some(seat.workspace.clone()),
            agent: Some(seat.agent.clone()),
            verdict: verdict.map(|verdict| verdict.word().to_owned()),
            scope: scope
                .filter(|&scope| scope != Scope::Call)
                .map(|scope| scope.word().to_owned()),
        }
    }

    /// The agent that the act is about.
    #[must_use]
    pub const fn seat(&self) -> &Seat {
        match self {
            Self::Answer { seat, .. } | Self::Revoke(seat) | Self::Restore(seat) => seat,
        }
    }
}

/// An act on the wire, before it is known to be one (BND-02).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope {
    /// `answer`, `revoke` or `restore`.
    pub op: String,
    /// The workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The agent's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Of an answer: `pass`, `refuse` or `hold`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Of an answer, in the profile `scoped-answers` only: `call`, `conversation` or `workspace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

/// Why an act is refused. A refused act changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// The act's word is none of the three (BND-03).
    UnknownAct,
    /// A member that the act needs is missing (BND-03).
    MissingMember,
    /// The verdict is none of the three words (BND-03).
    UnknownVerdict,
    /// No call is held at the agent (BND-10).
    NothingHeld,
    /// The scope is none of the three words (BND-27).
    UnknownScope,
    /// A destructive or secret call takes an answer for itself only (BND-30).
    TooWide,
}

/// What an act that was not refused says it did.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Receipt {
    /// The held call has its answer.
    Answered {
        /// The call that was held (BND-09).
        id: String,
        /// Whether the conversation is driven on (BND-14).
        drives: bool,
    },
    /// The agent's own floor is raised or lowered; nothing is driven (BND-25).
    Floor {
        /// Whether a floor stands over the agent after the act (BND-23).
        floored: bool,
    },
}
