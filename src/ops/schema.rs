//! The JSON Schemas of the model's own types, apart from them: the model knows nothing of schemas.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::model::ledger::Verdict;
use crate::model::outcome::{
    Approver, Cause, Decision, Facts, Layer, Record, Refusal, SettledFacts, Settlement,
};

macro_rules! words {
    ($($name:ident $about:literal;)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words: Vec<&str> = Self::ALL.iter().map(|word| word.word()).collect();
                json_schema!({ "description": $about, "type": "string", "enum": words })
            }
        }
    )*};
}

words! {
    Layer "Who refused.";
    Cause "Why a classifier's round did not rule.";
    Approver "Who said yes.";
    Refusal "What ended the wait without a yes.";
    Decision "What a pass, a resolution or a decision came to.";
    Verdict "What an adjudication answers.";
}

impl JsonSchema for Settlement {
    fn schema_name() -> Cow<'static, str> {
        "Settlement".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let by = generator.subschema_for::<Approver>();
        let reason = generator.subschema_for::<Refusal>();
        json_schema!({
            "description": "How an ask ended.",
            "oneOf": [
                {
                    "type": "object",
                    "properties": { "kind": { "const": "approved" }, "by": by },
                    "required": ["kind", "by"],
                    "additionalProperties": false
                },
                {
                    "type": "object",
                    "properties": { "kind": { "const": "refused" }, "reason": reason },
                    "required": ["kind", "reason"],
                    "additionalProperties": false
                }
            ]
        })
    }
}

impl JsonSchema for SettledFacts {
    fn schema_name() -> Cow<'static, str> {
        "SettledFacts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let settlement = generator.subschema_for::<Settlement>();
        json_schema!({
            "description": "The ask that a pass consumed, as the gate wrote it down.",
            "type": "object",
            "properties": {
                "settlement": settlement,
                "origin": { "type": "string" },
                "licensed": { "type": "string" }
            },
            "additionalProperties": false
        })
    }
}

impl JsonSchema for Facts {
    fn schema_name() -> Cow<'static, str> {
        "Facts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let layer = generator.subschema_for::<Layer>();
        let cause = generator.subschema_for::<Cause>();
        let settled = generator.subschema_for::<SettledFacts>();
        json_schema!({
            "description": "What a pass hands the mint.",
            "type": "object",
            "properties": {
                "deniedBy": layer,
                "cause": cause,
                "settled": settled,
                "classifier": { "type": "string" },
                "released": { "type": "string" },
                "modeRefusal": { "type": "string" }
            },
            "additionalProperties": false
        })
    }
}

impl JsonSchema for Record {
    fn schema_name() -> Cow<'static, str> {
        "Record".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let decision = generator.subschema_for::<Decision>();
        let layer = generator.subschema_for::<Layer>();
        let cause = generator.subschema_for::<Cause>();
        let settlement = generator.subschema_for::<Settlement>();
        json_schema!({
            "description": "The record of a pass.",
            "type": "object",
            "properties": {
                "decision": decision,
                "deniedBy": layer,
                "cause": cause,
                "settlement": settlement,
                "origin": { "type": "string" },
                "classifier": { "type": "string" },
                "released": { "type": "string" },
                "modeRefusal": { "type": "string" }
            },
            "required": ["decision"],
            "additionalProperties": false
        })
    }
}
