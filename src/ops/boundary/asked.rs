//! Which histories the chapter speaks of: the rest are of the right shape, and no gate is asked
//! them.

use std::collections::{BTreeMap, BTreeSet};

use super::joint::{JointEvent, JointInput};
use super::wire::{ActInput, EventInput, Pair, Trace};
use crate::model::boundary::{Effect, Envelope};

/// No part of an agent's id between two `-` is empty (BND-04).
fn agent(id: &str) -> bool {
    id.split('-').all(|part| !part.is_empty())
}

pub(super) fn act(act: &ActInput) -> bool {
    let (ActInput::Answer { agent: at, .. }
    | ActInput::Revoke { agent: at, .. }
    | ActInput::Restore { agent: at, .. }) = act;
    agent(at)
}

pub(super) fn pair(pair: &Pair) -> bool {
    agent(&pair.ancestor) && agent(&pair.agent)
}

/// An act has no member that it does not need (BND-03), and a scope in the profile only (BND-27).
fn envelope(envelope: &Envelope, scoped: bool) -> bool {
    let moves_floor = matches!(envelope.op.as_str(), "revoke" | "restore");
    let spare = moves_floor && (envelope.verdict.is_some() || envelope.scope.is_some());
    let scope = envelope.scope.is_none() || scoped;
    !spare && scope && envelope.agent.as_deref().is_none_or(agent)
}

pub(super) fn trace(trace: &Trace, scoped: bool) -> bool {
    let mut ids = Ids::default();
    trace.events.iter().all(|event| match event {
        EventInput::Act(act) => envelope(act, scoped),
        EventInput::Policy(_) => true,
        EventInput::Call(call) => {
            let place = (
                call.workspace.as_str(),
                call.agent.as_str(),
                call.id.as_str(),
            );
            agent(&call.agent) && ids.keep(place, &call.tool, call.effect)
        }
    })
}

pub(super) fn joint(input: &JointInput) -> bool {
    let mut places = BTreeSet::new();
    let agents = input.agents.iter().all(|at| {
        let mut ids = BTreeSet::new();
        agent(&at.agent)
            && places.insert((at.workspace.as_str(), at.agent.as_str()))
            && at.calls.iter().all(|call| ids.insert(&call.id))
    });
    agents
        && input.events.iter().all(|event| match event {
            JointEvent::Act(act) => envelope(act, false),
            // only what has emitted a step has a window
            JointEvent::Drive(at) => places.contains(&(at.workspace.as_str(), at.agent.as_str())),
        })
}

/// A workspace, an agent in it, and an id of its conversation.
type Place<'a> = (&'a str, &'a str, &'a str);

/// The calls that were seen: an id of one conversation keeps its tool and its effect.
#[derive(Default)]
struct Ids<'a>(BTreeMap<Place<'a>, (&'a str, Effect)>);

impl<'a> Ids<'a> {
    fn keep(&mut self, at: Place<'a>, tool: &'a str, does: Effect) -> bool {
        *self.0.entry(at).or_insert((tool, does)) == (tool, does)
    }
}
