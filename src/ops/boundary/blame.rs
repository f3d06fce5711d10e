//! Which clause an answer breaks: the history is walked to the first event where the gate and the
//! model part, and what stands there says which rule decides.

use super::scene::Scene;
use super::{Answered, Envelope, EventOutput, Floor, ReceiptBody, Trace, scope};
use crate::model::Clause;
use crate::model::boundary::{
    Act, Call, Effect, Event, Outcome, Reach, Reason, Receipt, Refusal, Ruling, Scope, Seat,
    Verdict,
};

/// The clauses that these answers break, the one to name first.
pub(super) fn judge(trace: &Trace, got: &[EventOutput], scoped: bool) -> Vec<Clause> {
    let expected: Vec<EventOutput> = trace.outcomes().iter().map(EventOutput::from).collect();
    let same = expected
        .iter()
        .zip(got)
        .take_while(|(want, got)| want.agrees(got))
        .count();
    if same == expected.len() && same == got.len() {
        return Vec::new();
    }
    match (Scene::all(trace).nth(same), got.get(same)) {
        (Some(scene), Some(got)) => scene.blame(got, scoped),
        (Some(scene), None) => scene.exercised(),
        (None, _) => clauses(trace), // answers to events that never happened
    }
}

/// The clauses that a history exercises, those of its last event first.
pub(super) fn clauses(trace: &Trace) -> Vec<Clause> {
    let mut scenes: Vec<Vec<Clause>> = Scene::all(trace).map(|scene| scene.exercised()).collect();
    scenes.reverse();
    let all = unique(scenes.concat());
    if all.is_empty() {
        vec![Clause::Bnd06]
    } else {
        all
    }
}

fn unique(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut all = Vec::new();
    for clause in clauses {
        if !all.contains(&clause) {
            all.push(clause);
        }
    }
    all
}

impl Scene {
    /// The clause to name for this answer to this event, then those that the event exercises.
    pub(super) fn blame(&self, got: &EventOutput, scoped: bool) -> Vec<Clause> {
        let first = match (&self.event, &self.outcome, got) {
            (Event::Consult(seat, call), Outcome::Ruled(ruling, _), EventOutput::Ruled(got)) => {
                Some(match ruling.verdict == got.ruling {
                    true if got.held.is_some() && self.foreign_mark(seat, call) => Clause::Bnd08,
                    true => Clause::Bnd07,
                    false => self.blame_ruling(seat, call, ruling, got.ruling),
                })
            }
            (Event::Act(envelope), Outcome::Acted(Ok(receipt)), got) => {
                self.blame_receipt(envelope, receipt, got)
            }
            (Event::Act(envelope), Outcome::Acted(Err(Refusal::NothingHeld)), _) => {
                Some(self.blame_nothing_held(envelope))
            }
            _ => None,
        };
        // where answers may stand, one that said nothing of it stood too far
        let first = first.map(|first| match first {
            Clause::Bnd09 if scoped && matches!(self.event, Event::Consult(..)) => Clause::Bnd27,
            first => first,
        });
        unique(first.into_iter().chain(self.exercised()).collect())
    }

    /// The clause that a wrong ruling breaks.
    fn blame_ruling(&self, seat: &Seat, call: &Call, ruling: &Ruling, got: Verdict) -> Clause {
        let by_rule = self.of_ruling(seat, call, ruling);
        let rule = by_rule.first().copied().unwrap_or(Clause::Bnd06);
        match &ruling.reason {
            Reason::Answer => self.blame_answer(seat, call, ruling.verdict, got),
            Reason::Floor(_) | Reason::Policy if self.is_guarded(seat, call) => rule,
            Reason::Floor(_) | Reason::Policy
                if self.was_released(seat, call, got) && self.floor_clauses(seat).is_empty() =>
            {
                Clause::Bnd21
            }
            Reason::Floor(_) => self.leak(seat, call, got).unwrap_or(rule),
            Reason::Policy => {
                let leak = self.leak(seat, call, got);
                leak.or_else(|| self.too_far(call)).unwrap_or(rule)
            }
            Reason::Standing(_) => rule,
        }
    }

    /// Whether a floor or policy is put against what would loosen or tighten it.
    fn is_guarded(&self, seat: &Seat, call: &Call) -> bool {
        let suspended = self.before.standing().nearest(seat, call).is_some();
        let policy = self.before.policy().of(call.effect);
        let floored = self.before.floors().over(seat).is_some();
        suspended || floored && (call.effect == Effect::Read || policy == Verdict::Refuse)
    }

    /// Whether a held call that no one answered passes after a floor was raised or lowered, where
    /// neither floor nor policy lets it.
    fn was_released(&self, seat: &Seat, call: &Call, got: Verdict) -> bool {
        let held = self
            .before
            .held(seat)
            .filter(|mark| mark.call.id == call.id);
        got == Verdict::Pass
            && held.is_some_and(|mark| mark.answer.is_none())
            && self.floor_acts_since_call(seat)
    }

    /// The clause that decides that the answer to this call rules it.
    fn blame_answer(&self, seat: &Seat, call: &Call, verdict: Verdict, got: Verdict) -> Clause {
        let answers = self.answers_now(seat);
        if answers.len() > 1 && answers.iter().any(|given| given.verdict == got) {
            return Clause::Bnd15;
        }
        let policy = self.before.policy().of(call.effect);
        let floored = self.before.floors().over(seat).is_some();
        match verdict {
            Verdict::Hold => Clause::Bnd13,
            _ if policy == Verdict::Refuse => Clause::Bnd06,
            _ if !floored && self.floor_acts_since_answer(seat) => Clause::Bnd21,
            _ => verdict_clause(verdict),
        }
    }

    /// The clause that a wrong answer to an act breaks that is to be taken.
    fn blame_receipt(
        &self,
        envelope: &Envelope,
        receipt: &Receipt,
        got: &EventOutput,
    ) -> Option<Clause> {
        let act = Act::read(envelope).ok()?;
        let seat = act.seat();
        Some(match (receipt, got) {
            (Receipt::Answered { .. }, EventOutput::Refused(_)) => match () {
                () if self.floor_acts_since_call(seat) => Clause::Bnd21,
                () if scope(envelope) != Scope::Call => Clause::Bnd27,
                () if self.ruled_elsewhere(seat) => Clause::Bnd05,
                () if self.held_again(seat) => Clause::Bnd07,
                () => Clause::Bnd09,
            },
            (Receipt::Floor { .. }, EventOutput::Refused(_)) => Clause::Bnd24,
            (Receipt::Answered { id, .. }, EventOutput::Receipt(got)) => match &got.receipt {
                ReceiptBody::Answered(Answered { answered, .. }) if answered == id => Clause::Bnd14,
                ReceiptBody::Answered(Answered { answered, .. }) => {
                    let elsewhere = self.before.marks().any(|(at, mark)| {
                        at.workspace != seat.workspace && mark.call.id == *answered
                    });
                    if elsewhere {
                        Clause::Bnd05
                    } else {
                        Clause::Bnd09
                    }
                }
                ReceiptBody::Floor(_) => Clause::Bnd09,
            },
            (Receipt::Floor { floored }, EventOutput::Receipt(got)) => match &got.receipt {
                ReceiptBody::Floor(Floor { floored: got, .. }) if got == floored => Clause::Bnd25,
                ReceiptBody::Floor(_) => self.blame_floored(seat),
                ReceiptBody::Answered(_) => Clause::Bnd23,
            },
            _ => return None,
        })
    }

    /// The clause that decides what the receipt of `revoke` or `restore` says.
    fn blame_floored(&self, seat: &Seat) -> Clause {
        match self.after.floors().over(seat) {
            Some(floor) if floor != seat => Clause::Bnd23,
            _ => self
                .floor_clauses(seat)
                .first()
                .copied()
                .unwrap_or(Clause::Bnd23),
        }
    }

    /// The clause that decides that an answer finds nothing held.
    fn blame_nothing_held(&self, envelope: &Envelope) -> Clause {
        let elsewhere = self.before.marks().any(|(at, _)| {
            Some(&at.agent) == envelope.agent.as_ref()
                && Some(&at.workspace) != envelope.workspace.as_ref()
        });
        if elsewhere {
            Clause::Bnd05
        } else {
            Clause::Bnd10
        }
    }

    /// What the event rests on, the deciding clause first.
    fn exercised(&self) -> Vec<Clause> {
        unique(match (&self.event, &self.outcome) {
            (Event::Consult(seat, call), Outcome::Ruled(ruling, _)) => {
                let mut all = self.of_ruling(seat, call, ruling);
                let all_verdicts = Verdict::ALL.into_iter();
                all.extend(all_verdicts.filter_map(|got| self.leak(seat, call, got)));
                all.extend(self.too_far(call));
                all.extend(self.foreign_mark(seat, call).then_some(Clause::Bnd08));
                all.push(Clause::Bnd07);
                all
            }
            (Event::Act(envelope), Outcome::Acted(acted)) => self.of_act(envelope, acted),
            _ => vec![Clause::Bnd06],
        })
    }

    /// What a ruling rests on, the deciding clause first.
    fn of_ruling(&self, seat: &Seat, call: &Call, ruling: &Ruling) -> Vec<Clause> {
        let mut all = Vec::new();
        match &ruling.reason {
            Reason::Answer => {
                all.push(verdict_clause(ruling.verdict));
                all.extend((self.answers_now(seat).len() > 1).then_some(Clause::Bnd15));
                all.extend(self.floor_acts_since_answer(seat).then_some(Clause::Bnd21));
                all.extend([Clause::Bnd06, Clause::Bnd09]);
            }
            Reason::Floor(floor) => {
                let suspended = self.before.standing().nearest(seat, call).is_some();
                all.extend(suspended.then_some(Clause::Bnd32));
                all.extend(self.floor_clauses(seat));
                all.push(if floor == seat {
                    Clause::Bnd17
                } else {
                    Clause::Bnd20
                });
                all.push(Clause::Bnd06);
            }
            Reason::Standing(reach) => all.extend(self.of_standing(seat, call, reach)),
            Reason::Policy => {
                let floored = self.before.floors().over(seat).is_some();
                let refused = ruling.verdict == Verdict::Refuse;
                let read = call.effect == Effect::Read;
                if self.before.standing().nearest(seat, call).is_some() {
                    all.push(if refused {
                        Clause::Bnd33
                    } else {
                        Clause::Bnd32
                    });
                }
                all.extend((floored && read).then_some(Clause::Bnd18));
                all.extend((floored && refused).then_some(Clause::Bnd19));
                all.extend(self.floor_clauses(seat));
                all.push(Clause::Bnd06);
            }
        }
        all
    }

    fn of_act(&self, envelope: &Envelope, acted: &Result<Receipt, Refusal>) -> Vec<Clause> {
        match acted {
            Err(Refusal::NothingHeld) => vec![Clause::Bnd10],
            Err(Refusal::TooWide) => vec![Clause::Bnd30],
            Err(Refusal::UnknownScope) => vec![Clause::Bnd27],
            Err(_) => vec![Clause::Bnd03],
            Ok(Receipt::Answered { .. }) => {
                let wide = scope(envelope) != Scope::Call;
                let mut all = vec![Clause::Bnd09, Clause::Bnd14];
                all.extend(wide.then_some(Clause::Bnd27));
                all
            }
            Ok(Receipt::Floor { .. }) => {
                let mut all = vec![Clause::Bnd23];
                if let Ok(act) = Act::read(envelope) {
                    all.extend(self.floor_clauses(act.seat()));
                    all.extend(
                        self.floor_acts_since_call(act.seat())
                            .then_some(Clause::Bnd21),
                    );
                }
                all.extend([Clause::Bnd24, Clause::Bnd25]);
                all
            }
        }
    }

    /// What makes this standing answer the one that rules.
    fn of_standing(&self, seat: &Seat, call: &Call, reach: &Reach) -> Vec<Clause> {
        let mut all = Vec::new();
        let others = self
            .before
            .standing()
            .iter()
            .filter(|(at, tool, effect, _)| {
                let over = match at {
                    Reach::Conversation(at) => seat.is_under(at),
                    Reach::Workspace(at) => *at == seat.workspace,
                };
                over && *at != reach && *tool == call.tool && *effect == call.effect
            });
        all.extend((others.count() > 0).then_some(Clause::Bnd31));
        let here = self.past.given().filter(|given| match reach {
            Reach::Conversation(at) => given.scope == Scope::Conversation && given.seat == *at,
            Reach::Workspace(at) => given.scope == Scope::Workspace && given.seat.workspace == *at,
        });
        all.extend((here.count() > 1).then_some(Clause::Bnd34));
        all.extend(self.past.any_floor().then_some(Clause::Bnd32));
        all.push(match reach {
            Reach::Conversation(_) => Clause::Bnd28,
            Reach::Workspace(_) => Clause::Bnd29,
        });
        all
    }

    /// The rule that bounds the standing answers, none of which speaks of this call: that of the
    /// one which comes nearest to it.
    fn too_far(&self, call: &Call) -> Option<Clause> {
        let ruled = matches!(&self.outcome, Outcome::Ruled(ruling, _)
            if matches!(ruling.reason, Reason::Standing(_)));
        let near = self.before.standing().iter().filter(|_| !ruled);
        near.max_by_key(|(_, tool, effect, _)| (*tool == call.tool, *effect == call.effect))
            .map(|(reach, ..)| match reach {
                Reach::Conversation(_) => Clause::Bnd28,
                Reach::Workspace(_) => Clause::Bnd29,
            })
    }
}

/// The clause of an answer by its verdict.
const fn verdict_clause(verdict: Verdict) -> Clause {
    match verdict {
        Verdict::Pass => Clause::Bnd11,
        Verdict::Refuse => Clause::Bnd12,
        Verdict::Hold => Clause::Bnd13,
    }
}
