//! The ops of the `boundary` suite: the words and envelopes of the acts, and whole histories.
//!
//! ```
//! use gatespec::ops::boundary::{DescendsOutput, Op, Output, Pair};
//! use gatespec::ops::SuiteOp;
//!
//! let pair = |agent: &str| Op::Descends(Pair { ancestor: "ab".into(), agent: agent.into() });
//! let yes = Output::Descends(DescendsOutput { descends: true });
//! assert!(pair("ab-c").judge(&yes).is_empty());
//! assert!(!pair("abc").judge(&yes).is_empty());
//! assert!(!pair("ab--c").is_asked(), "the spec says nothing of an empty part");
//! ```

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{SuiteOp, read, weight};
use crate::model::Clause;
use crate::model::boundary::{self as model, Act, Envelope, Outcome, Scope, VERDICTS};

mod asked;
mod blame;
mod joint;
mod scene;
#[cfg(feature = "schema")]
mod schema;
mod smaller;
mod story;
mod wire;

pub use joint::{
    AgentInput, CallInput, DrivenOutput, JointEvent, JointEventOutput, JointInput, JointOutput,
    Place, RuledCall,
};
pub use story::{because, happening, policy, refusal, told};
pub use wire::*;

/// The names of this suite's ops.
pub const NAMES: &[&str] = &[
    "boundary.verdicts",
    "boundary.envelope",
    "boundary.descends",
    "boundary.run",
    "boundary.scoped",
    "boundary.joint",
];

/// The word a gate lacks when its policy cannot change while it runs.
pub const POLICY_CHANGE: &str = "policy_change";
/// The word a gate lacks when it knows one workspace only.
pub const WORKSPACES: &str = "workspaces";
/// The word a gate lacks when it builds no envelopes.
pub const ENVELOPES: &str = "envelopes";
/// The profile of answers that stand.
pub const SCOPED: &str = crate::model::Profile::ScopedAnswers.word();

/// A question about the operator's acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// The verdicts, in the order in which an operator is offered them.
    #[serde(rename = "boundary.verdicts")]
    Verdicts(Nothing),
    /// The envelope of an act.
    #[serde(rename = "boundary.envelope")]
    Envelope(ActInput),
    /// Does one agent descend from another?
    #[serde(rename = "boundary.descends")]
    Descends(Pair),
    /// What comes of a history of acts and consults?
    #[serde(rename = "boundary.run")]
    Run(Trace),
    /// The same, with answers that may stand: the profile `scoped-answers`.
    #[serde(rename = "boundary.scoped")]
    Scoped(Trace),
    /// What comes of acts between the drives of several agents' windows?
    #[serde(rename = "boundary.joint")]
    Joint(JointInput),
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        match self {
            Self::Verdicts(_) => "boundary.verdicts",
            Self::Envelope(_) => "boundary.envelope",
            Self::Descends(_) => "boundary.descends",
            Self::Run(_) => "boundary.run",
            Self::Scoped(_) => "boundary.scoped",
            Self::Joint(_) => "boundary.joint",
        }
    }

    fn expected(&self) -> Output {
        match self {
            Self::Verdicts(_) => Output::Verdicts(VerdictsOutput {
                verdicts: VERDICTS
                    .iter()
                    .map(|verdict| verdict.word().to_owned())
                    .collect(),
            }),
            Self::Envelope(act) => Output::envelope(&Act::from(act).envelope()),
            Self::Descends(pair) => {
                let descends = model::descends(&pair.agent, &pair.ancestor);
                Output::Descends(DescendsOutput { descends })
            }
            Self::Run(trace) | Self::Scoped(trace) => Output::run(&trace.outcomes()),
            Self::Joint(input) => Output::Joint(input.expected()),
        }
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        match self {
            Self::Verdicts(_) => read(output).map(Output::Verdicts),
            Self::Envelope(_) => read(output).map(Output::Envelope),
            Self::Descends(_) => read(output).map(Output::Descends),
            Self::Run(_) | Self::Scoped(_) => read(output).map(Output::Run),
            Self::Joint(_) => read(output).map(Output::Joint),
        }
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        match (self, got) {
            (Self::Run(trace) | Self::Scoped(trace), Output::Run(got)) => {
                blame::judge(trace, &got.events, matches!(self, Self::Scoped(_)))
            }
            (Self::Joint(input), Output::Joint(got)) => input.judge(&got.events),
            _ if *got == self.expected() => Vec::new(),
            _ => self.clauses(),
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        match self {
            Self::Verdicts(_) => vec![Clause::Bnd01],
            Self::Envelope(_) => vec![Clause::Bnd02],
            Self::Descends(_) => vec![Clause::Bnd04],
            Self::Run(trace) | Self::Scoped(trace) => blame::clauses(trace),
            Self::Joint(input) => input.clauses(),
        }
    }

    fn needs(&self) -> Vec<&'static str> {
        let (mut needs, trace) = match self {
            Self::Envelope(_) => return vec![ENVELOPES],
            Self::Verdicts(_) | Self::Descends(_) => return Vec::new(),
            Self::Joint(input) if input.workspaces() > 1 => return vec![WORKSPACES],
            Self::Joint(_) => return Vec::new(),
            Self::Run(trace) => (Vec::new(), trace),
            Self::Scoped(trace) => (vec![SCOPED], trace),
        };
        if trace
            .events
            .iter()
            .any(|event| matches!(event, EventInput::Policy(_)))
        {
            needs.push(POLICY_CHANGE);
        }
        if trace.workspaces() > 1 {
            needs.push(WORKSPACES);
        }
        needs
    }

    fn is_asked(&self) -> bool {
        match self {
            Self::Verdicts(_) => true,
            Self::Envelope(act) => asked::act(act),
            Self::Descends(pair) => asked::pair(pair),
            Self::Run(trace) => asked::trace(trace, false),
            Self::Scoped(trace) => asked::trace(trace, true),
            Self::Joint(input) => asked::joint(input),
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let size = weight(self);
        let all: Vec<Self> = match self {
            Self::Verdicts(_) => Vec::new(),
            Self::Envelope(act) => smaller::act(act).into_iter().map(Self::Envelope).collect(),
            Self::Descends(pair) => smaller::pair(pair)
                .into_iter()
                .map(Self::Descends)
                .collect(),
            Self::Run(trace) => smaller::trace(trace).into_iter().map(Self::Run).collect(),
            Self::Scoped(trace) => {
                let core = (!trace.says_scope()).then(|| Self::Run(trace.clone()));
                core.into_iter()
                    .chain(smaller::trace(trace).into_iter().map(Self::Scoped))
                    .collect()
            }
            Self::Joint(input) => input.smaller().into_iter().map(Self::Joint).collect(),
        };
        let simpler = |op: &Self| (weight(op), smaller::rank(op)) < (size, smaller::rank(self));
        all.into_iter().filter(simpler).collect()
    }

    fn story(&self) -> Vec<String> {
        story::story(self)
    }
}

impl Output {
    /// To `boundary.envelope`.
    #[must_use]
    pub fn envelope(envelope: &Envelope) -> Self {
        let envelope = match serde_json::to_value(envelope) {
            Ok(Value::Object(envelope)) => envelope,
            _ => Map::new(),
        };
        Self::Envelope(EnvelopeOutput { envelope })
    }

    /// To `boundary.run` and `boundary.scoped`.
    #[must_use]
    pub fn run(outcomes: &[Outcome]) -> Self {
        Self::Run(RunOutput {
            events: outcomes.iter().map(EventOutput::from).collect(),
        })
    }
}

/// The scope that an envelope says, or leaves out.
fn scope(envelope: &Envelope) -> Scope {
    envelope
        .scope
        .as_deref()
        .and_then(Scope::from_word)
        .unwrap_or_default()
}
