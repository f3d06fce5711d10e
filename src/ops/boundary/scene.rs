//! One event of a history with all that came before it, as the blame reads it.

use super::Trace;
use crate::model::Clause;
use crate::model::boundary::{
    Act, Boundary, Call, Event, Outcome, Reason, Receipt, Scope, Seat, Verdict,
};

/// One event, what the model says of it, and its past.
pub(super) struct Scene {
    pub(super) event: Event,
    pub(super) outcome: Outcome,
    pub(super) before: Boundary,
    pub(super) after: Boundary,
    pub(super) past: Past,
}

/// What happened before, by kind, each with its place in the history.
#[derive(Clone, Default)]
pub(super) struct Past {
    events: usize,
    /// Answers that were taken.
    answers: Vec<(usize, Given)>,
    /// Floors raised (true) and lowered; the scene's own event too.
    floors: Vec<(usize, Seat, bool)>,
    /// Calls that were ruled.
    calls: Vec<(usize, Seat, Call, Verdict, Reason)>,
}

/// An answer that was taken.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) seat: Seat,
    pub(super) id: String,
    pub(super) verdict: Verdict,
    pub(super) scope: Scope,
}

impl Scene {
    /// Every scene of a history, in order.
    pub(super) fn all(trace: &Trace) -> impl Iterator<Item = Self> {
        let mut boundary = Boundary::new(trace.policy);
        let mut past = Past::default();
        trace.events.iter().map(move |event| {
            let event = Event::from(event);
            let before = boundary.clone();
            let outcome = boundary.step(&event);
            past.add_floor(&event);
            let scene = Self {
                event: event.clone(),
                outcome: outcome.clone(),
                before,
                after: boundary.clone(),
                past: past.clone(),
            };
            past.add(&event, &outcome);
            scene
        })
    }

    /// Whether another call than this is marked at the agent.
    pub(super) fn foreign_mark(&self, seat: &Seat, call: &Call) -> bool {
        self.before
            .held(seat)
            .is_some_and(|mark| mark.call.id != call.id)
    }

    /// The answers that the call held at the agent has had since it was first held.
    pub(super) fn answers_now(&self, seat: &Seat) -> Vec<&Given> {
        let Some(mark) = self.before.held(seat) else {
            return Vec::new();
        };
        let since = self.past.held_since(seat);
        let answers =
            self.past.answers.iter().filter(|(at, given)| {
                *at > since && given.seat == *seat && given.id == mark.call.id
            });
        answers.map(|(_, given)| given).collect()
    }

    /// Whether a floor was raised or lowered since the latest answer at the agent.
    pub(super) fn floor_acts_since_answer(&self, seat: &Seat) -> bool {
        let answer = self
            .past
            .answers
            .iter()
            .rfind(|(_, given)| given.seat == *seat);
        answer.is_some_and(|(at, _)| self.past.floors.iter().any(|(when, ..)| when > at))
    }

    /// Whether a floor was raised or lowered since the call at the agent was ruled.
    pub(super) fn floor_acts_since_call(&self, seat: &Seat) -> bool {
        let call = self.past.calls.iter().rfind(|(_, at, ..)| at == seat);
        call.is_some_and(|(at, ..)| self.past.floors.iter().any(|(when, ..)| when > at))
    }

    /// Whether a call of the agent's namesake in another workspace was ruled since one here was.
    pub(super) fn ruled_elsewhere(&self, seat: &Seat) -> bool {
        let last = self
            .past
            .calls
            .iter()
            .rfind(|(_, at, ..)| at.agent == seat.agent);
        last.is_some_and(|(_, at, ..)| at != seat)
    }

    /// Whether the call held at the agent was ruled more than once since it is held.
    pub(super) fn held_again(&self, seat: &Seat) -> bool {
        let since = self.past.held_since(seat);
        self.past
            .calls
            .iter()
            .filter(|(at, of, ..)| *at >= since && of == seat)
            .count()
            > 1
    }

    /// What decides whether a floor stands over an agent here, if it is more than one plain act.
    pub(super) fn floor_clauses(&self, seat: &Seat) -> Vec<Clause> {
        match self.after.floors().over(seat) {
            Some(floor) => self.floored_clauses(seat, floor),
            None => self.free_clauses(seat),
        }
    }

    fn floored_clauses(&self, seat: &Seat, floor: &Seat) -> Vec<Clause> {
        let mut all = Vec::new();
        all.extend((self.past.count(floor) > 1).then_some(Clause::Bnd26));
        let raised = self
            .past
            .floors
            .iter()
            .rposition(|(_, at, up)| at == floor && *up);
        let since = self.past.floors.iter().skip(raised.unwrap_or_default());
        let mut lowered = since.filter(|(_, at, up)| !up && at != floor);
        all.extend(lowered.next().map(|(_, at, _)| {
            if at.workspace == floor.workspace {
                Clause::Bnd22
            } else {
                Clause::Bnd05
            }
        }));
        all.extend((floor != seat).then_some(Clause::Bnd20));
        all
    }

    fn free_clauses(&self, seat: &Seat) -> Vec<Clause> {
        let mut all = Vec::new();
        for (_, floor, _) in self.past.floors.iter().filter(|(.., raised)| *raised) {
            all.extend(match () {
                () if floor.workspace != seat.workspace => Some(Clause::Bnd05),
                () if seat.is_under(floor) => (self.past.count(floor) > 1).then_some(Clause::Bnd26),
                () if floor.is_under(seat) => Some(Clause::Bnd20),
                () if look_alike(&floor.agent, &seat.agent) => Some(Clause::Bnd04),
                () => Some(Clause::Bnd20),
            });
        }
        all
    }

    /// The rule that keeps an answer from ruling this call, if one could have given this verdict.
    pub(super) fn leak(&self, seat: &Seat, call: &Call, got: Verdict) -> Option<Clause> {
        let given = self.past.answers.iter().map(|(_, given)| given);
        let mut given = given;
        let given = given.rfind(|given| given.verdict == got && given.scope == Scope::Call)?;
        let spent = self.past.calls.iter().any(|(_, at, call, _, reason)| {
            *at == given.seat && call.id == given.id && *reason == Reason::Answer
        });
        Some(match () {
            () if given.seat == *seat && given.id == call.id && spent => Clause::Bnd16,
            () if given.seat == *seat && given.id == call.id => Clause::Bnd08,
            () if given.seat.workspace != seat.workspace => Clause::Bnd05,
            () => Clause::Bnd09,
        })
    }
}

impl Past {
    /// Every answer that was taken, in order.
    pub(super) fn given(&self) -> impl Iterator<Item = &Given> {
        self.answers.iter().map(|(_, given)| given)
    }

    /// Whether a floor was raised anywhere, to stand or to be lowered again.
    pub(super) fn any_floor(&self) -> bool {
        self.floors.iter().any(|(.., raised)| *raised)
    }

    fn add_floor(&mut self, event: &Event) {
        if let Event::Act(envelope) = event {
            match Act::read(envelope) {
                Ok(Act::Revoke(seat)) => self.floors.push((self.events, seat, true)),
                Ok(Act::Restore(seat)) => self.floors.push((self.events, seat, false)),
                _ => {}
            }
        }
    }

    fn add(&mut self, event: &Event, outcome: &Outcome) {
        match (event, outcome) {
            (Event::Act(envelope), Outcome::Acted(Ok(Receipt::Answered { id, .. }))) => {
                if let Ok(Act::Answer {
                    seat,
                    verdict,
                    scope,
                }) = Act::read(envelope)
                {
                    let given = Given {
                        seat,
                        id: id.clone(),
                        verdict,
                        scope,
                    };
                    self.answers.push((self.events, given));
                }
            }
            (Event::Consult(seat, call), Outcome::Ruled(ruling, _)) => {
                let (seat, call, reason) = (seat.clone(), call.clone(), ruling.reason.clone());
                self.calls
                    .push((self.events, seat, call, ruling.verdict, reason));
            }
            _ => {}
        }
        self.events += 1;
    }

    /// How often the agent's own floor was raised or lowered.
    fn count(&self, seat: &Seat) -> usize {
        self.floors.iter().filter(|(_, at, _)| at == seat).count()
    }

    /// Where the call that is held at the agent was first held.
    fn held_since(&self, seat: &Seat) -> usize {
        let calls = self.calls.iter().rev().filter(|(_, at, ..)| at == seat);
        let mut id = None;
        let run = calls.take_while(|(_, _, call, verdict, _)| {
            *verdict == Verdict::Hold && *id.get_or_insert(&call.id) == &call.id
        });
        run.last().map_or(0, |(at, ..)| *at)
    }
}

/// Whether one id begins the other, were case and white space dropped.
fn look_alike(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim().to_lowercase(), other.trim().to_lowercase());
    one.starts_with(&other) || other.starts_with(&one)
}
