//! Adapters that try to cheat: they know the published vectors by heart.
//!
//! Whoever has the vectors can answer them without a gate. So a run puts cases with fresh names,
//! and far more of them than are published; a gate that declines those is not one that conforms.
//!
//! ```
//! use gatespec::mutants::cheat::{GATES, Table};
//! use gatespec::mutants::Manner;
//! use gatespec::conform::vectors::embedded;
//!
//! let known: Vec<_> = embedded().unwrap().into_iter().map(|case| case.op).collect();
//! let table = Table::new(&known);
//! for gate in GATES {
//!     if let Manner::Cribbed(answer) = gate.manner {
//!         // on what it knows it is never wrong
//!         let reply = answer(&table, &known[0]);
//!         let said = gatespec::conform::Answer::of(&known[0], reply);
//!         assert_eq!(said, gatespec::conform::Answer::Output(known[0].expected()));
//!     }
//! }
//! ```

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Gate, Manner, Reply};
use crate::ops::{self, Op};

/// The adapters that cheat.
pub const GATES: &[Gate] = &[
    cribbed(
        "cheat/table",
        "It has a table of the published vectors, and else gives the answer of the nearest one.",
        Table::nearest,
    ),
    cribbed(
        "cheat/echo",
        "It has the same table, and puts the ids and reasons that it is given into the answers.",
        Table::echoed,
    ),
    cribbed(
        "cheat/unsupported",
        "It has the same table, and does not support what is not in it.",
        Table::declined,
    ),
];

const fn cribbed(id: &'static str, sentence: &'static str, answer: Crib) -> Gate {
    Gate {
        id,
        sentence,
        manner: Manner::Cribbed(answer),
    }
}

type Crib = fn(&Table, &Op) -> Reply;

/// The published vectors, as one who cheats keeps them.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The JSON of a question and of its answer.
    known: BTreeMap<String, String>,
    /// The same with every name replaced by its number, and the names.
    shapes: BTreeMap<String, (Vec<String>, String)>,
}

impl Table {
    /// The table of these questions.
    #[must_use]
    pub fn new<'a>(questions: impl IntoIterator<Item = &'a Op>) -> Self {
        let mut table = Self::default();
        for op in questions {
            let (question, answer) = (text(op), text(&op.expected()));
            let (shape, names) = shape(&question);
            table
                .shapes
                .entry(shape)
                .or_insert_with(|| (names, answer.clone()));
            table.known.insert(question, answer);
        }
        table
    }

    fn nearest(&self, op: &Op) -> Reply {
        let question = text(op);
        let answer = near(&self.known, &question).map(|(_, answer)| answer.clone());
        answer.map_or_else(|| Reply::Raw("null".to_owned()), Reply::Raw)
    }

    fn echoed(&self, op: &Op) -> Reply {
        let question = text(op);
        if let Some(answer) = self.known.get(&question) {
            return Reply::Raw(answer.clone());
        }
        let (shape, names) = shape(&question);
        let Some((_, (old, answer))) = near(&self.shapes, &shape) else {
            return self.nearest(op);
        };
        let mut answer = answer.clone();
        for (old, new) in old.iter().zip(&names) {
            answer = answer.replace(&text(old), &text(new));
        }
        Reply::Raw(answer)
    }

    fn declined(&self, op: &Op) -> Reply {
        self.known.get(&text(op)).map_or_else(
            || Reply::Unsupported("too hard".to_owned()),
            |a| Reply::Raw(a.clone()),
        )
    }
}

fn text<T: serde::Serialize>(value: &T) -> String {
    ops::json(value).get().to_owned()
}

/// The entry that shares the longest beginning with a key.
fn near<'a, T>(table: &'a BTreeMap<String, T>, key: &str) -> Option<(&'a String, &'a T)> {
    let shared = |(other, _): &(&String, &T)| {
        other
            .bytes()
            .zip(key.bytes())
            .take_while(|(one, other)| one == other)
            .count()
    };
    let before = table.range(..key.to_owned()).next_back();
    let after = table.range(key.to_owned()..).next();
    before.into_iter().chain(after).max_by_key(shared)
}

/// A question with every name in it replaced by a number, and the names in that order.
fn shape(question: &str) -> (String, Vec<String>) {
    let mut names = Vec::new();
    let mut value: Value = serde_json::from_str(question).unwrap_or_default();
    number(&mut value, &mut names);
    (value.to_string(), names)
}

fn number(value: &mut Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains('-') || text.contains(':') || text.contains('#') => {
            let at = names
                .iter()
                .position(|name| name == text)
                .unwrap_or_else(|| {
                    names.push(text.clone());
                    names.len() - 1
                });
            *text = format!("${at}");
        }
        Value::Array(items) => items.iter_mut().for_each(|item| number(item, names)),
        Value::Object(members) => {
            members
                .iter_mut()
                .for_each(|(_, member)| number(member, names));
        }
        _ => {}
    }
}
