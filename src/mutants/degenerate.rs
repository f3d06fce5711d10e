//! Gates that do not look at what they are asked, and the sentinel.
//!
//! A kit that passes one of these says nothing: a gate that refuses everything is safe and useless,
//! and one that answers nothing has broken no rule that a person reads.
//!
//! ```
//! use gatespec::conform::Answer;
//! use gatespec::conform::vectors::embedded;
//! use gatespec::mutants::Manner;
//! use gatespec::mutants::degenerate::{GATES, SENTINEL};
//!
//! // the sentinel is wrong wherever it is asked at all
//! let sentinel = GATES.iter().find(|gate| gate.id == SENTINEL).unwrap();
//! if let Manner::Plain(answer) = sentinel.manner {
//!     let case = &embedded().unwrap()[0];
//!     let said = Answer::of(&case.op, answer(&case.op));
//!     assert_ne!(case.judge(&said), gatespec::conform::Verdict::Passed);
//! }
//! ```

use serde_json::{Value, json};

use super::{Gate, Manner, Reply};
use crate::ops::{self, Op};

mod always;

pub use always::{Word, always, is_refusal};

/// How a gate breaks the protocol while its answers are the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trick {
    /// It says hello and nothing more.
    Silent,
    /// It answers after [`Trick::LATE`].
    Late,
    /// It gives every answer twice.
    Twice,
    /// It answers under another id.
    AnotherId,
    /// It dies where the answer is a no.
    CrashOnRefuse,
}

impl Trick {
    /// How late a late answer is, in milliseconds: a run that catches it waits less.
    pub const LATE: u64 = 2000;
}

/// The degenerate gates.
pub const GATES: &[Gate] = &[
    plain(
        "degenerate/always_pass",
        "Everything is let through.",
        |op| always(op, Word::Pass),
    ),
    plain("degenerate/always_refuse", "Everything is refused.", |op| {
        always(op, Word::Refuse)
    }),
    plain("degenerate/always_hold", "Everything is held.", |op| {
        always(op, Word::Hold)
    }),
    plain(
        "degenerate/echo_input",
        "The answer is what was asked.",
        |op| Reply::Raw(op.input().get().to_owned()),
    ),
    plain("degenerate/empty_object", "The answer is `{}`.", |_| {
        Reply::Raw("{}".to_owned())
    }),
    plain("degenerate/constant", "The answer is `true`.", |_| {
        Reply::Raw("true".to_owned())
    }),
    tricked(
        "degenerate/silent",
        "It says hello and never answers.",
        Trick::Silent,
    ),
    tricked(
        "degenerate/crashes_on_refuse",
        "It dies where it should refuse.",
        Trick::CrashOnRefuse,
    ),
    tricked(
        "degenerate/answers_late",
        "It answers when nobody waits any more.",
        Trick::Late,
    ),
    tricked(
        "degenerate/answers_twice",
        "It gives every answer twice.",
        Trick::Twice,
    ),
    tricked(
        "degenerate/answers_another_id",
        "It answers under an id that nobody asked.",
        Trick::AnotherId,
    ),
    plain(
        SENTINEL,
        "It is the model, but for one word of each answer.",
        sentinel,
    ),
];

/// The gate that proves the reach of the kit: every case that is judged at all fails it.
pub const SENTINEL: &str = "degenerate/sentinel";

const fn plain(id: &'static str, sentence: &'static str, answer: fn(&Op) -> Reply) -> Gate {
    Gate {
        id,
        sentence,
        manner: Manner::Plain(answer),
    }
}

const fn tricked(id: &'static str, sentence: &'static str, trick: Trick) -> Gate {
    Gate {
        id,
        sentence,
        manner: Manner::Tricked(trick),
    }
}

/// The model's answer with one word changed, so that it is still an answer and no longer right.
fn sentinel(op: &Op) -> Reply {
    let expected = op.expected();
    let written: Value = serde_json::from_str(ops::json(&expected).get()).unwrap_or_default();
    let mut changed = Vec::new();
    changes(&written, &mut |value| changed.push(value.to_string()));
    for word in [Word::Pass, Word::Refuse, Word::Hold] {
        if let Reply::Raw(json) = always(op, word) {
            changed.push(json);
        }
    }
    changed
        .iter()
        .filter_map(|json| op.read_output(json).ok())
        .find(|output| !op.judge(output).is_empty())
        .unwrap_or(expected)
        .into()
}

/// Words that may stand where another does.
const WORDS: [&str; 8] = [
    "allow", "deny", "pass", "refuse", "hold", "proceed", "policy", "declined",
];

/// Every way to change one leaf of a value.
fn changes(value: &Value, told: &mut dyn FnMut(Value)) {
    match value {
        Value::Bool(truth) => told(Value::Bool(!truth)),
        Value::Number(_) => told(json!(77)),
        Value::String(text) => {
            told(Value::String(format!("{text}x")));
            WORDS
                .iter()
                .filter(|word| *word != text)
                .for_each(|word| told(json!(word)));
        }
        Value::Null => told(json!("x")),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                changes(item, &mut |leaf| {
                    let mut items = items.clone();
                    items.splice(at..=at, [leaf]);
                    told(Value::Array(items));
                });
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                changes(value, &mut |leaf| {
                    let mut members = members.clone();
                    members.insert(name.clone(), leaf);
                    told(Value::Object(members));
                });
            }
        }
    }
}
