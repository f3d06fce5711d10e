//! A gate written anew from the chapter, as a gate is written: cells, and code in order.

mod exit;
mod settle;

use serde_json::Value;

use super::faults::Fault;
use super::faults::Fault as F;
use crate::model::outcome::{Cause, Layer, Refusal, Settlement};
use crate::model::pass::Script;
use crate::model::pass::script::{
    Arbitration, Arm, Attested, Bound, Classified, Lock, Org, Probe, Protection, Question, Ruling,
    Screen, Writer,
};
use crate::ops::pass::{Consulted, Output, Seat, written};

/// A yes or a no that the pass holds.
#[derive(Clone)]
struct Held {
    settlement: Settlement,
    origin: String,
    bytes: Option<Value>,
}

#[derive(Clone)]
struct Ask {
    origin: &'static str,
    question: Question,
}

/// What ends a pass early.
enum End {
    Denied(Layer),
    Parked,
    Fault,
    /// Run at once, whatever else there is: no lawful gate does.
    Run,
}

type Step = Result<(), End>;

struct Gate<'a> {
    fault: Fault,
    script: &'a Script,
    live: Value,
    ask: Option<Ask>,
    held: Option<Held>,
    cause: Option<Cause>,
    round: Option<String>,
    released: Option<String>,
    refusal: Option<String>,
    hook_question: Option<Question>,
    hook_allows: bool,
    rewritten: bool,
    before_rewrite: Option<Value>,
    mandated: bool,
    person: bool,
    boundary: bool,
    park_failed: bool,
    denied: bool,
    screened: usize,
    judged: usize,
    protected: usize,
    resolved: usize,
    log: Vec<Consulted>,
}

/// Runs a script.
pub(super) fn pass(fault: Fault, script: &Script) -> Output {
    let mut gate = Gate::new(fault, script);
    let end = gate.run().err();
    gate.finish(end)
}

impl<'a> Gate<'a> {
    fn new(fault: Fault, script: &'a Script) -> Self {
        Self {
            fault,
            script,
            live: script.args.clone(),
            ask: None,
            held: None,
            cause: None,
            round: None,
            released: None,
            refusal: None,
            hook_question: None,
            hook_allows: false,
            rewritten: false,
            before_rewrite: None,
            mandated: false,
            person: false,
            boundary: false,
            park_failed: false,
            denied: false,
            screened: 0,
            judged: 0,
            protected: 0,
            resolved: 0,
            log: Vec::new(),
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn wrote(&mut self, writer: Writer) {
        if self.has(F::SharesArguments) && self.script.writers.contains(&writer) {
            self.live = written(&self.live);
        }
    }

    fn consult(&mut self, seat: Seat) {
        self.log.push(Consulted {
            seat,
            input: self.live.clone(),
        });
    }

    /// Asks a seat whose binding is read once; true when another sits there by now.
    fn bound(&mut self, seat: Seat, bound: Bound) -> bool {
        let again = !self.log.is_empty();
        let other = again && self.has(F::ReadsSeatsAgain) && self.script.rebinds.contains(&bound);
        self.consult(if other { Seat::Replaced } else { seat });
        other
    }

    fn run(&mut self) -> Step {
        if self.script.unowned && !self.has(F::UnownedJudged) {
            return Err(End::Denied(Layer::Policy));
        }
        self.wrote(Writer::Host);
        self.screen()?;
        self.locks()?;
        self.adjudicate(false)?;
        self.promote();
        self.tighten();
        self.lanes()?;
        self.settle()
    }

    fn screen(&mut self) -> Step {
        let Some(answer) = self.next_screen() else {
            return Ok(());
        };
        let other = self.bound(Seat::Screening, Bound::Screening);
        self.wrote(Writer::Screening);
        if other {
            return Ok(());
        }
        let crash = if self.has(F::HookCrashIsItsDeny) {
            Layer::Hook
        } else {
            Layer::Engine
        };
        match answer {
            Screen::Deny {} if !self.has(F::HookDenyIgnored) => Err(End::Denied(Layer::Hook)),
            Screen::Throw {} if !self.has(F::HookThrowAllows) => Err(End::Denied(crash)),
            Screen::Silent {} if !self.has(F::HookSilenceAllows) => Err(End::Denied(crash)),
            Screen::Cancelled {} if !self.has(F::HookCancelAllows) => Err(End::Denied(crash)),
            Screen::None { rewrite } => self.hook_rewrites(rewrite.as_ref()),
            Screen::Allow { rewrite } => {
                self.hook_allows = true;
                self.hook_rewrites(rewrite.as_ref())
            }
            Screen::Ask { question, rewrite } => {
                self.hook_question = Some(question.clone());
                self.hook_rewrites(rewrite.as_ref())
            }
            _ => Ok(()),
        }
    }

    fn next_screen(&mut self) -> Option<&'a Screen> {
        let answers = &self.script.screening;
        let answer = answers.get(self.screened).or(answers.last())?;
        self.screened += 1;
        Some(answer)
    }

    fn hook_rewrites(&mut self, rewrite: Option<&Value>) -> Step {
        if let Some(rewrite) = rewrite
            && !self.has(F::HookRewriteLost)
        {
            self.live = rewrite.clone();
        }
        Ok(())
    }

    fn locks(&self) -> Step {
        let shut = |lock, fault| self.script.locks.contains(&lock) && !self.has(fault);
        if shut(Lock::Compliance, F::ComplianceIgnored) {
            return Err(End::Denied(Layer::Compliance));
        }
        if shut(Lock::PlanMode, F::PlanModeIgnored) {
            return Err(End::Denied(Layer::PlanMode));
        }
        Ok(())
    }

    fn adjudicate(&mut self, edit: bool) -> Step {
        let answers = &self.script.policy;
        let Some(answer) = answers.get(self.judged).or(answers.last()) else {
            return match self.has(F::NoPolicyDenies) {
                true => Err(End::Denied(Layer::Policy)),
                false => Ok(()),
            };
        };
        self.judged += 1;
        let other = self.bound(Seat::Policy, Bound::Policy);
        self.wrote(Writer::Policy);
        if other {
            return Ok(());
        }
        match answer {
            Ruling::Throw {} if self.has(F::PolicyThrowAllows) => Ok(()),
            Ruling::Throw {} => Err(End::Denied(Layer::Policy)),
            Ruling::Ask { question, rewrite } => {
                self.policy_rewrites(rewrite.as_ref());
                let dropped = if edit {
                    F::EditAskAllows
                } else {
                    F::PolicyAskAllows
                };
                if !self.has(dropped) {
                    self.put("policy", question);
                }
                Ok(())
            }
            Ruling::Allow {
                rewrite,
                record,
                round,
            } => {
                self.policy_rewrites(rewrite.as_ref());
                self.inherits(round.as_ref());
                self.allowed(record.as_ref())
            }
            Ruling::Deny {
                record,
                cause,
                round,
            } => {
                self.inherits(round.as_ref());
                if !self.has(F::InheritedCauseLost) {
                    self.cause = *cause;
                }
                self.denied(record.as_ref(), edit)
            }
        }
    }

    fn policy_rewrites(&mut self, rewrite: Option<&Value>) {
        if let Some(rewrite) = rewrite {
            self.rewritten = true;
            if !self.has(F::PolicyRewriteLost) {
                self.before_rewrite = Some(self.live.clone());
                self.live = rewrite.clone();
            }
        }
    }

    fn inherits(&mut self, round: Option<&String>) {
        if round.is_some() && !self.has(F::InheritedRoundLost) {
            self.round = round.cloned();
        }
    }

    /// The record of this call on a policy's decision.
    fn own<'r>(&self, record: Option<&'r Attested>) -> Option<&'r Attested> {
        record.filter(|record| {
            let own = record
                .call
                .as_ref()
                .is_none_or(|call| *call == self.script.call);
            (own || self.has(F::RecordOtherCall)) && !self.has(F::RecordIgnored)
        })
    }

    fn allowed(&mut self, record: Option<&Attested>) -> Step {
        let Some(record) = self.own(record) else {
            return Ok(());
        };
        let bytes = record.licenses.clone().unwrap_or_else(|| self.live.clone());
        let held = Held {
            settlement: record.settlement,
            origin: record.origin.clone(),
            bytes: Some(bytes.clone()),
        };
        match record.settlement {
            Settlement::Refused { .. } => {
                self.held = Some(held);
                Err(End::Denied(Layer::AskResolution))
            }
            Settlement::Approved { .. } if self.has(F::RecordOtherBytes) => {
                self.held = Some(Held {
                    bytes: None,
                    ..held
                });
                Ok(())
            }
            Settlement::Approved { .. } => {
                if bytes == self.live {
                    self.held = Some(held);
                }
                Ok(())
            }
        }
    }

    fn denied(&mut self, record: Option<&Attested>, edit: bool) -> Step {
        if self.has(if edit {
            F::EditDenyIgnored
        } else {
            F::PolicyDenyIgnored
        }) {
            return Ok(());
        }
        let mut layer = Layer::Policy;
        if let Some(record) = self.own(record) {
            let refused = matches!(record.settlement, Settlement::Refused { .. });
            if refused {
                layer = Layer::AskResolution;
            }
            if refused || !self.has(F::VetoDropsYes) {
                let (settlement, origin) = (record.settlement, record.origin.clone());
                self.held = Some(Held {
                    settlement,
                    origin,
                    bytes: None,
                });
            }
        }
        if !edit && layer == Layer::Policy && self.loosens() {
            self.denied = true;
            return Ok(());
        }
        Err(End::Denied(layer))
    }

    /// Whether a fault makes something of a policy's deny.
    fn loosens(&mut self) -> bool {
        let mode = self
            .script
            .mode
            .as_ref()
            .is_some_and(|mode| mode.say == Arbitration::Release);
        match self.fault {
            F::RuleLoosensDeny => self.script.clears.contains(&Arm::StoredRules),
            F::HookLoosensDeny => self.hook_allows,
            F::ModeLoosensDeny => mode,
            F::TightenOverDeny => matches!(self.script.probe, Some(Probe::Irreversible { .. })),
            _ => false,
        }
    }

    fn put(&mut self, origin: &'static str, question: &Question) {
        if self.ask.is_none() || self.has(F::SecondOrigin) {
            self.ask = Some(Ask {
                origin,
                question: question.clone(),
            });
        }
    }

    fn promote(&mut self) {
        let Some(question) = self.hook_question.clone() else {
            return;
        };
        if self.has(F::HookAskDropped) {
            return;
        }
        if self.ask.is_none() || self.has(F::HookAskOverAsk) {
            self.ask = Some(Ask {
                origin: "hook",
                question,
            });
        }
    }

    fn tighten(&mut self) {
        match &self.script.probe {
            Some(Probe::Irreversible {
                question,
                boundary_declined,
            }) => {
                self.consult(Seat::Probe);
                self.boundary = *boundary_declined;
                if !self.has(F::ProbeIgnored) {
                    self.put("probe", question);
                }
            }
            Some(Probe::Unanswered { question }) => {
                self.consult(Seat::Probe);
                if !self.has(F::SilentProbeAllows) {
                    self.put("probe", question);
                    self.mandated = true;
                    self.person |= !self.has(F::SilentProbeClassified);
                }
            }
            Some(Probe::Reversible { boundary_declined }) => self.boundary = *boundary_declined,
            None => {}
        }
        if let Some(found) = &self.script.read_station {
            if let Some(question) = &found.question
                && !self.has(F::ReadStationIgnored)
            {
                self.put("read_station", question);
            }
            self.mandated |= found.write_protected || found.target_unresolved;
            self.person |= found.target_unresolved && !self.has(F::UnresolvedClassified);
        }
        if let Some(Protection::Match { question }) = self.protection()
            && !self.has(F::ProtectionIgnored)
        {
            self.put("write_protection", question);
            self.mandated = true;
        }
        if let Some(question) = &self.script.unstated
            && !self.has(F::UnstatedIgnored)
        {
            self.put("unstated", question);
        }
    }

    fn protection(&mut self) -> Option<&'a Protection> {
        let answers = &self.script.write_protection;
        let answer = answers.get(self.protected).or(answers.last())?;
        self.protected += 1;
        Some(answer)
    }

    fn lanes(&mut self) -> Step {
        match &self.script.org {
            Some(Org::Deny {}) if !self.has(F::OrgDenyIgnored) => {
                if self.ask.is_some() {
                    self.supersede();
                }
                return Err(End::Denied(Layer::Org));
            }
            Some(Org::Ask { question }) if !self.has(F::OrgAskIgnored) => {
                self.put("org", question);
            }
            _ => {}
        }
        if self.ask.is_none() {
            if self.has(F::ClassifierAlwaysAsked) && self.script.classifier.is_some() {
                self.consult(Seat::Classifier);
            }
            return Ok(());
        }
        self.supersede();
        self.arms();
        self.classify()?;
        self.arbitrate()?;
        if self.clears(Arm::Sandbox)
            && (!self.mandated || self.has(F::SandboxAdmitsMandated))
            && (self.hook_question.is_none() || self.has(F::SandboxPastHookAsk))
            && !self.has(F::SandboxNeverAdmits)
        {
            self.ask = None;
        }
        match &self.ask {
            Some(ask) if self.script.unshown && !self.has(F::UnshownAsked) => {
                let reason = match self.has(F::UnshownDeclined) {
                    true => Refusal::Declined,
                    false => Refusal::UnshownContent,
                };
                Err(self.refused(reason, ask.origin))
            }
            _ => Ok(()),
        }
    }

    fn supersede(&mut self) {
        if !self.has(F::SupersedeForgotten) {
            self.held = None;
        }
    }

    fn clears(&self, arm: Arm) -> bool {
        self.ask.is_some() && self.script.clears.contains(&arm)
    }

    fn arms(&mut self) {
        let rule = self.clears(Arm::StoredRules) && !self.has(F::RuleNeverClears);
        if rule && (!self.mandated || self.has(F::RuleClearsMandated)) {
            self.ask = None;
        }
        let reads = self.clears(Arm::ReadOnlyArm) && !self.has(F::ReadOnlyNeverClears);
        let boundary = self.boundary && !self.has(F::ReadOnlyPastBoundary);
        if reads && !boundary && (!self.mandated || self.has(F::ReadOnlyClearsMandated)) {
            self.ask = None;
        }
        let saw = !self.rewritten || self.has(F::HookAllowOutlivesRewrite);
        let hook = self.hook_allows && saw && !self.has(F::HookAllowNeverClears);
        if hook && (!self.mandated || self.has(F::HookAllowClearsMandated)) {
            self.ask = None;
        }
    }

    fn classify(&mut self) -> Step {
        let (Some(_), Some(classifier)) = (&self.ask, &self.script.classifier) else {
            return Ok(());
        };
        self.consult(Seat::Classifier);
        let lost = match classifier.say {
            Classified::Allow => self.has(F::RoundLostOnAllow),
            _ => self.has(F::RoundLostOnDeny),
        };
        if !lost {
            self.round = classifier.round.clone().or(self.round.take());
        }
        let cause = match classifier.say {
            Classified::Unavailable if !self.has(F::UnavailableAllows) => Cause::Unavailable,
            Classified::ParseError if !self.has(F::UnreadableAllows) => Cause::ParseError,
            Classified::Deny if self.has(F::ClassifierDenyIgnored) => return Ok(()),
            Classified::Deny => return Err(End::Denied(Layer::Classifier)),
            _ => {
                let shut = self.person
                    || (self.mandated && self.has(F::ProtectionShutsOut))
                    || self.has(F::ClassifierNeverClears);
                if !shut {
                    self.ask = None;
                }
                return Ok(());
            }
        };
        if !self.has(F::ClassifierCauseLost) {
            self.cause = Some(cause);
        }
        Err(End::Denied(Layer::Classifier))
    }

    fn arbitrate(&mut self) -> Step {
        let (Some(_), Some(mode)) = (&self.ask, &self.script.mode) else {
            return Ok(());
        };
        self.consult(Seat::Mode);
        match mode.say {
            Arbitration::Refuse if self.has(F::ModeRefusalIgnored) => Ok(()),
            Arbitration::Refuse => {
                if !self.has(F::ModeRefusalUnrecorded) {
                    self.refusal = Some(mode.word.clone());
                }
                Err(End::Denied(Layer::Mode))
            }
            Arbitration::Release => {
                let releases = (!self.mandated || self.has(F::ModeReleasesMandated))
                    && !self.has(F::ReleaseIgnored);
                if releases {
                    self.ask = None;
                }
                let recorded = releases || self.has(F::ReleasedBesideDeny);
                if recorded && !self.has(F::ReleaseUnrecorded) {
                    self.released = Some(mode.word.clone());
                }
                Ok(())
            }
        }
    }
}
