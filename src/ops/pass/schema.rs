//! The JSON Schemas of the words of a script: the model knows nothing of schemas.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::model::pass::Verdict;
use crate::model::pass::script::{Arbitration, Arm, Bound, Classified, Lock, Park, Writer};

macro_rules! words {
    ($($name:ident $called:literal $about:literal;)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                $called.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words: Vec<&str> = Self::ALL.iter().map(|word| word.word()).collect();
                json_schema!({ "description": $about, "type": "string", "enum": words })
            }
        }
    )*};
}

words! {
    Verdict "PassResult" "What a pass comes to.";
    Lock "Lock" "A lock over whole kinds of calls.";
    Arm "Arm" "An automatic arm that would clear a standing ask.";
    Classified "Classified" "What a classifier ruled, or why it did not.";
    Arbitration "Arbitration" "What a mode does about a standing ask.";
    Park "Park" "What comes of a durable park.";
    Writer "Writer" "Who holds the arguments, and writes into them.";
    Bound "Bound" "A seat whose binding a pass reads once.";
}
