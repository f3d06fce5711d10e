//! Which clause a wrong step breaks, and which clauses a trace puts to the test.
//!
//! The first step that differs is the one to blame. Where a record does not count and the gate
//! answered as if it did, the clause is the one that says why it does not; where it counts and the
//! gate answered as if it were not there, likewise; else it is the clause that decides the step.

use super::case::{Labels, step};
use super::{Event, Step, TraceInput, TraceOutput};
use crate::model::Clause;
use crate::model::ledger::{self as model, Ledger, Recorded, Returned, Settled};
use crate::model::outcome::Decision;

type ModelEvent = model::Event<Recorded>;

/// The clauses that a gate's answer to a trace breaks.
pub(super) fn broken(input: &TraceInput, got: &TraceOutput) -> Vec<Clause> {
    let labels = Labels::of(input);
    let mut ledger = Ledger::<Recorded>::new(input.call.clone());
    let mut steps = got.steps.iter();
    for (index, wire) in input.events.iter().enumerate() {
        let event = labels.event(wire);
        let deciding = ledger.deciding(&event);
        let Some(got) = steps.next() else {
            return vec![deciding];
        };
        let taken = Taken::new(&labels, &ledger, &event, got);
        if !taken.conforms() {
            let blamed = taken.blame(index, wire, deciding);
            return if blamed == deciding {
                vec![blamed]
            } else {
                vec![blamed, deciding]
            };
        }
        ledger = taken.after;
    }
    if steps.next().is_some() {
        vec![Clause::Led01]
    } else {
        Vec::new()
    }
}

/// The clauses that a trace puts to the test: those of its last event first.
pub(super) fn clauses(input: &TraceInput) -> Vec<Clause> {
    let labels = Labels::of(input);
    let mut ledger = Ledger::<Recorded>::new(input.call.clone());
    let mut all = Vec::new();
    for wire in &input.events {
        let event = labels.event(wire);
        let before = ledger.settled().cloned();
        let deciding = ledger.deciding(&event);
        ledger.step(&event);
        // read from the last: what decides comes after what it implies
        if let Some(before) = &before {
            if settles(&ledger, &event) {
                all.push(Clause::Led02);
            } else if ledger.settled() == Some(before) {
                all.push(Clause::Led03);
            }
        }
        if reordered(wire) && matches!(deciding, Clause::Led09 | Clause::Led10 | Clause::Led11) {
            all.push(Clause::Led07);
        }
        all.extend(without_record(deciding, &event));
        all.push(deciding);
    }
    all.push(Clause::Led01);
    all.rotate_right(1);
    let mut once = Vec::new();
    for clause in all.into_iter().rev() {
        if !once.contains(&clause) {
            once.push(clause);
        }
    }
    once
}

/// Whether the event settles: what it settles never depends on what was settled before.
fn settles(ledger: &Ledger<Recorded>, event: &ModelEvent) -> bool {
    let mut empty = Ledger::new(ledger.call().clone());
    empty.step(event);
    empty.settled().is_some()
}

/// Whether the record's classes are the ask's, written in another way.
fn reordered(event: &Event) -> bool {
    match event {
        Event::Resolved {
            resolution, asked, ..
        } => resolution
            .record
            .as_ref()
            .is_some_and(|record| record.classes != asked.classes),
        _ => false,
    }
}

/// The clause that decides an event whose record does not count, once it is put aside.
fn without_record(deciding: Clause, event: &ModelEvent) -> Option<Clause> {
    if !matches!(
        deciding,
        Clause::Led05 | Clause::Led06 | Clause::Led07 | Clause::Led08
    ) {
        return None;
    }
    Some(match event {
        ModelEvent::Resolved {
            resolution, asked, ..
        } => match resolution.decision {
            Decision::Deny => Clause::Led12,
            Decision::Allow if asked.real_approval => Clause::Led13,
            Decision::Allow => Clause::Led14,
        },
        _ => Clause::Led16,
    })
}

/// The event with a record that counts in the place of one that does not.
fn counting(ledger: &Ledger<Recorded>, event: &ModelEvent) -> Option<ModelEvent> {
    let mut event = event.clone();
    match &mut event {
        ModelEvent::Resolved {
            resolution,
            asked,
            request,
        } => {
            let record = resolution.record.as_mut()?;
            record.call.clone_from(ledger.call());
            record.origin.clone_from(&asked.origin);
            record.classes.clone_from(&asked.classes);
            record.digest = resolution.edited.unwrap_or(*request);
        }
        ModelEvent::Decision { record, .. } => {
            record.as_mut()?.call.clone_from(ledger.call());
        }
        _ => return None,
    }
    Some(event)
}

/// The event with no record.
fn recordless(event: &ModelEvent) -> ModelEvent {
    let mut event = event.clone();
    match &mut event {
        ModelEvent::Resolved { resolution, .. } => resolution.record = None,
        ModelEvent::Decision { record, .. } => *record = None,
        _ => {}
    }
    event
}

/// One step: what the model makes of it beside what the gate made of it.
struct Taken<'a> {
    before: &'a Ledger<Recorded>,
    event: &'a ModelEvent,
    after: Ledger<Recorded>,
    returned: Returned<Recorded>,
    /// What the gate returned, with nothing settled.
    got: Step,
    /// What the gate says is settled; `None` when it cannot be read.
    state: Option<Option<Settled<Recorded>>>,
}

impl<'a> Taken<'a> {
    fn new(
        labels: &Labels<'_>,
        before: &'a Ledger<Recorded>,
        event: &'a ModelEvent,
        got: &Step,
    ) -> Self {
        let mut after = before.clone();
        let returned = after.step(event);
        let state = labels.read(got.settled.as_ref());
        let got = Step {
            settled: None,
            ..got.clone()
        };
        Self {
            before,
            event,
            after,
            returned,
            got,
            state,
        }
    }

    fn returned_right(&self) -> bool {
        self.got == step(self.returned.clone())
    }

    fn conforms(&self) -> bool {
        self.returned_right() && self.state.as_ref() == Some(&self.after.settled().cloned())
    }

    /// Whether the gate did what the model does with another event in this one's place. The words
    /// of a settled ask are not looked at: a gate may have taken them from the record or the ask.
    fn did(&self, event: &ModelEvent) -> bool {
        let mut ledger = self.before.clone();
        let returned = ledger.step(event);
        let ended = |settled: Option<&Settled<Recorded>>| settled.map(Settled::settlement);
        let state = self.state.as_ref().map(|state| ended(state.as_ref()));
        self.got == step(returned) && state == Some(ended(ledger.settled()))
    }

    fn blame(&self, index: usize, wire: &Event, deciding: Clause) -> Clause {
        if self.returned_right()
            && let Some(clause) = self.blame_state(index)
        {
            return clause;
        }
        if let Some(absent) = without_record(deciding, self.event) {
            let counted = counting(self.before, self.event).is_some_and(|event| self.did(&event));
            return if counted { deciding } else { absent };
        }
        let counts = matches!(deciding, Clause::Led09 | Clause::Led10 | Clause::Led11);
        if counts && self.did(&recordless(self.event)) {
            match wire {
                _ if reordered(wire) => return Clause::Led07,
                Event::Resolved { resolution, .. } if resolution.edited.is_some() => {
                    return Clause::Led08;
                }
                _ => {}
            }
        }
        deciding
    }

    /// Where the step returned what it must and left another state, the rule of the state.
    fn blame_state(&self, index: usize) -> Option<Clause> {
        let was = self.before.settled();
        let is = self.after.settled();
        let state = self.state.as_ref()?.as_ref();
        let drops = matches!(
            self.event,
            ModelEvent::Supersede | ModelEvent::KeepForBytes { .. }
        );
        if was.is_some() && is != was && state == was && !drops {
            return Some(Clause::Led02);
        }
        if was.is_some() && is == was && state.is_none() && !drops {
            return Some(Clause::Led03);
        }
        // at the start there is nothing that a reading or a keeping could have settled
        let idle = matches!(
            self.event,
            ModelEvent::KeepForBytes { .. }
                | ModelEvent::CauseOf { .. }
                | ModelEvent::ClassifierRoundOf { .. }
        );
        (index == 0 && idle && state.is_some()).then_some(Clause::Led01)
    }
}
