//! A case in plain words.

use super::{ActInput, Op, Trace};
use crate::model::boundary::{
    Act, Envelope, Event, Outcome, Policy, Reach, Reason, Receipt, Refusal, Ruling, Seat,
};

/// A case in plain words, a line a step.
pub(super) fn story(op: &Op) -> Vec<String> {
    match op {
        Op::Verdicts(_) => vec!["ask for the verdicts that an operator is offered".to_owned()],
        Op::Envelope(act) => vec![format!(
            "let the act be {}; ask for its envelope",
            said(act)
        )],
        Op::Descends(pair) => vec![format!(
            "ask whether the agent `{}` descends from `{}`",
            pair.agent, pair.ancestor
        )],
        Op::Run(trace) | Op::Scoped(trace) => history(trace),
        Op::Joint(input) => input.story(),
    }
}

fn history(trace: &Trace) -> Vec<String> {
    let mut lines = vec![format!("let policy be {}", policy(&trace.policy))];
    for (event, outcome) in trace.history().iter().zip(trace.outcomes()) {
        lines.push(format!("then {}: {}", happening(event), told(&outcome)));
    }
    lines
}

fn said(act: &ActInput) -> String {
    let act = Act::from(act);
    happening(&Event::Act(act.envelope()))
}

/// A policy in plain words.
#[must_use]
pub fn policy(policy: &Policy) -> String {
    let Policy {
        read,
        write,
        destructive,
        secret,
    } = policy;
    format!(
        "read {}, write {}, destructive {}, secret {}",
        read.word(),
        write.word(),
        destructive.word(),
        secret.word()
    )
}

/// An event in plain words.
#[must_use]
pub fn happening(event: &Event) -> String {
    match event {
        Event::Act(envelope) => act(envelope),
        Event::Consult(seat, call) => format!(
            "{} asks for the call `{}` (tool `{}`, {})",
            place(seat),
            call.id,
            call.tool,
            call.effect.word()
        ),
        Event::Policy(next) => format!("policy becomes {}", policy(next)),
    }
}

fn act(envelope: &Envelope) -> String {
    let name = |member: &Option<String>| match member {
        Some(name) => format!("`{name}`"),
        None => "(none)".to_owned(),
    };
    let at = format!("{} in {}", name(&envelope.agent), name(&envelope.workspace));
    let verdict = envelope
        .verdict
        .as_ref()
        .map(|word| format!(" with `{word}`"));
    let scope = envelope
        .scope
        .as_ref()
        .map(|word| format!(", scope `{word}`"));
    format!(
        "`{}` at {at}{}{}",
        envelope.op,
        verdict.unwrap_or_default(),
        scope.unwrap_or_default()
    )
}

/// An agent in plain words.
pub(super) fn place(seat: &Seat) -> String {
    format!("`{}` in `{}`", seat.agent, seat.workspace)
}

/// What comes of an event, in plain words.
#[must_use]
pub fn told(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ruled(ruling, held) => {
            let held = match held {
                Some(id) => format!("; `{id}` is held there"),
                None => "; nothing is held there".to_owned(),
            };
            format!("{}, {}{held}", ruling.verdict.word(), because(ruling))
        }
        Outcome::Acted(Ok(Receipt::Answered { id, drives })) => {
            let drives = if *drives {
                "drives the conversation on"
            } else {
                "drives nothing"
            };
            format!("it answers `{id}` and {drives}")
        }
        Outcome::Acted(Ok(Receipt::Floor { floored })) => {
            let floored = if *floored {
                "a floor stands"
            } else {
                "no floor stands"
            };
            format!("{floored} over the agent now, and nothing is driven")
        }
        Outcome::Acted(Err(reason)) => format!("it is refused, since {}", refusal(*reason)),
        Outcome::Taken => "nothing else changes".to_owned(),
    }
}

/// Why a call is ruled as it is, in plain words.
#[must_use]
pub fn because(ruling: &Ruling) -> String {
    match &ruling.reason {
        Reason::Answer => "by the answer to this very call".to_owned(),
        Reason::Floor(floor) => format!("under the floor of `{}`", floor.agent),
        Reason::Standing(Reach::Conversation(at)) => {
            format!(
                "by the answer that stands over the conversation `{}`",
                at.agent
            )
        }
        Reason::Standing(Reach::Workspace(at)) => {
            format!("by the answer that stands over the workspace `{at}`")
        }
        Reason::Policy => "by policy".to_owned(),
    }
}

/// Why an act is refused, in plain words.
#[must_use]
pub fn refusal(reason: Refusal) -> String {
    match reason {
        Refusal::UnknownAct => "the act is unknown",
        Refusal::MissingMember => "a member is missing",
        Refusal::UnknownVerdict => "the verdict is unknown",
        Refusal::NothingHeld => "nothing is held there",
        Refusal::UnknownScope => "the scope is unknown",
        Refusal::TooWide => "the held call takes an answer for itself only",
    }
    .to_owned()
}
