//! Bytes on a JSON wire.
//!
//! ```
//! use gatespec::ops::{Text, json};
//!
//! assert_eq!(json(&Text::from("node:x")).get(), r#""node:x""#);
//! assert_eq!(json(&Text(vec![0xff])).get(), r#"{"base64":"/w=="}"#);
//! ```

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// Bytes that are mostly text: a JSON string when they are UTF-8, else `{"base64": "…"}`.
///
/// A case that needs the second form needs the word [`Text::BYTES`], which a gate whose language
/// has only Unicode strings declares that it lacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text(pub Vec<u8>);

impl Text {
    /// The word a gate lacks when its subjects can hold no bytes outside UTF-8.
    pub const BYTES: &'static str = "bytes";

    /// Whether these bytes can be written as a JSON string.
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.0).is_ok()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) => write!(f, "`{text}`"),
            Err(_) => write!(f, "`{}`", self.0.escape_ascii()),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Wire {
    Text(String),
    Bytes(Base64),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Base64 {
    base64: String,
}

impl Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Base64 {
                base64: STANDARD.encode(&self.0),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Wire::deserialize(deserializer)? {
            Wire::Text(text) => Ok(Self(text.into_bytes())),
            Wire::Bytes(Base64 { base64 }) => STANDARD.decode(&base64).map(Self).map_err(|error| {
                serde::de::Error::custom(format_args!("`base64` holds no base64: {error}"))
            }),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Text {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Bytes: a string when they are UTF-8, else base64.",
            "oneOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": { "base64": { "type": "string", "contentEncoding": "base64" } },
                    "required": ["base64"],
                    "additionalProperties": false
                }
            ]
        })
    }
}
