//! Faulty ledgers.
//!
//! ```
//! use gatespec::generate::{Settings, ledger};
//! use gatespec::mutants::ledger::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//!
//! for op in ledger::enumerate(&Settings::default()).take(200) {
//!     assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
//! }
//! ```

use serde_json::Value;

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::model::ledger::Verdict;
use crate::model::outcome::{Approver, Decision, Layer, Refusal, Settlement};
use crate::ops::ledger::{
    Asked, Attestation, DigestOutput, Event, Op, Output, Reading, Resolution, SettledAsk, Step,
    TraceInput, TraceOutput,
};

/// Where this ledger can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nowhere: it must agree with the model.
    Nowhere,
    /// A new ledger holds the refusal of an earlier pass.
    StartsSettled,
    /// The first resolution wins.
    FirstWins,
    /// A refusal does not replace a yes.
    YesSticks,
    /// A posture allow clears what is settled.
    PostureClears,
    /// Reading a cause clears what is settled.
    ReadClears,
    /// `set` is ignored.
    SetIgnored,
    /// `set` settles a person's no, whatever it is given.
    SetAsDeclined,
    /// A resolution's record of another call counts.
    OtherCallResolved,
    /// A decision's record of another call counts.
    OtherCallDecision,
    /// A record under another origin word counts.
    OtherOrigin,
    /// A record with any class set counts.
    OtherClasses,
    /// A record with more classes than were asked of counts.
    MoreClasses,
    /// A record with fewer classes than were asked of counts.
    FewerClasses,
    /// Class sets are compared as lists.
    ClassesInOrder,
    /// A record for any bytes counts.
    OtherBytes,
    /// The resolver's edit is not looked at.
    EditIgnored,
    /// A resolution that claims an allow wins over its refusal record.
    ClaimWins,
    /// A refusal on a resolution is recorded as the policy's deny.
    RefusalByPolicy,
    /// A wait that timed out is recorded as a person's no.
    TimeoutAsDeclined,
    /// A wait that timed out is recorded as approved.
    TimeoutAsApproved,
    /// No record of a resolution counts.
    NeverCounts,
    /// An approved edit licenses the request's bytes.
    LicencesRequest,
    /// A delegate's yes is recorded as a person's.
    DelegateAsPerson,
    /// A deny with a yes on its record is taken for a veto.
    ContradictionIsVeto,
    /// A deny with a yes on its record allows.
    ContradictionAllows,
    /// A deny without a record settles nothing.
    ContractForgotten,
    /// A deny without a record is recorded as a person's no.
    ContractAsDeclined,
    /// An allow without a record releases an ask that needs a real approval.
    RealApprovalForgotten,
    /// A posture allow is settled as a person's yes.
    PostureSettles,
    /// A posture allow is refused.
    PostureRefused,
    /// The retired member is not looked at.
    RetiredIgnored,
    /// The retired member makes a quiet deny.
    RetiredDenies,
    /// The fault is loud, and the record settles all the same.
    RetiredSettles,
    /// A deny without a record is recorded as the ask's own refusal.
    PolicyAsAsk,
    /// A decision without a record clears what is settled.
    RecordlessClears,
    /// An allow with a refusal record stays an allow.
    RefusalAllowed,
    /// A deny with a refusal record is recorded as the policy's.
    RefusalDenyByPolicy,
    /// A veto drops the yes.
    VetoDropsYes,
    /// A veto is recorded as the ask's own refusal.
    VetoAsAsk,
    /// An allow with a yes settles nothing.
    YesIgnored,
    /// An allow with a yes settles it whatever runs.
    YesForOtherBytes,
    /// An allow with a yes for other bytes is denied.
    UnattributedDenied,
    /// A decision that asks settles its record.
    AskSettles,
    /// A decision that asks with a refusal record is a deny.
    AskDenied,
    /// `supersede` is ignored.
    SupersedeIgnored,
    /// `supersede` clears a yes and keeps a refusal.
    SupersedeKeepsRefusal,
    /// `keepForBytes` is ignored.
    KeepIgnored,
    /// `keepForBytes` drops every yes.
    KeepDropsYes,
    /// `keepForBytes` drops a refusal too.
    KeepDropsRefusal,
    /// The cause is read of an allow.
    CauseOfAllow,
    /// The cause is read of another call.
    CauseOfOtherCall,
    /// No cause is read.
    CauseNever,
    /// The round is read of a deny only.
    RoundOfDenyOnly,
    /// The round is read of another call.
    RoundOfOtherCall,
    /// The digest folds case.
    DigestFoldsCase,
    /// The digest trims strings.
    DigestTrims,
    /// The digest looks at the outermost members only.
    DigestShallow,
    /// The digest sorts lists.
    DigestSorts,
    /// The digest leaves out members that are null.
    DigestDropsNull,
    /// The digest takes numbers and words for one another.
    DigestUntyped,
    /// The digest joins the items of a list with nothing between them.
    DigestJoins,
    /// The digest looks at the first bytes only.
    DigestCuts,
    /// No two digests are the same.
    DigestSalted,
}

use Fault as F;

/// A ledger of one case. Bytes are compared by a text of its own.
struct Book<'a> {
    fault: Fault,
    input: &'a TraceInput,
    settled: Option<SettledAsk>,
}

const ASK: Option<Layer> = Some(Layer::AskResolution);

fn answered(decision: Verdict, denied_by: Option<Layer>) -> Step {
    Step {
        decision: Some(decision),
        denied_by,
        ..Step::default()
    }
}

impl<'a> Book<'a> {
    fn open(fault: Fault, input: &'a TraceInput) -> Self {
        let stale = SettledAsk {
            settlement: Settlement::Refused {
                reason: Refusal::Cancelled,
            },
            origin: "earlier".to_owned(),
            licensed: None,
        };
        Self {
            fault,
            input,
            settled: (fault == F::StartsSettled).then_some(stale),
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn same_bytes(&self, one: &str, other: &str) -> bool {
        self.input.bytes.get(one).map(text) == self.input.bytes.get(other).map(text)
    }

    fn settle(&mut self, settlement: Settlement, origin: &str, licensed: Option<&str>) {
        let yes = |settlement| matches!(settlement, Settlement::Approved { .. });
        let before = self.settled.as_ref().map(|settled| settled.settlement);
        let kept = (self.has(F::FirstWins) && before.is_some())
            || (self.has(F::YesSticks) && before.is_some_and(yes) && !yes(settlement));
        if !kept {
            let licensed = licensed.filter(|_| yes(settlement)).map(str::to_owned);
            self.settled = Some(SettledAsk {
                settlement,
                origin: origin.to_owned(),
                licensed,
            });
        }
    }

    fn contract(&mut self, asked: &Asked) -> Step {
        let reason = match self.fault {
            F::ContractAsDeclined => Refusal::Declined,
            _ => Refusal::ApproverContract,
        };
        self.settle(Settlement::Refused { reason }, &asked.origin, None);
        answered(Verdict::Deny, ASK)
    }

    fn take(&mut self, event: &Event) -> Step {
        match event {
            Event::Set { reason, origin } => self.set(*reason, origin),
            Event::Resolved {
                resolution,
                asked,
                request,
            } => self.resolved(resolution, asked, request),
            Event::Decision {
                decision,
                record,
                runs,
            } => self.decision(*decision, record.as_ref(), runs),
            Event::Supersede {} => self.supersede(),
            Event::KeepForBytes { runs } => self.keep(runs),
            Event::CauseOf(reading) => self.cause(reading),
            Event::ClassifierRoundOf(reading) => self.round(reading),
        }
    }

    fn set(&mut self, reason: Refusal, origin: &str) -> Step {
        match self.fault {
            F::SetIgnored => {}
            F::SetAsDeclined => {
                self.settle(
                    Settlement::Refused {
                        reason: Refusal::Declined,
                    },
                    origin,
                    None,
                );
            }
            _ => self.settle(Settlement::Refused { reason }, origin, None),
        }
        Step::default()
    }

    fn same_classes(&self, record: &[String], asked: &[String]) -> bool {
        let within = |some: &[String], all: &[String]| some.iter().all(|class| all.contains(class));
        match self.fault {
            F::OtherClasses => true,
            F::ClassesInOrder => record == asked,
            F::MoreClasses => within(asked, record),
            F::FewerClasses => within(record, asked),
            _ => within(record, asked) && within(asked, record),
        }
    }

    fn counts(&self, record: &Attestation, asked: &Asked, licensed: &str) -> bool {
        !self.has(F::NeverCounts)
            && (record.call == self.input.call || self.has(F::OtherCallResolved))
            && (record.origin == asked.origin || self.has(F::OtherOrigin))
            && self.same_classes(&record.classes, &asked.classes)
            && (self.same_bytes(&record.digest_of, licensed) || self.has(F::OtherBytes))
    }

    fn resolved(&mut self, resolution: &Resolution, asked: &Asked, request: &str) -> Step {
        let edited = resolution
            .edited
            .as_deref()
            .filter(|_| !self.has(F::EditIgnored));
        let licensed = edited.unwrap_or(request);
        let record = resolution
            .record
            .as_ref()
            .filter(|r| self.counts(r, asked, licensed));
        if resolution.settlement && !self.has(F::RetiredIgnored) {
            if self.has(F::RetiredDenies) {
                return self.contract(asked);
            }
            if let Some(record) = record.filter(|_| self.has(F::RetiredSettles)) {
                self.settle(record.settlement, &asked.origin, Some(licensed));
            }
            return Step {
                fault: true,
                ..Step::default()
            };
        }
        match record.map(|record| record.settlement) {
            Some(settlement @ Settlement::Refused { reason }) => {
                self.refusal(settlement, reason, resolution.decision, asked, licensed)
            }
            Some(Settlement::Approved { by }) => {
                let licensed = if self.has(F::LicencesRequest) {
                    request
                } else {
                    licensed
                };
                self.yes(by, resolution.decision, asked, licensed)
            }
            None => self.unrecorded(resolution.decision, asked, licensed),
        }
    }

    fn refusal(
        &mut self,
        settlement: Settlement,
        reason: Refusal,
        claims: Decision,
        asked: &Asked,
        licensed: &str,
    ) -> Step {
        let settlement = match (self.fault, reason) {
            (F::TimeoutAsDeclined, Refusal::Timeout) => Settlement::Refused {
                reason: Refusal::Declined,
            },
            (F::TimeoutAsApproved, Refusal::Timeout) => Settlement::Approved {
                by: Approver::Person,
            },
            _ => settlement,
        };
        self.settle(settlement, &asked.origin, Some(licensed));
        match self.fault {
            F::ClaimWins if claims == Decision::Allow => answered(Verdict::Allow, None),
            F::RefusalByPolicy => answered(Verdict::Deny, Some(Layer::Policy)),
            _ => answered(Verdict::Deny, ASK),
        }
    }

    fn yes(&mut self, by: Approver, claims: Decision, asked: &Asked, licensed: &str) -> Step {
        let by = if self.has(F::DelegateAsPerson) {
            Approver::Person
        } else {
            by
        };
        let yes = Settlement::Approved { by };
        match (claims, self.fault) {
            (Decision::Allow, _) | (Decision::Deny, F::ContradictionAllows) => {
                self.settle(yes, &asked.origin, Some(licensed));
                answered(Verdict::Allow, None)
            }
            (Decision::Deny, F::ContradictionIsVeto) => {
                self.settle(yes, &asked.origin, Some(licensed));
                answered(Verdict::Deny, Some(Layer::Policy))
            }
            (Decision::Deny, _) => self.contract(asked),
        }
    }

    fn unrecorded(&mut self, claims: Decision, asked: &Asked, licensed: &str) -> Step {
        let real = asked.real_approval && !self.has(F::RealApprovalForgotten);
        match claims {
            Decision::Deny if self.has(F::ContractForgotten) => {
                answered(Verdict::Deny, Some(Layer::Policy))
            }
            Decision::Allow if !real && !self.has(F::PostureRefused) => {
                if self.has(F::PostureSettles) {
                    let yes = Settlement::Approved {
                        by: Approver::Person,
                    };
                    self.settle(yes, &asked.origin, Some(licensed));
                } else if self.has(F::PostureClears) {
                    self.settled = None;
                }
                answered(Verdict::Allow, None)
            }
            Decision::Deny | Decision::Allow => self.contract(asked),
        }
    }

    fn decision(&mut self, said: Verdict, record: Option<&Attestation>, runs: &str) -> Step {
        let ours = |record: &&Attestation| {
            record.call == self.input.call || self.has(F::OtherCallDecision)
        };
        let Some(record) = record.filter(ours) else {
            if self.has(F::RecordlessClears) {
                self.settled = None;
            }
            let layer = if self.has(F::PolicyAsAsk) {
                Layer::AskResolution
            } else {
                Layer::Policy
            };
            return answered(said, (said == Verdict::Deny).then_some(layer));
        };
        let refusal = matches!(record.settlement, Settlement::Refused { .. });
        let licensed = record.digest_of.clone();
        let mut settles = true;
        let step = match (said, refusal) {
            (Verdict::Ask, refusal) => {
                settles = self.has(F::AskSettles);
                let denied = refusal && self.has(F::AskDenied);
                if denied {
                    answered(Verdict::Deny, ASK)
                } else {
                    answered(said, None)
                }
            }
            (Verdict::Allow, true) if self.has(F::RefusalAllowed) => answered(said, None),
            (Verdict::Deny, true) if self.has(F::RefusalDenyByPolicy) => {
                answered(said, Some(Layer::Policy))
            }
            (_, true) => answered(Verdict::Deny, ASK),
            (Verdict::Deny, false) => {
                settles = !self.has(F::VetoDropsYes);
                let veto = if self.has(F::VetoAsAsk) {
                    ASK
                } else {
                    Some(Layer::Policy)
                };
                answered(said, veto)
            }
            (Verdict::Allow, false) => {
                let licences = self.same_bytes(&licensed, runs);
                settles = (licences || self.has(F::YesForOtherBytes)) && !self.has(F::YesIgnored);
                if !licences && self.has(F::UnattributedDenied) {
                    answered(Verdict::Deny, Some(Layer::Policy))
                } else {
                    answered(said, None)
                }
            }
        };
        if settles {
            self.settle(record.settlement, &record.origin, Some(&licensed));
        }
        step
    }

    fn supersede(&mut self) -> Step {
        let refusal = self
            .settled
            .as_ref()
            .is_some_and(|settled| matches!(settled.settlement, Settlement::Refused { .. }));
        let kept = self.has(F::SupersedeIgnored) || (refusal && self.has(F::SupersedeKeepsRefusal));
        if !kept {
            self.settled = None;
        }
        Step::default()
    }

    fn keep(&mut self, runs: &str) -> Step {
        let dropped = match self.settled.as_ref().map(|settled| &settled.licensed) {
            None => false,
            Some(None) => self.has(F::KeepDropsRefusal),
            Some(Some(licensed)) => {
                let other = !self.same_bytes(licensed, runs) && !self.has(F::KeepIgnored);
                other || self.has(F::KeepDropsYes)
            }
        };
        if dropped {
            self.settled = None;
        }
        Step::default()
    }

    fn cause(&mut self, reading: &Reading) -> Step {
        if self.has(F::ReadClears) {
            self.settled = None;
        }
        let read = reading.decision == Decision::Deny || self.has(F::CauseOfAllow);
        let classified = reading.classified.as_ref().filter(|classified| {
            read && (classified.call == self.input.call || self.has(F::CauseOfOtherCall))
        });
        let classified = classified.filter(|_| !self.has(F::CauseNever));
        Step {
            cause: classified.and_then(|classified| classified.cause),
            ..Step::default()
        }
    }

    fn round(&self, reading: &Reading) -> Step {
        let read = reading.decision == Decision::Deny || !self.has(F::RoundOfDenyOnly);
        let classified = reading.classified.as_ref().filter(|classified| {
            read && (classified.call == self.input.call || self.has(F::RoundOfOtherCall))
        });
        Step {
            round: classified.and_then(|classified| classified.round.clone()),
            ..Step::default()
        }
    }

    fn run(mut self) -> TraceOutput {
        let steps = self.input.events.iter().map(|event| {
            let step = self.take(event);
            Step {
                settled: self.settled.clone(),
                ..step
            }
        });
        TraceOutput {
            steps: steps.collect(),
        }
    }
}

/// The bytes of an input as one text: members in order of their names.
fn text(value: &Value) -> String {
    value.to_string()
}

/// The text that a faulty digest is taken of.
fn faulty(fault: Fault, value: &Value) -> String {
    match fault {
        F::DigestFoldsCase => text(value).to_lowercase(),
        F::DigestCuts => text(value).chars().take(1000).collect(),
        _ => spoil(fault, value, 0),
    }
}

fn spoil(fault: Fault, value: &Value, depth: u32) -> String {
    let deeper = |value: &Value| spoil(fault, value, depth + 1);
    match value {
        Value::Object(_) | Value::Array(_) if fault == F::DigestShallow && depth == 1 => {
            "…".to_owned()
        }
        Value::Object(members) => {
            let kept = members
                .iter()
                .filter(|(_, value)| fault != F::DigestDropsNull || **value != Value::Null);
            let all: Vec<String> = kept
                .map(|(name, value)| format!("{name:?}:{}", deeper(value)))
                .collect();
            format!("{{{}}}", all.join(","))
        }
        Value::Array(items) => {
            let mut all: Vec<String> = items.iter().map(deeper).collect();
            if fault == F::DigestSorts {
                all.sort();
            }
            let all = match fault {
                F::DigestJoins => all.concat().replace('"', ""),
                _ => all.join(","),
            };
            format!("[{all}]")
        }
        Value::String(word) if fault == F::DigestTrims => format!("{:?}", word.trim()),
        Value::String(word) if fault == F::DigestUntyped => word.clone(),
        other => other.to_string(),
    }
}

/// The answer of a ledger with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    match op {
        Op::Trace(input) => Output::Trace(Book::open(fault, input).run()),
        Op::Digest(input) => {
            let same = faulty(fault, &input.a) == faulty(fault, &input.b);
            Output::Digest(DigestOutput {
                same: same && fault != F::DigestSalted,
            })
        }
    }
}

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// The faulty ledgers.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Ledger, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    StartsSettled Led01 [Stale Identity] "ledger/starts_settled" "A new ledger holds what an earlier pass settled.";
    FirstWins Led02 [Stale] "ledger/first_wins" "The first resolution wins.";
    YesSticks Led02 [Stale Misrecorded] "ledger/yes_sticks" "A later refusal does not replace a yes.";
    PostureClears Led03 [Misrecorded] "ledger/posture_clears" "A posture allow clears what is settled.";
    ReadClears Led03 [Misrecorded] "ledger/read_clears" "Reading a cause clears what is settled.";
    RecordlessClears Led03 [Misrecorded] "ledger/recordless_clears" "A decision without a record clears what is settled.";
    SetIgnored Led04 [Misrecorded] "ledger/set_ignored" "`set` is ignored.";
    SetAsDeclined Led04 [Misrecorded] "ledger/set_as_declined" "`set` settles a person's no, whatever it is given.";
    OtherCallResolved Led05 [WrongQuestion Identity] "ledger/other_call_resolved" "A resolution's record of another call counts.";
    OtherCallDecision Led05 [WrongQuestion Identity] "ledger/other_call_decision" "A decision's record of another call counts.";
    OtherOrigin Led06 [WrongQuestion] "ledger/other_origin" "A record under another origin word counts.";
    OtherClasses Led07 [WrongQuestion] "ledger/other_classes" "A record with any class set counts.";
    MoreClasses Led07 [WrongQuestion] "ledger/more_classes" "A record with more classes than were asked of counts.";
    FewerClasses Led07 [WrongQuestion] "ledger/fewer_classes" "A record with fewer classes than were asked of counts.";
    ClassesInOrder Led07 [OverRefuses LopsidedMatch] "ledger/classes_in_order" "Class sets are compared as lists.";
    OtherBytes Led08 [Bytes] "ledger/other_bytes" "A record for any bytes counts.";
    EditIgnored Led08 [Bytes] "ledger/edit_ignored" "A record counts for the request's bytes, though the resolver edited them.";
    ClaimWins Led09 [FailsOpen Misrecorded] "ledger/claim_wins" "A resolution that claims an allow runs beside a refusal record.";
    RefusalByPolicy Led09 [Misrecorded] "ledger/refusal_by_policy" "A refused ask is recorded as the policy's deny.";
    TimeoutAsDeclined Led09 [Misrecorded] "ledger/timeout_as_declined" "A wait that timed out is recorded as a person's no.";
    TimeoutAsApproved Led09 [Misrecorded] "ledger/timeout_as_approved" "A wait that timed out is recorded as approved.";
    NeverCounts Led10 [OverRefuses] "ledger/never_counts" "No record counts: every yes is refused or lost.";
    LicencesRequest Led10 [Bytes] "ledger/licences_request" "An approved edit licenses the request's bytes.";
    DelegateAsPerson Led10 [Misrecorded] "ledger/delegate_as_person" "A delegate's yes is recorded as a person's.";
    ContradictionIsVeto Led11 [Misrecorded] "ledger/contradiction_is_veto" "A resolver's deny beside its own yes is taken for a veto.";
    ContradictionAllows Led11 [FailsOpen] "ledger/contradiction_allows" "A resolver's deny beside its own yes is an allow.";
    ContractForgotten Led12 [Misrecorded] "ledger/contract_forgotten" "A deny without a record settles nothing.";
    ContractAsDeclined Led12 [Misrecorded] "ledger/contract_as_declined" "A deny without a record is recorded as a person's no.";
    RealApprovalForgotten Led13 [FailsOpen] "ledger/real_approval_forgotten" "An allow without a record releases an ask that needs a real approval.";
    PostureSettles Led14 [Misrecorded] "ledger/posture_settles" "A posture allow is settled as a person's yes.";
    PostureRefused Led14 [OverRefuses] "ledger/posture_refused" "A posture allow is refused.";
    RetiredIgnored Led15 [FailsOpen] "ledger/retired_ignored" "The retired member is not looked at.";
    RetiredDenies Led15 [Misrecorded] "ledger/retired_denies" "The retired member makes a quiet deny.";
    RetiredSettles Led15 [Misrecorded] "ledger/retired_settles" "The fault is loud, and the record settles all the same.";
    PolicyAsAsk Led16 [Misrecorded] "ledger/policy_as_ask" "A policy's deny is recorded as the ask's own refusal.";
    RefusalAllowed Led17 [FailsOpen Misrecorded] "ledger/refusal_allowed" "An allow that carries a refusal record runs.";
    RefusalDenyByPolicy Led17 [Misrecorded] "ledger/refusal_deny_by_policy" "A refused ask is recorded as the policy's deny.";
    VetoDropsYes Led18 [Misrecorded] "ledger/veto_drops_yes" "A veto drops the yes: an approved call is recorded as never asked.";
    VetoAsAsk Led18 [Misrecorded] "ledger/veto_as_ask" "A veto is recorded as the ask's own refusal.";
    YesIgnored Led19 [OverRefuses Misrecorded] "ledger/yes_ignored" "An allow with a yes settles nothing.";
    YesForOtherBytes Led20 [Bytes] "ledger/yes_for_other_bytes" "An allow with a yes settles it whatever runs.";
    UnattributedDenied Led20 [OverRefuses] "ledger/unattributed_denied" "An allow with a yes for other bytes is denied.";
    AskSettles Led21 [Stale] "ledger/ask_settles" "A decision that asks settles its record.";
    AskDenied Led21 [OverRefuses] "ledger/ask_denied" "A decision that asks with a refusal record is a deny.";
    SupersedeIgnored Led22 [Stale Identity] "ledger/supersede_ignored" "`supersede` is ignored: an old yes settles a new ask.";
    SupersedeKeepsRefusal Led22 [Stale] "ledger/supersede_keeps_refusal" "`supersede` clears a yes and keeps a refusal.";
    KeepIgnored Led23 [Bytes] "ledger/keep_ignored" "`keepForBytes` is ignored.";
    KeepDropsYes Led24 [OverRefuses] "ledger/keep_drops_yes" "`keepForBytes` drops every yes.";
    KeepDropsRefusal Led24 [Misrecorded] "ledger/keep_drops_refusal" "`keepForBytes` drops a refusal too.";
    CauseOfAllow Led25 [Misrecorded] "ledger/cause_of_allow" "The cause is read of an allow.";
    CauseOfOtherCall Led25 [WrongQuestion Misrecorded] "ledger/cause_of_other_call" "The cause is read of another call.";
    CauseNever Led25 [Misrecorded] "ledger/cause_never" "No cause is read.";
    RoundOfDenyOnly Led26 [Misrecorded] "ledger/round_of_deny_only" "The round is read of a deny only.";
    RoundOfOtherCall Led26 [WrongQuestion Misrecorded] "ledger/round_of_other_call" "The round is read of another call.";
    DigestFoldsCase Led27 [Bytes Identity LopsidedMatch] "ledger/digest_folds_case" "The digest folds case.";
    DigestTrims Led27 [Bytes LopsidedMatch] "ledger/digest_trims" "The digest trims strings.";
    DigestShallow Led27 [Bytes Identity] "ledger/digest_shallow" "The digest looks at the outermost members only.";
    DigestSorts Led27 [Bytes] "ledger/digest_sorts" "The digest sorts lists.";
    DigestDropsNull Led27 [Bytes] "ledger/digest_drops_null" "The digest leaves out members that are null.";
    DigestUntyped Led27 [Bytes] "ledger/digest_untyped" "The digest takes numbers and words for one another.";
    DigestJoins Led27 [Bytes] "ledger/digest_joins" "The digest joins the items of a list with nothing between them.";
    DigestCuts Led27 [Bytes] "ledger/digest_cuts" "The digest looks at the first bytes only.";
    DigestSalted Led27 [OverRefuses] "ledger/digest_salted" "No two digests are the same: a valid yes never counts.";
}
