//! Histories of acts and consults on small forests: every one up to a bound, and random ones.
//!
//! ```
//! use gatespec::generate::boundary::sequences;
//!
//! let all: Vec<Vec<char>> = sequences(vec!['a', 'b'], 2).collect();
//! assert_eq!(all.len(), 1 + 2 + 4);
//! assert_eq!(all.last(), Some(&vec!['b', 'b']));
//! ```

use super::{Names, Settings};
use crate::model::boundary::{Act, Call, Effect, Envelope, Event, Policy, Seat, VERDICTS, Verdict};
use crate::ops::boundary::{ActInput, EventInput, Nothing, Op, Pair, Trace};

mod joint;
mod random;
mod scoped;

pub use random::strategy;
pub use scoped::enumerate as enumerate_scoped;

/// The agents of a small forest, by role.
#[derive(Clone, Debug)]
pub struct Forest {
    /// The agents, three of them: the first is the one that matters most.
    pub seats: Vec<Seat>,
}

impl Forest {
    /// A parent, its child, and an agent whose id merely begins with the parent's.
    #[must_use]
    pub fn family(names: Names) -> Self {
        let (workspace, p) = (workspace(names, 0), root(names));
        let agents = [p.clone(), format!("{p}-c"), format!("{p}x")];
        Self {
            seats: agents
                .iter()
                .map(|agent| Seat::new(&workspace, agent))
                .collect(),
        }
    }

    /// An agent, one of the same id in another workspace, and a grandchild of the first.
    #[must_use]
    pub fn workspaces(names: Names) -> Self {
        let (here, there, p) = (workspace(names, 0), workspace(names, 1), root(names));
        let grandchild = Seat::new(&here, &format!("{p}-c-g"));
        Self {
            seats: vec![Seat::new(&here, &p), Seat::new(&there, &p), grandchild],
        }
    }
}

/// A fresh agent id with no `-` in it.
fn root(names: Names) -> String {
    names.name("p", 0).replace('-', "")
}

fn workspace(names: Names, index: u32) -> String {
    names.name("ws", index)
}

/// A policy that says `write` of writes, passes reads, and says the same of the other effects.
const fn policy(write: Verdict) -> Policy {
    Policy {
        read: Verdict::Pass,
        write,
        destructive: write,
        secret: write,
    }
}

/// Every act on these agents: three answers, `revoke` and `restore` on each.
#[must_use]
pub fn acts(seats: &[Seat]) -> Vec<Event> {
    let on = |seat: &Seat| {
        let answers = VERDICTS.map(|verdict| Act::answer(seat.clone(), verdict));
        let floors = [Act::Revoke(seat.clone()), Act::Restore(seat.clone())];
        answers
            .into_iter()
            .chain(floors)
            .map(|act| Event::Act(act.envelope()))
            .collect::<Vec<_>>()
    };
    seats.iter().flat_map(on).collect()
}

/// The consult of a call at an agent. The `index`th call has one id at every agent: an id is
/// unique in its conversation only.
#[must_use]
pub fn consult(names: Names, seat: &Seat, index: u32, effect: Effect) -> Event {
    let (id, tool) = (names.name("call", index), names.name("tool", 0));
    Event::Consult(seat.clone(), Call { id, tool, effect })
}

/// Every act, and at each agent the consult of a write, of another write, and of a read.
#[must_use]
pub fn mixed(names: Names, seats: &[Seat]) -> Vec<Event> {
    let calls = |seat: &Seat| {
        [
            consult(names, seat, 0, Effect::Write),
            consult(names, seat, 1, Effect::Write),
            consult(names, seat, 2, Effect::Read),
        ]
    };
    acts(seats)
        .into_iter()
        .chain(seats.iter().flat_map(calls))
        .collect()
}

/// Every sequence over an alphabet of up to `length` events, the shortest first.
pub fn sequences<E: Clone + Send>(
    alphabet: Vec<E>,
    length: usize,
) -> impl Iterator<Item = Vec<E>> + Send {
    let radix = alphabet.len();
    (0..=length).flat_map(move |length| {
        let alphabet = alphabet.clone();
        let count = radix.pow(u32::try_from(length).unwrap_or(u32::MAX));
        (0..count).map(move |index| {
            let mut rest = index;
            let mut sequence: Vec<E> = (0..length)
                .filter_map(|_| {
                    let event = alphabet.get(rest % radix).cloned();
                    rest /= radix;
                    event
                })
                .collect();
            sequence.reverse();
            sequence
        })
    })
}

/// A frame around sequences of acts: what comes before them and after.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The policy at first.
    pub policy: Policy,
    /// Before the acts.
    pub before: Vec<Event>,
    /// After the acts.
    pub after: Vec<Event>,
}

impl Frame {
    /// The frame with these events in it.
    #[must_use]
    pub fn around(&self, events: &[Event]) -> Trace {
        let events = self.before.iter().chain(events).chain(&self.after);
        Trace {
            policy: self.policy,
            events: events.map(EventInput::from).collect(),
        }
    }

    /// Both frames of a forest. At each agent a call is ruled, then come the acts, then the call
    /// is ruled again: once where policy holds it, once where only the first agent's floor does.
    #[must_use]
    pub fn both(names: Names, seats: &[Seat]) -> [Self; 2] {
        let calls: Vec<Event> = seats
            .iter()
            .map(|seat| consult(names, seat, 0, Effect::Write))
            .collect();
        let revoked = seats
            .iter()
            .take(1)
            .map(|seat| Event::Act(Act::Revoke(seat.clone()).envelope()));
        let floored = revoked.chain(calls.iter().cloned()).collect();
        [
            Self {
                policy: policy(Verdict::Hold),
                before: calls.clone(),
                after: calls.clone(),
            },
            Self {
                policy: policy(Verdict::Pass),
                before: floored,
                after: calls,
            },
        ]
    }
}

fn run(trace: Trace) -> Op {
    Op::Run(trace)
}

/// Every case of the bounded space, from small to large.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let names = settings.names();
    let (family, apart) = (Forest::family(names).seats, Forest::workspaces(names).seats);
    let wide = settings.boundary_events;
    let histories = move |seats: &[Seat], write: Verdict, length: usize| {
        let policy = policy(write);
        sequences(mixed(names, seats), length).map(move |events| {
            run(Trace {
                policy,
                events: events.iter().map(EventInput::from).collect(),
            })
        })
    };
    let framed = [&family, &apart].into_iter().flat_map(|seats| {
        let acts = acts(seats);
        Frame::both(names, seats).map(|frame| (frame, acts.clone()))
    });
    let framed: Vec<(Frame, Vec<Event>)> = framed.collect();
    let acts = settings.boundary_acts;
    words(names)
        .into_iter()
        .chain(malformed(names))
        .chain(policies(names))
        .chain(effects(names))
        .chain(histories(&family, Verdict::Pass, wide))
        .chain(histories(&family, Verdict::Hold, wide))
        .chain(histories(&family, Verdict::Refuse, wide.saturating_sub(1)))
        .chain(histories(&apart, Verdict::Pass, wide.saturating_sub(1)))
        .chain(histories(&apart, Verdict::Hold, wide.saturating_sub(1)))
        .chain(framed.into_iter().flat_map(move |(frame, alphabet)| {
            sequences(alphabet, acts).map(move |events| run(frame.around(&events)))
        }))
        .chain(joint::enumerate(settings))
        .chain(scoped::enumerate(settings))
}

/// The words, the envelopes, and who descends from whom.
fn words(names: Names) -> Vec<Op> {
    let mut all = vec![Op::Verdicts(Nothing {})];
    let (workspace, p) = (workspace(names, 0), root(names));
    for verdict in VERDICTS {
        let (workspace, agent) = (workspace.clone(), p.clone());
        all.push(Op::Envelope(ActInput::Answer {
            workspace,
            agent,
            verdict,
        }));
    }
    let (w, a) = (workspace, p.clone());
    all.push(Op::Envelope(ActInput::Revoke {
        workspace: w.clone(),
        agent: a.clone(),
    }));
    all.push(Op::Envelope(ActInput::Restore {
        workspace: w,
        agent: a,
    }));
    let upper = p.to_uppercase();
    let agents = [
        p.clone(),
        format!("{p}x"),
        format!("{p}-c"),
        format!("{p}-cx"),
        format!("{p}-c-g"),
        format!("{p}x-c"),
        format!("q-{p}"),
        upper.clone(),
        format!("{upper}-c"),
        format!("{p}.c"),
        format!("{p}/c"),
        format!(" {p}-c"),
    ];
    for ancestor in &agents {
        for agent in &agents {
            let pair = Pair {
                ancestor: ancestor.clone(),
                agent: agent.clone(),
            };
            all.push(Op::Descends(pair));
        }
    }
    all
}

/// Envelopes that carry no act, put to an agent where a call is held.
fn malformed(names: Names) -> Vec<Op> {
    let Some(seat) = Forest::family(names).seats.first().cloned() else {
        return Vec::new();
    };
    let call = consult(names, &seat, 0, Effect::Write);
    let good = Act::answer(seat.clone(), Verdict::Pass).envelope();
    let verdict = |word: &str| Envelope {
        verdict: Some(word.to_owned()),
        ..good.clone()
    };
    let act = |word: &str| Envelope {
        op: word.to_owned(),
        ..good.clone()
    };
    let revoke = Act::Revoke(seat).envelope();
    let mut envelopes: Vec<Envelope> = [
        "", "PASS", "Pass", " pass", "allow", "approve", "held", "passed", "true", "maybe",
    ]
    .map(verdict)
    .into();
    envelopes.extend(["", "Answer", "ANSWER", "answers", "reply", "approve"].map(act));
    envelopes.extend([
        Envelope {
            verdict: None,
            ..good.clone()
        },
        Envelope {
            agent: None,
            ..good.clone()
        },
        Envelope {
            workspace: None,
            ..good.clone()
        },
        Envelope {
            op: "Revoke".to_owned(),
            ..revoke.clone()
        },
        Envelope {
            op: "restored".to_owned(),
            ..revoke.clone()
        },
        Envelope {
            agent: None,
            ..revoke.clone()
        },
        Envelope {
            workspace: None,
            ..revoke
        },
    ]);
    let wrap = |envelope: &Envelope| {
        let events = [call.clone(), Event::Act(envelope.clone()), call.clone()];
        run(Trace {
            policy: policy(Verdict::Hold),
            events: events.iter().map(EventInput::from).collect(),
        })
    };
    envelopes.iter().map(wrap).collect()
}

/// A call of each effect, under each policy, with no floor, under a floor and after it.
fn effects(names: Names) -> Vec<Op> {
    let Some(seat) = Forest::family(names).seats.first().cloned() else {
        return Vec::new();
    };
    let acts = [Act::Revoke(seat.clone()), Act::Restore(seat.clone())];
    let acts = acts.map(|act| Event::Act(act.envelope()));
    let mut all = Vec::new();
    for effect in Effect::ALL {
        for says in Verdict::ALL {
            for done in 0..=acts.len() {
                let call = consult(names, &seat, 0, effect);
                let events = acts
                    .iter()
                    .take(done)
                    .chain([&call])
                    .map(EventInput::from)
                    .collect();
                let policy = Policy {
                    read: says,
                    ..policy(says)
                };
                all.push(run(Trace { policy, events }));
            }
        }
    }
    all
}

/// A held call, its answers, and another policy before it is ruled again and once more.
fn policies(names: Names) -> Vec<Op> {
    let Some(seat) = Forest::family(names).seats.first().cloned() else {
        return Vec::new();
    };
    let held = consult(names, &seat, 0, Effect::Write);
    let other = consult(names, &seat, 1, Effect::Write);
    let mut all = Vec::new();
    for answers in sequences(acts(std::slice::from_ref(&seat)), 2) {
        for next in Verdict::ALL {
            for last in [&held, &other] {
                let mut events = vec![held.clone()];
                events.extend(answers.iter().cloned());
                events.extend([Event::Policy(policy(next)), held.clone(), last.clone()]);
                all.push(run(Trace {
                    policy: policy(Verdict::Hold),
                    events: events.iter().map(EventInput::from).collect(),
                }));
            }
        }
    }
    all
}
