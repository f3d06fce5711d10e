//! Which parts of the model's answer the law leaves open, so that a reader does not take them for
//! what a gate has to say.
//!
//! The judge itself is asked: a part is open when the answer without it, or with other words in
//! its place, conforms as well. Nothing else has to know what each suite's judge compares.
//!
//! ```
//! use gatespec::conform::free::{compared, free};
//! use gatespec::ops::Op;
//! use gatespec::ops::verdict::{Op as Ask, Parse};
//!
//! // the text of a fault is the gate's own
//! let op = Op::from(Ask::Parse(Parse { output: "no verdict".into() }));
//! assert_eq!(free(&op), ["/fault"]);
//! assert_eq!(compared(&op, &free(&op)).get(), r#"{"fault":"…"}"#);
//! ```

use serde_json::Value;
use serde_json::value::RawValue;

use crate::ops::{Op, json};

/// What stands in the place of words that are left open.
pub const ANY: &str = "…";

/// The parts of the model's answer that are not compared, as JSON pointers into it. With all of
/// them left out, or [`ANY`] in the place of a string, the answer still conforms.
#[must_use]
pub fn free(op: &Op) -> Vec<String> {
    let Ok(full) = serde_json::to_value(op.expected()) else {
        return Vec::new();
    };
    let mut search = Search {
        op,
        now: full.clone(),
        found: Vec::new(),
    };
    search.value(&full, "");
    search.found.reverse();
    search.found
}

/// The model's answer without the parts at these pointers.
#[must_use]
pub fn compared(op: &Op, free: &[String]) -> Box<RawValue> {
    let expected = json(&op.expected());
    let Ok(mut value) = serde_json::from_str::<Value>(expected.get()) else {
        return expected;
    };
    if free.is_empty() {
        return expected;
    }
    // from the last to the first: what is taken out moves what is behind it
    for pointer in free.iter().rev() {
        if let Some(without) = without(&value, pointer, op) {
            value = without;
        }
    }
    let value = json(&value);
    // the members in the order of the type
    op.read_output(value.get())
        .map_or(value, |output| json(&output))
}

struct Search<'a> {
    op: &'a Op,
    /// The answer without what was found so far. It is walked from its end, so that pointers into
    /// the whole answer are pointers into this one.
    now: Value,
    found: Vec<String>,
}

impl Search<'_> {
    fn value(&mut self, value: &Value, at: &str) {
        let parts: Vec<(String, &Value)> = match value {
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
                .collect(),
            Value::Array(items) => (0..)
                .zip(items)
                .map(|(n, v): (usize, _)| (n.to_string(), v))
                .collect(),
            _ => return,
        };
        for (name, value) in parts.into_iter().rev() {
            let pointer = format!("{at}/{name}");
            match without(&self.now, &pointer, self.op) {
                Some(now) => {
                    self.now = now;
                    self.found.push(pointer);
                }
                None => self.value(value, &pointer),
            }
        }
    }
}

/// An answer without the part at a pointer, or with other words there; none when that does not
/// conform, or is the same answer.
fn without(answer: &Value, pointer: &str, op: &Op) -> Option<Value> {
    let (parent, name) = pointer.rsplit_once('/')?;
    let read = |answer: &Value| op.read_output(json(answer).get()).ok();
    let before = read(answer)?;
    let mut left_out = answer.clone();
    match left_out.pointer_mut(parent)? {
        Value::Object(members) => {
            members.remove(&name.replace("~1", "/").replace("~0", "~"))?;
        }
        Value::Array(items) => {
            let at = name.parse::<usize>().ok().filter(|at| *at < items.len())?;
            items.remove(at);
        }
        _ => return None,
    }
    let mut other = answer.clone();
    let part = other.pointer_mut(pointer)?;
    let is_worded = part.is_string();
    if is_worded {
        *part = Value::String(ANY.to_owned());
    }
    let worded = is_worded.then_some(other);
    [Some(left_out), worded]
        .into_iter()
        .flatten()
        .find(|answer| read(answer).is_some_and(|now| now != before && op.judge(&now).is_empty()))
}
