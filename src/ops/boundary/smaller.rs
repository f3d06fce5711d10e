//! Cases one step smaller.

use std::collections::BTreeSet;

use super::{ActInput, Consult, EventInput, Op, Pair, Trace};
use crate::model::boundary::{Effect, Envelope, Policy, Verdict};

/// How plain a case is, where two are of one length: the less, the plainer.
pub(super) fn rank(op: &Op) -> usize {
    match op {
        Op::Verdicts(_) | Op::Descends(_) => 0,
        Op::Envelope(ActInput::Answer { verdict, .. }) => rank_of(*verdict),
        Op::Envelope(_) => 0,
        Op::Run(trace) | Op::Scoped(trace) => trace_rank(trace),
        Op::Joint(input) => input.rank(),
    }
}

/// How plain a history is.
pub(super) fn trace_rank(trace: &Trace) -> usize {
    let mut names: BTreeSet<(u8, &str)> = BTreeSet::new();
    let mut rank = policy_rank(&trace.policy);
    for event in &trace.events {
        match event {
            EventInput::Act(envelope) => {
                names.extend(envelope.workspace.iter().map(|name| (0, name.as_str())));
                names.extend(envelope.agent.iter().map(|name| (1, name.as_str())));
                let verdict = envelope.verdict.as_deref().and_then(Verdict::from_word);
                rank += verdict.map_or(0, rank_of);
            }
            EventInput::Call(call) => {
                names.insert((0, &call.workspace));
                names.insert((1, &call.agent));
                names.insert((2, &call.id));
                names.insert((3, &call.tool));
                rank += call.effect as usize;
            }
            EventInput::Policy(policy) => rank += policy_rank(policy),
        }
    }
    rank + 4 * names.len()
}

const fn rank_of(verdict: Verdict) -> usize {
    verdict as usize
}

const fn policy_rank(policy: &Policy) -> usize {
    rank_of(policy.read)
        + rank_of(policy.write)
        + rank_of(policy.destructive)
        + rank_of(policy.secret)
}

/// An act with a shorter name or a plainer verdict.
pub(super) fn act(act: &ActInput) -> Vec<ActInput> {
    let mut all = Vec::new();
    let mut names = |set: &dyn Fn(String, String) -> ActInput, workspace: &str, agent: &str| {
        all.extend(shorter(workspace).map(|name| set(name, agent.to_owned())));
        all.extend(shorter(agent).map(|name| set(workspace.to_owned(), name)));
    };
    match act {
        ActInput::Answer {
            workspace,
            agent,
            verdict,
        } => {
            let verdict = *verdict;
            names(
                &|workspace, agent| ActInput::Answer {
                    workspace,
                    agent,
                    verdict,
                },
                workspace,
                agent,
            );
            let (workspace, agent) = (workspace.clone(), agent.clone());
            all.push(ActInput::Answer {
                workspace,
                agent,
                verdict: Verdict::Pass,
            });
        }
        ActInput::Revoke { workspace, agent } => {
            names(
                &|workspace, agent| ActInput::Revoke { workspace, agent },
                workspace,
                agent,
            );
        }
        ActInput::Restore { workspace, agent } => {
            names(
                &|workspace, agent| ActInput::Restore { workspace, agent },
                workspace,
                agent,
            );
        }
    }
    all
}

/// A name cut in half, and one character shorter; never empty.
fn shorter(name: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = name.chars().collect();
    let lengths = [chars.len() / 2, chars.len().saturating_sub(1)];
    let cut = lengths.into_iter().filter(|&length| length > 0);
    let cut: Vec<String> = cut
        .map(|length| chars.iter().take(length).collect::<String>())
        .collect();
    cut.into_iter().filter(|name| !name.ends_with('-'))
}

/// Two agents with a piece less on one side or on both.
pub(super) fn pair(pair: &Pair) -> Vec<Pair> {
    let without = |name: &str, at: usize| -> String {
        let kept = name.chars().enumerate().filter(|&(place, _)| place != at);
        kept.map(|(_, c)| c).collect()
    };
    let mut all = Vec::new();
    for at in 0..pair.agent.chars().count() {
        let agent = without(&pair.agent, at);
        let ancestor = without(&pair.ancestor, at);
        all.push(Pair {
            agent: agent.clone(),
            ancestor: ancestor.clone(),
        });
        all.push(Pair {
            agent,
            ancestor: pair.ancestor.clone(),
        });
        all.push(Pair {
            agent: pair.agent.clone(),
            ancestor,
        });
    }
    all.retain(|pair| well_formed(&pair.agent) && well_formed(&pair.ancestor));
    all
}

/// Whether the cases may use this agent id: no part between `-` is empty.
fn well_formed(agent: &str) -> bool {
    agent.split('-').all(|part| !part.is_empty())
}

/// A history with events left out, names made one, or words made plainer.
pub(super) fn trace(trace: &Trace) -> Vec<Trace> {
    let mut all = Vec::new();
    let mut events = |events: Vec<EventInput>| {
        all.push(Trace {
            policy: trace.policy,
            events,
        })
    };
    let half = trace.events.len() / 2;
    if half > 1 {
        events(trace.events.iter().skip(half).cloned().collect());
        events(trace.events.iter().take(half).cloned().collect());
    }
    for cut in 0..trace.events.len() {
        let kept = trace.events.iter().enumerate().filter(|&(at, _)| at != cut);
        events(kept.map(|(_, event)| event.clone()).collect());
    }
    for (at, event) in trace.events.iter().enumerate() {
        for simpler in plainer(event) {
            let mut changed = trace.events.clone();
            if let Some(place) = changed.get_mut(at) {
                *place = simpler;
            }
            events(changed);
        }
    }
    all.extend(policies(&trace.policy).map(|policy| Trace {
        policy,
        ..trace.clone()
    }));
    all.extend(renamed(trace));
    all.retain(Trace::is_lawful);
    all
}

/// An event in plainer words.
pub(super) fn plainer(event: &EventInput) -> Vec<EventInput> {
    match event {
        EventInput::Act(envelope) => {
            let mut all = Vec::new();
            all.extend(envelope.scope.is_some().then(|| Envelope {
                scope: None,
                ..envelope.clone()
            }));
            let known = envelope.verdict.as_deref().and_then(Verdict::from_word);
            for verdict in known.iter().flat_map(|_| Verdict::ALL) {
                let verdict = Some(verdict.word().to_owned());
                all.push(Envelope {
                    verdict,
                    ..envelope.clone()
                });
            }
            all.into_iter().map(EventInput::Act).collect()
        }
        EventInput::Policy(policy) => policies(policy).map(EventInput::Policy).collect(),
        EventInput::Call(_) => Vec::new(),
    }
}

/// A policy that is plainer in one place.
pub(super) fn policies(policy: &Policy) -> impl Iterator<Item = Policy> + use<> {
    let policy = *policy;
    Verdict::ALL.into_iter().flat_map(move |verdict| {
        [
            Policy {
                read: verdict,
                ..policy
            },
            Policy {
                write: verdict,
                ..policy
            },
            Policy {
                destructive: verdict,
                ..policy
            },
            Policy {
                secret: verdict,
                ..policy
            },
        ]
    })
}

/// A history where two names are one, or the calls of one effect are of another.
fn renamed(trace: &Trace) -> Vec<Trace> {
    let names = |of: &dyn Fn(&EventInput) -> Option<String>| -> Vec<String> {
        let all: BTreeSet<String> = trace.events.iter().filter_map(of).collect();
        all.into_iter().collect()
    };
    let agents = names(&|event| match event {
        EventInput::Act(envelope) => envelope.agent.clone(),
        EventInput::Call(call) => Some(call.agent.clone()),
        EventInput::Policy(_) => None,
    });
    let workspaces = names(&|event| match event {
        EventInput::Act(envelope) => envelope.workspace.clone(),
        EventInput::Call(call) => Some(call.workspace.clone()),
        EventInput::Policy(_) => None,
    });
    let call = |of: fn(&Consult) -> &String| {
        names(&move |event| match event {
            EventInput::Call(call) => Some(of(call).clone()),
            _ => None,
        })
    };
    let (ids, tools) = (call(|call| &call.id), call(|call| &call.tool));
    let mut all = Vec::new();
    for (from, to) in pairs(&agents) {
        all.push(map(
            trace,
            &|envelope| swap(envelope.agent.as_mut(), &from, &to),
            &|call| {
                swap(Some(&mut call.agent), &from, &to);
            },
        ));
    }
    for (from, to) in pairs(&workspaces) {
        let act = |envelope: &mut Envelope| swap(envelope.workspace.as_mut(), &from, &to);
        all.push(map(trace, &act, &|call| {
            swap(Some(&mut call.workspace), &from, &to)
        }));
    }
    for (from, to) in pairs(&ids) {
        all.push(map(trace, &|_| {}, &|call| {
            swap(Some(&mut call.id), &from, &to)
        }));
    }
    for (from, to) in pairs(&tools) {
        all.push(map(trace, &|_| {}, &|call| {
            swap(Some(&mut call.tool), &from, &to)
        }));
    }
    for from in Effect::ALL {
        for to in Effect::ALL {
            all.push(map(trace, &|_| {}, &|call| {
                if call.effect == from {
                    call.effect = to;
                }
            }));
        }
    }
    all
}

fn pairs(names: &[String]) -> impl Iterator<Item = (String, String)> {
    names.iter().flat_map(|from| {
        names
            .iter()
            .filter(move |to| *to != from)
            .map(|to| (from.clone(), to.clone()))
    })
}

fn swap(name: Option<&mut String>, from: &str, to: &str) {
    if let Some(name) = name
        && name == from
    {
        to.clone_into(name);
    }
}

fn map(trace: &Trace, act: &dyn Fn(&mut Envelope), call: &dyn Fn(&mut Consult)) -> Trace {
    let mut trace = trace.clone();
    for event in &mut trace.events {
        match event {
            EventInput::Act(envelope) => act(envelope),
            EventInput::Call(consult) => call(consult),
            EventInput::Policy(_) => {}
        }
    }
    trace
}
