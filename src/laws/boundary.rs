//! The laws of the operator's acts, and an oracle that reads a whole history at once.
//!
//! ```
//! use gatespec::generate::boundary;
//! use gatespec::laws::boundary::{LAWS, Told};
//! use gatespec::model::boundary::{Policy, Seat, Verdict};
//!
//! let policy = Policy {
//!     read: Verdict::Pass,
//!     write: Verdict::Pass,
//!     destructive: Verdict::Hold,
//!     secret: Verdict::Refuse,
//! };
//! let told = Told::new(policy, boundary::acts(&[Seat::new("w", "p")]));
//! assert!(LAWS.iter().any(|law| (law.reaches)(&told)));
//! assert!(LAWS.iter().all(|law| (law.check)(&told).is_ok()));
//! ```

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::boundary::{
    Act, Boundary, Effect, Event, Outcome, Policy, Reason, Receipt, Refusal, Seat, Verdict, run,
};

mod changed;
mod reading;

pub use changed::CHANGED;
pub use reading::{Reading, read};

/// A history with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The policy at first.
    pub policy: Policy,
    /// What happened.
    pub events: Vec<Event>,
    /// What the model says of it.
    pub outcomes: Vec<Outcome>,
}

impl Told {
    /// The history, told by the model.
    #[must_use]
    pub fn new(policy: Policy, events: Vec<Event>) -> Self {
        let outcomes = run(policy, &events);
        Self {
            policy,
            events,
            outcomes,
        }
    }

    /// Each event with what came of it.
    fn pairs(&self) -> impl DoubleEndedIterator<Item = (&Event, &Outcome)> {
        self.events.iter().zip(&self.outcomes)
    }

    /// The history up to an event, as a boundary.
    fn boundary(&self, events: usize) -> Boundary {
        let mut boundary = Boundary::new(self.policy);
        for event in self.events.iter().take(events) {
            boundary.step(event);
        }
        boundary
    }

    /// Whether some call is ruled for this reason.
    fn rules_by(&self, reason: impl Fn(&Reason) -> bool) -> bool {
        self.outcomes.iter().any(|outcome| match outcome {
            Outcome::Ruled(ruling, _) => reason(&ruling.reason),
            _ => false,
        })
    }

    /// Where the history's last event is this, the state before it.
    fn last(&self) -> Option<(&Event, &Outcome, Boundary)> {
        let (event, outcome) = self.pairs().next_back()?;
        Some((
            event,
            outcome,
            self.boundary(self.events.len().saturating_sub(1)),
        ))
    }
}

/// The act that an envelope carries, if the outcome says that it was taken.
fn taken<'a>(event: &'a Event, outcome: &'a Outcome) -> Option<(Act, &'a Receipt)> {
    match (event, outcome) {
        (Event::Act(envelope), Outcome::Acted(Ok(receipt))) => {
            Act::read(envelope).ok().map(|act| (act, receipt))
        }
        _ => None,
    }
}

/// The laws that are read off a history and what came of it.
pub const LAWS: &[Law<Told>] = &[
    Law {
        id: "a_history_reads_as_it_runs",
        sentence: "What the model says event by event is what a declarative reading of the whole history says.",
        clauses: &[
            Clause::Bnd03,
            Clause::Bnd04,
            Clause::Bnd06,
            Clause::Bnd07,
            Clause::Bnd08,
            Clause::Bnd15,
            Clause::Bnd16,
            Clause::Bnd20,
            Clause::Bnd22,
            Clause::Bnd26,
            Clause::Bnd27,
            Clause::Bnd28,
            Clause::Bnd29,
            Clause::Bnd31,
            Clause::Bnd34,
        ],
        reaches: |told| told.rules_by(|reason| *reason == Reason::Answer),
        check: |told| {
            let readings = read(told.policy, &told.events);
            ensure(readings.len() == told.outcomes.len(), || {
                "a reading is missing".to_owned()
            })?;
            for (at, (reading, outcome)) in readings.iter().zip(&told.outcomes).enumerate() {
                ensure(*reading == Reading::of(outcome), || {
                    format!("event {at} reads {reading:?} and runs {outcome:?}")
                })?;
            }
            Ok(())
        },
    },
    Law {
        id: "nothing_but_a_read_passes_under_a_floor_unless_answered",
        sentence: "Where a floor stands over the agent a call passes only if it is a read or was answered `pass`.",
        clauses: &[
            Clause::Bnd11,
            Clause::Bnd17,
            Clause::Bnd18,
            Clause::Bnd20,
            Clause::Bnd32,
        ],
        reaches: |told| told.rules_by(|reason| matches!(reason, Reason::Floor(_))),
        check: |told| match told.last() {
            Some((Event::Consult(seat, call), Outcome::Ruled(ruling, _), before)) => {
                let floored = before.floors().over(seat).is_some();
                let answered = answered(&before, seat, &call.id) == Some(Verdict::Pass);
                let passes = ruling.verdict == Verdict::Pass;
                let may = call.effect == Effect::Read || answered;
                ensure(!floored || !passes || may, || format!("{} passes", call.id))
            }
            _ => Ok(()),
        },
    },
    Law {
        id: "what_policy_refuses_is_refused_unless_answered",
        sentence: "A call that policy refuses is refused, floor or standing answer, unless it was answered itself.",
        clauses: &[Clause::Bnd06, Clause::Bnd19, Clause::Bnd33],
        reaches: |told| {
            told.pairs().any(|(_, outcome)| {
                matches!(outcome, Outcome::Ruled(ruling, _) if ruling.verdict == Verdict::Refuse
                    && ruling.reason == Reason::Policy)
            })
        },
        check: |told| match told.last() {
            Some((Event::Consult(seat, call), Outcome::Ruled(ruling, _), before)) => {
                let refused = before.policy().of(call.effect) == Verdict::Refuse;
                let answered = answered(&before, seat, &call.id).is_some();
                ensure(
                    !refused || answered || ruling.verdict == Verdict::Refuse,
                    || format!("{} is met with {}", call.id, ruling.verdict.word()),
                )
            }
            _ => Ok(()),
        },
    },
    Law {
        id: "an_answer_rules_only_the_call_that_was_held_when_it_was_given",
        sentence: "A call ruled by an answer was held at its agent when the answer was given, and every ruling since has held it.",
        clauses: &[
            Clause::Bnd08,
            Clause::Bnd09,
            Clause::Bnd12,
            Clause::Bnd13,
            Clause::Bnd16,
        ],
        reaches: |told| told.rules_by(|reason| *reason == Reason::Answer),
        check: |told| match told.last() {
            Some((Event::Consult(seat, call), Outcome::Ruled(ruling, _), _))
                if ruling.reason == Reason::Answer =>
            {
                released(told, seat, &call.id, ruling.verdict)
            }
            _ => Ok(()),
        },
    },
    Law {
        id: "an_answer_is_taken_exactly_where_a_call_is_held",
        sentence: "A well-formed answer names the call that is held at its agent, and is refused where none is.",
        clauses: &[Clause::Bnd09, Clause::Bnd10, Clause::Bnd14, Clause::Bnd30],
        reaches: |told| {
            let nothing = Outcome::Acted(Err(Refusal::NothingHeld));
            told.outcomes.contains(&nothing)
        },
        check: |told| match told.last() {
            Some((Event::Act(envelope), Outcome::Acted(acted), before)) => {
                match (Act::read(envelope), acted) {
                    (Ok(Act::Answer { seat, verdict, .. }), Ok(receipt)) => {
                        let id = before.held(&seat).map(|mark| mark.call.id.clone());
                        let drives = verdict != Verdict::Hold;
                        let due = id.map(|id| Receipt::Answered { id, drives });
                        ensure(due.as_ref() == Some(receipt), || {
                            format!("it says {receipt:?}")
                        })
                    }
                    (Ok(Act::Answer { seat, scope, .. }), Err(refusal)) => {
                        let held = before.held(&seat).map(|mark| mark.call.effect);
                        let due = match held {
                            None => Refusal::NothingHeld,
                            Some(effect) if !scope.is_open_to(effect) => Refusal::TooWide,
                            Some(_) => return Err(Violation("a held call is not answered".into())),
                        };
                        ensure(due == *refusal, || format!("it is refused for {refusal:?}"))
                    }
                    (Ok(_), acted) => ensure(acted.is_ok(), || "a floor was refused".to_owned()),
                    (Err(_), acted) => ensure(acted.is_err(), || "it carries no act".to_owned()),
                }
            }
            _ => Ok(()),
        },
    },
    Law {
        id: "a_receipt_claims_what_a_consult_would_show",
        sentence: "The receipt of a floor act says that a floor stands exactly when a fresh write that policy passes would be held.",
        clauses: &[Clause::Bnd20, Clause::Bnd23, Clause::Bnd24, Clause::Bnd25],
        reaches: |told| {
            told.pairs().any(|(event, outcome)| {
                matches!(
                    taken(event, outcome),
                    Some((Act::Restore(_), Receipt::Floor { floored: true }))
                )
            })
        },
        check: |told| match told.last() {
            Some((event, outcome, mut boundary)) => match taken(event, outcome) {
                Some((act, Receipt::Floor { floored })) => {
                    boundary.step(event);
                    boundary.set_policy(PASSES);
                    let held = boundary.rule(act.seat(), &probe()).verdict == Verdict::Hold;
                    // an answer that stands could hold it too; the core has none
                    let standing = !boundary.standing().is_empty();
                    ensure(held == *floored || standing, || {
                        format!("it says {floored}, and the write is held: {held}")
                    })
                }
                _ => Ok(()),
            },
            None => Ok(()),
        },
    },
    Law {
        id: "every_held_call_can_be_released",
        sentence: "Answered `pass`, the call that is held at an agent passes when it is ruled next, and nothing is held there.",
        clauses: &[Clause::Bnd07, Clause::Bnd11],
        reaches: |told| told.boundary(told.events.len()).marks().next().is_some(),
        check: |told| {
            let boundary = told.boundary(told.events.len());
            for (seat, mark) in boundary.marks() {
                let mut next = boundary.clone();
                let receipt = next.act(&Act::answer(seat.clone(), Verdict::Pass));
                let due = Receipt::Answered {
                    id: mark.call.id.clone(),
                    drives: true,
                };
                ensure(receipt == Ok(due), || {
                    format!("the answer is met with {receipt:?}")
                })?;
                let ruling = next.consult(seat, &mark.call);
                ensure(
                    ruling.verdict == Verdict::Pass && next.held(seat).is_none(),
                    || format!("{} is met with {}", mark.call.id, ruling.verdict.word()),
                )?;
            }
            Ok(())
        },
    },
    Law {
        id: "revoke_and_restore_touch_no_held_call",
        sentence: "After `revoke` or `restore` every held call and every answer is as before.",
        clauses: &[Clause::Bnd21],
        reaches: |told| match told.last() {
            Some((event, outcome, before)) => {
                matches!(taken(event, outcome), Some((_, Receipt::Floor { .. })))
                    && before.marks().next().is_some()
            }
            None => false,
        },
        check: |told| match told.last() {
            Some((event, outcome, before)) => {
                let floor = matches!(taken(event, outcome), Some((_, Receipt::Floor { .. })));
                let after = told.boundary(told.events.len());
                ensure(!floor || before.marks().eq(after.marks()), || {
                    "a mark or an answer changed".to_owned()
                })
            }
            None => Ok(()),
        },
    },
];

/// A policy that passes everything: what is held under it, a floor holds.
const PASSES: Policy = Policy {
    read: Verdict::Pass,
    write: Verdict::Pass,
    destructive: Verdict::Pass,
    secret: Verdict::Pass,
};

/// A write that no history of the generators holds.
fn probe() -> crate::model::boundary::Call {
    crate::model::boundary::Call {
        id: "a probe".to_owned(),
        tool: "a probe".to_owned(),
        effect: Effect::Write,
    }
}

fn answered(before: &Boundary, seat: &Seat, id: &str) -> Option<Verdict> {
    before
        .held(seat)
        .filter(|mark| mark.call.id == id)
        .and_then(|mark| mark.answer)
}

/// Walks back from the last event: only rulings that held this call may lie between it and the
/// answer, and at least one before the answer.
fn released(told: &Told, seat: &Seat, id: &str, verdict: Verdict) -> Result<(), Violation> {
    let mut given = false;
    for (event, outcome) in told.pairs().rev().skip(1) {
        match (event, outcome) {
            (Event::Consult(at, call), Outcome::Ruled(ruling, _)) if at == seat => {
                let held = call.id == id && ruling.verdict == Verdict::Hold;
                if held && given {
                    return Ok(());
                }
                ensure(held, || format!("`{}` was ruled in between", call.id))?;
            }
            _ => match taken(event, outcome) {
                Some((
                    Act::Answer {
                        seat: at,
                        verdict: said,
                        ..
                    },
                    Receipt::Answered { id: of, .. },
                )) if at == *seat && !given => {
                    given = true;
                    ensure(of == id && said == verdict, || {
                        format!("`{of}` was answered")
                    })?;
                }
                _ => {}
            },
        }
    }
    Err(Violation("no answer to it was given".to_owned()))
}
