//! What the trail says: answers, floors and marks, each derived again when it is asked for.

use super::super::Fault as F;
use super::{Gate, Row, What, under};
use crate::model::boundary::{Effect, Verdict};
use crate::ops::boundary::Consult;

impl Gate {
    /// The answer that rules this call: given while it is held, not spent.
    pub(super) fn answered(&self, workspace: &str, agent: &str, call: &Consult) -> Option<Verdict> {
        let held = self.held(workspace, agent).as_ref() == Some(&call.id);
        for row in self.trail.iter().rev() {
            let here = row.agent == agent && row.workspace == workspace;
            match &row.what {
                What::Answered(id, verdict) if here && self.has(F::AnswerWaitsAtAgent) => {
                    let _ = id;
                    return Some(*verdict);
                }
                What::Answered(id, verdict) if *id == call.id => {
                    let lasting = held || self.has(F::NeverSpent) || self.has(F::AnswersLastRuled);
                    if here && lasting || self.has(F::AnswerById) && row.workspace == workspace {
                        return Some(*verdict);
                    }
                }
                What::Answered(id, verdict)
                    if here
                        && self.has(F::AnswersTheTool)
                        && self.tool_of(id).as_ref() == Some(&call.tool) =>
                {
                    return Some(*verdict);
                }
                What::Ruled(ruled, holds) if here => {
                    // the row in which the answer was spent, or another call came in between
                    let on = *holds && ruled.id == call.id
                        || self.has(F::NeverSpent)
                        || self.has(F::AnswersTheTool)
                        || self.has(F::KeepsForeignMark) && *holds;
                    if !on && !self.has(F::AnswerById) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn tool_of(&self, id: &str) -> Option<String> {
        self.trail.iter().find_map(|row| match &row.what {
            What::Ruled(call, _) if call.id == id => Some(call.tool.clone()),
            _ => None,
        })
    }

    pub(super) fn standing(&self, call: &Consult) -> Option<Verdict> {
        let mut all: Vec<(usize, Verdict)> = Vec::new();
        for row in &self.trail {
            let What::Stands {
                workspace_wide,
                tool,
                effect,
                verdict,
            } = &row.what
            else {
                continue;
            };
            let any = |fault| self.has(fault) && !workspace_wide;
            let tools = *tool == call.tool || any(F::ConversationAnyTool);
            let effects = *effect == call.effect || any(F::ConversationAnyEffect);
            let apart = row.workspace != call.workspace
                && !(*workspace_wide && self.has(F::WorkspaceEverywhere));
            if !tools || !effects || apart {
                continue;
            }
            if *workspace_wide {
                all.push((
                    if self.has(F::WorkspaceRules) {
                        usize::MAX
                    } else {
                        0
                    },
                    *verdict,
                ));
            } else if row.agent == call.agent
                || under(F::Nowhere, &call.agent, &row.agent) && !self.has(F::ConversationAlone)
            {
                let near = row.agent.len();
                let near = if self.has(F::FarthestRules) {
                    1000 - near.min(998)
                } else {
                    1 + near
                };
                all.push((near, *verdict));
            }
        }
        all.into_iter()
            .max_by_key(|(near, _)| *near)
            .map(|(_, verdict)| verdict)
    }

    /// Whether a floor stands over an agent: derived from the trail.
    pub(super) fn floored(&self, workspace: &str, agent: &str, effect: Option<Effect>) -> bool {
        if effect.is_some() && self.has(F::FloorIgnored) {
            let own = self.own_floor(workspace, agent, self.trail.len());
            let above = self.trail.iter().any(|row| {
                row.agent != agent
                    && row.workspace == workspace
                    && under(F::Nowhere, agent, &row.agent)
                    && self.own_floor(workspace, &row.agent, self.trail.len())
            });
            return above && !own;
        }
        self.trail.iter().enumerate().any(|(at, row)| {
            let here = row.workspace == workspace || self.has(F::FloorsCrossWorkspaces);
            let reads = match self.fault {
                F::FloorOwnOnly | F::FloorOneDeep if effect.is_none() => F::Nowhere,
                fault => fault,
            };
            let covers = under(reads, agent, &row.agent)
                || self.has(F::FloorClimbs) && under(F::Nowhere, &row.agent, agent)
                || self.has(F::FloorEverywhere);
            let born = !self.has(F::FloorMissesUnborn)
                || effect.is_none()
                || row.agent == agent
                || self.trail.iter().take(at).any(|row| row.agent == agent);
            row.what == What::Revoked
                && here
                && covers
                && born
                && self.own_floor(&row.workspace, &row.agent, self.trail.len())
        })
    }

    /// Whether the agent's own floor stands after the first `rows` of the trail.
    pub(super) fn own_floor(&self, workspace: &str, agent: &str, rows: usize) -> bool {
        let rows = self.trail.iter().take(rows);
        let mut own = rows.filter(|row| row.workspace == workspace && row.agent == agent);
        let raised = |row: &Row| match row.what {
            What::Revoked => Some(true),
            What::Restored => Some(false),
            _ => None,
        };
        match self.fault {
            F::FirstActWins => own.find_map(raised).unwrap_or(false),
            F::RestoreIsLost => own.any(|row| raised(row) == Some(true)),
            F::FloorsCount => {
                own.filter_map(raised).fold(0_usize, |count, raised| {
                    if raised {
                        count + 1
                    } else {
                        count.saturating_sub(1)
                    }
                }) > 0
            }
            _ => own.filter_map(raised).next_back().unwrap_or(false),
        }
    }

    pub(super) fn held_call(&self, workspace: &str, agent: &str) -> Option<Consult> {
        self.trail.iter().rev().find_map(|row| match &row.what {
            What::Ruled(call, holds)
                if row.agent == agent
                    && (row.workspace == workspace || self.has(F::MarksCrossWorkspaces)) =>
            {
                Some(holds.then(|| call.clone()))
            }
            _ => None,
        })?
    }

    pub(super) fn held(&self, workspace: &str, agent: &str) -> Option<String> {
        self.held_call(workspace, agent).map(|call| call.id)
    }

    pub(super) fn seen(&self, workspace: &str, agent: &str) -> bool {
        self.trail.iter().any(|row| {
            row.workspace == workspace && row.agent == agent && matches!(row.what, What::Ruled(..))
        })
    }

    /// Lets nothing be held at an agent.
    pub(super) fn unmark(&mut self, workspace: &str, agent: &str) {
        if let Some(call) = self.held_call(workspace, agent) {
            self.push(workspace, agent, What::Ruled(call, false));
        }
    }

    pub(super) fn push(&mut self, workspace: &str, agent: &str, what: What) {
        let (workspace, agent) = (workspace.to_owned(), agent.to_owned());
        self.trail.push(Row {
            workspace,
            agent,
            what,
        });
    }
}
