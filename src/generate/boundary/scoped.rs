//! Histories of answers that stand: the extension `scoped-answers`.

use super::{Forest, Settings, policy, sequences};
use crate::generate::Names;
use crate::model::boundary::{Act, Call, Effect, Envelope, Event, Scope, Seat, Verdict};
use crate::ops::boundary::{EventInput, Op, Trace};

/// Every history of the extension up to the bound: calls of one class are held at the agents of a
/// forest and answered with every scope, floors come and go, and later calls are ruled, of the
/// class and just beside it.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let names = settings.names();
    let length = settings.boundary_scoped_acts;
    let wide = words(names).into_iter().chain(kept_in_bounds(names));
    let forests = [Forest::family(names), Forest::workspaces(names)];
    wide.chain(forests.into_iter().flat_map(move |forest| {
        let seats = forest.seats;
        let alphabet = alphabet(&seats);
        let held: Vec<Event> = seats.iter().map(|seat| call(names, seat, 0, 0)).collect();
        let later: Vec<Event> = seats.iter().map(|seat| call(names, seat, 1, 0)).collect();
        sequences(alphabet, length).map(move |acts| {
            let events = held.iter().chain(&acts).chain(&later);
            scoped(Verdict::Hold, events)
        })
    }))
}

fn scoped<'a>(write: Verdict, events: impl Iterator<Item = &'a Event>) -> Op {
    Op::Scoped(Trace {
        policy: policy(write),
        events: events.map(EventInput::from).collect(),
    })
}

/// The `index`th write of an agent, of the `class`th tool.
fn call(names: Names, seat: &Seat, index: u32, class: u32) -> Event {
    let (id, tool) = (names.name("call", index), names.name("tool", class));
    Event::Consult(
        seat.clone(),
        Call {
            id,
            tool,
            effect: Effect::Write,
        },
    )
}

/// Answers to pass and to refuse in every scope, and the floors, at each agent.
fn alphabet(seats: &[Seat]) -> Vec<Event> {
    let mut all = Vec::new();
    for seat in seats {
        for verdict in [Verdict::Pass, Verdict::Refuse] {
            for scope in Scope::ALL {
                all.push(Act::Answer {
                    seat: seat.clone(),
                    verdict,
                    scope,
                });
            }
        }
        all.extend([Act::Revoke(seat.clone()), Act::Restore(seat.clone())]);
    }
    all.iter().map(|act| Event::Act(act.envelope())).collect()
}

/// The scopes as words, lawful and not, for each effect; then another call of the class.
fn words(names: Names) -> Vec<Op> {
    let Some(seat) = Forest::family(names).seats.first().cloned() else {
        return Vec::new();
    };
    let good = Act::answer(seat.clone(), Verdict::Pass).envelope();
    let words = [
        "call",
        "conversation",
        "workspace",
        "",
        "Call",
        "session",
        "global",
        "agent",
    ];
    let mut all = Vec::new();
    for effect in Effect::ALL {
        let call = |index: u32| {
            let (id, tool) = (names.name("call", index), names.name("tool", 0));
            Event::Consult(seat.clone(), Call { id, tool, effect })
        };
        for word in words.iter().map(Some).chain([None]) {
            let scope = word.map(|word| (*word).to_owned());
            let act = Event::Act(Envelope {
                scope,
                ..good.clone()
            });
            let mut policy = policy(Verdict::Hold);
            policy.read = Verdict::Hold;
            let events = [call(0), act, call(0), call(1)];
            let events = events.iter().map(EventInput::from).collect();
            all.push(Op::Scoped(Trace { policy, events }));
        }
    }
    all
}

/// A standing answer, and a later call that it may or may not rule: another tool, another effect,
/// another agent, another policy, and both at once under a floor that comes and goes.
fn kept_in_bounds(names: Names) -> Vec<Op> {
    let seats: Vec<Seat> = [Forest::family(names).seats, Forest::workspaces(names).seats].concat();
    let Some(first) = seats.first() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for scope in [Scope::Conversation, Scope::Workspace] {
        for verdict in Verdict::ALL {
            let act = Act::Answer {
                seat: first.clone(),
                verdict,
                scope,
            };
            let given = [call(names, first, 0, 0), Event::Act(act.envelope())];
            for seat in &seats {
                for class in [0, 1] {
                    let later = call(names, seat, 1, class);
                    all.push(scoped(Verdict::Hold, given.iter().chain([&later])));
                }
                let destructive = Event::Consult(
                    seat.clone(),
                    Call {
                        id: names.name("call", 2),
                        tool: names.name("tool", 0),
                        effect: Effect::Destructive,
                    },
                );
                all.push(scoped(Verdict::Hold, given.iter().chain([&destructive])));
                for next in Verdict::ALL {
                    let change = Event::Policy(policy(next));
                    let later = call(names, seat, 1, 0);
                    all.push(scoped(Verdict::Hold, given.iter().chain([&change, &later])));
                }
                all.extend(under_a_floor(names, first, seat, &act));
            }
        }
    }
    all
}

/// A read and a write, held and answered at the first agent, and another one of the class at any
/// agent: under a floor that is raised over the first, and after it.
fn under_a_floor(names: Names, first: &Seat, seat: &Seat, act: &Act) -> Vec<Op> {
    let mut all = Vec::new();
    for effect in [Effect::Read, Effect::Write] {
        let call = |seat: &Seat, index| {
            let (id, tool) = (names.name("call", index), names.name("tool", 0));
            Event::Consult(seat.clone(), Call { id, tool, effect })
        };
        let raised = Event::Act(Act::Revoke(first.clone()).envelope());
        let lowered = Event::Act(Act::Restore(first.clone()).envelope());
        let given = [call(first, 0), Event::Act(act.envelope())];
        for floors in [vec![raised.clone()], vec![raised, lowered]] {
            let later = call(seat, 1);
            let events = given.iter().chain(&floors).chain([&later]);
            let mut policy = policy(Verdict::Hold);
            policy.read = Verdict::Hold;
            all.push(Op::Scoped(Trace {
                policy,
                events: events.map(EventInput::from).collect(),
            }));
        }
    }
    all
}
