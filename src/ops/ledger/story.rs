//! A trace in the field's words.

use super::{Attestation, Event, Reading, TraceInput};
use crate::model::outcome::Settlement;

/// What happens in a trace, a line a step.
pub(super) fn trace(input: &TraceInput) -> Vec<String> {
    let mut all = vec![format!("let a ledger be of the call `{}`", input.call)];
    all.extend(
        input
            .bytes
            .iter()
            .map(|(label, bytes)| format!("let `{label}` be `{bytes}`")),
    );
    all.extend(input.events.iter().enumerate().map(|(at, event)| {
        format!(
            "{} {}",
            if at == 0 { "let" } else { "then let" },
            told(event)
        )
    }));
    all
}

fn told(event: &Event) -> String {
    match event {
        Event::Set { reason, origin } => {
            format!("the engine settle a refusal, `{reason}`, of an ask by `{origin}`")
        }
        Event::Resolved {
            resolution,
            asked,
            request,
        } => {
            let needs = if asked.real_approval {
                ", which needs a real approval,"
            } else {
                ""
            };
            let edited = resolution
                .edited
                .as_ref()
                .map_or_else(String::new, |label| {
                    format!(" with its input edited to `{label}`")
                });
            let retired = if resolution.settlement {
                ", still carrying the member `settlement`"
            } else {
                ""
            };
            format!(
                "an ask by `{}` of the classes {}{needs} about `{request}` be resolved: \
                 {}{edited}, {}{retired}",
                asked.origin,
                set(&asked.classes),
                resolution.decision,
                record(resolution.record.as_ref()),
            )
        }
        Event::Decision {
            decision,
            record: carried,
            runs,
        } => {
            format!(
                "a layer say {decision} of `{runs}`, {}",
                record(carried.as_ref())
            )
        }
        Event::Supersede {} => "an ask survive, which supersedes what is settled".to_owned(),
        Event::KeepForBytes { runs } => format!("`{runs}` be the bytes that run"),
        Event::CauseOf(reading) => format!("the cause be read of {}", read(reading)),
        Event::ClassifierRoundOf(reading) => format!("the round be read of {}", read(reading)),
    }
}

fn set(classes: &[String]) -> String {
    format!("{{{}}}", classes.join(", "))
}

fn record(record: Option<&Attestation>) -> String {
    let Some(record) = record else {
        return "without a record".to_owned();
    };
    let ended = match record.settlement {
        Settlement::Approved { by } => format!("a yes by a {by}"),
        Settlement::Refused { reason } => format!("a refusal, `{reason}`,"),
    };
    format!(
        "with the record of {ended} for `{}`, to an ask by `{}` of the classes {}, call `{}`",
        record.digest_of,
        record.origin,
        set(&record.classes),
        record.call,
    )
}

fn read(reading: &Reading) -> String {
    let decision = reading.decision;
    match &reading.classified {
        None => format!("a decision to {decision} that recorded no classifier"),
        Some(classified) => {
            let cause = classified
                .cause
                .map_or_else(String::new, |cause| format!(", `{cause}`"));
            let round = classified
                .round
                .as_ref()
                .map_or_else(String::new, |round| format!(", `{round}`"));
            format!(
                "a decision to {decision} that recorded, for `{}`, a classifier{cause}{round}",
                classified.call
            )
        }
    }
}
