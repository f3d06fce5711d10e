//! JSON Schemas of every wire shape, from the types themselves.
//!
//! ```
//! let schemas = gatespec::report::schema::all();
//! assert!(schemas["hello"].contains("\"lacks\""));
//! assert!(schemas.contains_key("ledger.request"));
//! ```

use std::collections::BTreeMap;

use schemars::{Schema, schema_for};

use super::Report;
use crate::audit;
use crate::conform::Hello;
use crate::conform::baseline::Baseline;
use crate::conform::bench::Bench;
use crate::conform::kept::Counterexample;
use crate::conform::vectors::VectorFile;
use crate::ops;

/// Every schema by the name of its file in `spec/schema/`, as pretty JSON.
#[must_use]
pub fn all() -> BTreeMap<String, String> {
    let shapes = [
        ("audit.finding", schema_for!(audit::Note)),
        ("audit.map", schema_for!(audit::map::Map)),
        ("audit.record", schema_for!(audit::Line)),
        ("audit.summary", schema_for!(audit::Summary)),
        ("baseline", schema_for!(Baseline)),
        ("bench", schema_for!(Bench)),
        ("counterexample", schema_for!(Counterexample)),
        ("hello", schema_for!(Hello)),
        ("report", schema_for!(Report)),
        ("vectors", schema_for!(VectorFile)),
    ];
    let shapes = shapes
        .into_iter()
        .map(|(name, schema)| (name.to_owned(), schema));
    shapes
        .chain(ops::schemas())
        .map(|(name, schema)| (name, text(&schema)))
        .collect()
}

fn text(schema: &Schema) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}
