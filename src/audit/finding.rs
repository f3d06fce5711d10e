//! What is said of a log: findings, traces of which nothing can be said, and lines that are no
//! records.
//!
//! ```
//! use gatespec::audit::finding::{Why, shown};
//!
//! assert_eq!(shown(b"a\x1b[31m"), "a\u{fffd}[31m", "a log cannot paint a terminal");
//! assert!(Why::ALL.iter().all(|why| !why.to_string().is_empty()));
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Clause;

/// One thing that an audit says, in the order of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Note {
    /// A clause is broken.
    Finding(Finding),
    /// Of a trace it cannot be said whether it is lawful.
    Unknown(Unknown),
    /// A line is no record.
    BadLine(BadLine),
    /// Something about the log itself.
    Log(LogNote),
}

/// A clause that a record or a trace breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// The file; `-` is stdin.
    pub file: String,
    /// The line that shows it, counted from 1.
    pub line: u64,
    /// The conversation, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The call.
    pub call: String,
    /// The clause that is broken.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub clause: Clause,
    /// Its text.
    pub text: String,
    /// Other clauses that are broken with it, or that it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub also: Vec<Clause>,
    /// What happened: *let … then … however …*.
    pub story: Vec<String>,
}

/// A trace of which it cannot be said whether it is lawful.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Unknown {
    /// The file that it starts in, as far as the log shows.
    pub file: String,
    /// The line that it starts at.
    pub line: u64,
    /// The conversation, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The call.
    pub call: String,
    /// Why.
    pub why: Why,
}

/// Why nothing can be said of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Why {
    /// Its first event is not in the log.
    BeganBefore,
    /// An event is missing, doubled or out of order.
    Gap,
    /// The log ends, or another trace of the same call starts, before its exit.
    NoExit,
    /// It was the oldest of more open calls than are kept.
    Evicted,
}

impl Why {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::BeganBefore, Self::Gap, Self::NoExit, Self::Evicted];
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BeganBefore => "it began before the log",
            Self::Gap => "an event of it is missing, doubled or out of order",
            Self::NoExit => "it has no exit",
            Self::Evicted => "more calls were open than --max-open keeps, and it was the oldest",
        })
    }
}

/// A line that is no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct BadLine {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
    /// How it starts.
    pub start: String,
    /// Whether it is a last line that was cut short: said, and not counted as bad.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub torn: bool,
}

/// Something about a log itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct LogNote {
    /// The file.
    pub file: String,
    /// What is to be said of it.
    pub says: String,
    /// Whether a part of it could not be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unread: bool,
}

/// Bytes of a log for a message: printable, and not many.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 80;
    let start = bytes.get(..MOST).unwrap_or(bytes);
    let mut text: String = String::from_utf8_lossy(start)
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if start.len() < bytes.len() {
        text.push('…');
    }
    text
}
