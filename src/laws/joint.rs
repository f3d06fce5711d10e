//! The laws of windows under the boundary, over every reachable state.
//!
//! They are judged by what an operator and a harness could write down: the [`Record`] of what was
//! reported held, answered, floored and executed so far. The model's own state is asked only for
//! what would happen next.
//!
//! ```
//! use gatespec::laws::joint::{Bounds, explore};
//!
//! let mut bounds = Bounds::default();
//! (bounds.agents, bounds.calls, bounds.depth) = (1, 1, Some(3));
//! let explored = explore(&bounds, |_| {});
//! assert!(explored.states > 1);
//! assert_eq!(explored.broken, None);
//! ```

use std::collections::BTreeMap;

use super::{LawInfo, Violation, ensure};
use crate::model::Clause;
use crate::model::boundary::{Act, Call, Effect, Reason, Receipt, Refusal, Ruling, Seat, Verdict};
use crate::model::joint::{Control, Driven, Event, Joint, Outcome};
use crate::model::window;

mod explore;

pub use explore::{Bounds, Broken, Exploration, Progress, explore};

/// What was seen so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// By agent: the call that its last drive reported held.
    held: BTreeMap<Seat, String>,
    /// By agent: the answer that was taken since, and the call that its receipt named.
    answered: BTreeMap<Seat, (String, Verdict)>,
    /// By agent: the latest act on its floor.
    floors: BTreeMap<Seat, bool>,
    /// How often a call ran.
    ran: BTreeMap<(Seat, String), u8>,
}

impl Record {
    /// Whether the agent, or one that its id is cut to at a `-`, was revoked last.
    fn floored(&self, seat: &Seat) -> bool {
        let revoked = |agent: &str| self.floors.get(&Seat::new(&seat.workspace, agent));
        let cuts = seat
            .agent
            .match_indices('-')
            .filter_map(|(at, _)| seat.agent.get(..at));
        cuts.chain([seat.agent.as_str()])
            .any(|agent| revoked(agent) == Some(&true))
    }

    /// Writes down what happened.
    fn note(&mut self, event: &Event, outcome: &Outcome) {
        match (event, outcome) {
            (Event::Act(envelope), Outcome::Acted(Ok(receipt))) => {
                match (Act::read(envelope), receipt) {
                    (Ok(Act::Answer { seat, verdict, .. }), Receipt::Answered { id, .. }) => {
                        self.answered.insert(seat, (id.clone(), verdict));
                    }
                    (Ok(Act::Revoke(seat)), _) => drop(self.floors.insert(seat, true)),
                    (Ok(Act::Restore(seat)), _) => drop(self.floors.insert(seat, false)),
                    _ => {}
                }
            }
            (Event::Drive(seat, _), Outcome::Driven(Some(driven))) => self.driven(seat, driven),
            _ => {}
        }
    }

    fn driven(&mut self, seat: &Seat, driven: &Driven) {
        for id in executed(driven) {
            let ran = self.ran.entry((seat.clone(), id.to_owned())).or_default();
            *ran = ran.saturating_add(1);
        }
        let before = self.held.remove(seat);
        match &driven.drive.end {
            window::End::Held => {
                let held = driven.drive.mark.as_ref().map(|mark| mark.id.clone());
                self.held.extend(held.map(|held| (seat.clone(), held)));
            }
            window::End::Fault => self
                .held
                .extend(before.clone().map(|id| (seat.clone(), id))),
            window::End::Done | window::End::Stopped => {}
        }
        if self.held.get(seat) != before.as_ref() {
            self.answered.remove(seat);
        }
    }
}

/// The calls that ran in a drive.
fn executed(driven: &Driven) -> impl Iterator<Item = &str> {
    driven.drive.events.iter().filter_map(|event| match event {
        window::Event::Executed { id } => Some(id.as_str()),
        _ => None,
    })
}

/// One transition.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Before it.
    pub before: &'a Joint,
    /// What was seen before it.
    pub record: &'a Record,
    /// What happens.
    pub event: &'a Event,
    /// What comes of it.
    pub outcome: &'a Outcome,
    /// After it.
    pub after: &'a Joint,
}

impl Step<'_> {
    /// The agent that is driven, and what the drive did.
    const fn driven(&self) -> Option<(&Seat, &Driven)> {
        match (self.event, self.outcome) {
            (Event::Drive(seat, _), Outcome::Driven(Some(driven))) => Some((seat, driven)),
            _ => None,
        }
    }

    /// The act that was taken, with its receipt.
    fn taken(&self) -> Option<(Act, &Receipt)> {
        match (self.event, self.outcome) {
            (Event::Act(envelope), Outcome::Acted(Ok(receipt))) => {
                Act::read(envelope).ok().map(|act| (act, receipt))
            }
            _ => None,
        }
    }

    fn ruling(&self, id: &str) -> Option<&Ruling> {
        let (_, driven) = self.driven()?;
        driven
            .rulings
            .iter()
            .find(|(of, _)| of == id)
            .map(|(_, ruling)| ruling)
    }

    fn effect(&self, seat: &Seat, id: &str) -> Option<Effect> {
        let calls = self.before.agent(seat)?.calls();
        calls
            .iter()
            .find(|call| call.id == id)
            .map(|call| call.effect)
    }
}

/// A law of every transition.
pub struct Invariant {
    /// As [`Law::id`](super::Law::id).
    pub id: &'static str,
    /// The law as a sentence.
    pub sentence: &'static str,
    /// The clauses that it states again.
    pub clauses: &'static [Clause],
    /// Whether its premise holds of a transition.
    pub reaches: fn(&Step<'_>) -> bool,
    /// Whether it holds.
    pub check: fn(&Step<'_>) -> Result<(), Violation>,
}

impl Invariant {
    /// What the tables list.
    #[must_use]
    pub const fn info(&self) -> LawInfo {
        LawInfo {
            id: self.id,
            sentence: self.sentence,
            clauses: self.clauses,
        }
    }
}

/// The invariants.
pub const INVARIANTS: &[Invariant] = &[
    Invariant {
        id: "no_call_runs_unreviewed",
        sentence: "Every call that runs in a drive was ruled pass in that drive.",
        clauses: &[Clause::Bnd35, Clause::Win02],
        reaches: |step| {
            step.driven()
                .is_some_and(|(_, driven)| executed(driven).count() > 1)
        },
        check: |step| match step.driven() {
            Some((_, driven)) => executed(driven).try_for_each(|id| {
                let passed = step.ruling(id).map(|ruling| ruling.verdict);
                ensure(passed == Some(Verdict::Pass), || {
                    format!("`{id}` runs on {passed:?}")
                })
            }),
            None => Ok(()),
        },
    },
    Invariant {
        id: "each_call_runs_at_most_once",
        sentence: "Over all drives no call runs twice, and an act runs nothing.",
        clauses: &[Clause::Win14, Clause::Bnd25],
        reaches: |step| step.driven().is_some() && !step.record.ran.is_empty(),
        check: |step| match step.driven() {
            Some((seat, driven)) => executed(driven).try_for_each(|id| {
                let before = step.record.ran.get(&(seat.clone(), id.to_owned()));
                ensure(before.is_none(), || format!("`{id}` runs again"))
            }),
            None => {
                let same = step.before.agents().eq(step.after.agents());
                ensure(same, || "an act changed a window".to_owned())
            }
        },
    },
    Invariant {
        id: "an_answer_releases_exactly_the_call_that_was_held_when_it_was_given",
        sentence: "A receipt names the call that the agent's last drive reported held, and only that call is ruled by the answer.",
        clauses: &[Clause::Bnd09, Clause::Bnd10, Clause::Bnd16],
        reaches: |step| {
            step.driven().is_some_and(|(_, driven)| {
                driven
                    .rulings
                    .iter()
                    .any(|(_, ruling)| ruling.reason == Reason::Answer)
            })
        },
        check: answers,
    },
    Invariant {
        id: "nothing_but_a_read_runs_under_a_floor_unless_answered",
        sentence: "Where the operator's last acts leave a floor over the agent, what runs is a read or was answered `pass`.",
        clauses: &[Clause::Bnd11, Clause::Bnd17, Clause::Bnd20, Clause::Bnd35],
        reaches: |step| match step.driven() {
            Some((seat, driven)) => {
                step.record.floored(seat)
                    && executed(driven).any(|id| {
                        step.effect(seat, id)
                            .is_some_and(|effect| effect != Effect::Read)
                    })
            }
            None => false,
        },
        check: |step| match step.driven() {
            Some((seat, driven)) if step.record.floored(seat) => {
                executed(driven).try_for_each(|id| {
                    let read = step.effect(seat, id) == Some(Effect::Read);
                    let answer = (id.to_owned(), Verdict::Pass);
                    let answered = step.record.answered.get(seat) == Some(&answer);
                    ensure(read || answered, || format!("`{id}` runs under a floor"))
                })
            }
            _ => Ok(()),
        },
    },
    Invariant {
        id: "a_receipt_never_claims_what_a_consult_would_deny",
        sentence: "After a receipt a fresh call, or the answered one, is ruled as the receipt says.",
        clauses: &[Clause::Bnd14, Clause::Bnd23],
        reaches: |step| {
            matches!(
                step.taken(),
                Some((Act::Restore(_), Receipt::Floor { floored: true }))
            )
        },
        check: receipts,
    },
    Invariant {
        id: "every_held_call_can_still_be_released",
        sentence: "Answered `pass` and driven, the call that an agent's last drive reported held runs.",
        clauses: &[Clause::Bnd07, Clause::Bnd11, Clause::Win09],
        reaches: |step| step.after.boundary().marks().next().is_some(),
        check: releasable,
    },
    Invariant {
        id: "what_happens_at_one_agent_leaves_the_others_windows_alone",
        sentence: "A drive changes no other agent's window, and no other agent's held call or answer.",
        clauses: &[Clause::Bnd09, Clause::Bnd21],
        reaches: |step| step.driven().is_some() && step.before.boundary().marks().count() > 1,
        check: |step| {
            let driven = step.driven().map(|(seat, _)| seat);
            let about = step.taken().map(|(act, _)| act.seat().clone());
            for (seat, agent) in step.before.agents() {
                let same = step.after.agent(seat) == Some(agent);
                ensure(same || driven == Some(seat), || {
                    format!("the window of `{}` changed", seat.agent)
                })?;
                let mark = step.before.boundary().held(seat);
                let same = step.after.boundary().held(seat) == mark;
                ensure(
                    same || driven == Some(seat) || about.as_ref() == Some(seat),
                    || format!("the mark of `{}` changed", seat.agent),
                )?;
            }
            Ok(())
        },
    },
    Invariant {
        id: "the_mark_that_is_answered_is_the_mark_that_parks",
        sentence: "At every agent the call that an answer would be about is the first call of its window without a result.",
        clauses: &[Clause::Bnd07, Clause::Win06],
        reaches: |step| step.after.boundary().marks().next().is_some(),
        check: |step| {
            step.after.agents().try_for_each(|(seat, agent)| {
                let parked = agent.held().map(|call| &call.id);
                let marked = step.after.boundary().held(seat).map(|mark| &mark.call.id);
                ensure(parked == marked, || {
                    format!("parked {parked:?}, marked {marked:?}")
                })
            })
        },
    },
];

fn answers(step: &Step<'_>) -> Result<(), Violation> {
    if let (Event::Act(envelope), Outcome::Acted(acted)) = (step.event, step.outcome)
        && let Ok(Act::Answer { seat, .. }) = Act::read(envelope)
    {
        let held = step.record.held.get(&seat);
        return match (acted, held) {
            (Ok(Receipt::Answered { id, .. }), Some(held)) if id == held => Ok(()),
            (Err(Refusal::NothingHeld), None) => Ok(()),
            _ => Err(Violation(format!(
                "held {held:?}, and the answer comes to {acted:?}"
            ))),
        };
    }
    let Some((seat, driven)) = step.driven() else {
        return Ok(());
    };
    driven.rulings.iter().try_for_each(|(id, ruling)| {
        let answer = step.record.answered.get(seat);
        let due = answer
            .filter(|(of, _)| of == id)
            .map(|(_, verdict)| *verdict);
        let by = (ruling.reason == Reason::Answer).then_some(ruling.verdict);
        ensure(due == by, || {
            format!("`{id}` is answered {due:?} and ruled by answer {by:?}")
        })
    })
}

fn receipts(step: &Step<'_>) -> Result<(), Violation> {
    match step.taken() {
        Some((act, Receipt::Floor { floored })) => {
            let mut boundary = step.after.boundary().clone();
            let policy = crate::model::boundary::Policy {
                read: Verdict::Pass,
                write: Verdict::Pass,
                destructive: Verdict::Pass,
                secret: Verdict::Pass,
            };
            boundary.set_policy(policy);
            let fresh = Call {
                id: "a fresh one".to_owned(),
                tool: String::new(),
                effect: Effect::Write,
            };
            let held = boundary.rule(act.seat(), &fresh).verdict == Verdict::Hold;
            ensure(
                held == *floored && held == record_after(step, act.seat()),
                || format!("it says {floored}, and a fresh write is held: {held}"),
            )
        }
        Some((Act::Answer { seat, verdict, .. }, Receipt::Answered { id, drives })) => {
            let mut next = step.after.clone();
            let driven = next.drive(&seat, Control::Rules);
            let ran = driven.iter().flat_map(executed).any(|ran| ran == id);
            let held = next.agent(&seat).and_then(|agent| agent.held());
            let parked = held.is_some_and(|call| call.id == *id);
            let due = (verdict == Verdict::Pass, verdict == Verdict::Hold);
            ensure((ran, parked) == due && *drives != parked, || {
                format!("`{id}` is answered {verdict:?}; it runs: {ran}, it is held: {parked}")
            })
        }
        _ => Ok(()),
    }
}

/// Whether the operator's acts, this one too, leave a floor over an agent.
fn record_after(step: &Step<'_>, seat: &Seat) -> bool {
    let mut record = step.record.clone();
    record.note(step.event, step.outcome);
    record.floored(seat)
}

fn releasable(step: &Step<'_>) -> Result<(), Violation> {
    let mut record = step.record.clone();
    record.note(step.event, step.outcome);
    record.held.iter().try_for_each(|(seat, id)| {
        let mut next = step.after.clone();
        let receipt = next.act(&Act::answer(seat.clone(), Verdict::Pass));
        let driven = next.drive(seat, Control::Rules);
        let ran = driven.iter().flat_map(executed).any(|ran| ran == id);
        ensure(receipt.is_ok() && ran, || {
            format!("`{id}` stays held after {receipt:?}")
        })
    })
}
