//! A declarative reading of a history: what stands at each point is looked up in all that came
//! before it, and nothing is kept from one event to the next but the readings themselves.

use crate::model::boundary::{
    Call, Effect, Envelope, Event, Outcome, Policy, Receipt, Seat, Verdict,
};

/// What an event comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A call is met with this, and this call is held afterwards.
    Ruled(Verdict, Option<String>),
    /// This call is answered; the conversation is driven on, or not.
    Answered(String, bool),
    /// A floor stands over the agent afterwards, or not.
    Floored(bool),
    /// The act is refused.
    Refused,
    /// Nothing is said.
    Nothing,
}

impl Reading {
    /// What the model's outcome says, without its reasons.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Ruled(ruling, held) => Self::Ruled(ruling.verdict, held.clone()),
            Outcome::Acted(Ok(Receipt::Answered { id, drives })) => {
                Self::Answered(id.clone(), *drives)
            }
            Outcome::Acted(Ok(Receipt::Floor { floored })) => Self::Floored(*floored),
            Outcome::Acted(Err(_)) => Self::Refused,
            Outcome::Taken => Self::Nothing,
        }
    }
}

/// Reads a history from its first event to its last.
#[must_use]
pub fn read(policy: Policy, events: &[Event]) -> Vec<Reading> {
    let mut past = Past {
        policy,
        events,
        readings: Vec::with_capacity(events.len()),
    };
    for event in events {
        let reading = past.read(event);
        past.readings.push(reading);
    }
    past.readings
}

struct Past<'a> {
    policy: Policy,
    events: &'a [Event],
    readings: Vec<Reading>,
}

/// An answer that was taken.
struct Answer<'a> {
    seat: (&'a str, &'a str),
    verdict: Verdict,
    scope: &'a str,
    to: &'a Call,
}

impl Past<'_> {
    fn pairs(&self) -> impl DoubleEndedIterator<Item = (&Event, &Reading)> {
        self.events.iter().zip(&self.readings)
    }

    fn read(&self, event: &Event) -> Reading {
        match event {
            Event::Policy(_) => Reading::Nothing,
            Event::Consult(seat, call) => {
                let verdict = self.verdict(seat, call);
                let held = (verdict == Verdict::Hold).then(|| call.id.clone());
                Reading::Ruled(verdict, held)
            }
            Event::Act(envelope) => self.act(envelope),
        }
    }

    fn act(&self, envelope: &Envelope) -> Reading {
        let (Some(workspace), Some(agent)) = (&envelope.workspace, &envelope.agent) else {
            return Reading::Refused;
        };
        let raised = match envelope.op.as_str() {
            "revoke" => Some((agent.as_str(), true)),
            "restore" => Some((agent.as_str(), false)),
            "answer" => None,
            _ => return Reading::Refused,
        };
        if raised.is_some() {
            return Reading::Floored(self.floored(workspace, agent, raised));
        }
        let verdict = envelope.verdict.as_deref();
        let scope = envelope.scope.as_deref().unwrap_or("call");
        let held = self.held(workspace, agent);
        match (verdict, scope, held) {
            (Some("pass" | "refuse" | "hold"), "call", Some(call)) => {
                Reading::Answered(call.id.clone(), verdict != Some("hold"))
            }
            (
                Some("pass" | "refuse" | "hold"),
                "conversation" | "workspace",
                Some(
                    call @ Call {
                        effect: Effect::Read | Effect::Write,
                        ..
                    },
                ),
            ) => Reading::Answered(call.id.clone(), verdict != Some("hold")),
            _ => Reading::Refused,
        }
    }

    fn verdict(&self, seat: &Seat, call: &Call) -> Verdict {
        if let Some(verdict) = self.answer_to(seat, call) {
            return verdict;
        }
        let policy = self.policy_now().of(call.effect);
        let floored = self.floored(&seat.workspace, &seat.agent, None);
        match (policy, floored, call.effect) {
            (Verdict::Refuse, ..) => Verdict::Refuse,
            (_, true, Effect::Read) => policy,
            (_, true, _) => Verdict::Hold,
            (_, false, _) => self.standing(seat, call).unwrap_or(policy),
        }
    }

    fn policy_now(&self) -> Policy {
        let mut changes = self.pairs().filter_map(|(event, _)| match event {
            Event::Policy(policy) => Some(*policy),
            _ => None,
        });
        changes.next_back().unwrap_or(self.policy)
    }

    /// Whether of the agent and the ids that its own is cut to at a `-`, one had its floor raised
    /// in its last act. `also` is the act that is being read.
    fn floored(&self, workspace: &str, agent: &str, also: Option<(&str, bool)>) -> bool {
        let cuts = agent
            .match_indices('-')
            .filter_map(|(at, _)| agent.get(..at));
        cuts.chain([agent]).any(|over| {
            let mut last = also.filter(|(at, _)| *at == over).map(|(_, raised)| raised);
            for (event, _) in self.pairs().rev() {
                let Event::Act(Envelope {
                    op,
                    workspace: Some(w),
                    agent: Some(a),
                    ..
                }) = event
                else {
                    continue;
                };
                if last.is_none() && w == workspace && a == over {
                    last = match op.as_str() {
                        "revoke" => Some(true),
                        "restore" => Some(false),
                        _ => None,
                    };
                }
            }
            last == Some(true)
        })
    }

    /// The call that is held at an agent: that of the last ruling there, if it was to hold.
    fn held(&self, workspace: &str, agent: &str) -> Option<&Call> {
        self.pairs()
            .rev()
            .find_map(|(event, reading)| match (event, reading) {
                (Event::Consult(seat, call), Reading::Ruled(verdict, _))
                    if seat.workspace == workspace && seat.agent == agent =>
                {
                    Some((*verdict == Verdict::Hold).then_some(call))
                }
                _ => None,
            })?
    }

    /// The last answer since this call is held without a break, if it is held.
    fn answer_to(&self, seat: &Seat, call: &Call) -> Option<Verdict> {
        let mut answer = None;
        for (at, (event, reading)) in self.pairs().enumerate() {
            match (event, reading) {
                (Event::Consult(of, ruled), Reading::Ruled(verdict, _)) if of == seat => {
                    let goes_on = *verdict == Verdict::Hold
                        && ruled.id == call.id
                        && self.was_held(at, seat, call);
                    if !goes_on {
                        answer = None;
                    }
                }
                _ => match self.taken(at) {
                    Some(given) if given.to.id == call.id && given.at(seat) => {
                        answer = Some(given.verdict);
                    }
                    _ => {}
                },
            }
        }
        let held = self
            .held(&seat.workspace, &seat.agent)
            .is_some_and(|held| held.id == call.id);
        answer.filter(|_| held)
    }

    /// Whether this call was held at the agent just before an event.
    fn was_held(&self, at: usize, seat: &Seat, call: &Call) -> bool {
        let before = self
            .pairs()
            .take(at)
            .filter_map(|(event, reading)| match (event, reading) {
                (Event::Consult(of, ruled), Reading::Ruled(verdict, _)) if of == seat => {
                    Some(*verdict == Verdict::Hold && ruled.id == call.id)
                }
                _ => None,
            });
        before.last().unwrap_or(false)
    }

    /// The answer that was taken at this place of the history, if one was.
    fn taken(&self, at: usize) -> Option<Answer<'_>> {
        let (event, Reading::Answered(id, _)) = (self.events.get(at)?, self.readings.get(at)?)
        else {
            return None;
        };
        let Event::Act(Envelope {
            workspace,
            agent,
            verdict,
            scope,
            ..
        }) = event
        else {
            return None;
        };
        let seat = (workspace.as_deref()?, agent.as_deref()?);
        let verdict = match verdict.as_deref()? {
            "pass" => Verdict::Pass,
            "refuse" => Verdict::Refuse,
            _ => Verdict::Hold,
        };
        let to = self
            .events
            .iter()
            .take(at)
            .rev()
            .find_map(|event| match event {
                Event::Consult(of, call) if *id == call.id => {
                    ((of.workspace.as_str(), of.agent.as_str()) == seat).then_some(call)
                }
                _ => None,
            })?;
        Some(Answer {
            seat,
            verdict,
            scope: scope.as_deref().unwrap_or("call"),
            to,
        })
    }

    /// The answer that stands nearest over a call: of those that reach it, the latest of those
    /// that were given to the longest agent id, and one of the whole workspace after them all.
    fn standing(&self, seat: &Seat, call: &Call) -> Option<Verdict> {
        let all = (0..self.readings.len()).filter_map(|at| self.taken(at));
        let of_class = all.filter(|given| {
            given.to.tool == call.tool
                && given.to.effect == call.effect
                && given.seat.0 == seat.workspace
        });
        let reach = of_class.filter_map(|given| match given.scope {
            "workspace" => Some((0, given.verdict)),
            "conversation" => {
                let over = given.seat.1;
                let below = seat.agent.split('-').collect::<Vec<_>>();
                let above = over.split('-').collect::<Vec<_>>();
                below
                    .starts_with(&above)
                    .then_some((1 + over.len(), given.verdict))
            }
            _ => None,
        });
        // of equals the last is the greatest: the latest
        reach
            .max_by_key(|(near, _)| *near)
            .map(|(_, verdict)| verdict)
    }
}

impl Answer<'_> {
    fn at(&self, seat: &Seat) -> bool {
        self.seat == (seat.workspace.as_str(), seat.agent.as_str())
    }
}
