//! The JSON Schemas of the model's own types, apart from them: the model knows nothing of schemas.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::model::boundary::{Effect, Envelope, Policy, Verdict};

impl JsonSchema for Verdict {
    fn schema_name() -> Cow<'static, str> {
        "Ruling".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = Self::ALL.iter().map(|word| word.word()).collect();
        json_schema!({
            "description": "What a call is met with.", "type": "string", "enum": words
        })
    }
}

impl JsonSchema for Effect {
    fn schema_name() -> Cow<'static, str> {
        "Effect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = Self::ALL.iter().map(|word| word.word()).collect();
        json_schema!({
            "description": "What a call does to the world.", "type": "string", "enum": words
        })
    }
}

impl JsonSchema for Policy {
    fn schema_name() -> Cow<'static, str> {
        "Policy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let verdict = generator.subschema_for::<Verdict>();
        json_schema!({
            "description": "Standing policy: a verdict for each effect class.",
            "type": "object",
            "properties": {
                "read": verdict, "write": verdict, "destructive": verdict, "secret": verdict
            },
            "required": ["read", "write", "destructive", "secret"],
            "additionalProperties": false
        })
    }
}

impl JsonSchema for Envelope {
    fn schema_name() -> Cow<'static, str> {
        "Act".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An act on the wire, before it is known to be one.",
            "type": "object",
            "properties": {
                "op": { "type": "string" },
                "workspace": { "type": "string" },
                "agent": { "type": "string" },
                "verdict": { "type": "string" },
                "scope": { "type": "string" }
            },
            "required": ["op"],
            "additionalProperties": false
        })
    }
}
