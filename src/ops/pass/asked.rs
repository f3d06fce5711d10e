//! Which scripts the chapter speaks of: the rest are of the right shape, and no gate is asked them.

use serde_json::Value;

use crate::model::pass::script::{Resolution, Ruling, Script};
use crate::ops::json;

/// The words that a gate carries are not empty, and the numbers of arguments are integers, so that
/// no case depends on how they are spelt.
pub(super) fn is_asked(script: &Script) -> bool {
    let rounds = script.policy.iter().filter_map(|ruling| match ruling {
        Ruling::Allow { round, .. } | Ruling::Deny { round, .. } => round.as_ref(),
        Ruling::Ask { .. } | Ruling::Throw {} => None,
    });
    let records = script.policy.iter().filter_map(|ruling| match ruling {
        Ruling::Allow { record, .. } | Ruling::Deny { record, .. } => record.as_ref(),
        Ruling::Ask { .. } | Ruling::Throw {} => None,
    });
    let answers = script
        .resolutions()
        .iter()
        .filter_map(|answer| match answer {
            Resolution::Allow { record, .. } | Resolution::Deny { record } => record.as_ref(),
            Resolution::Retired {} | Resolution::Throw {} => None,
        });
    let classified = script.classifier.as_ref().and_then(|it| it.round.as_ref());
    let words = rounds
        .chain(records.map(|record| &record.origin))
        .chain(answers.filter_map(|record| record.origin.as_ref()))
        .chain(classified)
        .chain(script.mode.as_ref().map(|mode| &mode.word));
    let written: Option<Value> = serde_json::from_str(json(script).get()).ok();
    words.into_iter().all(|word| !word.is_empty()) && written.as_ref().is_some_and(integers)
}

fn integers(value: &Value) -> bool {
    match value {
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|it| it.unsigned_abs() < 1 << 53),
        Value::Array(items) => items.iter().all(integers),
        Value::Object(members) => members.values().all(integers),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
