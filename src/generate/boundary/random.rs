//! Random histories: mostly acts where calls are held, often on agents that are almost related.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Settings, policy, root, words, workspace};
use crate::generate::Names;
use crate::model::boundary::{
    Act, Boundary, Call, Effect, Envelope, Event, Policy, Scope, Seat, Verdict,
};
use crate::ops::boundary::{EventInput, Nothing, Op, Trace};

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

pub(super) fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![3 => Just(Verdict::Pass), 2 => Just(Verdict::Hold), 1 => Just(Verdict::Refuse)]
}

pub(super) fn any_policy() -> impl Strategy<Value = Policy> {
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
        8 => super::joint::strategy(settings).prop_map(Op::Joint),
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
pub(super) fn seats(names: Names) -> Vec<Seat> {
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
