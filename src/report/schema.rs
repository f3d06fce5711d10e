//! JSON Schemas of every wire shape, from the types themselves.

use std::collections::BTreeMap;

use schemars::{JsonSchema, schema_for};

use super::Report;
use crate::conform::Hello;
use crate::conform::kept::Counterexample;
use crate::conform::vectors::VectorFile;
use crate::ops;

/// Every schema by the name of its file in `spec/schema/`, as pretty JSON.
#[must_use]
pub fn all() -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("hello", text::<Hello>()),
        ("key.request", text::<ops::key::Op>()),
        ("key.output", text::<ops::key::Output>()),
        ("outcome.request", text::<ops::outcome::Op>()),
        ("outcome.output", text::<ops::outcome::Output>()),
        ("vectors", text::<VectorFile>()),
        ("baseline", text::<crate::conform::baseline::Baseline>()),
        ("counterexample", text::<Counterexample>()),
        ("report", text::<Report>()),
    ])
}

fn text<T: JsonSchema>() -> String {
    let schema = schema_for!(T);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
