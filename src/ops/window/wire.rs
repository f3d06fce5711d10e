//! The wire shapes of the `window` suite, and their likeness to the model's types.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::window::{self as model, End, Kind};
use crate::ops::shrink;
use crate::ops::verdict::{True, VerdictOutput};

/// A tool call of the step. Executing it succeeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// The tool that it calls.
    pub tool: String,
}

impl From<&Call> for model::Call {
    fn from(call: &Call) -> Self {
        Self {
            id: call.id.clone(),
            tool: call.tool.clone(),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.id, self.tool)
    }
}

/// One drive of the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "control", rename_all = "snake_case", deny_unknown_fields)]
pub enum Drive {
    /// A control is configured.
    Configured {
        /// What becomes of it when it is asked about a call, by the call's id. A call that is not
        /// here passes.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        answers: BTreeMap<String, Answer>,
    },
    /// None is configured, any more or yet.
    Removed {},
}

impl fmt::Display for Drive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Removed {} => f.write_str("with no control configured"),
            Self::Configured { answers } if answers.is_empty() => {
                f.write_str("with a control that passes all")
            }
            Self::Configured { answers } => {
                let said: Vec<String> = answers
                    .iter()
                    .map(|(id, answer)| format!("on `{id}` {answer}"))
                    .collect();
                write!(
                    f,
                    "with a control that {}, and else passes",
                    said.join(", ")
                )
            }
        }
    }
}

/// What becomes of the control when it is asked about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// It gives a verdict.
    Verdict(VerdictOutput),
    /// It fails.
    Fault {
        /// Always `true`.
        fault: True,
    },
    /// The harness's stop kills it.
    Stopped {
        /// Always `true`.
        stopped: True,
    },
}

impl Answer {
    /// The answer with a shorter reason.
    #[must_use]
    pub fn smaller(&self) -> Option<Self> {
        match self {
            Self::Verdict(VerdictOutput::Refuse { reason }) => {
                shrink::name(reason).map(|reason| Self::Verdict(VerdictOutput::Refuse { reason }))
            }
            Self::Verdict(VerdictOutput::Hold { reason }) => {
                shrink::name(reason).map(|reason| Self::Verdict(VerdictOutput::Hold { reason }))
            }
            Self::Verdict(VerdictOutput::Pass {}) | Self::Fault { .. } | Self::Stopped { .. } => {
                None
            }
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(VerdictOutput::Pass {}) => f.write_str("passes"),
            Self::Verdict(VerdictOutput::Refuse { reason }) => write!(f, "refuses (`{reason}`)"),
            Self::Verdict(VerdictOutput::Hold { reason }) => write!(f, "holds (`{reason}`)"),
            Self::Fault { .. } => f.write_str("fails"),
            Self::Stopped { .. } => f.write_str("is killed by the stop"),
        }
    }
}

/// What a harness answers: its drives, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// One for each drive of the case.
    pub drives: Vec<DriveOutput>,
}

/// What one drive did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DriveOutput {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// How it ended.
    pub end: EndWord,
    /// The mark that stands after it, or null.
    #[serde(deserialize_with = "required")]
    pub mark: Option<Mark>,
}

/// A member that may be null but not missing.
fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// One thing that happens in a drive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The control was consulted about the call with this id.
    Consulted(String),
    /// The mark of the call with this id was taken away.
    Lifted(String),
    /// The call with this id entered its executor.
    Executed(String),
    /// A result was committed.
    Committed(Committed),
}

/// A committed result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Committed {
    /// The call's id.
    pub id: String,
    /// What kind of result it is.
    pub kind: KindWord,
    /// Is it marked an error?
    pub is_error: bool,
}

/// How a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EndWord {
    /// Every call has its result.
    Done,
    /// A call is held.
    Held,
    /// The harness was stopped.
    Stopped,
    /// The control failed.
    Fault,
}

/// What kind of result a call got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KindWord {
    /// What executing it gave.
    Result,
    /// The control's refusal.
    Refusal,
    /// An error that says that it never ran.
    Interrupted,
}

/// A hold mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The held call's id.
    pub id: String,
    /// The held call's tool.
    pub tool: String,
    /// Why it is held.
    pub reason: String,
}

impl From<&model::Mark> for Mark {
    fn from(mark: &model::Mark) -> Self {
        Self {
            id: mark.id.clone(),
            tool: mark.tool.clone(),
            reason: mark.reason.clone(),
        }
    }
}

impl From<End> for EndWord {
    fn from(end: End) -> Self {
        match end {
            End::Done => Self::Done,
            End::Held => Self::Held,
            End::Stopped => Self::Stopped,
            End::Fault => Self::Fault,
        }
    }
}

impl From<Kind> for KindWord {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Result => Self::Result,
            Kind::Refusal => Self::Refusal,
            Kind::Interrupted => Self::Interrupted,
        }
    }
}

impl From<&model::Event> for Event {
    fn from(event: &model::Event) -> Self {
        match event {
            model::Event::Consulted { id } => Self::Consulted(id.clone()),
            model::Event::Lifted { id } => Self::Lifted(id.clone()),
            model::Event::Executed { id } => Self::Executed(id.clone()),
            model::Event::Committed { id, kind } => Self::Committed(Committed {
                id: id.clone(),
                kind: (*kind).into(),
                is_error: *kind != Kind::Result,
            }),
        }
    }
}

impl From<&model::Drive> for DriveOutput {
    fn from(drive: &model::Drive) -> Self {
        Self {
            events: drive.events.iter().map(Event::from).collect(),
            end: drive.end.into(),
            mark: drive.mark.as_ref().map(Mark::from),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Consulted(id) => write!(f, "consults about `{id}`"),
            Self::Lifted(id) => write!(f, "lifts the mark of `{id}`"),
            Self::Executed(id) => write!(f, "executes `{id}`"),
            Self::Committed(Committed { id, kind, .. }) => match kind {
                KindWord::Result => write!(f, "commits what `{id}` gave"),
                KindWord::Refusal => write!(f, "commits the refusal of `{id}`"),
                KindWord::Interrupted => write!(f, "settles `{id}` as interrupted"),
            },
        }
    }
}
