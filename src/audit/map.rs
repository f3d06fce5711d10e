//! Another log's members and words, read as the spec's.
//!
//! A map is a small JSON file:
//!
//! ```json
//! {
//!   "ignore": ["pid", "trace.spans"],
//!   "members": { "toolCallId": "call", "payload.outcome": "record" },
//!   "fixed": { "kind": "outcome" },
//!   "words": { "deniedBy": { "permissions": "policy" }, "reason": { "no": "declined" } }
//! }
//! ```
//!
//! A plain name means a member at any depth; one with dots is a path from the top, and its value is
//! moved. What is ignored goes first, then members are renamed, fixed members are put in where
//! they are missing, and words are read by the spec's name of their member.
//!
//! ```
//! use gatespec::audit::Line;
//! use gatespec::audit::map::Map;
//!
//! let map = r#"{"members":{"toolCallId":"call"},"fixed":{"kind":"outcome"}}"#;
//! let map = Map::read(map).unwrap();
//! let line = map.line(br#"{"toolCallId":"c1","record":{"decision":"allow"}}"#).unwrap();
//! assert!(matches!(line, Line::Outcome(outcome) if outcome.call == "c1"));
//! assert!(Map::read(r#"{"words":{"deniedBy":{"x":"no word"}}}"#).is_err());
//! ```

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map as Members, Value};

use super::entry::{Entry, Span};
use super::record::Line;
use crate::model::outcome::{Approver, Cause, Decision, Layer, Refusal};

/// How another log's lines become the spec's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Members that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// The spec's name of each foreign member.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub members: BTreeMap<String, String>,
    /// Members that every line gets that has not got them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fixed: BTreeMap<String, Value>,
    /// By the spec's name of a member: the spec's word for each foreign word.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
}

/// The members whose values are words of the spec.
const WORDED: [&str; 7] = [
    "kind", "event", "decision", "deniedBy", "cause", "by", "reason",
];

/// The words that a member may have.
fn words_of(member: &str) -> Vec<&'static str> {
    fn all<T: Copy>(words: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
        words.iter().map(|&one| word(one)).collect()
    }
    match member {
        "kind" => vec!["outcome", "event", "exit", "approved", "refused"],
        "event" => vec![
            "set",
            "resolved",
            "decision",
            "supersede",
            "keepForBytes",
            "causeOf",
            "classifierRoundOf",
        ],
        "decision" => {
            let mut words = all(Decision::ALL, Decision::word);
            words.push("ask");
            words
        }
        "deniedBy" => all(Layer::ALL, Layer::word),
        "cause" => all(Cause::ALL, Cause::word),
        "by" => all(Approver::ALL, Approver::word),
        "reason" => all(Refusal::ALL, Refusal::word),
        _ => Vec::new(),
    }
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// When it has not the shape of one, or names a word that the spec has not: a sentence.
    pub fn read(text: &str) -> Result<Self, String> {
        let Strict(value) =
            serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
        let map: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        for (member, words) in &map.words {
            let known = words_of(member);
            if known.is_empty() {
                return Err(format!(
                    "`words` names the member `{member}`; members with words are {}",
                    WORDED.join(", ")
                ));
            }
            if let Some(word) = words.values().find(|word| !known.contains(&word.as_str())) {
                return Err(format!(
                    "`{member}` has no word `{word}`; its words are {}",
                    known.join(", ")
                ));
            }
        }
        Ok(map)
    }

    /// Reads the line that lies in `text` at `at`, as this map says.
    ///
    /// # Errors
    /// When it is no record then: what is wrong with it.
    pub fn entry(&self, text: &mut Vec<u8>, at: Span) -> Result<Entry, String> {
        let line = self.line(at.of(text))?;
        Entry::of(&line, text).map_err(str::to_owned)
    }

    /// The spec's line for a foreign one.
    ///
    /// # Errors
    /// When there is none: what is wrong with it.
    pub fn line(&self, line: &[u8]) -> Result<Line, String> {
        let Strict(mut value) = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        for name in &self.ignore {
            remove(&mut value, name);
        }
        for (from, to) in &self.members {
            if from.contains('.') || to.contains('.') {
                relocate(&mut value, from, to)?;
            } else {
                rename(&mut value, from, to)?;
            }
        }
        if let Value::Object(members) = &mut value {
            for (name, fixed) in &self.fixed {
                members.entry(name).or_insert_with(|| fixed.clone());
            }
        }
        self.translate(&mut value);
        // the one place for an array is a set of classes
        let arrays = Strict::count(&value, None);
        if arrays > 0 {
            return Err("an array in the place of an object".to_owned());
        }
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    fn translate(&self, value: &mut Value) {
        let Value::Object(members) = value else {
            return;
        };
        for (name, value) in members {
            match value {
                Value::String(word) => {
                    let known = self.words.get(name).and_then(|words| words.get(word));
                    if let Some(known) = known {
                        word.clone_from(known);
                    }
                }
                other => self.translate(other),
            }
        }
    }
}

/// Removes a member: a plain name at any depth, a path from the top.
fn remove(value: &mut Value, name: &str) {
    if name.contains('.') {
        take(value, name);
        return;
    }
    if let Value::Object(members) = value {
        members.remove(name);
        for value in members.values_mut() {
            remove(value, name);
        }
    }
}

/// Renames a member at any depth.
fn rename(value: &mut Value, from: &str, to: &str) -> Result<(), String> {
    let Value::Object(members) = value else {
        return Ok(());
    };
    for value in members.values_mut() {
        rename(value, from, to)?;
    }
    match members.remove(from) {
        Some(value) => insert(members, to, value),
        None => Ok(()),
    }
}

/// Moves a value from a path to a path.
fn relocate(value: &mut Value, from: &str, to: &str) -> Result<(), String> {
    let Some(taken) = take(value, from) else {
        return Ok(());
    };
    let mut place = value;
    let (folders, last) = to
        .rsplit_once('.')
        .map_or((None, to), |(all, last)| (Some(all), last));
    for name in folders.into_iter().flat_map(|all| all.split('.')) {
        let Value::Object(members) = place else {
            return Err(format!("`{to}` leads through a member that is no object"));
        };
        place = members
            .entry(name)
            .or_insert_with(|| Value::Object(Members::new()));
    }
    match place {
        Value::Object(members) => insert(members, last, taken),
        _ => Err(format!("`{to}` leads through a member that is no object")),
    }
}

fn insert(members: &mut Members<String, Value>, name: &str, value: Value) -> Result<(), String> {
    match members.insert(name.to_owned(), value) {
        None => Ok(()),
        Some(_) => Err(format!("the map makes two members `{name}`")),
    }
}

/// Takes out the value at a path, and the objects that are empty then.
fn take(value: &mut Value, path: &str) -> Option<Value> {
    let Value::Object(members) = value else {
        return None;
    };
    let Some((first, rest)) = path.split_once('.') else {
        return members.remove(path);
    };
    let inner = members.get_mut(first)?;
    let taken = take(inner, rest)?;
    if inner.as_object().is_some_and(Members::is_empty) {
        members.remove(first);
    }
    Some(taken)
}

/// A JSON value in which no object names a member twice.
pub(super) struct Strict(pub(super) Value);

impl Strict {
    /// How many arrays there are in it.
    pub(super) fn arrays(&self) -> usize {
        fn all(value: &Value) -> usize {
            match value {
                Value::Array(values) => 1 + values.iter().map(all).sum::<usize>(),
                Value::Object(members) => members.values().map(all).sum(),
                _ => 0,
            }
        }
        all(&self.0)
    }

    /// How many arrays there are that are no set of classes.
    fn count(value: &Value, name: Option<&str>) -> usize {
        match value {
            Value::Array(values) => {
                let here = usize::from(name != Some("classes"));
                here + values
                    .iter()
                    .map(|value| Self::count(value, None))
                    .sum::<usize>()
            }
            Value::Object(members) => members
                .iter()
                .map(|(name, value)| Self::count(value, Some(name)))
                .sum(),
            _ => 0,
        }
    }
}

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Strict(value)) = values.next_element()? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut all = Members::new();
        while let Some((name, Strict(value))) = members.next_entry::<String, Strict>()? {
            if all.contains_key(&name) {
                return Err(A::Error::custom(format_args!("doubled member `{name}`")));
            }
            all.insert(name, value);
        }
        Ok(Value::Object(all))
    }
}
