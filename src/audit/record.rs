//! The shapes of a log's lines, as they are published (`spec/audit.md`).
//!
//! The shapes are strict: a member that is unknown, doubled or of another type makes the line a bad
//! one. `null` is read as the member's absence.
//!
//! ```
//! use gatespec::audit::Line;
//!
//! let line = r#"{"kind":"outcome","call":"c","record":{"decision":"allow"}}"#;
//! let read: Line = serde_json::from_str(line).unwrap();
//! assert_eq!(serde_json::to_string(&read).unwrap(), line);
//! let unknown = line.replace("call", "calls");
//! assert!(serde_json::from_str::<Line>(&unknown).is_err());
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::model::ledger::Verdict;
use crate::model::outcome::{Cause, Decision, Layer, Record, Refusal, Settlement};

/// The most bytes of a word that an audit has to remember: a call, a session, an origin.
pub const LONGEST_WORD: usize = 256;

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Line {
    /// The minted record of a pass, by itself.
    Outcome(OutcomeLine),
    /// An event of a call's ledger.
    Event(EventLine),
    /// The end of a call's trace, with the minted record.
    Exit(ExitLine),
}

/// The minted record of a pass, by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutcomeLine {
    /// The conversation: call ids are unique in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The call.
    pub call: String,
    /// When; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The tool's name; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The record.
    pub record: Record,
}

/// An event of a call's ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EventLine {
    /// The conversation: call ids are unique in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The call.
    pub call: String,
    /// When; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The tool's name; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The place in the call's trace, counted from 0.
    pub seq: u64,
    /// The event.
    pub event: Event,
    /// What the ledger gave back; compared with the model when it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Returned>,
}

/// The end of a call's trace, with the minted record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExitLine {
    /// The conversation: call ids are unique in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The call.
    pub call: String,
    /// When; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The tool's name; not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The place in the call's trace: the number of events before.
    pub seq: u64,
    /// The digest of the bytes that ran: the last `keepForBytes`, where it is no event of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Digest>,
    /// The record.
    pub record: Record,
}

/// One use of a ledger: as in the op `ledger.trace`, with digests in the place of labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "camelCase", deny_unknown_fields)]
pub enum Event {
    /// The engine settled a refusal of its own.
    Set {
        /// What ended the wait.
        reason: Refusal,
        /// The origin word of the ask.
        origin: String,
    },
    /// An ask was resolved.
    Resolved {
        /// What the resolver handed back.
        resolution: Resolution,
        /// The ask that was put.
        asked: Asked,
        /// The digest of the request's bytes.
        request: Digest,
    },
    /// A layer adjudicated.
    Decision {
        /// What it said.
        decision: Verdict,
        /// The engine's record on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Attestation>,
        /// The digest of the bytes that will run.
        runs: Digest,
    },
    /// An ask survives.
    Supersede {},
    /// The bytes that run are decided.
    KeepForBytes {
        /// Their digest.
        runs: Digest,
    },
    /// Why did the classifier not rule?
    CauseOf(Reading),
    /// Which round did the decision rest on?
    ClassifierRoundOf(Reading),
}

/// What a resolver handed back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// What it says the call may do.
    pub decision: Decision,
    /// The engine's record on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Attestation>,
    /// The digest of the input that the resolver put in the request's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Digest>,
    /// Whether it carried the retired member `settlement`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settlement: bool,
}

/// The ask that was put to the resolver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    /// Its origin word.
    pub origin: String,
    /// Its classes: a set, in any order, with or without doubles.
    pub classes: Vec<String>,
    /// Whether nothing but a recorded yes may release it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub real_approval: bool,
}

/// The engine's record on a resolution or a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    /// The call that it was made for.
    pub call: String,
    /// The origin word of the ask that it answers.
    pub origin: String,
    /// The classes of that ask: a set.
    pub classes: Vec<String>,
    /// The digest that it carries.
    pub digest: Digest,
    /// How the ask ended.
    pub settlement: Settlement,
}

/// What was read of a decision's classifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What the decision came to.
    pub decision: Decision,
    /// What it recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classified: Option<Classified>,
}

/// What a decision recorded of a classifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Classified {
    /// The call that it was recorded for.
    pub call: String,
    /// Why the round did not rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
}

/// What a ledger gave back: as a step of `ledger.trace`, without what is settled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Returned {
    /// Of `resolved` and `decision`: what the gate goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Verdict>,
    /// Beside a deny: who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<Layer>,
    /// Of `resolved`: a loud fault, in the place of a decision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault: bool,
    /// Of `causeOf`: the cause, if one was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Of `classifierRoundOf`: the round, if one was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
}

/// A digest in a log: 64 lower-case hexadecimal digits are the 32 bytes that they spell; any other
/// text, which may be how another gate spells its digests, stands for its own SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest that this text spells.
    #[must_use]
    pub fn of_text(text: &[u8]) -> Self {
        super::scan::hex(text).map_or_else(|| Self(Sha256::digest(text).into()), Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::of_text(text.as_bytes()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A digest: 64 lower-case hexadecimal digits; any other text is taken as \
                            an opaque spelling, equal only to itself.",
            "type": "string"
        })
    }
}
