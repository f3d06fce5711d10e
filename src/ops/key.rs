//! The ops of the `key` suite: one a function of the grammar.
//!
//! ```
//! use gatespec::ops::key::Op;
//! use gatespec::ops::{SuiteOp, json};
//!
//! let [plan_key, base] = ["key.planKey", "key.base"]
//!     .map(|name| Op::all(b"node:x:taint").find(|op| op.name() == name).unwrap());
//! assert_eq!(json(&plan_key.expected()).get(), r#"{"planKey":null}"#);
//! assert_eq!(json(&base.expected()).get(), r#"{"base":"node:x","instance":true}"#);
//! ```

use serde::{Deserialize, Serialize};

use super::{SuiteOp, Text, read, weight};
use crate::model::{Clause, key as model};

/// The names of this suite's ops.
pub const NAMES: &[&str] = &[
    "key.planKey",
    "key.isNodeKey",
    "key.nodeName",
    "key.nodeInstance",
    "key.id",
    "key.base",
    "key.liveId",
];

/// A question about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Parse a plan key.
    #[serde(rename = "key.planKey")]
    PlanKey(Subject),
    /// Is it the key of a node?
    #[serde(rename = "key.isNodeKey")]
    IsNodeKey(Subject),
    /// The name of the node that a node key belongs to.
    #[serde(rename = "key.nodeName")]
    NodeName(Subject),
    /// The instance of a node; asked of node keys only.
    #[serde(rename = "key.nodeInstance")]
    NodeInstance(Subject),
    /// The instance of a tool call.
    #[serde(rename = "key.id")]
    Id(Subject),
    /// What a subject belongs to.
    #[serde(rename = "key.base")]
    Base(Subject),
    /// May a live turn choose this id?
    #[serde(rename = "key.liveId")]
    LiveId(Subject),
}

/// The input of every op of this suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The subject, key or id in question.
    pub subject: Text,
}

/// What a gate answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Output {
    /// To `key.planKey`.
    PlanKey(PlanKeyOutput),
    /// To `key.isNodeKey`.
    IsNodeKey(IsNodeKeyOutput),
    /// To `key.nodeName`.
    NodeName(NodeNameOutput),
    /// To `key.nodeInstance` and `key.id`.
    Instance(InstanceOutput),
    /// To `key.base`.
    Base(BaseOutput),
    /// To `key.liveId`.
    LiveId(LiveIdOutput),
}

/// To `key.planKey`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanKeyOutput {
    /// The parts, or null: not a plan key.
    #[serde(deserialize_with = "required")]
    pub plan_key: Option<Parts>,
}

/// The parts of a plan key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// The node's key.
    pub key: Text,
    /// The iteration, in decimal; a string, since it may be above 2^53.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<String>,
    /// The node name.
    pub node: Text,
    /// The Step's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Text>,
}

impl From<model::PlanKey<'_>> for Parts {
    fn from(parsed: model::PlanKey<'_>) -> Self {
        Self {
            key: parsed.key.into(),
            iteration: parsed.iteration.map(|n| n.to_string()),
            node: parsed.node.into(),
            step: parsed.step.map(Text::from),
        }
    }
}

/// To `key.isNodeKey`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IsNodeKeyOutput {
    /// Is it one?
    pub is_node_key: bool,
}

/// To `key.nodeName`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeNameOutput {
    /// The name, or null: not a node key.
    #[serde(deserialize_with = "required")]
    pub node_name: Option<Text>,
}

/// To `key.nodeInstance` and `key.id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InstanceOutput {
    /// The subject of the instance.
    pub instance: Text,
}

/// To `key.base`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BaseOutput {
    /// The call or node that the subject belongs to.
    pub base: Text,
    /// Is the subject an escalation instance?
    pub instance: bool,
}

/// To `key.liveId`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LiveIdOutput {
    /// May a live turn choose it?
    pub live: bool,
}

/// A member that may be null but not missing.
fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

impl Op {
    /// The bytes in question.
    #[must_use]
    pub fn subject(&self) -> &[u8] {
        let (Self::PlanKey(input)
        | Self::IsNodeKey(input)
        | Self::NodeName(input)
        | Self::NodeInstance(input)
        | Self::Id(input)
        | Self::Base(input)
        | Self::LiveId(input)) = self;
        &input.subject.0
    }

    /// The same question about another subject.
    #[must_use]
    pub fn about(&self, subject: &[u8]) -> Self {
        let input = Subject {
            subject: Text(subject.to_vec()),
        };
        match self {
            Self::PlanKey(_) => Self::PlanKey(input),
            Self::IsNodeKey(_) => Self::IsNodeKey(input),
            Self::NodeName(_) => Self::NodeName(input),
            Self::NodeInstance(_) => Self::NodeInstance(input),
            Self::Id(_) => Self::Id(input),
            Self::Base(_) => Self::Base(input),
            Self::LiveId(_) => Self::LiveId(input),
        }
    }

    /// Whether the question's own clause decides the answer, and the grammar only reads it.
    fn is_decided_by(&self, own: Clause) -> bool {
        let subject = self.subject();
        match self {
            Self::IsNodeKey(_) | Self::NodeName(_) => {
                model::plan_key(subject).is_some_and(|key| key.step.is_some())
            }
            // a tail that is no instance is none because of what stands before it
            Self::Base(_) => own != Clause::Key16 || !subject.ends_with(b":taint"),
            _ => false,
        }
    }

    /// Every question that can be asked about a subject.
    pub fn all(subject: &[u8]) -> impl Iterator<Item = Self> + use<> {
        let input = Subject {
            subject: Text(subject.to_vec()),
        };
        let instance = model::is_node_key(subject).then(|| Self::NodeInstance(input.clone()));
        [
            Self::PlanKey(input.clone()),
            Self::IsNodeKey(input.clone()),
            Self::NodeName(input.clone()),
            Self::Id(input.clone()),
            Self::Base(input.clone()),
            Self::LiveId(input),
        ]
        .into_iter()
        .chain(instance)
    }
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        match self {
            Self::PlanKey(_) => "key.planKey",
            Self::IsNodeKey(_) => "key.isNodeKey",
            Self::NodeName(_) => "key.nodeName",
            Self::NodeInstance(_) => "key.nodeInstance",
            Self::Id(_) => "key.id",
            Self::Base(_) => "key.base",
            Self::LiveId(_) => "key.liveId",
        }
    }

    fn expected(&self) -> Output {
        let subject = self.subject();
        match self {
            Self::PlanKey(_) => Output::plan_key(model::plan_key(subject)),
            Self::IsNodeKey(_) => Output::is_node_key(model::is_node_key(subject)),
            Self::NodeName(_) => Output::node_name(model::node_name(subject)),
            Self::NodeInstance(_) => {
                // asked of node keys only; of another subject the question has the plain answer
                Output::instance(model::node_instance(subject).as_deref().unwrap_or(subject))
            }
            Self::Id(_) => Output::instance(&model::id(subject)),
            Self::Base(_) => Output::base(model::base(subject)),
            Self::LiveId(_) => Output::live(model::is_live_id(subject)),
        }
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        match self {
            Self::PlanKey(_) => read(output).map(Output::PlanKey),
            Self::IsNodeKey(_) => read(output).map(Output::IsNodeKey),
            Self::NodeName(_) => read(output).map(Output::NodeName),
            Self::NodeInstance(_) | Self::Id(_) => read(output).map(Output::Instance),
            Self::Base(_) => read(output).map(Output::Base),
            Self::LiveId(_) => read(output).map(Output::LiveId),
        }
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        let free = matches!(self, Self::LiveId(_)) && self.subject().is_empty();
        let expected = self.expected();
        if free || *got == expected {
            return Vec::new();
        }
        let mut all = self.clauses();
        if got.cuts_step_of(&expected) {
            all.retain(|&clause| clause != Clause::Key08);
            all.insert(0, Clause::Key08);
        }
        all
    }

    fn clauses(&self) -> Vec<Clause> {
        let subject = self.subject();
        let own = match self {
            Self::PlanKey(_) => Clause::Key01,
            Self::IsNodeKey(_) => Clause::Key09,
            Self::NodeName(_) => Clause::Key10,
            Self::NodeInstance(_) => Clause::Key11,
            Self::Id(_) => Clause::Key12,
            Self::Base(_) => base_clause(subject),
            Self::LiveId(_) => Clause::Key18,
        };
        let grammar = match self {
            Self::NodeInstance(_) | Self::Id(_) | Self::LiveId(_) => None,
            _ => grammar_clause(subject),
        };
        let mut all: Vec<Clause> = grammar.into_iter().chain([own]).collect();
        if self.is_decided_by(own) && grammar != Some(Clause::Key17) {
            all.reverse();
        }
        all
    }

    fn needs(&self) -> Vec<&'static str> {
        if std::str::from_utf8(self.subject()).is_ok() {
            Vec::new()
        } else {
            vec![Text::BYTES]
        }
    }

    fn is_asked(&self) -> bool {
        !matches!(self, Self::NodeInstance(_)) || model::is_node_key(self.subject())
    }

    fn smaller(&self) -> Vec<Self> {
        let size = weight(self);
        subject_smaller(self.subject())
            .iter()
            .map(|subject| self.about(subject))
            .filter(|op| op.is_asked() && weight(op) < size)
            .collect()
    }

    fn story(&self) -> Vec<String> {
        let subject = Text(self.subject().to_vec());
        vec![format!("let the subject be {subject}; ask {}", self.name())]
    }
}

impl Output {
    /// Whether this is a Step of the same node, under another name.
    fn cuts_step_of(&self, expected: &Self) -> bool {
        let parts = |output: &Self| match output {
            Self::PlanKey(PlanKeyOutput {
                plan_key: Some(parts),
            }) => Some(parts.clone()),
            _ => None,
        };
        let without = |step: Parts| Parts { step: None, ..step };
        match (parts(self), parts(expected)) {
            (Some(got), Some(expected)) => {
                got.step.is_some() && expected.step.is_some() && without(got) == without(expected)
            }
            _ => false,
        }
    }

    /// To `key.planKey`.
    #[must_use]
    pub fn plan_key(parsed: Option<model::PlanKey<'_>>) -> Self {
        Self::PlanKey(PlanKeyOutput {
            plan_key: parsed.map(Parts::from),
        })
    }

    /// To `key.isNodeKey`.
    #[must_use]
    pub fn is_node_key(is_node_key: bool) -> Self {
        Self::IsNodeKey(IsNodeKeyOutput { is_node_key })
    }

    /// To `key.nodeName`.
    #[must_use]
    pub fn node_name(name: Option<&[u8]>) -> Self {
        Self::NodeName(NodeNameOutput {
            node_name: name.map(Text::from),
        })
    }

    /// To `key.nodeInstance` and `key.id`.
    #[must_use]
    pub fn instance(instance: &[u8]) -> Self {
        Self::Instance(InstanceOutput {
            instance: instance.into(),
        })
    }

    /// To `key.base`.
    #[must_use]
    pub fn base((base, instance): (&[u8], bool)) -> Self {
        Self::Base(BaseOutput {
            base: base.into(),
            instance,
        })
    }

    /// To `key.liveId`.
    #[must_use]
    pub fn live(live: bool) -> Self {
        Self::LiveId(LiveIdOutput { live })
    }
}

/// The clause of the grammar that a subject puts to the test, if it is a particular one.
fn grammar_clause(subject: &[u8]) -> Option<Clause> {
    let Some(body) = subject.strip_prefix(b"node:") else {
        let folded = subject.trim_ascii().to_ascii_lowercase();
        return folded.starts_with(b"node:").then_some(Clause::Key07);
    };
    let parsed = model::plan_key(subject);
    let splits = parsed
        .and_then(|key| key.step)
        .is_some_and(|step| step.contains(&b':'));
    if subject == b"node:iter:taint" {
        return Some(Clause::Key17);
    }
    if let Some(rest) = body.strip_prefix(b"iter:") {
        let digits = rest.split(|&b| b == b':').next().unwrap_or_default();
        let closed = rest.len() > digits.len();
        let decimal = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        return Some(match () {
            () if !closed || !decimal => match digits {
                [b'+' | b'-', number @ ..]
                    if closed && !number.is_empty() && number.iter().all(u8::is_ascii_digit) =>
                {
                    Clause::Key02
                }
                _ => Clause::Key04,
            },
            () if digits.len() > 1 && digits.starts_with(b"0") => Clause::Key02,
            () if parsed.is_none_or(|key| key.iteration.is_none()) && over(digits) => Clause::Key03,
            () => match rest.get(digits.len() + 1..) {
                Some(b"taint") => Clause::Key17,
                _ if splits => Clause::Key08,
                _ => Clause::Key05,
            },
        });
    }
    match parsed {
        None if body.is_empty() || body.starts_with(b":") => Some(Clause::Key06),
        None => Some(Clause::Key08),
        Some(key) if key.step.is_some() => Some(Clause::Key08),
        Some(key) if !key.node.iter().all(u8::is_ascii_lowercase) => Some(Clause::Key07),
        Some(_) => None,
    }
}

/// Whether these digits say more than an iteration can hold.
fn over(digits: &[u8]) -> bool {
    std::str::from_utf8(digits)
        .ok()
        .and_then(|digits| digits.parse::<u64>().ok())
        .is_none_or(|n| n > model::MAX_ITERATION)
}

/// The clause that decides the base of a subject.
fn base_clause(subject: &[u8]) -> Clause {
    let (_, instance) = model::base(subject);
    match (subject.starts_with(b"node:"), instance) {
        (true, true) => Clause::Key14,
        (true, false) if model::plan_key(subject).is_some() => Clause::Key13,
        (false, true) => Clause::Key15,
        _ => Clause::Key16,
    }
}

/// Subjects one step smaller: a token less, then a byte less, then a plainer byte.
fn subject_smaller(subject: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let pieces: Vec<&[u8]> = subject.split_inclusive(|&b| b == b':').collect();
    for cut in 0..pieces.len() {
        let kept = pieces.iter().enumerate().filter(|&(at, _)| at != cut);
        all.push(kept.flat_map(|(_, piece)| piece.iter().copied()).collect());
    }
    for cut in 0..subject.len() {
        let kept = subject.iter().enumerate().filter(|&(at, _)| at != cut);
        all.push(kept.map(|(_, &byte)| byte).collect());
    }
    all
}
