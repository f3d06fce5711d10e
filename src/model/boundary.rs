//! The operator's acts: what a person does about the calls of a forest of agents
//! (`spec/boundary.md`).
//!
//! In reading order: [`forest`] (agents and floors), [`ruling`] (verdicts, effects, policy),
//! [`acts`] (what an operator does and is told), then the state itself, [`Boundary`]: policy,
//! floors, and at each agent the one call that is held there, with its answer. [`scoped`] is the
//! extension of answers that stand.
//!
//! ```
//! use gatespec::model::boundary::{Act, Boundary, Call, Effect, Policy, Seat, Verdict};
//!
//! let policy = Policy {
//!     read: Verdict::Pass,
//!     write: Verdict::Hold,
//!     destructive: Verdict::Hold,
//!     secret: Verdict::Refuse,
//! };
//! let mut boundary = Boundary::new(policy);
//! let seat = Seat::new("w", "p");
//! let call = |id: &str| Call { id: id.into(), tool: "sh".into(), effect: Effect::Write };
//! assert_eq!(boundary.consult(&seat, &call("c1")).verdict, Verdict::Hold);
//!
//! // the answer is about the one call that is held, and about no other
//! boundary.act(&Act::answer(seat.clone(), Verdict::Pass)).unwrap();
//! assert_eq!(boundary.rule(&seat, &call("c2")).verdict, Verdict::Hold);
//! assert_eq!(boundary.consult(&seat, &call("c1")).verdict, Verdict::Pass);
//! assert!(boundary.act(&Act::answer(seat, Verdict::Pass)).is_err());
//! ```

use std::collections::BTreeMap;

pub mod acts;
pub mod forest;
pub mod ruling;
pub mod scoped;

pub use acts::{Act, Envelope, Receipt, Refusal, VERDICTS};
pub use forest::{Floors, Seat, descends};
pub use ruling::{Call, Effect, Policy, Reason, Ruling, Verdict};
pub use scoped::{Reach, Scope, Standing};

/// A call that is parked, and what the operator said about it.
///
/// The answer is kept with the mark: so it can be spent by no other call (BND-09), and goes when
/// the mark goes (BND-16).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The call.
    pub call: Call,
    /// The latest answer to it (BND-15).
    pub answer: Option<Verdict>,
}

/// The state of the boundary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Boundary {
    policy: Policy,
    floors: Floors,
    marks: BTreeMap<Seat, Mark>,
    standing: Standing,
}

impl Boundary {
    /// A boundary where nothing is held and no floor is raised.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            floors: Floors::default(),
            marks: BTreeMap::new(),
            standing: Standing::default(),
        }
    }

    /// What a call would be met with now. Changes nothing (BND-06).
    ///
    /// First the answer to this very call; then the floor, under which all but a read is held
    /// unless policy refuses it; then policy. In the extension an answer that stands comes
    /// between the two: a floor suspends it (BND-32) and what policy refuses it cannot loosen
    /// (BND-33).
    #[must_use]
    pub fn rule(&self, seat: &Seat, call: &Call) -> Ruling {
        if let Some(verdict) = self.answer_to(seat, &call.id) {
            return Ruling {
                verdict,
                reason: Reason::Answer,
            };
        }
        let policy = self.policy.of(call.effect);
        let by_policy = Ruling {
            verdict: policy,
            reason: Reason::Policy,
        };
        if policy == Verdict::Refuse {
            return by_policy;
        }
        if let Some(floor) = self.floors.over(seat) {
            return match call.effect {
                Effect::Read => by_policy,
                _ => Ruling {
                    verdict: Verdict::Hold,
                    reason: Reason::Floor(floor.clone()),
                },
            };
        }
        match self.standing.nearest(seat, call) {
            Some((reach, verdict)) => Ruling {
                verdict,
                reason: Reason::Standing(reach.clone()),
            },
            None => by_policy,
        }
    }

    /// Rules a call that its agent is about to make, or that is parked and adjudicated again.
    ///
    /// A held call is marked (BND-07), and keeps an answer that said to hold it. What was marked
    /// before is not any more: the same call was ruled afresh, and another one means that the
    /// marked call has left the agent's window (BND-08).
    pub fn consult(&mut self, seat: &Seat, call: &Call) -> Ruling {
        let ruling = self.rule(seat, call);
        let answer = self.answer_to(seat, &call.id);
        self.marks.remove(seat);
        if ruling.verdict == Verdict::Hold {
            self.marks.insert(
                seat.clone(),
                Mark {
                    call: call.clone(),
                    answer,
                },
            );
        }
        ruling
    }

    /// Takes an act.
    ///
    /// # Errors
    /// When an answer finds nothing held at its agent (BND-10), or is too wide for the call that
    /// is (BND-30). `revoke` and `restore` are never refused (BND-24).
    pub fn act(&mut self, act: &Act) -> Result<Receipt, Refusal> {
        match act {
            Act::Answer {
                seat,
                verdict,
                scope,
            } => self.answer(seat, *verdict, *scope),
            Act::Revoke(seat) => {
                self.floors.raise(seat);
                Ok(self.floor_receipt(seat))
            }
            Act::Restore(seat) => {
                self.floors.lower(seat);
                Ok(self.floor_receipt(seat))
            }
        }
    }

    /// Takes the act that an envelope carries, if it carries one (BND-03).
    ///
    /// # Errors
    /// When the envelope carries no act, or [`act`](Self::act) refuses it.
    pub fn take(&mut self, envelope: &Envelope) -> Result<Receipt, Refusal> {
        self.act(&Act::read(envelope)?)
    }

    fn answer(&mut self, seat: &Seat, verdict: Verdict, scope: Scope) -> Result<Receipt, Refusal> {
        let mark = self.marks.get_mut(seat).ok_or(Refusal::NothingHeld)?;
        if !scope.is_open_to(mark.call.effect) {
            return Err(Refusal::TooWide);
        }
        mark.answer = Some(verdict);
        self.standing.give(seat, scope, &mark.call, verdict);
        Ok(Receipt::Answered {
            id: mark.call.id.clone(),
            drives: verdict != Verdict::Hold,
        })
    }

    /// Re-derived from the floors as they are after the act (BND-23).
    fn floor_receipt(&self, seat: &Seat) -> Receipt {
        Receipt::Floor {
            floored: self.floors.over(seat).is_some(),
        }
    }

    /// Puts another policy in the place of this one. Marks, answers and floors stay.
    pub const fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Takes the mark off an agent, and the answer with it: its call has left the window.
    pub fn sweep(&mut self, seat: &Seat) {
        self.marks.remove(seat);
    }

    /// The call that is held at an agent.
    #[must_use]
    pub fn held(&self, seat: &Seat) -> Option<&Mark> {
        self.marks.get(seat)
    }

    /// The policy in force.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The floors that are raised.
    #[must_use]
    pub const fn floors(&self) -> &Floors {
        &self.floors
    }

    /// Every call that is held, by agent.
    pub fn marks(&self) -> impl Iterator<Item = (&Seat, &Mark)> {
        self.marks.iter()
    }

    /// The answers that stand; none in the core.
    #[must_use]
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The answer to exactly this call, while it is held (BND-09).
    fn answer_to(&self, seat: &Seat, id: &str) -> Option<Verdict> {
        self.marks
            .get(seat)
            .filter(|mark| mark.call.id == id)
            .and_then(|mark| mark.answer)
    }
}

/// One thing that happens at the boundary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// An operator's envelope arrives.
    Act(Envelope),
    /// A call is adjudicated, for the first time or again.
    Consult(Seat, Call),
    /// Another policy is in force from here on.
    Policy(Policy),
}

/// What comes of an [`Event`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Of an act.
    Acted(Result<Receipt, Refusal>),
    /// Of a consult: the ruling, and the call that is held at the agent after it.
    Ruled(Ruling, Option<String>),
    /// Of a policy.
    Taken,
}

impl Boundary {
    /// Lets one thing happen.
    pub fn step(&mut self, event: &Event) -> Outcome {
        match event {
            Event::Act(envelope) => Outcome::Acted(self.take(envelope)),
            Event::Consult(seat, call) => {
                let ruling = self.consult(seat, call);
                Outcome::Ruled(ruling, self.held(seat).map(|mark| mark.call.id.clone()))
            }
            Event::Policy(policy) => {
                self.set_policy(*policy);
                Outcome::Taken
            }
        }
    }
}

/// Everything that comes of a history, in its order.
#[must_use]
pub fn run(policy: Policy, events: &[Event]) -> Vec<Outcome> {
    let mut boundary = Boundary::new(policy);
    events.iter().map(|event| boundary.step(event)).collect()
}
