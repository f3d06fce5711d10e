//! What goes over the wire: the inputs and outputs of the suite's ops.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::story::refusal;
use crate::model::boundary::{
    self as model, Act, Call, Effect, Envelope, Event, Outcome, Policy, Receipt, Seat, Verdict,
};

/// An empty object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// An act to put into an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ActInput {
    /// An answer.
    Answer {
        /// The workspace.
        workspace: String,
        /// The agent.
        agent: String,
        /// The verdict.
        verdict: Verdict,
    },
    /// The floor, raised.
    Revoke {
        /// The workspace.
        workspace: String,
        /// The agent.
        agent: String,
    },
    /// The floor, lowered.
    Restore {
        /// The workspace.
        workspace: String,
        /// The agent.
        agent: String,
    },
}

/// Two agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The agent that may be the ancestor.
    pub ancestor: String,
    /// The agent that may descend from it.
    pub agent: String,
}

/// A history, from a boundary where nothing is held and no floor is raised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The policy in force at first.
    pub policy: Policy,
    /// What happens, in order.
    pub events: Vec<EventInput>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventInput {
    /// An operator's envelope arrives.
    Act(Envelope),
    /// A call is adjudicated, for the first time or again.
    Call(Consult),
    /// Another policy is in force from here on.
    Policy(Policy),
}

/// A call that is adjudicated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Consult {
    /// The workspace.
    pub workspace: String,
    /// The agent that makes the call.
    pub agent: String,
    /// The call's id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What the call does.
    pub effect: Effect,
}

/// What a gate answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Output {
    /// To `boundary.verdicts`.
    Verdicts(VerdictsOutput),
    /// To `boundary.envelope`.
    Envelope(EnvelopeOutput),
    /// To `boundary.descends`.
    Descends(DescendsOutput),
    /// To `boundary.run` and `boundary.scoped`.
    Run(RunOutput),
    /// To `boundary.joint`.
    Joint(super::JointOutput),
}

/// To `boundary.verdicts`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct VerdictsOutput {
    /// The words, in their order.
    pub verdicts: Vec<String>,
}

/// To `boundary.envelope`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EnvelopeOutput {
    /// The envelope: any object can be read, one only conforms.
    pub envelope: Map<String, Value>,
}

/// To `boundary.descends`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DescendsOutput {
    /// Does it?
    pub descends: bool,
}

/// To `boundary.run` and `boundary.scoped`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunOutput {
    /// What came of each event, in order.
    pub events: Vec<EventOutput>,
}

/// What came of one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EventOutput {
    /// Of a call.
    Ruled(Ruled),
    /// Of an act that was taken.
    Receipt(ReceiptOutput),
    /// Of an act that was refused.
    Refused(Refused),
    /// Of a policy.
    Taken(Taken),
}

/// Of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ruled {
    /// What the call is met with.
    pub ruling: Verdict,
    /// The id of the call that is held at the agent afterwards, or null.
    #[serde(deserialize_with = "required")]
    pub held: Option<String>,
}

/// Of an act that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReceiptOutput {
    /// What it says it did.
    pub receipt: ReceiptBody,
}

/// What an act says it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ReceiptBody {
    /// An answer.
    Answered(Answered),
    /// A floor raised or lowered.
    Floor(Floor),
}

/// The receipt of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The id of the call that was held.
    pub answered: String,
    /// Is the conversation driven on?
    pub drives: bool,
}

/// The receipt of `revoke` and `restore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Does a floor stand over the agent now?
    pub floored: bool,
    /// Is the conversation driven on?
    pub drives: bool,
}

/// Of an act that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Why, in the gate's own words.
    pub refused: String,
}

/// Of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Taken {
    /// Always true.
    pub taken: bool,
}

impl From<&ActInput> for Act {
    fn from(input: &ActInput) -> Self {
        match input {
            ActInput::Answer {
                workspace,
                agent,
                verdict,
            } => Self::answer(Seat::new(workspace, agent), *verdict),
            ActInput::Revoke { workspace, agent } => Self::Revoke(Seat::new(workspace, agent)),
            ActInput::Restore { workspace, agent } => Self::Restore(Seat::new(workspace, agent)),
        }
    }
}

impl From<&EventInput> for Event {
    fn from(input: &EventInput) -> Self {
        match input {
            EventInput::Act(envelope) => Self::Act(envelope.clone()),
            EventInput::Call(consult) => {
                let Consult {
                    workspace,
                    agent,
                    id,
                    tool,
                    effect,
                } = consult.clone();
                Self::Consult(Seat { workspace, agent }, Call { id, tool, effect })
            }
            EventInput::Policy(policy) => Self::Policy(*policy),
        }
    }
}

impl From<&Event> for EventInput {
    fn from(event: &Event) -> Self {
        match event {
            Event::Act(envelope) => Self::Act(envelope.clone()),
            Event::Consult(seat, call) => {
                let (Seat { workspace, agent }, Call { id, tool, effect }) =
                    (seat.clone(), call.clone());
                Self::Call(Consult {
                    workspace,
                    agent,
                    id,
                    tool,
                    effect,
                })
            }
            Event::Policy(policy) => Self::Policy(*policy),
        }
    }
}

impl From<&Outcome> for EventOutput {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Ruled(ruling, held) => Self::Ruled(Ruled {
                ruling: ruling.verdict,
                held: held.clone(),
            }),
            Outcome::Acted(Ok(receipt)) => Self::from(receipt),
            Outcome::Acted(Err(reason)) => Self::Refused(Refused {
                refused: refusal(*reason),
            }),
            Outcome::Taken => Self::Taken(Taken { taken: true }),
        }
    }
}

impl From<&Receipt> for EventOutput {
    fn from(receipt: &Receipt) -> Self {
        let receipt = match receipt {
            Receipt::Answered { id, drives } => ReceiptBody::Answered(Answered {
                answered: id.clone(),
                drives: *drives,
            }),
            Receipt::Floor { floored } => ReceiptBody::Floor(Floor {
                floored: *floored,
                drives: false,
            }),
        };
        Self::Receipt(ReceiptOutput { receipt })
    }
}

impl EventOutput {
    /// Whether two gates that answer so differ in nothing that the law decides: why an act is
    /// refused is each gate's own word.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Refused(_), Self::Refused(_))) || self == other
    }
}

impl Trace {
    /// The history in the model's terms.
    #[must_use]
    pub fn history(&self) -> Vec<Event> {
        self.events.iter().map(Event::from).collect()
    }

    /// What the model says of each event.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        model::run(self.policy, &self.history())
    }

    /// Whether the law speaks of this history: an id names one call in its conversation, so its
    /// tool and its effect do not change.
    #[must_use]
    pub fn is_lawful(&self) -> bool {
        let mut calls = self.events.iter().filter_map(|event| match event {
            EventInput::Call(call) => Some(call),
            _ => None,
        });
        let mut seen: Vec<&Consult> = Vec::new();
        calls.all(|call| {
            let same = |other: &&&Consult| {
                (&other.workspace, &other.agent, &other.id)
                    == (&call.workspace, &call.agent, &call.id)
            };
            let known = seen.iter().find(same).copied();
            seen.push(call);
            known.is_none_or(|known| known == call)
        })
    }

    /// The agents that the history names, in the order of their ids.
    #[must_use]
    pub fn seats(&self) -> Vec<Seat> {
        let mut all: Vec<Seat> = self
            .events
            .iter()
            .filter_map(|event| match event {
                EventInput::Act(envelope) => Some(Seat::new(
                    envelope.workspace.as_deref()?,
                    envelope.agent.as_deref()?,
                )),
                EventInput::Call(call) => Some(Seat::new(&call.workspace, &call.agent)),
                EventInput::Policy(_) => None,
            })
            .collect();
        all.sort();
        all.dedup();
        all
    }

    /// Whether an envelope says how far its answer stands.
    pub(super) fn says_scope(&self) -> bool {
        let said =
            |event: &EventInput| matches!(event, EventInput::Act(act) if act.scope.is_some());
        self.events.iter().any(said)
    }

    pub(super) fn workspaces(&self) -> usize {
        let mut all: Vec<&str> = self
            .events
            .iter()
            .filter_map(|event| match event {
                EventInput::Act(envelope) => envelope.workspace.as_deref(),
                EventInput::Call(call) => Some(call.workspace.as_str()),
                EventInput::Policy(_) => None,
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

/// A member that may be null but not missing.
pub(super) fn required<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}
