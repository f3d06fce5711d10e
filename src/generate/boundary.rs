//! Histories of acts and consults on small forests: every one up to a bound, and random ones.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Names, Settings};
use crate::model::boundary::{
    Act, Boundary, Call, Effect, Envelope, Event, Policy, Scope, Seat, VERDICTS, Verdict,
};
use crate::ops::boundary::{ActInput, EventInput, Nothing, Op, Pair, Trace};

mod scoped;

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
pub fn sequences(alphabet: Vec<Event>, length: usize) -> impl Iterator<Item = Vec<Event>> + Send {
    let radix = alphabet.len();
    (0..=length).flat_map(move |length| {
        let alphabet = alphabet.clone();
        let count = radix.pow(u32::try_from(length).unwrap_or(u32::MAX));
        (0..count).map(move |index| {
            let mut rest = index;
            let mut sequence: Vec<Event> = (0..length)
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

/// What happens next, before it is known where calls are held.
#[derive(Clone, Debug)]
enum Pick {
    /// Rule the call that is held at some agent, or a fresh one.
    Again(prop::sample::Index),
    /// Rule a call of an agent.
    Call(prop::sample::Index, prop::sample::Index),
    /// Answer where a call is held.
    AnswerHeld(prop::sample::Index, Verdict, Scope),
    /// Answer at any agent.
    Answer(prop::sample::Index, Verdict, Scope),
    /// Raise a floor.
    Revoke(prop::sample::Index),
    /// Lower a floor that is raised, or any.
    Restore(prop::sample::Index),
    /// Send an envelope that carries no act.
    Malformed(prop::sample::Index, prop::sample::Index),
    /// Change policy.
    Policy(Policy),
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![3 => Just(Verdict::Pass), 2 => Just(Verdict::Hold), 1 => Just(Verdict::Refuse)]
}

fn any_policy() -> impl Strategy<Value = Policy> {
    let held = || prop_oneof![2 => Just(Verdict::Hold), 3 => verdict()];
    (verdict(), held(), held(), held()).prop_map(|(read, write, destructive, secret)| Policy {
        read,
        write,
        destructive,
        secret,
    })
}

fn scope(scoped: bool) -> BoxedStrategy<Scope> {
    if scoped {
        prop_oneof![
            1 => Just(Scope::Call), 3 => Just(Scope::Conversation), 2 => Just(Scope::Workspace)
        ]
        .boxed()
    } else {
        Just(Scope::Call).boxed()
    }
}

fn pick(scoped: bool) -> impl Strategy<Value = Pick> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        4 => at().prop_map(Pick::Again),
        if scoped { 8 } else { 5 } => (at(), at()).prop_map(|(seat, call)| Pick::Call(seat, call)),
        6 => (at(), verdict(), scope(scoped)).prop_map(|(a, v, s)| Pick::AnswerHeld(a, v, s)),
        1 => (at(), verdict(), scope(scoped)).prop_map(|(a, v, s)| Pick::Answer(a, v, s)),
        3 => at().prop_map(Pick::Revoke),
        3 => at().prop_map(Pick::Restore),
        1 => (at(), at()).prop_map(|(seat, word)| Pick::Malformed(seat, word)),
        1 => any_policy().prop_map(Pick::Policy),
    ]
}

/// Random histories: mostly acts where calls are held, often on agents that are almost related.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let names = settings.names();
    let most = settings.boundary_random_events;
    let history = move |scoped: bool| {
        (
            any_policy(),
            vec(pick(scoped), 1..most),
            prop::sample::subsequence(seats(names), 1..5),
        )
            .prop_map(move |(policy, picks, seats)| history(names, policy, &picks, &seats))
    };
    let (envelopes, pairs): (Vec<Op>, Vec<Op>) = words(names)
        .into_iter()
        .filter(|op| !matches!(op, Op::Verdicts(_)))
        .partition(|op| matches!(op, Op::Envelope(_)));
    prop_oneof![
        32 => history(false).prop_map(Op::Run),
        6 => history(true).prop_map(Op::Scoped),
        6 => standing(names).prop_map(Op::Scoped),
        1 => Just(Op::Verdicts(Nothing {})),
        1 => prop::sample::select(envelopes),
        2 => prop::sample::select(pairs),
    ]
}

/// Histories of answers that stand: a call of one class is held at each agent of a line, some are
/// answered, floors and policy change, and then another call of the class is ruled at each.
fn standing(names: Names) -> impl Strategy<Value = Trace> + use<> {
    let at = any::<prop::sample::Index>;
    let answer = (at(), verdict(), scope(true)).prop_map(|(a, v, s)| Pick::AnswerHeld(a, v, s));
    let between = prop_oneof![
        3 => at().prop_map(Pick::Revoke),
        3 => at().prop_map(Pick::Restore),
        1 => any_policy().prop_map(Pick::Policy),
        2 => Just(Pick::Policy(policy(Verdict::Refuse))),
    ];
    let line = prop::sample::subsequence(seats(names), 1..4);
    (line, vec(answer, 1..5), vec(between, 0..4)).prop_map(move |(seats, answers, between)| {
        let policy = policy(Verdict::Hold);
        let mut boundary = Boundary::new(policy);
        let mut events: Vec<Event> = seats.iter().map(|seat| call(names, seat, 0)).collect();
        for event in &events {
            boundary.step(event);
        }
        for pick in answers.iter().chain(&between) {
            let next = event(names, &boundary, pick, &seats);
            boundary.step(&next);
            events.push(next);
        }
        events.extend(seats.iter().map(|seat| call(names, seat, 1)));
        Trace {
            policy,
            events: events.iter().map(EventInput::from).collect(),
        }
    })
}

/// The agents of random histories.
fn seats(names: Names) -> Vec<Seat> {
    let p = root(names);
    let agents = [
        p.clone(),
        format!("{p}-c"),
        format!("{p}-c-g"),
        format!("{p}x"),
        format!("{p}-cx"),
        p.to_uppercase(),
    ];
    let here = workspace(names, 0);
    let mut all: Vec<Seat> = agents.iter().map(|agent| Seat::new(&here, agent)).collect();
    all.push(Seat::new(&workspace(names, 1), &p));
    all
}

/// The picks as events, each made where the history so far lets it matter.
fn history(names: Names, policy: Policy, picks: &[Pick], seats: &[Seat]) -> Trace {
    let mut boundary = Boundary::new(policy);
    let mut events = Vec::new();
    for pick in picks {
        let event = event(names, &boundary, pick, seats);
        boundary.step(&event);
        events.push(EventInput::from(&event));
    }
    Trace { policy, events }
}

fn event(names: Names, boundary: &Boundary, pick: &Pick, seats: &[Seat]) -> Event {
    let held: Vec<(Seat, Call)> = boundary
        .marks()
        .map(|(seat, mark)| (seat.clone(), mark.call.clone()))
        .collect();
    let act = |act: Act| Event::Act(act.envelope());
    let answer = |seat: &Seat, verdict: Verdict, scope: Scope| {
        act(Act::Answer {
            seat: seat.clone(),
            verdict,
            scope,
        })
    };
    match pick {
        Pick::Again(at) if held.is_empty() => call(names, at.get(seats), 0),
        Pick::Again(at) => {
            let (seat, call) = at.get(&held).clone();
            Event::Consult(seat, call)
        }
        Pick::Call(at, index) => call(names, at.get(seats), index.index(6)),
        Pick::AnswerHeld(at, verdict, scope) if !held.is_empty() => {
            answer(&at.get(&held).0, *verdict, *scope)
        }
        Pick::AnswerHeld(at, verdict, scope) | Pick::Answer(at, verdict, scope) => {
            answer(at.get(seats), *verdict, *scope)
        }
        Pick::Revoke(at) => act(Act::Revoke(at.get(seats).clone())),
        Pick::Restore(at) => {
            let floors: Vec<&Seat> = boundary.floors().iter().collect();
            let seat = if floors.is_empty() {
                at.get(seats)
            } else {
                at.get(&floors)
            };
            act(Act::Restore(seat.clone()))
        }
        Pick::Malformed(at, word) => {
            let good = Act::answer(at.get(seats).clone(), Verdict::Pass).envelope();
            let words = ["PASS", "allow", "", "hold "];
            let verdict = Some((*word.get(&words)).to_owned());
            Event::Act(Envelope { verdict, ..good })
        }
        Pick::Policy(policy) => Event::Policy(*policy),
    }
}

/// The `index`th call of an agent. Calls 0 and 1 are of one class, call 2 is of another tool, and
/// each effect has a call.
fn call(names: Names, seat: &Seat, index: usize) -> Event {
    let effects = [
        Effect::Write,
        Effect::Write,
        Effect::Write,
        Effect::Read,
        Effect::Destructive,
        Effect::Secret,
    ];
    let effect = effects.get(index).copied().unwrap_or(Effect::Write);
    let id = names.name("call", u32::try_from(index).unwrap_or_default());
    let tool = names.name("tool", u32::from(index == 2));
    Event::Consult(seat.clone(), Call { id, tool, effect })
}
