//! Windows of several agents under the boundary: every short interleaving of acts and drives, and
//! random longer ones.

use proptest::collection::vec;
use proptest::prelude::*;

use super::random::{any_policy, seats, verdict};
use super::{Forest, Settings, acts, policy, sequences};
use crate::generate::Names;
use crate::model::boundary::{Act, Effect, Event, Policy, Scope, Seat, Verdict};
use crate::model::joint;
use crate::ops::boundary::{AgentInput, CallInput, JointEvent, JointInput, Op, Place};

/// A parent and its child, each with a step of a write and another call.
fn agents(names: Names, seats: &[Seat], effects: &[Effect]) -> Vec<AgentInput> {
    let call = |(at, effect): (u32, &Effect)| CallInput {
        id: names.name("call", at),
        tool: names.name("tool", 0),
        effect: *effect,
    };
    let agent = |seat: &Seat| AgentInput {
        workspace: seat.workspace.clone(),
        agent: seat.agent.clone(),
        calls: (0..).zip(effects).map(call).collect(),
    };
    seats.iter().map(agent).collect()
}

fn drive(seat: &Seat) -> JointEvent {
    JointEvent::Drive(Place {
        workspace: seat.workspace.clone(),
        agent: seat.agent.clone(),
    })
}

fn act(event: Event) -> Option<JointEvent> {
    match event {
        Event::Act(envelope) => Some(JointEvent::Act(envelope)),
        Event::Consult(..) | Event::Policy(_) => None,
    }
}

/// Every interleaving of up to [`Settings::boundary_joint_events`] acts and drives of a parent and
/// its child, and of up to two acts between two drives of each.
pub(super) fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let names = settings.names();
    let seats: Vec<Seat> = Forest::family(names).seats.into_iter().take(2).collect();
    let drives: Vec<JointEvent> = seats.iter().map(drive).collect();
    let acts: Vec<JointEvent> = acts(&seats).into_iter().filter_map(act).collect();
    let all: Vec<JointEvent> = drives.iter().chain(&acts).cloned().collect();
    let steps = [
        [Effect::Write, Effect::Write],
        [Effect::Read, Effect::Write],
    ];
    let configurations: Vec<(Policy, Vec<AgentInput>)> = steps
        .iter()
        .flat_map(|step| {
            [Verdict::Pass, Verdict::Hold].map(|write| (policy(write), agents(names, &seats, step)))
        })
        .collect();
    let most = settings.boundary_joint_events;
    configurations
        .into_iter()
        .flat_map(move |(policy, agents)| {
            let (from, driven, between) = (agents.clone(), drives.clone(), agents);
            let open = sequences(all.clone(), most).map(move |events| (from.clone(), events));
            let framed = sequences(acts.clone(), most.min(2)).map(move |acts| {
                let events = driven.iter().chain(&acts).chain(&driven);
                (between.clone(), events.cloned().collect())
            });
            open.chain(framed).map(move |(agents, events)| {
                Op::Joint(JointInput {
                    policy,
                    agents,
                    events,
                })
            })
        })
}

/// What happens next, before it is known where calls are held.
#[derive(Clone, Debug)]
enum Pick {
    Drive(prop::sample::Index),
    Answer(prop::sample::Index, Verdict),
    Revoke(prop::sample::Index),
    Restore(prop::sample::Index),
}

/// Random interleavings over two to four agents, with steps of up to three calls.
pub(super) fn strategy(settings: &Settings) -> impl Strategy<Value = JointInput> + use<> {
    let names = settings.names();
    let most = settings.boundary_random_events;
    let at = any::<prop::sample::Index>;
    let pick = prop_oneof![
        6 => at().prop_map(Pick::Drive),
        4 => (at(), verdict()).prop_map(|(at, verdict)| Pick::Answer(at, verdict)),
        2 => at().prop_map(Pick::Revoke),
        1 => at().prop_map(Pick::Restore),
    ];
    let effect = prop::sample::select(vec![
        Effect::Write,
        Effect::Write,
        Effect::Read,
        Effect::Destructive,
        Effect::Secret,
    ]);
    let steps = vec(vec(effect, 1..4), 4);
    let seats = prop::sample::subsequence(seats(names), 2..5);
    (any_policy(), seats, steps, vec(pick, 1..most)).prop_map(
        move |(policy, seats, steps, picks)| {
            let agents: Vec<AgentInput> = seats
                .iter()
                .zip(&steps)
                .flat_map(|(seat, effects)| agents(names, std::slice::from_ref(seat), effects))
                .collect();
            let mut input = JointInput {
                policy,
                agents,
                events: Vec::new(),
            };
            let mut joint = input.joint();
            for pick in &picks {
                if let Some(event) = event(&joint, pick, &seats) {
                    joint.step(&joint::Event::from(&event));
                    input.events.push(event);
                }
            }
            input
        },
    )
}

fn event(joint: &joint::Joint, pick: &Pick, seats: &[Seat]) -> Option<JointEvent> {
    let taken = |taken: Act| act(Event::Act(taken.envelope()));
    match pick {
        Pick::Drive(at) => Some(drive(at.get(seats))),
        Pick::Answer(at, verdict) => {
            let held: Vec<&Seat> = joint.boundary().marks().map(|(seat, _)| seat).collect();
            let seat = if held.is_empty() {
                at.get(seats)
            } else {
                at.get(&held)
            };
            taken(Act::Answer {
                seat: seat.clone(),
                verdict: *verdict,
                scope: Scope::Call,
            })
        }
        Pick::Revoke(at) => taken(Act::Revoke(at.get(seats).clone())),
        Pick::Restore(at) => taken(Act::Restore(at.get(seats).clone())),
    }
}
