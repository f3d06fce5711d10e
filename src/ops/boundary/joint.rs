//! The op `boundary.joint`: the windows of several agents under one boundary.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::scene::Scene;
use super::wire::{Consult, EventInput, EventOutput, ReceiptOutput, Refused, Ruled, Trace};
use super::{blame, smaller, story};
use crate::model::Clause;
use crate::model::boundary::{Call, Effect, Envelope, Event as Flat, Policy, Seat, Verdict};
use crate::model::joint::{Control, Driven, Event, Joint, Outcome};
use crate::model::window;

/// Several agents that have each emitted a step, and what happens then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointInput {
    /// The policy.
    pub policy: Policy,
    /// The agents, each at another place.
    pub agents: Vec<AgentInput>,
    /// What happens, in order.
    pub events: Vec<JointEvent>,
}

/// An agent and its step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentInput {
    /// The workspace.
    pub workspace: String,
    /// The agent's id.
    pub agent: String,
    /// The calls of its step, in order; their ids differ.
    pub calls: Vec<CallInput>,
}

/// A call of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CallInput {
    /// Its id.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it does.
    pub effect: Effect,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum JointEvent {
    /// An operator's envelope arrives.
    Act(Envelope),
    /// An agent's conversation is driven.
    Drive(Place),
}

/// Where an agent is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The workspace.
    pub workspace: String,
    /// The agent's id.
    pub agent: String,
}

/// To `boundary.joint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JointOutput {
    /// What came of each event, in order.
    pub events: Vec<JointEventOutput>,
}

/// What came of one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum JointEventOutput {
    /// Of a drive.
    Driven(DrivenOutput),
    /// Of an act that was taken.
    Receipt(ReceiptOutput),
    /// Of an act that was refused.
    Refused(Refused),
}

/// What a drive did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrivenOutput {
    /// Each call that was ruled, in order.
    pub ruled: Vec<RuledCall>,
    /// Each call that ran, in order.
    pub executed: Vec<String>,
    /// The call that is held at the agent afterwards, or null.
    #[serde(deserialize_with = "super::wire::required")]
    pub held: Option<String>,
}

/// A call and its ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuledCall {
    /// The call.
    pub id: String,
    /// What it was met with.
    pub ruling: Verdict,
}

impl From<&Driven> for DrivenOutput {
    fn from(driven: &Driven) -> Self {
        let ruled = driven.rulings.iter().map(|(id, ruling)| RuledCall {
            id: id.clone(),
            ruling: ruling.verdict,
        });
        let executed = driven.drive.events.iter().filter_map(|event| match event {
            window::Event::Executed { id } => Some(id.clone()),
            _ => None,
        });
        Self {
            ruled: ruled.collect(),
            executed: executed.collect(),
            held: driven.drive.mark.as_ref().map(|mark| mark.id.clone()),
        }
    }
}

impl From<&Outcome> for JointEventOutput {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Driven(Some(driven)) => Self::Driven(driven.into()),
            // no such agent: there is nothing to drive
            Outcome::Driven(None) => Self::Driven(DrivenOutput {
                ruled: Vec::new(),
                executed: Vec::new(),
                held: None,
            }),
            Outcome::Acted(acted) => {
                let flat = crate::model::boundary::Outcome::Acted(acted.clone());
                match EventOutput::from(&flat) {
                    EventOutput::Receipt(receipt) => Self::Receipt(receipt),
                    EventOutput::Refused(refused) => Self::Refused(refused),
                    EventOutput::Ruled(_) | EventOutput::Taken(_) => Self::Refused(Refused {
                        refused: String::new(),
                    }),
                }
            }
        }
    }
}

impl JointEventOutput {
    fn agrees(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Refused(_), Self::Refused(_))) || self == other
    }
}

impl JointInput {
    /// The agents, before anything happens.
    #[must_use]
    pub fn joint(&self) -> Joint {
        let steps = self.agents.iter().map(|agent| {
            let call = |call: &CallInput| Call {
                id: call.id.clone(),
                tool: call.tool.clone(),
                effect: call.effect,
            };
            let seat = Seat::new(&agent.workspace, &agent.agent);
            (seat, agent.calls.iter().map(call).collect())
        });
        Joint::new(self.policy, steps)
    }

    /// What the model says of each event.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        let mut joint = self.joint();
        let events = self.events.iter().map(Event::from);
        events.map(|event| joint.step(&event)).collect()
    }

    /// The model's output.
    #[must_use]
    pub fn expected(&self) -> JointOutput {
        JointOutput {
            events: self.outcomes().iter().map(JointEventOutput::from).collect(),
        }
    }

    /// The same as one history of the boundary: each drive is the calls that it rules. With it,
    /// where in it each event begins.
    fn flat(&self) -> (Trace, Vec<usize>) {
        let (mut events, mut begins) = (Vec::new(), Vec::new());
        for (event, outcome) in self.events.iter().zip(self.outcomes()) {
            begins.push(events.len());
            match (event, outcome) {
                (JointEvent::Act(envelope), _) => events.push(EventInput::Act(envelope.clone())),
                (JointEvent::Drive(place), Outcome::Driven(Some(driven))) => {
                    let ruled = driven.rulings.iter();
                    events.extend(ruled.filter_map(|(id, _)| self.consult(place, id)));
                }
                _ => {}
            }
        }
        let policy = self.policy;
        (Trace { policy, events }, begins)
    }

    fn consult(&self, place: &Place, id: &str) -> Option<EventInput> {
        let mut agents = self.agents.iter();
        let agent = agents
            .find(|agent| agent.workspace == place.workspace && agent.agent == place.agent)?;
        let call = agent.calls.iter().find(|call| call.id == id)?;
        Some(EventInput::Call(Consult {
            workspace: place.workspace.clone(),
            agent: place.agent.clone(),
            id: call.id.clone(),
            tool: call.tool.clone(),
            effect: call.effect,
        }))
    }

    /// The clauses that the answers break, the one to name first.
    pub(super) fn judge(&self, got: &[JointEventOutput]) -> Vec<Clause> {
        let expected = self.expected().events;
        let same = expected
            .iter()
            .zip(got)
            .take_while(|(want, got)| want.agrees(got))
            .count();
        if same == expected.len() && same == got.len() {
            return Vec::new();
        }
        let first = match (expected.get(same), got.get(same)) {
            (Some(JointEventOutput::Driven(want)), Some(JointEventOutput::Driven(got))) => {
                self.blame_drive(same, want, got)
            }
            (Some(_), Some(got)) => self.blame_act(same, got),
            _ => Vec::new(),
        };
        if first.is_empty() {
            self.clauses()
        } else {
            first
        }
    }

    fn scene(&self, event: usize, within: usize) -> Option<Scene> {
        let (trace, begins) = self.flat();
        Scene::all(&trace).nth(begins.get(event)? + within)
    }

    fn blame_act(&self, event: usize, got: &JointEventOutput) -> Vec<Clause> {
        let got = match got {
            JointEventOutput::Receipt(receipt) => EventOutput::Receipt(receipt.clone()),
            JointEventOutput::Refused(refused) => EventOutput::Refused(refused.clone()),
            JointEventOutput::Driven(_) => return Vec::new(),
        };
        self.scene(event, 0)
            .map(|scene| scene.blame(&got, false))
            .unwrap_or_default()
    }

    fn blame_drive(&self, event: usize, want: &DrivenOutput, got: &DrivenOutput) -> Vec<Clause> {
        let same = want
            .ruled
            .iter()
            .zip(&got.ruled)
            .take_while(|(want, got)| want == got)
            .count();
        let before = || same.checked_sub(1).and_then(|at| want.ruled.get(at));
        match (want.ruled.get(same), got.ruled.get(same)) {
            (Some(due), Some(ruled)) if due.id == ruled.id => {
                let Some(scene) = self.scene(event, same) else {
                    return Vec::new();
                };
                let late = self.late(event, &due.id).then_some(Clause::Bnd35);
                let held = (ruled.ruling == Verdict::Hold).then(|| ruled.id.clone());
                let got = EventOutput::Ruled(Ruled {
                    ruling: ruled.ruling,
                    held,
                });
                let blamed = scene.blame(&got, false);
                // an act since the step was first driven: was it left out of account?
                let acted = [
                    Clause::Bnd17,
                    Clause::Bnd20,
                    Clause::Bnd26,
                    Clause::Bnd06,
                    Clause::Bnd09,
                ];
                let first =
                    late.filter(|_| blamed.first().is_some_and(|first| acted.contains(first)));
                first.into_iter().chain(blamed).collect()
            }
            (Some(_), Some(ruled)) if self.has_result(event, &ruled.id) => vec![Clause::Win08],
            (None, Some(ruled)) if self.has_result(event, &ruled.id) => vec![Clause::Win08],
            (None, Some(_)) => vec![Clause::Win07],
            (Some(_), None) => match before().map(|call| call.ruling) {
                Some(Verdict::Refuse) => vec![Clause::Win05],
                Some(_) => vec![Clause::Win01],
                None => vec![Clause::Win09],
            },
            (Some(_), Some(_)) => vec![Clause::Win01],
            (None, None) if want.executed != got.executed => self.blame_executed(event, want, got),
            (None, None) => vec![Clause::Bnd07],
        }
    }

    fn blame_executed(&self, event: usize, want: &DrivenOutput, got: &DrivenOutput) -> Vec<Clause> {
        let unlawful = got.executed.iter().find(|id| !want.executed.contains(id));
        vec![match unlawful {
            Some(id) if self.has_result(event, id) => Clause::Win14,
            Some(id) => match want.ruled.iter().find(|call| call.id == **id) {
                Some(call) if call.ruling == Verdict::Hold => Clause::Win07,
                Some(_) => Clause::Win04,
                None => Clause::Win02,
            },
            None if want.executed.len() > got.executed.len() => Clause::Win03,
            None => Clause::Win14,
        }]
    }

    /// Whether a call has its result before an event.
    fn has_result(&self, event: usize, id: &str) -> bool {
        let Some(JointEvent::Drive(place)) = self.events.get(event) else {
            return false;
        };
        let mut joint = self.joint();
        for event in self.events.iter().take(event) {
            joint.step(&Event::from(event));
        }
        joint
            .agent(&Seat::new(&place.workspace, &place.agent))
            .is_some_and(|agent| {
                let done = agent.window().results().len();
                agent.calls().iter().take(done).any(|call| call.id == id)
            })
    }

    /// Whether a call is ruled here for the first time, after an act that came since its agent was
    /// first driven.
    fn late(&self, event: usize, id: &str) -> bool {
        let Some(here @ JointEvent::Drive(place)) = self.events.get(event) else {
            return false;
        };
        let driven = self.events.iter().position(|event| event == here);
        let before = self.outcomes().into_iter().take(event).zip(&self.events);
        let ruled = before
            .clone()
            .any(|(outcome, event)| match (outcome, event) {
                (Outcome::Driven(Some(driven)), JointEvent::Drive(at)) if at == place => {
                    driven.rulings.iter().any(|(of, _)| of == id)
                }
                _ => false,
            });
        let since = self.events.iter().take(event).skip(driven.unwrap_or(event));
        !ruled
            && since
                .into_iter()
                .any(|event| matches!(event, JointEvent::Act(_)))
    }

    /// The clauses that the case exercises, those of its last event first.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let (trace, _) = self.flat();
        let late = self
            .outcomes()
            .iter()
            .enumerate()
            .any(|(at, outcome)| match outcome {
                Outcome::Driven(Some(driven)) => {
                    driven.rulings.iter().any(|(id, _)| self.late(at, id))
                }
                _ => false,
            });
        let late = late.then_some(Clause::Bnd35);
        let others = blame::clauses(&trace).into_iter();
        late.into_iter().chain(others).collect()
    }

    /// How many workspaces there are.
    pub(super) fn workspaces(&self) -> usize {
        let (trace, _) = self.flat();
        let agents = self.agents.iter().map(|agent| agent.workspace.as_str());
        agents
            .collect::<BTreeSet<_>>()
            .len()
            .max(trace.workspaces())
    }

    /// Cases one step smaller.
    pub(super) fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for at in 0..self.events.len() {
            let mut less = self.clone();
            less.events.remove(at);
            all.push(less);
        }
        for at in 0..self.agents.len() {
            let mut less = self.clone();
            let gone = less.agents.remove(at);
            less.events.retain(|event| match event {
                JointEvent::Drive(place) => {
                    (&place.workspace, &place.agent) != (&gone.workspace, &gone.agent)
                }
                JointEvent::Act(_) => true,
            });
            all.push(less);
        }
        for (at, agent) in self.agents.iter().enumerate() {
            for call in 0..agent.calls.len() {
                let mut less = self.clone();
                if let Some(agent) = less.agents.get_mut(at) {
                    agent.calls.remove(call);
                }
                all.push(less);
            }
        }
        for (at, event) in self.events.iter().enumerate() {
            let JointEvent::Act(envelope) = event else {
                continue;
            };
            for plainer in smaller::plainer(&EventInput::Act(envelope.clone())) {
                let mut less = self.clone();
                if let (Some(place), EventInput::Act(envelope)) = (less.events.get_mut(at), plainer)
                {
                    *place = JointEvent::Act(envelope);
                }
                all.push(less);
            }
        }
        all.extend(smaller::policies(&self.policy).map(|policy| Self {
            policy,
            ..self.clone()
        }));
        all
    }

    /// How plain the case is.
    pub(super) fn rank(&self) -> usize {
        let (trace, _) = self.flat();
        smaller::trace_rank(&trace)
    }

    /// The case in plain words.
    #[must_use]
    pub fn story(&self) -> Vec<String> {
        let mut lines = vec![format!("let policy be {}", story::policy(&self.policy))];
        for agent in &self.agents {
            let calls = agent.calls.iter();
            let calls: Vec<String> = calls
                .map(|call| {
                    format!(
                        "`{}` (tool `{}`, {})",
                        call.id,
                        call.tool,
                        call.effect.word()
                    )
                })
                .collect();
            let seat = Seat::new(&agent.workspace, &agent.agent);
            lines.push(format!(
                "let {} call {}",
                story::place(&seat),
                calls.join(", ")
            ));
        }
        for (event, outcome) in self.events.iter().zip(self.outcomes()) {
            lines.push(match (event, outcome) {
                (JointEvent::Act(envelope), Outcome::Acted(acted)) => format!(
                    "then {}: {}",
                    story::happening(&Flat::Act(envelope.clone())),
                    story::told(&crate::model::boundary::Outcome::Acted(acted))
                ),
                (JointEvent::Drive(place), outcome) => {
                    let seat = Seat::new(&place.workspace, &place.agent);
                    format!(
                        "then {} is driven: {}",
                        story::place(&seat),
                        driven(&outcome)
                    )
                }
                (JointEvent::Act(_), Outcome::Driven(_)) => String::new(),
            });
        }
        lines
    }
}

fn driven(outcome: &Outcome) -> String {
    let Outcome::Driven(Some(driven)) = outcome else {
        return "there is nothing to drive".to_owned();
    };
    let mut parts: Vec<String> = driven
        .rulings
        .iter()
        .map(|(id, ruling)| {
            format!(
                "`{id}` {}, {}",
                ruling.verdict.word(),
                story::because(ruling)
            )
        })
        .collect();
    if parts.is_empty() {
        parts.push("every call has its result".to_owned());
    }
    let held = driven
        .drive
        .mark
        .as_ref()
        .map(|mark| format!("`{}` is held there", mark.id));
    parts.push(held.unwrap_or_else(|| "nothing is held there".to_owned()));
    parts.join("; ")
}

impl From<&JointEvent> for Event {
    fn from(event: &JointEvent) -> Self {
        match event {
            JointEvent::Act(envelope) => Self::Act(envelope.clone()),
            JointEvent::Drive(place) => {
                Self::Drive(Seat::new(&place.workspace, &place.agent), Control::Rules)
            }
        }
    }
}
