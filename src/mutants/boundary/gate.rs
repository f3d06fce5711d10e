//! The gate itself, written anew from `spec/boundary.md`.

use std::collections::BTreeMap;

use super::Fault;
use super::Fault as F;
use crate::model::boundary::{Effect, Envelope, Policy, Verdict};
use crate::ops::boundary::{
    ActInput, Answered, Consult, DescendsOutput, DrivenOutput, EventInput, EventOutput, Floor,
    JointEvent, JointEventOutput, JointInput, JointOutput, Op, Output, Place, ReceiptBody,
    ReceiptOutput, Refused, Ruled, RuledCall, RunOutput, Taken, VerdictsOutput,
};

mod trail;

/// A row of the trail.
#[derive(Clone)]
struct Row {
    workspace: String,
    agent: String,
    what: What,
}

#[derive(Clone, PartialEq)]
enum What {
    Revoked,
    Restored,
    /// A call was ruled; true: it is held.
    Ruled(Consult, bool),
    Answered(String, Verdict),
    Stands {
        workspace_wide: bool,
        tool: String,
        effect: Effect,
        verdict: Verdict,
    },
}

struct Gate {
    fault: Fault,
    /// Whether answers may stand.
    scoped: bool,
    /// Whether an agent was floored when its step was first driven.
    snapshots: BTreeMap<(String, String), bool>,
    policy: Policy,
    trail: Vec<Row>,
}

/// The answer of a boundary with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    match op {
        Op::Verdicts(_) => {
            let words = match fault {
                F::VerdictOrder => ["pass", "hold", "refuse"],
                _ => ["pass", "refuse", "hold"],
            };
            Output::Verdicts(VerdictsOutput {
                verdicts: words.map(str::to_owned).into(),
            })
        }
        Op::Envelope(act) => envelope(fault, act),
        Op::Descends(pair) => {
            let read = match fault {
                F::PrefixIsAncestor | F::FoldsAgent => fault,
                _ => F::Nowhere,
            };
            let descends = pair.agent != pair.ancestor && under(read, &pair.agent, &pair.ancestor);
            Output::Descends(DescendsOutput { descends })
        }
        Op::Joint(input) => joint(fault, input),
        Op::Run(trace) | Op::Scoped(trace) => {
            let scoped = matches!(op, Op::Scoped(_));
            let mut gate = Gate::new(fault, scoped, trace.policy);
            Output::Run(RunOutput {
                events: trace.events.iter().map(|event| gate.take(event)).collect(),
            })
        }
    }
}

fn envelope(fault: Fault, act: &ActInput) -> Output {
    let (op, workspace, agent, verdict) = match act {
        ActInput::Answer {
            workspace,
            agent,
            verdict,
        } => ("answer", workspace, agent, Some(*verdict)),
        ActInput::Revoke { workspace, agent } => ("revoke", workspace, agent, None),
        ActInput::Restore { workspace, agent } => ("restore", workspace, agent, None),
    };
    let verdict = verdict.filter(|_| fault != F::EnvelopeKeepsVerdictBack);
    let mut output = Output::envelope(&Envelope {
        op: op.to_owned(),
        workspace: Some(workspace.clone()),
        agent: Some(agent.clone()),
        verdict: verdict.map(|verdict| verdict.word().to_owned()),
        scope: None,
    });
    if let Output::Envelope(output) = &mut output
        && fault == F::EnvelopeNamesAgentId
        && let Some(agent) = output.envelope.remove("agent")
    {
        output.envelope.insert("agent_id".to_owned(), agent);
    }
    output
}

/// Whether what covers `ancestor` covers `agent`.
fn under(fault: Fault, agent: &str, ancestor: &str) -> bool {
    let folded = |id: &str| match fault {
        F::FoldsAgent => id.to_lowercase(),
        _ => id.to_owned(),
    };
    let (agent, ancestor) = (folded(agent), folded(ancestor));
    let parts: Vec<&str> = agent.split('-').collect();
    let above: Vec<&str> = ancestor.split('-').collect();
    match fault {
        F::PrefixIsAncestor => agent.starts_with(&ancestor),
        F::FloorOneDeep => parts.starts_with(&above) && parts.len() <= above.len() + 1,
        F::FloorOwnOnly => agent == ancestor,
        _ => parts.starts_with(&above),
    }
}

/// Drives windows by the gate's rulings.
fn joint(fault: Fault, input: &JointInput) -> Output {
    let mut gate = Gate::new(fault, false, input.policy);
    let mut done = vec![0; input.agents.len()];
    let events = input.events.iter().map(|event| match event {
        JointEvent::Act(envelope) => match gate.act(envelope) {
            Ok(receipt) => JointEventOutput::Receipt(ReceiptOutput { receipt }),
            Err(why) => JointEventOutput::Refused(Refused {
                refused: why.to_owned(),
            }),
        },
        JointEvent::Drive(place) => gate.drive(input, place, &mut done),
    });
    Output::Joint(JointOutput {
        events: events.collect(),
    })
}

impl Gate {
    const fn new(fault: Fault, scoped: bool, policy: Policy) -> Self {
        Self {
            fault,
            scoped,
            snapshots: BTreeMap::new(),
            policy,
            trail: Vec::new(),
        }
    }

    fn drive(&mut self, input: &JointInput, place: &Place, done: &mut [usize]) -> JointEventOutput {
        let mut driven = DrivenOutput {
            ruled: Vec::new(),
            executed: Vec::new(),
            held: None,
        };
        let here = (place.workspace.clone(), place.agent.clone());
        let floored = self.floored(&here.0, &here.1, Some(Effect::Write));
        self.snapshots.entry(here).or_insert(floored);
        for (agent, done) in input.agents.iter().zip(done) {
            if agent.workspace != place.workspace || agent.agent != place.agent {
                continue;
            }
            for call in agent.calls.iter().skip(*done) {
                let consult = Consult {
                    workspace: agent.workspace.clone(),
                    agent: agent.agent.clone(),
                    id: call.id.clone(),
                    tool: call.tool.clone(),
                    effect: call.effect,
                };
                let EventOutput::Ruled(Ruled { ruling, held }) = self.rule(&consult) else {
                    break;
                };
                let id = call.id.clone();
                driven.ruled.push(RuledCall { id, ruling });
                driven.held = held;
                if ruling == Verdict::Hold {
                    break;
                }
                *done += 1;
                driven
                    .executed
                    .extend((ruling == Verdict::Pass).then(|| call.id.clone()));
            }
        }
        JointEventOutput::Driven(driven)
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn take(&mut self, event: &EventInput) -> EventOutput {
        match event {
            EventInput::Act(envelope) => match self.act(envelope) {
                Ok(receipt) => EventOutput::Receipt(ReceiptOutput { receipt }),
                Err(why) => EventOutput::Refused(Refused {
                    refused: why.to_owned(),
                }),
            },
            EventInput::Call(call) => self.rule(call),
            EventInput::Policy(policy) => {
                self.policy = *policy;
                EventOutput::Taken(Taken { taken: true })
            }
        }
    }

    fn act(&mut self, envelope: &Envelope) -> Result<ReceiptBody, &'static str> {
        let missing = "an envelope names its workspace and its agent";
        let workspace = envelope.workspace.clone().ok_or(missing)?;
        let agent = match &envelope.agent {
            None if self.has(F::MissingAgentIsEmpty) => String::new(),
            agent => agent.clone().ok_or(missing)?,
        };
        let floored = self.floored(&workspace, &agent, None);
        match envelope.op.as_str() {
            "revoke" => {
                if self.has(F::RevokeNeedsAgent) && !self.seen(&workspace, &agent) {
                    return Err("no such agent");
                }
                if self.has(F::RevokeKills) {
                    self.unmark(&workspace, &agent);
                }
            }
            "restore" => {
                let own = self.own_floor(&workspace, &agent, self.trail.len());
                if self.has(F::RestoreNeedsFloor) && !own {
                    return Err("no floor is raised there");
                }
                if self.has(F::RestoreUnmarks) {
                    self.unmark(&workspace, &agent);
                }
                if self.has(F::RestorePassesHeld)
                    && let Some(id) = self.held(&workspace, &agent)
                {
                    self.push(&workspace, &agent, What::Answered(id, Verdict::Pass));
                }
            }
            "answer" => return self.answer(&workspace, &agent, envelope),
            _ if self.has(F::UnknownActAnswers) && envelope.verdict.is_some() => {
                return self.answer(&workspace, &agent, envelope);
            }
            _ => return Err("no such act"),
        }
        let raised = envelope.op == "revoke";
        self.floor(&workspace, &agent, raised);
        let now = match self.fault {
            F::ReceiptEchoes => raised,
            F::ReceiptBefore => floored,
            _ => self.floored(&workspace, &agent, None),
        };
        let drives = self.has(F::RestoreDrives) && !raised || self.has(F::RevokeDrives) && raised;
        Ok(ReceiptBody::Floor(Floor {
            floored: now,
            drives,
        }))
    }

    fn floor(&mut self, workspace: &str, agent: &str, raised: bool) {
        let what = if raised {
            What::Revoked
        } else {
            What::Restored
        };
        if self.has(F::FloorErasesStanding) && raised {
            self.trail
                .retain(|row| !matches!(row.what, What::Stands { .. }));
        }
        if self.has(F::RestoreTakesAnswer) && !raised {
            let (w, a) = (workspace, agent);
            self.trail.retain(|row| {
                !(row.workspace == w && row.agent == a && matches!(row.what, What::Answered(..)))
            });
        }
        self.push(workspace, agent, what);
        let others: Vec<(String, String)> = self
            .trail
            .iter()
            .map(|row| (row.workspace.clone(), row.agent.clone()))
            .collect();
        for (w, other) in others.into_iter().filter(|_| !raised) {
            let below = self.has(F::RestoreLowersBelow) && under(F::Nowhere, &other, agent);
            let above = self.has(F::RestoreLowersAbove) && under(F::Nowhere, agent, &other);
            if w == workspace && (below || above) {
                self.push(&w, &other, What::Restored);
            }
        }
    }

    fn answer(
        &mut self,
        workspace: &str,
        agent: &str,
        envelope: &Envelope,
    ) -> Result<ReceiptBody, &'static str> {
        let word = envelope
            .verdict
            .as_deref()
            .ok_or("an answer holds a verdict")?;
        let verdict = match self.fault {
            F::FoldsVerdict => Verdict::from_word(word.trim().to_lowercase().as_str()),
            F::UnknownVerdictPasses => Verdict::from_word(word).or(Some(Verdict::Pass)),
            _ => Verdict::from_word(word),
        };
        let verdict = verdict.ok_or("no such verdict")?;
        let scope = match envelope.scope.as_deref() {
            None if self.scoped && self.has(F::ScopeIsConversation) => "conversation",
            None => "call",
            Some(word @ ("call" | "conversation" | "workspace")) => word,
            Some(_) if self.has(F::UnknownScopeIsCall) => "call",
            Some(_) => return Err("no such scope"),
        };
        let held = self.held_call(workspace, agent);
        let last = || {
            self.trail.iter().rev().find_map(|row| match &row.what {
                What::Ruled(call, _) if row.workspace == workspace && row.agent == agent => {
                    Some(call.clone())
                }
                _ => None,
            })
        };
        let call = match held {
            None if self.has(F::AnswersNothing) => {
                let drives = verdict != Verdict::Hold;
                return Ok(ReceiptBody::Answered(Answered {
                    answered: String::new(),
                    drives,
                }));
            }
            None if self.has(F::AnswersLastRuled) => last().ok_or("nothing is held there")?,
            held => held.ok_or("nothing is held there")?,
        };
        let narrow = match call.effect {
            Effect::Destructive => !self.has(F::DestructiveStands),
            Effect::Secret => !self.has(F::SecretStands),
            _ => false,
        };
        if narrow && scope != "call" {
            if envelope.scope.is_some() {
                return Err("such a call takes an answer for itself only");
            }
        } else if scope != "call" {
            self.stand(workspace, agent, scope == "workspace", &call, verdict);
        }
        self.give(workspace, agent, &call, verdict);
        let drives = match verdict {
            Verdict::Hold => self.has(F::HoldDrives),
            Verdict::Refuse => !self.has(F::RefuseDrivesNothing),
            Verdict::Pass => true,
        };
        Ok(ReceiptBody::Answered(Answered {
            answered: call.id,
            drives,
        }))
    }

    fn give(&mut self, workspace: &str, agent: &str, call: &Consult, verdict: Verdict) {
        let before = self.answered(workspace, agent, call).is_some();
        let lost = match verdict {
            _ if before && self.has(F::FirstAnswerStands) => true,
            Verdict::Pass => self.has(F::PassIsLost),
            Verdict::Refuse => self.has(F::RefuseIsLost),
            Verdict::Hold => self.has(F::HoldIsLost),
        };
        if lost {
            return;
        }
        let verdict = match verdict {
            Verdict::Refuse if self.has(F::RefuseParks) => Verdict::Hold,
            verdict => verdict,
        };
        self.push(workspace, agent, What::Answered(call.id.clone(), verdict));
        if self.has(F::AnswersAllHeld) {
            let rows = self.trail.clone();
            for row in rows {
                if let Some(id) = self.held(&row.workspace, &row.agent)
                    && row.workspace == workspace
                {
                    self.push(&row.workspace, &row.agent, What::Answered(id, verdict));
                }
            }
        }
    }

    fn stand(
        &mut self,
        workspace: &str,
        agent: &str,
        wide: bool,
        call: &Consult,
        verdict: Verdict,
    ) {
        let stands = What::Stands {
            workspace_wide: wide && !self.has(F::WorkspaceIsConversation),
            tool: call.tool.clone(),
            effect: call.effect,
            verdict,
        };
        let same = |row: &Row| match (&row.what, &stands) {
            (
                What::Stands {
                    workspace_wide,
                    tool,
                    effect,
                    ..
                },
                What::Stands {
                    workspace_wide: wide,
                    tool: of,
                    effect: e,
                    ..
                },
            ) => {
                (workspace_wide, tool, effect) == (wide, of, e)
                    && row.workspace == workspace
                    && (*wide || row.agent == agent)
            }
            _ => false,
        };
        if !(self.has(F::FirstStandingStays) && self.trail.iter().any(same)) {
            self.trail.retain(|row| !same(row));
            self.push(workspace, agent, stands);
        }
    }

    fn rule(&mut self, call: &Consult) -> EventOutput {
        let ruling = self.ruling(call);
        let (workspace, agent) = (&call.workspace, &call.agent);
        let again = self.held(workspace, agent).as_ref() == Some(&call.id);
        let foreign = self
            .held_call(workspace, agent)
            .filter(|held| held.id != call.id);
        let marked = match ruling {
            Verdict::Hold => {
                !(self.has(F::HoldWithoutMark) || self.has(F::RestatedMarkIsLost) && again)
            }
            _ => self.has(F::MarkOutlivesRuling) && again,
        };
        self.push(workspace, agent, What::Ruled(call.clone(), marked));
        if let Some(foreign) = foreign
            && self.has(F::KeepsForeignMark)
            && !marked
        {
            self.push(workspace, agent, What::Ruled(foreign, true));
        }
        EventOutput::Ruled(Ruled {
            ruling,
            held: self.held(workspace, agent),
        })
    }

    fn ruling(&self, call: &Consult) -> Verdict {
        let policy = self.policy.of(call.effect);
        let mut floored = self.floored(&call.workspace, &call.agent, Some(call.effect));
        if self.has(F::RuledWhenEmitted) {
            let here = (call.workspace.clone(), call.agent.clone());
            floored = self.snapshots.get(&here).copied().unwrap_or(floored);
        }
        match self.fault {
            F::HoldsAll => return Verdict::Hold,
            F::PassesAll => return Verdict::Pass,
            _ => {}
        }
        let beaten = self.has(F::FloorBeatsAnswer) && floored
            || self.has(F::RefusalBeatsAnswer) && policy == Verdict::Refuse;
        if let Some(answer) = self.answered(&call.workspace, &call.agent, call)
            && !(beaten && answer == Verdict::Pass)
        {
            return answer;
        }
        let spared = match call.effect {
            Effect::Read => !self.has(F::FloorHoldsReads),
            Effect::Write => self.has(F::FloorSparesWrites),
            Effect::Destructive => false,
            Effect::Secret => self.has(F::FloorSparesSecrets),
        };
        let sees_through = self.has(F::StandingBeatsFloor)
            || self.has(F::StandingRulesFlooredReads) && call.effect == Effect::Read;
        let standing = self
            .standing(call)
            .filter(|_| !floored || sees_through)
            .filter(|_| policy != Verdict::Refuse || self.has(F::StandingBeatsRefusal));
        match (standing, floored, policy) {
            (Some(standing), ..) => standing,
            (None, true, Verdict::Refuse) if !spared && self.has(F::FloorSoftens) => Verdict::Hold,
            (None, true, _) if !spared && self.has(F::FloorRefuses) => Verdict::Refuse,
            (None, true, policy) if !spared => policy.max(Verdict::Hold),
            (None, _, policy) => policy,
        }
    }
}
