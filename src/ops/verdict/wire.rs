//! The wire shapes of the `verdict` suite, and their likeness to the model's types.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Adjudicate;
use crate::model::verdict::{self as model, Gate, Verdict};
use crate::ops::{Text, shrink};

/// A tool call, with all that a control is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Call {
    /// Its id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The tool's input.
    pub input: Value,
    /// The role of the agent that calls.
    pub role: String,
    /// The agent that calls.
    pub agent_id: String,
}

impl Call {
    /// This call with a part left out.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for input in shrink::value(&self.input) {
            all.push(Self {
                input,
                ..self.clone()
            });
        }
        all.extend(shrink::name(&self.id).map(|id| Self { id, ..self.clone() }));
        all.extend(shrink::name(&self.name).map(|name| Self {
            name,
            ..self.clone()
        }));
        all.extend(shrink::name(&self.role).map(|role| Self {
            role,
            ..self.clone()
        }));
        all.extend(shrink::name(&self.agent_id).map(|agent_id| Self {
            agent_id,
            ..self.clone()
        }));
        all
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            id,
            name,
            input,
            role,
            agent_id,
        } = self;
        write!(
            f,
            "the agent `{agent_id}` ({role}) call `{name}` as `{id}` with {input}"
        )
    }
}

/// What becomes of a control that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// It ends by itself.
    Exited {
        /// Its exit code.
        exit: u8,
        /// What it prints.
        stdout: Text,
    },
    /// A signal kills it.
    Killed {
        /// The signal.
        signal: u8,
        /// What it has printed by then; left out when nothing.
        #[serde(default, skip_serializing_if = "is_empty")]
        stdout: Text,
    },
    /// It does not spawn.
    NotSpawned {
        /// Always `failed`.
        spawn: Failed,
    },
    /// It does not end in time, and is killed for that.
    TimedOut {
        /// Always `true`.
        #[serde(rename = "timedOut")]
        timed_out: True,
        /// What it has printed by then; left out when nothing.
        #[serde(default, skip_serializing_if = "is_empty")]
        stdout: Text,
    },
}

/// The word `failed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Failed {
    /// `failed`.
    Failed,
}

/// The value `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct True;

impl Serialize for True {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if bool::deserialize(deserializer)? {
            Ok(Self)
        } else {
            Err(serde::de::Error::custom(
                "this member is `true` or left out",
            ))
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for True {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "True".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": true })
    }
}

fn is_empty(text: &Text) -> bool {
    text.0.is_empty()
}

impl Answer {
    /// A control that prints this and exits 0.
    #[must_use]
    pub fn prints(stdout: &[u8]) -> Self {
        Self::Exited {
            exit: 0,
            stdout: stdout.into(),
        }
    }

    /// What it prints, if it comes to that.
    #[must_use]
    pub const fn stdout(&self) -> Option<&Text> {
        match self {
            Self::Exited { stdout, .. }
            | Self::Killed { stdout, .. }
            | Self::TimedOut { stdout, .. } => Some(stdout),
            Self::NotSpawned { .. } => None,
        }
    }

    /// This answer with less printed, or a plainer number.
    #[must_use]
    pub fn smaller(&self) -> Vec<Self> {
        let outputs = self
            .stdout()
            .map(|stdout| shrink::bytes(&stdout.0))
            .unwrap_or_default();
        let mut all: Vec<Self> = outputs
            .into_iter()
            .map(|output| match self.clone() {
                Self::Exited { exit, .. } => Self::Exited {
                    exit,
                    stdout: Text(output),
                },
                Self::Killed { signal, .. } => Self::Killed {
                    signal,
                    stdout: Text(output),
                },
                Self::TimedOut { timed_out, .. } => Self::TimedOut {
                    timed_out,
                    stdout: Text(output),
                },
                Self::NotSpawned { spawn } => Self::NotSpawned { spawn },
            })
            .collect();
        match self {
            Self::Exited { exit: 10.., stdout } => {
                all.push(Self::Exited {
                    exit: 1,
                    stdout: stdout.clone(),
                });
            }
            Self::Killed {
                signal: 10..,
                stdout,
            } => {
                all.push(Self::Killed {
                    signal: 9,
                    stdout: stdout.clone(),
                });
            }
            _ => {}
        }
        all
    }
}

impl From<&Answer> for model::Answer {
    fn from(answer: &Answer) -> Self {
        match answer {
            Answer::Exited { exit, stdout } => Self::Exited {
                code: *exit,
                stdout: stdout.0.clone(),
            },
            Answer::Killed { signal, stdout } => Self::Killed {
                signal: *signal,
                stdout: stdout.0.clone(),
            },
            Answer::NotSpawned { .. } => Self::NotSpawned,
            Answer::TimedOut { stdout, .. } => Self::TimedOut {
                stdout: stdout.0.clone(),
            },
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printed = |stdout: &Text| match stdout.0.is_empty() {
            true => "nothing".to_owned(),
            false => stdout.to_string(),
        };
        match self {
            Self::Exited { exit, stdout } => {
                write!(f, "print {} and exit {exit}", printed(stdout))
            }
            Self::Killed { signal, stdout } => {
                write!(
                    f,
                    "print {} and be killed by signal {signal}",
                    printed(stdout)
                )
            }
            Self::NotSpawned { .. } => f.write_str("not spawn"),
            Self::TimedOut { stdout, .. } => {
                write!(f, "print {} and not end in time", printed(stdout))
            }
        }
    }
}

/// What a gate answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Output {
    /// To `verdict.parse`.
    Parse(ParseOutput),
    /// To `verdict.request`.
    Request(RequestOutput),
    /// To `verdict.adjudicate`.
    Seam(SeamOutput),
    /// To `verdict.refusalText`.
    Refusal(RefusalOutput),
}

/// To `verdict.parse`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub enum ParseOutput {
    /// It is a verdict.
    Verdict(VerdictOutput),
    /// It is none.
    Fault {
        /// What is wrong with it, in any words.
        fault: String,
    },
}

/// A verdict, as a control writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "snake_case", deny_unknown_fields)]
pub enum VerdictOutput {
    /// The call may run.
    Pass {},
    /// The call may not run.
    Refuse {
        /// Why.
        reason: String,
    },
    /// The call waits.
    Hold {
        /// Why.
        reason: String,
    },
}

impl From<Verdict> for VerdictOutput {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass {},
            Verdict::Refuse { reason } => Self::Refuse { reason },
            Verdict::Hold { reason } => Self::Hold { reason },
        }
    }
}

impl From<&VerdictOutput> for Verdict {
    fn from(verdict: &VerdictOutput) -> Self {
        match verdict.clone() {
            VerdictOutput::Pass {} => Self::Pass,
            VerdictOutput::Refuse { reason } => Self::Refuse { reason },
            VerdictOutput::Hold { reason } => Self::Hold { reason },
        }
    }
}

/// To `verdict.request`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RequestOutput {
    /// The JSON that the control reads on its stdin.
    pub request: Value,
}

/// To `verdict.adjudicate`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "gate", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeamOutput {
    /// Execute the call.
    Proceed {
        /// Was the control consulted?
        consulted: bool,
    },
    /// Refuse it.
    Refuse {
        /// The control's reason.
        reason: String,
        /// Was the control consulted?
        consulted: bool,
    },
    /// Hold it.
    Hold {
        /// The control's reason.
        reason: String,
        /// Was the control consulted?
        consulted: bool,
    },
    /// The harness was stopped.
    Stopped {
        /// Was the control consulted?
        consulted: bool,
    },
    /// The control failed.
    Fault {
        /// The control's command.
        command: String,
        /// The tool of the call.
        tool: String,
        /// What went wrong, in any words but none.
        detail: String,
        /// Was the control consulted?
        consulted: bool,
    },
}

impl SeamOutput {
    /// Was the control consulted?
    #[must_use]
    pub const fn consulted(&self) -> bool {
        let (Self::Proceed { consulted }
        | Self::Refuse { consulted, .. }
        | Self::Hold { consulted, .. }
        | Self::Stopped { consulted }
        | Self::Fault { consulted, .. }) = self;
        *consulted
    }

    /// The answer that says this ruling of this case.
    #[must_use]
    pub fn new(case: &Adjudicate, gate: Gate) -> Self {
        let consulted = case.configured;
        match gate {
            Gate::Proceed => Self::Proceed { consulted },
            Gate::Refuse { reason } => Self::Refuse { reason, consulted },
            Gate::Hold { reason } => Self::Hold { reason, consulted },
            Gate::Stopped => Self::Stopped { consulted },
            Gate::Fault(fault) => Self::Fault {
                command: case.command.clone(),
                tool: case.call.name.clone(),
                detail: fault.to_string(),
                consulted,
            },
        }
    }
}

/// To `verdict.refusalText`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefusalOutput {
    /// What the model reads.
    pub text: String,
    /// Is the result marked an error?
    pub is_error: bool,
    /// The exit code that the result carries, if it carries one: it must not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<Value>,
}
