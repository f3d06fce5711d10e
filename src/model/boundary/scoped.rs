//! The extension `scoped-answers`: answers that stand over later calls (BND-27 to BND-34).
//!
//! ```
//! use gatespec::model::boundary::{Call, Effect, Scope, Seat, Standing, Verdict};
//!
//! let call = Call { id: "c".into(), tool: "sh".into(), effect: Effect::Write };
//! let mut standing = Standing::default();
//! standing.give(&Seat::new("w", "p"), Scope::Conversation, &call, Verdict::Pass);
//! let nearest = |agent| standing.nearest(&Seat::new("w", agent), &call).map(|(_, says)| says);
//! assert_eq!(nearest("p-c"), Some(Verdict::Pass));
//! assert_eq!(nearest("q"), None);
//! assert!(!Scope::Workspace.is_open_to(Effect::Secret));
//! ```

use std::collections::BTreeMap;

use super::forest::Seat;
use super::ruling::{Call, Effect, Verdict};

/// How far an answer stands (BND-27).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The held call alone.
    #[default]
    Call,
    /// Later calls of its class in this conversation and below it.
    Conversation,
    /// Later calls of its class in the whole workspace.
    Workspace,
}

impl Scope {
    /// From the narrowest to the widest.
    pub const ALL: [Self; 3] = [Self::Call, Self::Conversation, Self::Workspace];

    /// The scope's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Conversation => "conversation",
            Self::Workspace => "workspace",
        }
    }

    /// The scope with exactly this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }

    /// Whether a call of this effect may be answered so widely (BND-30).
    #[must_use]
    pub const fn is_open_to(self, effect: Effect) -> bool {
        match effect {
            Effect::Read | Effect::Write => true,
            Effect::Destructive | Effect::Secret => matches!(self, Self::Call),
        }
    }
}

/// Where an answer stands. A conversation is nearer than its workspace (BND-31).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// This agent and its descendants (BND-28).
    Conversation(Seat),
    /// Every agent of this workspace (BND-29).
    Workspace(String),
}

/// The class of a call: the same tool, the same effect.
type Class = (String, Effect);

/// The answers that stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Standing(BTreeMap<(Reach, Class), Verdict>);

impl Standing {
    /// Lets an answer to `call` stand as far as its scope says, in the place of an earlier one of
    /// the same reach and class (BND-34).
    pub fn give(&mut self, seat: &Seat, scope: Scope, call: &Call, verdict: Verdict) {
        let reach = match scope {
            Scope::Call => return,
            Scope::Conversation => Reach::Conversation(seat.clone()),
            Scope::Workspace => Reach::Workspace(seat.workspace.clone()),
        };
        self.0.insert((reach, class(call)), verdict);
    }

    /// The answer that stands nearest over a call (BND-28, BND-29, BND-31).
    #[must_use]
    pub fn nearest(&self, seat: &Seat, call: &Call) -> Option<(&Reach, Verdict)> {
        let class = class(call);
        let over = self.0.iter().filter(|((_, of), _)| *of == class);
        let over = over.filter_map(|((reach, _), &verdict)| match reach {
            Reach::Conversation(at) if seat.is_under(at) => {
                Some((1 + at.agent.len(), reach, verdict))
            }
            Reach::Workspace(workspace) if *workspace == seat.workspace => {
                Some((0, reach, verdict))
            }
            _ => None,
        });
        over.max_by_key(|&(near, ..)| near)
            .map(|(_, reach, verdict)| (reach, verdict))
    }

    /// Whether no answer stands.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every answer that stands: where, over which tool and effect, and what it says.
    pub fn iter(&self) -> impl Iterator<Item = (&Reach, &str, Effect, Verdict)> {
        self.0
            .iter()
            .map(|((reach, (tool, effect)), &verdict)| (reach, tool.as_str(), *effect, verdict))
    }
}

fn class(call: &Call) -> Class {
    (call.tool.clone(), call.effect)
}
