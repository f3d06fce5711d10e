//! Which scripts the chapter speaks of: the rest are of the right shape, and no gate is asked them.

use crate::model::pass::script::{Resolution, Ruling, Script};
use crate::ops::asked::plain_numbers;

/// The words that a gate carries are not empty, and no case depends on how a number is spelt.
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
    let plain = serde_json::to_value(script).is_ok_and(|script| plain_numbers(&script));
    words.into_iter().all(|word| !word.is_empty()) && plain
}
