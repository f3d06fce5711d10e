//! What a ledger holds, reads and gives back.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::model::outcome::{Approver, Cause, Decision, Layer, Refusal, SettledFacts, Settlement};
use crate::model::words::words;

/// What calls, origins, class sets, digests and classifier rounds are.
pub trait Vocabulary: Copy + Debug + Eq + Ord {
    /// Names one tool call.
    type Call: Clone + Debug + Eq + Ord;
    /// The word that an ask carries for who asked.
    type Origin: Clone + Debug + Eq + Ord;
    /// The classes of an ask, equal as sets: order and doubles are not part of it.
    type Classes: Clone + Debug + Eq + Ord;
    /// The digest of the bytes that a call runs with.
    type Digest: Clone + Debug + Eq + Ord;
    /// A recorded classification.
    type Round: Clone + Debug + Eq + Ord;
}

/// The vocabulary of recorded gates: strings, and digests of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recorded {}

impl Vocabulary for Recorded {
    type Call = String;
    type Origin = String;
    type Classes = BTreeSet<String>;
    type Digest = [u8; 32];
    type Round = String;
}

/// The vocabulary of a machine that allocates nothing: numbered words, classes as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Numbered {}

impl Vocabulary for Numbered {
    type Call = u32;
    type Origin = u32;
    type Classes = u64;
    type Digest = [u8; 32];
    type Round = u32;
}

words! {
    /// What an adjudication answers.
    Verdict {
        /// The call may run.
        Allow "allow";
        /// The call may not run.
        Deny "deny";
        /// Somebody must be asked.
        Ask "ask";
    }
}

/// The ask that a pass consumed.
///
/// An approval carries its licence always, so one "with no licence at all" cannot be written: it
/// would run nothing (LED-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settled<V: Vocabulary> {
    /// With a yes.
    Approved {
        /// Who said it.
        by: Approver,
        /// The origin word of the ask.
        origin: V::Origin,
        /// The digest of the bytes that the yes licensed.
        licensed: V::Digest,
    },
    /// Without one.
    Refused {
        /// What ended the wait.
        reason: Refusal,
        /// The origin word of the ask.
        origin: V::Origin,
    },
}

impl<V: Vocabulary> Settled<V> {
    /// How the ask ended.
    #[must_use]
    pub const fn settlement(&self) -> Settlement {
        match self {
            Self::Approved { by, .. } => Settlement::Approved { by: *by },
            Self::Refused { reason, .. } => Settlement::Refused { reason: *reason },
        }
    }

    /// The origin word of the ask.
    pub const fn origin(&self) -> &V::Origin {
        match self {
            Self::Approved { origin, .. } | Self::Refused { origin, .. } => origin,
        }
    }

    /// The digest that a yes licensed.
    pub const fn licensed(&self) -> Option<&V::Digest> {
        match self {
            Self::Approved { licensed, .. } => Some(licensed),
            Self::Refused { .. } => None,
        }
    }

    /// What the gate hands the mint, its words written by `word` and its licence by `licence`.
    pub fn facts<W>(
        &self,
        word: impl FnOnce(&V::Origin) -> W,
        licence: impl FnOnce(&V::Digest) -> W,
    ) -> SettledFacts<W> {
        SettledFacts {
            settlement: Some(self.settlement()),
            origin: Some(word(self.origin())),
            licensed: self.licensed().map(licence),
        }
    }
}

/// The engine's record on a decision: an ask of some call, how it ended, and for which bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attestation<V: Vocabulary> {
    /// The call that the record was made for.
    pub call: V::Call,
    /// The origin word of the ask that it answers.
    pub origin: V::Origin,
    /// The classes of that ask.
    pub classes: V::Classes,
    /// The digest of the bytes that it speaks of.
    pub digest: V::Digest,
    /// How the ask ended.
    pub settlement: Settlement,
}

impl<V: Vocabulary> Attestation<V> {
    /// What it settles: a yes licenses the bytes that it speaks of.
    #[inline]
    pub(super) fn settled(&self) -> Settled<V> {
        let origin = self.origin.clone();
        match self.settlement {
            Settlement::Approved { by } => Settled::Approved {
                by,
                origin,
                licensed: self.digest.clone(),
            },
            Settlement::Refused { reason } => Settled::Refused { reason, origin },
        }
    }
}

/// What a resolver hands back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Resolution<V: Vocabulary> {
    /// What it says the call may do.
    pub decision: Decision,
    /// The engine's record on it.
    pub record: Option<Attestation<V>>,
    /// The digest of the input that the resolver put in the request's place.
    pub edited: Option<V::Digest>,
    /// Whether it still carries the retired member `settlement`.
    pub retired: bool,
}

/// The ask that the gate put to the resolver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked<V: Vocabulary> {
    /// Its origin word.
    pub origin: V::Origin,
    /// Its classes.
    pub classes: V::Classes,
    /// Whether nothing but a recorded yes may release it.
    pub real_approval: bool,
}

/// What a decision recorded of a classifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Classified<V: Vocabulary> {
    /// The call that it was recorded for.
    pub call: V::Call,
    /// Why the round did not rule.
    pub cause: Option<Cause>,
    /// The round.
    pub round: Option<V::Round>,
}

/// One use of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event<V: Vocabulary> {
    /// The engine composes a settlement of its own: a refusal.
    Set {
        /// What ended the wait.
        reason: Refusal,
        /// The origin word of the ask.
        origin: V::Origin,
    },
    /// An ask was resolved.
    Resolved {
        /// What the resolver handed back.
        resolution: Resolution<V>,
        /// The ask.
        asked: Asked<V>,
        /// The digest of the request's bytes.
        request: V::Digest,
    },
    /// A layer adjudicated.
    Decision {
        /// What it said.
        decision: Verdict,
        /// The engine's record on it.
        record: Option<Attestation<V>>,
        /// The digest of the bytes that will run.
        runs: V::Digest,
    },
    /// An ask survives.
    Supersede,
    /// The bytes that run are decided.
    KeepForBytes {
        /// Their digest.
        runs: V::Digest,
    },
    /// Why did the classifier not rule?
    CauseOf {
        /// What the decision came to.
        decision: Decision,
        /// What it recorded.
        classified: Option<Classified<V>>,
    },
    /// Which classification did the decision rest on?
    ClassifierRoundOf {
        /// What the decision came to.
        decision: Decision,
        /// What it recorded.
        classified: Option<Classified<V>>,
    },
}

/// What a use of a ledger gives back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Returned<V: Vocabulary> {
    /// Nothing.
    Nothing,
    /// The gate goes on with an allow.
    Allow,
    /// The gate goes on with an ask.
    Ask,
    /// The gate goes on with a deny by this layer: `policy` or `ask_resolution`.
    Deny(Layer),
    /// The resolution breaks its contract loudly: neither an allow nor a deny (LED-15).
    Fault,
    /// What ended the classifier's round.
    Cause(Option<Cause>),
    /// The classifier's round.
    Round(Option<V::Round>),
}
