//! The ops of the `verdict` suite: the control's request, its answer, the seam and the refusal.
//!
//! ```
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::verdict::{Op, Parse};
//!
//! let op = Op::Parse(Parse { output: r#"{"verdict":"pass"}"#.into() });
//! let fault = op.read_output(r#"{"fault":"no verdict"}"#).unwrap();
//! assert!(!op.judge(&fault).is_empty());
//! // here the spec leaves the choice, and both answers conform
//! let open = Op::Parse(Parse { output: r#"{"verdict":"pass","reason":null}"#.into() });
//! assert!(open.judge(&fault).is_empty() && open.judge(&op.expected()).is_empty());
//! ```

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asked::plain_numbers;
use super::{SuiteOp, Text, read, shrink, weight};
use crate::model::Clause;
use crate::model::verdict::{self as model, Fault, Gate, Malformed, Verdict};

mod wire;

pub use wire::{
    Answer, Call, Failed, Output, ParseOutput, RefusalOutput, RequestOutput, SeamOutput, True,
    VerdictOutput,
};

/// The names of this suite's ops.
pub const NAMES: &[&str] = &[
    "verdict.parse",
    "verdict.request",
    "verdict.adjudicate",
    "verdict.refusalText",
];

/// The word a gate lacks when it sets its controls no time limit.
pub const TIMEOUT: &str = "control_timeout";

/// A question about the seam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Read what a control printed.
    #[serde(rename = "verdict.parse")]
    Parse(Parse),
    /// Write what a control is asked.
    #[serde(rename = "verdict.request")]
    Request(Request),
    /// Decide about one call.
    #[serde(rename = "verdict.adjudicate")]
    Adjudicate(Adjudicate),
    /// Write what the model reads of a refused call.
    #[serde(rename = "verdict.refusalText")]
    RefusalText(RefusalText),
}

/// The input of `verdict.parse`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parse {
    /// All that the control printed before it exited 0.
    pub output: Text,
}

/// The input of `verdict.request`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The call that the control is asked about.
    pub call: Call,
}

/// The input of `verdict.adjudicate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// Is a control configured?
    pub configured: bool,
    /// The control's command.
    pub command: String,
    /// The call.
    pub call: Call,
    /// What becomes of the control, if it is asked.
    pub answer: Answer,
    /// Is the stop flag set by the time that the control has ended?
    pub stop: bool,
}

/// The input of `verdict.refusalText`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RefusalText {
    /// The tool of the refused call.
    pub tool: String,
    /// The control's reason.
    pub reason: String,
}

impl Adjudicate {
    /// The model's ruling.
    #[must_use]
    pub fn gate(&self) -> Gate {
        let answer = self.configured.then(|| model::Answer::from(&self.answer));
        model::adjudicate(answer.as_ref(), self.stop)
    }

    /// Whether the stop flag is set in a case that it must not change.
    fn flag_is_idle(&self) -> bool {
        let inert = matches!(
            self.answer,
            Answer::Exited { .. } | Answer::NotSpawned { .. }
        );
        self.configured && self.stop && inert
    }

    /// The clauses that the ruling rests on, the deciding one first.
    fn clauses(&self, gate: &Gate) -> Vec<Clause> {
        let own = match gate {
            _ if !self.configured => return vec![Clause::Ver01],
            Gate::Proceed => Clause::Ver05,
            Gate::Refuse { .. } => Clause::Ver06,
            Gate::Hold { .. } => Clause::Ver07,
            Gate::Stopped => Clause::Ver13,
            Gate::Fault(fault) => fault.clause(),
        };
        let mut all: Vec<Clause> = self
            .flag_is_idle()
            .then_some(Clause::Ver14)
            .into_iter()
            .collect();
        all.push(own);
        match gate {
            Gate::Fault(Fault::Output(malformed)) => {
                all.extend([malformed.clause(), Clause::Ver15])
            }
            Gate::Fault(_) => all.push(Clause::Ver15),
            Gate::Refuse { .. } | Gate::Hold { .. } => all.push(Clause::Ver22),
            Gate::Proceed | Gate::Stopped => {}
        }
        all.push(Clause::Ver02);
        all
    }

    fn judge(&self, got: &SeamOutput) -> Vec<Clause> {
        let gate = self.gate();
        // whether a control that would not spawn was consulted is a matter of words
        let unspawned = matches!(self.answer, Answer::NotSpawned { .. });
        match (self.configured, got.consulted()) {
            (false, true) => return vec![Clause::Ver01],
            (true, false) if !unspawned => return vec![Clause::Ver02],
            _ => {}
        }
        let same = match (&gate, got) {
            (Gate::Proceed, SeamOutput::Proceed { .. })
            | (Gate::Stopped, SeamOutput::Stopped { .. }) => true,
            (Gate::Refuse { reason }, SeamOutput::Refuse { reason: given, .. })
            | (Gate::Hold { reason }, SeamOutput::Hold { reason: given, .. }) => reason == given,
            (
                Gate::Fault(_),
                SeamOutput::Fault {
                    command,
                    tool,
                    detail,
                    ..
                },
            ) => {
                if *command != self.command || *tool != self.call.name || detail.is_empty() {
                    return vec![Clause::Ver15];
                }
                true
            }
            (Gate::Fault(Fault::Output(malformed)), SeamOutput::Proceed { .. }) => malformed.free(),
            _ => false,
        };
        if same {
            Vec::new()
        } else {
            self.blame(&gate, got)
        }
    }

    /// The clauses of a wrong ruling. The stop flag is blamed where the wrong answer is one that
    /// only the flag explains.
    fn blame(&self, gate: &Gate, got: &SeamOutput) -> Vec<Clause> {
        let failed = matches!(got, SeamOutput::Stopped { .. } | SeamOutput::Fault { .. });
        let by_flag = match gate {
            Gate::Fault(_) => matches!(got, SeamOutput::Stopped { .. }),
            _ => failed,
        };
        let mut all = self.clauses(gate);
        if !by_flag {
            all.retain(|&clause| clause != Clause::Ver14);
        }
        all
    }
}

/// The clauses that reading this output rests on, the deciding one first.
fn parse_clauses(output: &[u8]) -> Vec<Clause> {
    let verdict = match model::parse(output) {
        Err(malformed) => return vec![malformed.clause()],
        Ok(verdict) => verdict,
    };
    let text = String::from_utf8_lossy(output);
    let bare = text.trim_matches([' ', '\t', '\n', '\r']);
    let plain = match &verdict {
        Verdict::Pass => r#"{"verdict":"pass"}"#.to_owned(),
        Verdict::Refuse { reason } => format!(r#"{{"verdict":"refuse","reason":"{reason}"}}"#),
        Verdict::Hold { reason } => format!(r#"{{"verdict":"hold","reason":"{reason}"}}"#),
    };
    let mut all = Vec::new();
    if bare.len() != text.len() {
        all.push(Clause::Ver16);
    }
    if bare != plain {
        all.push(Clause::Ver21);
    }
    if let Verdict::Refuse { reason } | Verdict::Hold { reason } = &verdict {
        if reason.is_empty() || !reason.bytes().all(|b| b.is_ascii_graphic()) {
            all.push(Clause::Ver22);
        }
        all.extend([Clause::Ver17, Clause::Ver18, Clause::Ver22]);
    }
    all.push(Clause::Ver17);
    let mut seen = Vec::new();
    all.retain(|clause| {
        !seen.contains(clause) && {
            seen.push(*clause);
            true
        }
    });
    all
}

fn judge_parse(output: &[u8], got: &ParseOutput) -> Vec<Clause> {
    match (model::parse(output), got) {
        (Err(_), ParseOutput::Fault { .. }) => Vec::new(),
        (Err(malformed), ParseOutput::Verdict(VerdictOutput::Pass {})) if malformed.free() => {
            Vec::new()
        }
        (Err(malformed), ParseOutput::Verdict(_)) => vec![malformed.clause()],
        (Ok(_), ParseOutput::Fault { .. }) => parse_clauses(output),
        (Ok(verdict), ParseOutput::Verdict(got)) => match (Verdict::from(got), verdict) {
            (got, verdict) if got == verdict => Vec::new(),
            (Verdict::Refuse { .. }, Verdict::Refuse { .. })
            | (Verdict::Hold { .. }, Verdict::Hold { .. }) => vec![Clause::Ver22],
            _ => vec![Clause::Ver17],
        },
    }
}

/// The request that the control must read.
fn request(call: &Call) -> Value {
    let request = model::Request {
        id: &call.id,
        name: &call.name,
        input: &call.input,
        role: &call.role,
        agent_id: &call.agent_id,
    };
    serde_json::to_value(request).unwrap_or(Value::Null)
}

fn judge_request(call: &Call, got: &Value) -> Vec<Clause> {
    let expected = request(call);
    if *got == expected {
        return Vec::new();
    }
    let bare = |request: &Value| {
        let mut bare = request.clone();
        if let Some(input) = bare.get_mut("input") {
            *input = Value::Null;
        }
        bare
    };
    vec![if bare(got) == bare(&expected) {
        Clause::Ver04
    } else {
        Clause::Ver03
    }]
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        match self {
            Self::Parse(_) => "verdict.parse",
            Self::Request(_) => "verdict.request",
            Self::Adjudicate(_) => "verdict.adjudicate",
            Self::RefusalText(_) => "verdict.refusalText",
        }
    }

    fn expected(&self) -> Output {
        match self {
            Self::Parse(input) => Output::Parse(match model::parse(&input.output.0) {
                Ok(verdict) => ParseOutput::Verdict(verdict.into()),
                Err(malformed) => ParseOutput::Fault {
                    fault: malformed.to_string(),
                },
            }),
            Self::Request(input) => Output::Request(RequestOutput {
                request: request(&input.call),
            }),
            Self::Adjudicate(input) => Output::Seam(SeamOutput::new(input, input.gate())),
            Self::RefusalText(input) => Output::Refusal(RefusalOutput {
                text: model::refusal_text(&input.tool, &input.reason),
                is_error: true,
                exit_code: None,
            }),
        }
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        match self {
            Self::Parse(_) => read(output).map(Output::Parse),
            Self::Request(_) => read(output).map(Output::Request),
            Self::Adjudicate(_) => read(output).map(Output::Seam),
            Self::RefusalText(_) => read(output).map(Output::Refusal),
        }
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        match (self, got) {
            (Self::Parse(input), Output::Parse(got)) => judge_parse(&input.output.0, got),
            (Self::Request(input), Output::Request(got)) => {
                judge_request(&input.call, &got.request)
            }
            (Self::Adjudicate(input), Output::Seam(got)) => input.judge(got),
            (Self::RefusalText(input), Output::Refusal(got)) => {
                let says = got.text.contains(&input.tool) && got.text.contains(&input.reason);
                let told = (!got.is_error || !says).then_some(Clause::Ver23);
                let coded = got.exit_code.is_some().then_some(Clause::Ver24);
                told.into_iter().chain(coded).collect()
            }
            _ => self.clauses(),
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        match self {
            Self::Parse(input) => parse_clauses(&input.output.0),
            Self::Request(input) => {
                let plain = matches!(input.call.input, Value::Null);
                let own = vec![Clause::Ver03, Clause::Ver04];
                if plain {
                    own
                } else {
                    own.into_iter().rev().collect()
                }
            }
            Self::Adjudicate(input) => input.clauses(&input.gate()),
            Self::RefusalText(_) => vec![Clause::Ver23, Clause::Ver24],
        }
    }

    fn needs(&self) -> Vec<&'static str> {
        let (output, timed_out) = match self {
            Self::Parse(input) => (Some(&input.output), false),
            Self::Adjudicate(input) => {
                let timed_out = matches!(input.answer, Answer::TimedOut { .. });
                (input.answer.stdout(), timed_out && input.configured)
            }
            Self::Request(_) | Self::RefusalText(_) => (None, false),
        };
        let bytes = output
            .is_some_and(|output| !output.is_utf8())
            .then_some(Text::BYTES);
        bytes
            .into_iter()
            .chain(timed_out.then_some(TIMEOUT))
            .collect()
    }

    /// The numbers of an input are those that every reader of JSON has, and a signal is one that
    /// there is.
    fn is_asked(&self) -> bool {
        match self {
            Self::Parse(_) | Self::RefusalText(_) => true,
            Self::Request(input) => plain_numbers(&input.call.input),
            Self::Adjudicate(input) => {
                let signal = match input.answer {
                    Answer::Killed { signal, .. } => Some(signal),
                    _ => None,
                };
                plain_numbers(&input.call.input) && signal.is_none_or(|it| (1..32).contains(&it))
            }
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let mut all: Vec<Self> = match self {
            Self::Parse(input) => shrink::bytes(&input.output.0)
                .into_iter()
                .map(|output| {
                    Self::Parse(Parse {
                        output: Text(output),
                    })
                })
                .collect(),
            Self::Request(input) => input
                .call
                .smaller()
                .into_iter()
                .map(|call| Self::Request(Request { call }))
                .collect(),
            Self::Adjudicate(input) => input.smaller().into_iter().map(Self::Adjudicate).collect(),
            Self::RefusalText(input) => {
                let tool = shrink::name(&input.tool).map(|tool| RefusalText {
                    tool,
                    reason: input.reason.clone(),
                });
                let reason = shrink::name(&input.reason).map(|reason| RefusalText {
                    reason,
                    tool: input.tool.clone(),
                });
                tool.into_iter()
                    .chain(reason)
                    .map(Self::RefusalText)
                    .collect()
            }
        };
        let own = weight(self);
        all.retain(|op| weight(op) < own);
        all
    }

    fn story(&self) -> Vec<String> {
        match self {
            Self::Parse(input) => vec![
                format!("let a control print {} and exit 0", input.output),
                match model::parse(&input.output.0) {
                    Ok(verdict) => format!("then its verdict is {verdict}"),
                    Err(malformed) => format!("then it is a fault: {malformed}"),
                },
            ],
            Self::Request(input) => vec![
                format!("let {}", input.call),
                format!(
                    "then the control reads {} on its stdin",
                    request(&input.call)
                ),
            ],
            Self::Adjudicate(input) => input.story(),
            Self::RefusalText(input) => vec![
                format!(
                    "let a control refuse the tool `{}`: `{}`",
                    input.tool, input.reason
                ),
                "then the model reads an error that names the tool and carries the reason"
                    .to_owned(),
                "and that carries no exit code, for no child ran".to_owned(),
            ],
        }
    }
}

impl Adjudicate {
    fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if self.stop {
            all.push(Self {
                stop: false,
                ..self.clone()
            });
        }
        for answer in self.answer.smaller() {
            all.push(Self {
                answer,
                ..self.clone()
            });
        }
        for call in self.call.smaller() {
            all.push(Self {
                call,
                ..self.clone()
            });
        }
        all.extend(shrink::name(&self.command).map(|command| Self {
            command,
            ..self.clone()
        }));
        all
    }

    fn story(&self) -> Vec<String> {
        let configured = if self.configured {
            format!("let the control `{}` be configured", self.command)
        } else {
            format!(
                "let no control be configured (`{}` is at hand)",
                self.command
            )
        };
        let flag = if self.stop {
            ", with the stop flag set"
        } else {
            ""
        };
        vec![
            configured,
            format!("let {}", self.call),
            format!("let the control, if it is asked, {}{flag}", self.answer),
            match self.gate() {
                Gate::Proceed if !self.configured => {
                    "then the call proceeds and nothing is spawned".to_owned()
                }
                Gate::Proceed => "then the call proceeds".to_owned(),
                Gate::Refuse { reason } => format!("then the call is refused: `{reason}`"),
                Gate::Hold { reason } => format!("then the call is held: `{reason}`"),
                Gate::Stopped => "then the window is stopped, without a fault".to_owned(),
                Gate::Fault(Fault::Output(Malformed::NullReasonBesidePass)) => {
                    "then it is a fault, or the call proceeds: both conform".to_owned()
                }
                Gate::Fault(fault) => format!("then it is a fault: {fault}"),
            },
        ]
    }
}
