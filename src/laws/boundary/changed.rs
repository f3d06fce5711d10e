//! Laws of two histories: one is changed in a way that must not show.

use super::{Told, taken};
use crate::laws::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::boundary::{Act, Event, Outcome, Receipt, Seat, run};

/// The laws that compare a history with a changed one.
pub const CHANGED: &[Law<Told>] = &[
    Law {
        id: "a_refused_act_changes_nothing",
        sentence: "Without its refused acts a history comes to the same.",
        clauses: &[Clause::Bnd03, Clause::Bnd10, Clause::Bnd27, Clause::Bnd30],
        reaches: |told| refused(told, told.events.len()),
        check: |told| {
            let kept = |at: usize| !refused_at(told, at);
            unchanged(told, kept, |_| true)
        },
    },
    Law {
        id: "workspaces_are_apart",
        sentence: "Without all that happens in other workspaces what happens in this one comes to the same.",
        clauses: &[Clause::Bnd05, Clause::Bnd29],
        reaches: |told| match told.events.last().and_then(place) {
            Some((workspace, _)) => told
                .events
                .iter()
                .filter_map(place)
                .any(|(other, _)| other != workspace),
            None => false,
        },
        check: |told| {
            let Some((workspace, _)) = told.events.last().and_then(place) else {
                return Ok(());
            };
            let here = |at: usize| {
                let at = told.events.get(at).and_then(place);
                at.is_none_or(|(other, _)| other == workspace)
            };
            unchanged(told, here, |at| {
                told.events.get(at).and_then(place).is_some()
            })
        },
    },
    Law {
        id: "unrelated_agents_are_apart",
        sentence: "Without the acts on agents that are neither this agent nor above it, and the calls of any other agent, what happens at this one comes to the same.",
        clauses: &[Clause::Bnd04, Clause::Bnd09, Clause::Bnd20, Clause::Bnd22],
        reaches: |told| match told.events.last().and_then(place) {
            Some((_, agent)) => told.events.iter().filter_map(place).any(|(_, other)| {
                other != agent && (other.starts_with(agent) || agent.starts_with(other))
            }),
            None => false,
        },
        check: |told| {
            let Some((workspace, agent)) = told.events.last().and_then(place) else {
                return Ok(());
            };
            if told
                .events
                .iter()
                .any(|event| matches!(event, Event::Act(envelope) if envelope.scope.is_some()))
            {
                return Ok(()); // an answer of a wide scope is given through a call elsewhere
            }
            let seat = Seat::new(workspace, agent);
            let related = |at: usize| match told.events.get(at) {
                Some(Event::Consult(at, _)) => *at == seat,
                Some(Event::Act(envelope)) => match Act::read(envelope) {
                    Ok(act) => seat.is_under(act.seat()),
                    Err(_) => true,
                },
                _ => true,
            };
            let here = |at: usize| {
                let at = told.events.get(at).and_then(place);
                at == Some((workspace, agent))
            };
            unchanged(told, related, here)
        },
    },
    Law {
        id: "the_latest_of_two_floor_acts_on_one_agent_stands_alone",
        sentence: "Without a `revoke` or `restore` that another one on the same agent follows with no call and no receipt of its own between, the rest comes to the same.",
        clauses: &[Clause::Bnd26],
        reaches: |told| superseded(told).is_some(),
        check: |told| match superseded(told) {
            Some(cut) => unchanged(told, |at| at != cut, |at| at > cut),
            None => Ok(()),
        },
    },
];

fn refused_at(told: &Told, at: usize) -> bool {
    matches!(told.outcomes.get(at), Some(Outcome::Acted(Err(_))))
}

fn refused(told: &Told, length: usize) -> bool {
    (0..length).any(|at| refused_at(told, at))
}

/// Where an event happens.
fn place(event: &Event) -> Option<(&str, &str)> {
    match event {
        Event::Consult(seat, _) => Some((&seat.workspace, &seat.agent)),
        Event::Act(envelope) => Some((envelope.workspace.as_deref()?, envelope.agent.as_deref()?)),
        Event::Policy(_) => None,
    }
}

/// The first floor act that another one on the same agent follows at once.
fn superseded(told: &Told) -> Option<usize> {
    let floor = |at: usize| {
        let (act, receipt) = taken(told.events.get(at)?, told.outcomes.get(at)?)?;
        matches!(receipt, Receipt::Floor { .. }).then(|| act.seat().clone())
    };
    (0..told.events.len()).find(|&at| floor(at).is_some() && floor(at) == floor(at + 1))
}

/// Whether the events that are kept come to the same where they are compared.
fn unchanged(
    told: &Told,
    kept: impl Fn(usize) -> bool,
    compared: impl Fn(usize) -> bool,
) -> Result<(), Violation> {
    let places: Vec<usize> = (0..told.events.len()).filter(|&at| kept(at)).collect();
    let events: Vec<Event> = places
        .iter()
        .filter_map(|&at| told.events.get(at).cloned())
        .collect();
    let outcomes = run(told.policy, &events);
    for (&at, outcome) in places.iter().zip(&outcomes) {
        if compared(at) {
            ensure(told.outcomes.get(at) == Some(outcome), || {
                format!("event {at} comes to {outcome:?} without the rest")
            })?;
        }
    }
    Ok(())
}
