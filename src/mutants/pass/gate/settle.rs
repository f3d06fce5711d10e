//! Park, resolver and edits.

use serde_json::Value;

use super::super::faults::Fault as F;
use super::{Ask, End, Gate, Held, Step};
use crate::model::outcome::{Approver, Layer, Refusal, Settlement};
use crate::model::pass::script::{Answered, Bound, Park, Protection, Resolution, Screen, Writer};
use crate::ops::pass::Seat;

impl Gate<'_> {
    pub(super) fn refused(&mut self, reason: Refusal, origin: &str) -> End {
        let (settlement, origin) = (Settlement::Refused { reason }, origin.to_owned());
        self.held = Some(Held {
            settlement,
            origin,
            bytes: None,
        });
        End::Denied(Layer::AskResolution)
    }

    pub(super) fn settle(&mut self) -> Step {
        let mut rounds = 0;
        while let Some(ask) = self.ask.take() {
            self.park()?;
            let Some(edit) = self.resolve(&ask)? else {
                continue;
            };
            let before = self.live.clone();
            self.live = edit;
            if rounds >= self.script.edit_cap && !(self.has(F::NoCap) && rounds < 8) {
                if self.has(F::CapDropsYes) {
                    self.held = None;
                }
                return Err(End::Denied(Layer::EditCap));
            }
            rounds += 1;
            self.rescreen(&before)?;
            self.readjudicate(&before)?;
            self.rejudge()?;
            if !self.has(F::EditAskAllows) {
                self.promote();
            }
            if self.ask.is_some() {
                self.supersede();
            }
            if self.has(F::EditNotRun) {
                self.live = before;
            }
        }
        Ok(())
    }

    fn park(&mut self) -> Step {
        let Some(park) = self.script.park else {
            return Ok(());
        };
        if self.has(F::ParkIgnored) {
            return Ok(());
        }
        let other = self.bound(Seat::Park, Bound::Park);
        match park {
            Park::Parks if self.has(F::ParkRuns) => Err(End::Run),
            Park::Parks => Err(End::Parked),
            Park::Fails if other => Err(End::Parked),
            Park::Fails if self.has(F::ParkFailureAllows) => Err(End::Run),
            Park::Fails => {
                self.park_failed = !self.has(F::ParkFailureForgotten);
                match self.has(F::ParkFailureDenies) {
                    true => Err(self.refused(Refusal::Unavailable, "policy")),
                    false => Ok(()),
                }
            }
        }
    }

    fn resolve(&mut self, ask: &Ask) -> Result<Option<Value>, End> {
        let answers = self.script.resolutions();
        let Some(answer) = answers.get(self.resolved).or(answers.last()) else {
            return match self.fault {
                F::NobodyAllows => Ok(None),
                F::NobodyDeclined => Err(self.refused(Refusal::Declined, ask.origin)),
                _ => Err(self.refused(Refusal::Unavailable, ask.origin)),
            };
        };
        self.resolved += 1;
        let other = self.bound(Seat::Resolver, Bound::Resolver);
        let asked = self.live.clone();
        self.wrote(Writer::Resolver);
        if other {
            return Ok(None);
        }
        match answer {
            Resolution::Throw {} if self.has(F::ResolverThrowAllows) => Ok(None),
            Resolution::Throw {} => {
                let reason = match self.has(F::ResolverThrowDeclined) {
                    true => Refusal::Declined,
                    false => Refusal::ApproverContract,
                };
                Err(self.refused(reason, ask.origin))
            }
            Resolution::Retired {} if self.has(F::RetiredAllows) => Ok(None),
            Resolution::Retired {} if self.has(F::RetiredDenies) => {
                Err(self.refused(Refusal::Declined, ask.origin))
            }
            Resolution::Retired {} => Err(End::Fault),
            Resolution::Deny { record } => Err(self.no(ask, record.as_ref(), &asked)),
            Resolution::Allow { record, edit } => {
                self.yes(ask, record.as_ref(), edit.as_ref(), &asked)?;
                if self.has(F::PolicyRewriteLostOnYes)
                    && let Some(before) = self.before_rewrite.take()
                {
                    self.live = before;
                }
                Ok(edit.clone())
            }
        }
    }

    /// Whether a record answers the ask, over these bytes.
    fn answers(&self, ask: &Ask, record: &Answered, asked: &Value, licensed: &Value) -> bool {
        let origin = record
            .origin
            .as_deref()
            .is_none_or(|origin| origin == ask.origin);
        let call = record
            .call
            .as_ref()
            .is_none_or(|call| *call == self.script.call);
        let classes = record.classes.as_ref().is_none_or(|classes| {
            let mut own = classes.clone();
            let mut its = ask.question.classes.clone();
            if !self.has(F::ClassesInOrder) {
                own.sort();
                own.dedup();
                its.sort();
                its.dedup();
            }
            own == its
        });
        let bytes = record
            .licenses
            .as_ref()
            .is_none_or(|bytes| bytes == licensed);
        let first = record.licenses.as_ref() == Some(asked) && self.has(F::OtherBytesCount);
        (origin || self.has(F::OtherOriginCounts))
            && (call || self.has(F::OtherCallCounts))
            && (classes || self.has(F::OtherClassesCount))
            && (bytes || first)
    }

    fn no(&mut self, ask: &Ask, record: Option<&Answered>, asked: &Value) -> End {
        let counts = record.filter(|record| self.answers(ask, record, asked, asked));
        let reason = match counts.map(|record| record.settlement) {
            Some(Settlement::Refused { reason }) => self.reason(reason),
            Some(Settlement::Approved { .. }) if self.has(F::YesBesideDenyRuns) => return End::Run,
            None if self.has(F::BareDenyDeclined) => Refusal::Declined,
            _ => Refusal::ApproverContract,
        };
        self.refused(reason, ask.origin)
    }

    fn reason(&self, reason: Refusal) -> Refusal {
        match reason {
            Refusal::Timeout if self.has(F::TimeoutDeclined) => Refusal::Declined,
            reason => reason,
        }
    }

    fn yes(
        &mut self,
        ask: &Ask,
        record: Option<&Answered>,
        edit: Option<&Value>,
        asked: &Value,
    ) -> Step {
        let licensed = edit.unwrap_or(asked);
        let counts = record.filter(|record| self.answers(ask, record, asked, licensed));
        let person = Settlement::Approved {
            by: Approver::Person,
        };
        let held = |settlement| Held {
            settlement,
            origin: ask.origin.to_owned(),
            bytes: Some(licensed.clone()),
        };
        match counts.map(|record| record.settlement) {
            Some(Settlement::Refused { .. }) if self.has(F::RefusalClaimsAllow) => Ok(()),
            Some(Settlement::Refused { reason }) => {
                Err(self.refused(self.reason(reason), ask.origin))
            }
            Some(Settlement::Approved { .. }) if self.has(F::DelegateIsPerson) => {
                self.held = Some(held(person));
                Ok(())
            }
            Some(settlement) => {
                self.held = Some(held(settlement));
                Ok(())
            }
            None => {
                let real = ask.question.real && !self.has(F::RealIgnored);
                if real || (self.person && !self.has(F::PersonIgnored)) {
                    return Err(self.refused(Refusal::ApproverContract, ask.origin));
                }
                if self.has(F::PostureSettles) {
                    self.held = Some(held(person));
                }
                Ok(())
            }
        }
    }

    fn rescreen(&mut self, before: &Value) -> Step {
        self.hook_question = None;
        if self.has(F::EditNotScreened) {
            return Ok(());
        }
        let Some(answer) = self.next_screen() else {
            return Ok(());
        };
        let edit = self.live.clone();
        if self.has(F::EditScreensOldBytes) {
            self.live = before.clone();
        }
        let other = self.bound(Seat::Screening, Bound::Screening);
        self.live = edit;
        self.wrote(Writer::Screening);
        if other {
            return Ok(());
        }
        let refuses = match answer {
            Screen::Deny {} => !self.has(F::RescreenDenyIgnored),
            Screen::Throw {} | Screen::Silent {} | Screen::Cancelled {} => {
                !self.has(F::RescreenCrashAllows)
            }
            Screen::None { rewrite } | Screen::Allow { rewrite } => {
                return self.hook_rewrites(rewrite.as_ref());
            }
            Screen::Ask { question, rewrite } => {
                self.hook_question = Some(question.clone());
                return self.hook_rewrites(rewrite.as_ref());
            }
        };
        if refuses {
            if self.has(F::RescreenDropsYes) {
                self.held = None;
            }
            return Err(End::Denied(Layer::HookRescreen));
        }
        Ok(())
    }

    fn readjudicate(&mut self, before: &Value) -> Step {
        if self.has(F::EditNotAdjudicated) {
            return Ok(());
        }
        if !self.has(F::EditAdjudicatesOldBytes) {
            return self.adjudicate(true);
        }
        let edit = std::mem::replace(&mut self.live, before.clone());
        let ruled = self.adjudicate(true);
        self.live = edit;
        ruled
    }

    fn rejudge(&mut self) -> Step {
        if self.has(F::EditNotRejudged) {
            return Ok(());
        }
        match self.protection() {
            Some(Protection::Match { .. }) => Err(End::Denied(Layer::WriteProtection)),
            _ => Ok(()),
        }
    }
}
