//! The settlement ledger of one gate pass: which ask the pass consumed, latest resolution wins.
//!
//! A [`Ledger`] is one call's. It reads each decision's engine record (an [`Attestation`]) by one
//! rule, and holds the settled ask or nothing. [`Ledger::step`] is the whole machine; the methods
//! are its arms by name, and [`Ledger::deciding`] says which clause decides a step, apart from the
//! machine so that a step costs nothing for it.
//!
//! The machine never looks at bytes: it compares digests, whatever they are (`super::digest` is
//! the model's own). [`Vocabulary`] says what they are, so that it runs on the strings of a wire
//! and, without an allocation, on words and digests that are plain values. A step of the latter is
//! less than a call costs, so the arms are always inlined (`benches/ledger.rs`).
//!
//! ```
//! use gatespec::model::ledger::{
//!     Asked, Attestation, Event, Ledger, Numbered, Resolution, Returned,
//! };
//! use gatespec::model::outcome::{Approver, Decision, Layer, Settlement};
//!
//! let asked = Asked { origin: 1, classes: 0b1, real_approval: true };
//! let yes = |digest| Event::Resolved {
//!     resolution: Resolution {
//!         decision: Decision::Allow,
//!         record: Some(Attestation {
//!             call: 7,
//!             origin: 1,
//!             classes: 0b1,
//!             digest,
//!             settlement: Settlement::Approved { by: Approver::Person },
//!         }),
//!         edited: None,
//!         retired: false,
//!     },
//!     asked,
//!     request: [1; 32],
//! };
//! let mut ledger = Ledger::<Numbered>::new(7);
//! // a yes for other bytes counts for nothing, and this ask needs a real one
//! assert_eq!(ledger.step(&yes([2; 32])), Returned::Deny(Layer::AskResolution));
//! assert_eq!(ledger.step(&yes([1; 32])), Returned::Allow);
//! assert_eq!(ledger.settled().unwrap().licensed(), Some(&[1; 32]));
//! ```

mod deciding;
mod events;

pub use events::{
    Asked, Attestation, Classified, Event, Numbered, Recorded, Resolution, Returned, Settled,
    Verdict, Vocabulary,
};

use super::outcome::{Cause, Decision, Layer, Refusal, Settlement};

/// The ledger of one pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ledger<V: Vocabulary> {
    call: V::Call,
    settled: Option<Settled<V>>,
}

impl<V: Vocabulary> Ledger<V> {
    /// The ledger of a call, with nothing settled (LED-01).
    #[inline]
    pub const fn new(call: V::Call) -> Self {
        Self {
            call,
            settled: None,
        }
    }

    /// The call that the pass is about.
    pub const fn call(&self) -> &V::Call {
        &self.call
    }

    /// The ask that the pass consumed.
    #[inline]
    pub const fn settled(&self) -> Option<&Settled<V>> {
        self.settled.as_ref()
    }

    /// Takes one event.
    #[inline(always)]
    pub fn step(&mut self, event: &Event<V>) -> Returned<V> {
        match event {
            Event::Set { reason, origin } => {
                self.set(*reason, origin.clone());
                Returned::Nothing
            }
            Event::Resolved {
                resolution,
                asked,
                request,
            } => self.resolved(resolution, asked, request),
            Event::Decision {
                decision,
                record,
                runs,
            } => self.decision(*decision, record.as_ref(), runs),
            Event::Supersede => {
                self.supersede();
                Returned::Nothing
            }
            Event::KeepForBytes { runs } => {
                self.keep_for_bytes(runs);
                Returned::Nothing
            }
            Event::CauseOf {
                decision,
                classified,
            } => Returned::Cause(self.cause_of(*decision, classified.as_ref())),
            Event::ClassifierRoundOf { classified, .. } => {
                Returned::Round(self.classifier_round_of(classified.as_ref()).cloned())
            }
        }
    }

    /// Settles a refusal that the engine composed (LED-04).
    #[inline]
    pub fn set(&mut self, reason: Refusal, origin: V::Origin) {
        self.settled = Some(Settled::Refused { reason, origin });
    }

    /// Takes the resolution of an ask; gives what the gate goes on with (LED-05 to LED-15).
    #[inline(always)]
    pub fn resolved(
        &mut self,
        resolution: &Resolution<V>,
        asked: &Asked<V>,
        request: &V::Digest,
    ) -> Returned<V> {
        if resolution.retired {
            return Returned::Fault;
        }
        let licensed = resolution.edited.as_ref().unwrap_or(request);
        let record = resolution.record.as_ref();
        let counting = record.filter(|record| self.answers(record, asked, licensed));
        match (
            counting.map(|record| record.settlement),
            resolution.decision,
        ) {
            (Some(Settlement::Refused { reason }), _) => self.refused(reason, asked),
            (Some(Settlement::Approved { by }), Decision::Allow) => {
                let (origin, licensed) = (asked.origin.clone(), licensed.clone());
                self.settled = Some(Settled::Approved {
                    by,
                    origin,
                    licensed,
                });
                Returned::Allow
            }
            (None, Decision::Allow) if !asked.real_approval => Returned::Allow,
            (Some(Settlement::Approved { .. }), Decision::Deny) | (None, _) => {
                self.refused(Refusal::ApproverContract, asked)
            }
        }
    }

    /// Reads an adjudication's record; gives what the gate goes on with (LED-16 to LED-21).
    #[inline(always)]
    pub fn decision(
        &mut self,
        decision: Verdict,
        record: Option<&Attestation<V>>,
        runs: &V::Digest,
    ) -> Returned<V> {
        let record = record.filter(|record| record.call == self.call);
        match (decision, record) {
            (Verdict::Ask, _) => Returned::Ask,
            (_, Some(record)) if matches!(record.settlement, Settlement::Refused { .. }) => {
                self.settled = Some(record.settled());
                Returned::Deny(Layer::AskResolution)
            }
            (Verdict::Deny, record) => {
                if let Some(record) = record {
                    self.settled = Some(record.settled());
                }
                Returned::Deny(Layer::Policy)
            }
            (Verdict::Allow, record) => {
                if let Some(record) = record.filter(|record| record.digest == *runs) {
                    self.settled = Some(record.settled());
                }
                Returned::Allow
            }
        }
    }

    /// A surviving ask is a new question: nothing is settled (LED-22).
    #[inline]
    pub fn supersede(&mut self) {
        self.settled = None;
    }

    /// Drops a yes that was licensed for other bytes than run (LED-23, LED-24).
    #[inline]
    pub fn keep_for_bytes(&mut self, runs: &V::Digest) {
        if self
            .settled
            .as_ref()
            .and_then(Settled::licensed)
            .is_some_and(|bytes| bytes != runs)
        {
            self.settled = None;
        }
    }

    /// The cause that a deny recorded for this call (LED-25).
    #[inline]
    pub fn cause_of(
        &self,
        decision: Decision,
        classified: Option<&Classified<V>>,
    ) -> Option<Cause> {
        let deny = decision == Decision::Deny;
        classified
            .filter(|classified| deny && classified.call == self.call)?
            .cause
    }

    /// The round that a decision, allow or deny, recorded for this call (LED-26).
    #[inline]
    pub fn classifier_round_of<'a>(
        &self,
        classified: Option<&'a Classified<V>>,
    ) -> Option<&'a V::Round> {
        classified
            .filter(|classified| classified.call == self.call)?
            .round
            .as_ref()
    }

    /// Whether a record answers THE ask: this call, this origin, these classes, these bytes.
    #[inline]
    fn answers(&self, record: &Attestation<V>, asked: &Asked<V>, licensed: &V::Digest) -> bool {
        record.digest == *licensed
            && record.origin == asked.origin
            && record.call == self.call
            && record.classes == asked.classes
    }

    #[inline]
    fn refused(&mut self, reason: Refusal, asked: &Asked<V>) -> Returned<V> {
        self.settled = Some(Settled::Refused {
            reason,
            origin: asked.origin.clone(),
        });
        Returned::Deny(Layer::AskResolution)
    }
}
