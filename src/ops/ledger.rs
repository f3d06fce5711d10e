//! The ops of the `ledger` suite: a whole trace of one ledger, and the digest of bytes.
//!
//! A digest is an implementation's own, so a case names bytes by a label, and an answer names the
//! licensed bytes by theirs.
//!
//! ```
//! use gatespec::ops::ledger::{DigestInput, Op};
//! use gatespec::ops::SuiteOp;
//! use serde_json::json;
//!
//! let op = Op::Digest(DigestInput { a: json!({"n": 1}), b: json!({"n": "1"}) });
//! let same = op.read_output(r#"{"same":true}"#).unwrap();
//! assert!(!op.judge(&same).is_empty());
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::outcome::lackable;
use super::{SuiteOp, read};
use crate::model::Clause;
use crate::model::digest::digest;
use crate::model::ledger::{self as model, Verdict};
use crate::model::outcome::{Cause, Decision, Layer, Refusal, Settlement};

mod case;
mod judge;
mod shrink;
mod story;

/// The names of this suite's ops.
pub const NAMES: &[&str] = &["ledger.trace", "ledger.digest"];

/// The words that a gate may declare that it lacks.
pub const WORDS: &[&str] = &[
    "delegate",
    "timeout",
    "cancelled",
    "unavailable",
    "unshown_content",
    "set",
    "edit",
    "posture_allow",
    "retired_settlement",
    "cause",
    "classifier_round",
];

/// A question about one ledger, or about the digest that it compares bytes by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Make a ledger of this call, give it these events one after the other, and say after each
    /// what it returned and what is settled.
    #[serde(rename = "ledger.trace")]
    Trace(TraceInput),
    /// Have these two inputs the same digest?
    #[serde(rename = "ledger.digest")]
    Digest(DigestInput),
}

/// The input of `ledger.trace`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "UncheckedTrace")]
pub struct TraceInput {
    /// The call that the pass is about.
    pub call: String,
    /// The inputs that the events name, by label.
    pub bytes: BTreeMap<String, Value>,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// A trace before its labels are known to be of its bytes.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct UncheckedTrace {
    call: String,
    bytes: BTreeMap<String, Value>,
    events: Vec<Event>,
}

impl TryFrom<UncheckedTrace> for TraceInput {
    type Error = String;

    fn try_from(
        UncheckedTrace {
            call,
            bytes,
            events,
        }: UncheckedTrace,
    ) -> Result<Self, String> {
        let unknown = events
            .iter()
            .flat_map(Event::labels)
            .find(|&at| !bytes.contains_key(at));
        match unknown {
            Some(label) => Err(format!(
                "no bytes are labelled `{label}`; add it to `bytes`"
            )),
            None => Ok(Self {
                call,
                bytes,
                events,
            }),
        }
    }
}

/// The input of `ledger.digest`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DigestInput {
    /// An input.
    pub a: Value,
    /// Another, or the same.
    pub b: Value,
}

/// One use of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "camelCase", deny_unknown_fields)]
pub enum Event {
    /// The engine settles a refusal of its own.
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
        /// The label of the request's bytes.
        request: String,
    },
    /// A layer adjudicated.
    Decision {
        /// What it said.
        decision: Verdict,
        /// The engine's record on it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Attestation>,
        /// The label of the bytes that will run.
        runs: String,
    },
    /// An ask survives.
    Supersede {},
    /// The bytes that run are decided.
    KeepForBytes {
        /// Their label.
        runs: String,
    },
    /// Why did the classifier not rule?
    CauseOf(Reading),
    /// Which round did the decision rest on?
    ClassifierRoundOf(Reading),
}

/// What a resolver hands back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resolution {
    /// What it says the call may do.
    pub decision: Decision,
    /// The engine's record on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Attestation>,
    /// The label of the input that the resolver put in the request's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
    /// Whether it carries the retired member `settlement`.
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
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attestation {
    /// The call that it was made for.
    pub call: String,
    /// The origin word of the ask that it answers.
    pub origin: String,
    /// The classes of that ask: a set.
    pub classes: Vec<String>,
    /// The label of the bytes whose digest it carries.
    pub digest_of: String,
    /// How the ask ended.
    pub settlement: Settlement,
}

/// What is read of a decision's classifier.
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

/// What a gate answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Output {
    /// To `ledger.trace`.
    Trace(TraceOutput),
    /// To `ledger.digest`.
    Digest(DigestOutput),
}

/// To `ledger.trace`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TraceOutput {
    /// One step an event.
    pub steps: Vec<Step>,
}

/// To `ledger.digest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DigestOutput {
    /// Whether the two digests are the same.
    pub same: bool,
}

/// What an event returned, and the state after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// Of `resolved` and `decision`: what the gate goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Verdict>,
    /// Beside a deny: who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<Layer>,
    /// Of `resolved`: a loud fault, in the place of a decision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fault: bool,
    /// Of `causeOf`: the cause, if one is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Of `classifierRoundOf`: the round, if one is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// What is settled now; null when nothing is.
    #[serde(deserialize_with = "required")]
    pub settled: Option<SettledAsk>,
}

/// A settled ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SettledAsk {
    /// How the ask ended.
    pub settlement: Settlement,
    /// The origin word of the ask.
    pub origin: String,
    /// Of a yes: the label of the bytes that it licensed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licensed: Option<String>,
}

/// A member that may be null but not missing.
fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

impl TraceInput {
    /// The events as the model reads them.
    #[must_use]
    pub fn as_read(&self) -> Vec<model::Event<model::Recorded>> {
        let labels = case::Labels::of(self);
        self.events
            .iter()
            .map(|event| labels.event(event))
            .collect()
    }
}

impl Event {
    /// The labels that it names.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let (record, rest) = match self {
            Self::Resolved {
                resolution,
                request,
                ..
            } => (
                resolution.record.as_ref(),
                [Some(request), resolution.edited.as_ref()],
            ),
            Self::Decision { record, runs, .. } => (record.as_ref(), [Some(runs), None]),
            Self::KeepForBytes { runs } => (None, [Some(runs), None]),
            _ => (None, [None, None]),
        };
        let record = record.map(|record| &record.digest_of);
        rest.into_iter()
            .chain([record])
            .flatten()
            .map(String::as_str)
    }

    /// The record that it carries.
    #[must_use]
    pub const fn record(&self) -> Option<&Attestation> {
        match self {
            Self::Resolved { resolution, .. } => resolution.record.as_ref(),
            Self::Decision { record, .. } => record.as_ref(),
            _ => None,
        }
    }

    fn needs(&self) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = self
            .record()
            .and_then(|record| lackable(record.settlement))
            .into_iter()
            .collect();
        match self {
            Self::Set { reason, .. } => {
                all.push("set");
                all.extend(lackable(Settlement::Refused { reason: *reason }));
            }
            Self::Resolved {
                resolution, asked, ..
            } => {
                let allows = resolution.decision == Decision::Allow;
                let members = [
                    (resolution.edited.is_some(), "edit"),
                    (resolution.settlement, "retired_settlement"),
                    (allows && !asked.real_approval, "posture_allow"),
                ];
                all.extend(
                    members
                        .into_iter()
                        .filter(|&(there, _)| there)
                        .map(|(_, word)| word),
                );
            }
            Self::CauseOf(_) => all.push("cause"),
            Self::ClassifierRoundOf(_) => all.push("classifier_round"),
            Self::Decision { .. } | Self::Supersede {} | Self::KeepForBytes { .. } => {}
        }
        all
    }
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        match self {
            Self::Trace(_) => "ledger.trace",
            Self::Digest(_) => "ledger.digest",
        }
    }

    fn expected(&self) -> Output {
        match self {
            Self::Trace(input) => Output::Trace(case::expected(input)),
            Self::Digest(DigestInput { a, b }) => Output::Digest(DigestOutput {
                same: same_digest(a, b),
            }),
        }
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        match self {
            Self::Trace(_) => read(output).map(Output::Trace),
            Self::Digest(_) => read(output).map(Output::Digest),
        }
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        match (self, got) {
            (Self::Trace(input), Output::Trace(got)) => judge::broken(input, got),
            (Self::Digest(DigestInput { a, b }), Output::Digest(got)) => {
                let same = same_digest(a, b);
                // LED-27: how a number is spelt is the digest's own affair
                let free = same && a != b;
                if free || got.same == same {
                    Vec::new()
                } else {
                    vec![Clause::Led27]
                }
            }
            (Self::Trace(_), Output::Digest(_)) | (Self::Digest(_), Output::Trace(_)) => {
                self.clauses()
            }
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        match self {
            Self::Trace(input) => judge::clauses(input),
            Self::Digest(_) => vec![Clause::Led27],
        }
    }

    fn needs(&self) -> Vec<&'static str> {
        match self {
            Self::Trace(input) => {
                let mut all: Vec<_> = input.events.iter().flat_map(Event::needs).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            Self::Digest(_) => Vec::new(),
        }
    }

    /// No case depends on how numbers are spelt (LED-27), and what a gate carries as a word is not
    /// empty.
    fn is_asked(&self) -> bool {
        match self {
            Self::Trace(input) => case::is_asked(input),
            Self::Digest(_) => true,
        }
    }

    fn smaller(&self) -> Vec<Self> {
        match self {
            Self::Trace(input) => shrink::traces(input).into_iter().map(Self::Trace).collect(),
            Self::Digest(input) => shrink::digests(input)
                .into_iter()
                .map(Self::Digest)
                .collect(),
        }
    }

    fn story(&self) -> Vec<String> {
        match self {
            Self::Trace(input) => story::trace(input),
            Self::Digest(DigestInput { a, b }) => {
                vec![format!(
                    "let one input be `{a}` and another `{b}`; compare their digests"
                )]
            }
        }
    }
}

/// Whether the model's digest tells these apart.
fn same_digest(a: &Value, b: &Value) -> bool {
    // a JSON value always has canonical bytes: an error here would say that they differ
    matches!((digest(a), digest(b)), (Ok(a), Ok(b)) if a == b)
}
