//! Faulty mints.
//!
//! ```
//! use gatespec::generate::{Settings, outcome};
//! use gatespec::mutants::outcome::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//!
//! for op in outcome::enumerate(&Settings::default()).take(200) {
//!     assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
//! }
//! ```

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::model::outcome::{
    Approver, Cause, Decision, Facts, Layer, Record, Refusal, SettledFacts, Settlement,
};
use crate::ops::outcome::{Op, Output};

/// Where this mint can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nowhere: it must agree with the model.
    Nowhere,
    /// A settlement is minted without its origin.
    OriginForgotten,
    /// An origin is minted without a settlement.
    OriginAlone,
    /// A licence with no settlement is let through.
    LicenceAlone,
    /// `ask_resolution` is minted with no refusal settlement.
    AskResolutionBare,
    /// A refusal settlement is minted under the layer that spoke last.
    RefusalElsewhere,
    /// A yes beside any layer's deny is minted.
    AnyVeto,
    /// A yes beside `compliance` is minted.
    ComplianceVeto,
    /// A veto drops the yes that it overrules.
    YesDropped,
    /// A veto is recorded as the ask's own refusal.
    VetoAsAsk,
    /// A refusal settlement is minted as an allow.
    RefusalAllowed,
    /// A refusal settlement that nobody refused by is quietly turned into a deny.
    RefusalMended,
    /// A wait that timed out is recorded as an approval.
    TimeoutApproved,
    /// A wait that timed out is recorded as a person's no.
    TimeoutDeclined,
    /// A defect becomes an allow.
    DefectAllows,
    /// A defect becomes a deny by the engine.
    DefectDenies,
    /// Every pass is a defect.
    AlwaysDefect,
    /// The words are replaced by the mint's own.
    WordsReplaced,
    /// The cause is lost.
    CauseLost,
    /// A cause is minted beside nothing.
    CauseAnywhere,
    /// A cause is a defect beside any layer but the classifier.
    CauseClassifierOnly,
    /// A release is minted beside a deny.
    ReleasedAnywhere,
    /// A release is a defect.
    ReleasedNever,
    /// A mode refusal is minted beside any layer.
    ModeRefusalAnywhere,
    /// A mode refusal is a defect.
    ModeRefusalNever,
    /// The classification is recorded on a deny only.
    ClassifierDenyOnly,
    /// The classification is a defect on an allow.
    ClassifierAllowDefect,
    /// `hook_rescreen` is recorded as `hook`.
    LayersFolded,
    /// A yes beside `edit_cap` is a defect.
    EditCapNoVeto,
    /// A yes beside `org` is a defect.
    OrgNoVeto,
    /// A delegate's yes is recorded as a person's.
    DelegateAsPerson,
    /// A delegate's yes is a defect.
    DelegateDefect,
    /// A direct deny says that the classifier was unavailable.
    DirectCause,
    /// A direct deny by `ask_resolution` is made.
    DirectAsk,
    /// An empty settled ask is a defect.
    EmptySettledDefect,
    /// Nobody refused, and the record says deny.
    DeniesUnnamed,
}

use Fault as F;

#[derive(Clone, Copy)]
struct Mint(Fault);

impl Mint {
    fn has(self, fault: Fault) -> bool {
        self.0 == fault
    }

    /// What is wrong with the facts, if anything is.
    fn wrong(self, facts: &Facts) -> Option<&'static str> {
        let empty = SettledFacts::default();
        let ask = facts.settled.as_ref().unwrap_or(&empty);
        if facts.settled.as_ref() == Some(&empty) && self.has(F::EmptySettledDefect) {
            return Some("an empty settled ask");
        }
        self.wrong_ask(ask)
            .or_else(|| self.wrong_pairing(facts.denied_by, ask.settlement))
            .or_else(|| self.wrong_members(facts))
    }

    fn wrong_ask(self, ask: &SettledFacts) -> Option<&'static str> {
        match (
            ask.settlement.is_some(),
            ask.origin.is_some(),
            ask.licensed.is_some(),
        ) {
            (true, false, _) if !self.has(F::OriginForgotten) => Some("no origin"),
            (false, true, _) if !self.has(F::OriginAlone) => Some("no settlement"),
            (false, false, true) if !self.has(F::LicenceAlone) => Some("no ask"),
            _ => None,
        }
    }

    /// How who refused and what was settled stand to each other, case by case.
    fn wrong_pairing(self, by: Option<Layer>, ended: Option<Settlement>) -> Option<&'static str> {
        match (by, ended) {
            (None, Some(Settlement::Refused { .. })) => {
                let minted = self.has(F::RefusalAllowed) || self.has(F::RefusalMended);
                (!minted).then_some("a refused ask that nobody refused")
            }
            (Some(Layer::AskResolution), Some(Settlement::Refused { .. })) => None,
            (Some(_), Some(Settlement::Refused { .. })) => {
                (!self.has(F::RefusalElsewhere)).then_some("a refused ask under another name")
            }
            (Some(Layer::AskResolution), None) => {
                (!self.has(F::AskResolutionBare)).then_some("no ask that was resolved")
            }
            (Some(layer), Some(Settlement::Approved { .. })) => self.wrong_veto(layer),
            (
                _,
                Some(Settlement::Approved {
                    by: Approver::Delegate,
                }),
            ) if self.has(F::DelegateDefect) => Some("a delegate"),
            (_, None) | (None, Some(Settlement::Approved { .. })) => None,
        }
    }

    fn wrong_veto(self, layer: Layer) -> Option<&'static str> {
        let veto = match layer {
            Layer::EditCap => !self.has(F::EditCapNoVeto),
            Layer::Org => !self.has(F::OrgNoVeto),
            Layer::Policy | Layer::WriteProtection | Layer::HookRescreen => true,
            Layer::Compliance => self.has(F::ComplianceVeto) || self.has(F::AnyVeto),
            _ => self.has(F::AnyVeto),
        };
        (!veto).then_some("a yes beside a layer that speaks first")
    }

    fn wrong_members(self, facts: &Facts) -> Option<&'static str> {
        let by = facts.denied_by;
        let cause = match by {
            None => !self.has(F::CauseAnywhere),
            Some(layer) => self.has(F::CauseClassifierOnly) && layer != Layer::Classifier,
        };
        let released = match by {
            Some(_) => !self.has(F::ReleasedAnywhere),
            None => self.has(F::ReleasedNever),
        };
        let refusal = match by {
            Some(Layer::Mode) => self.has(F::ModeRefusalNever),
            _ => !self.has(F::ModeRefusalAnywhere),
        };
        let classifier = by.is_none() && self.has(F::ClassifierAllowDefect);
        [
            (facts.cause.is_some() && cause, "a cause out of place"),
            (
                facts.released.is_some() && released,
                "a release out of place",
            ),
            (
                facts.mode_refusal.is_some() && refusal,
                "a mode refusal out of place",
            ),
            (
                facts.classifier.is_some() && classifier,
                "a classification out of place",
            ),
        ]
        .into_iter()
        .find_map(|(wrong, what)| wrong.then_some(what))
    }

    fn mint(self, facts: &Facts) -> Output {
        if let Some(wrong) = self
            .wrong(facts)
            .or(self.has(F::AlwaysDefect).then_some("it is"))
        {
            return match self.0 {
                F::DefectAllows => Output::Record { record: bare(None) },
                F::DefectDenies => Output::Record {
                    record: bare(Some(Layer::Engine)),
                },
                _ => Output::Defect {
                    defect: wrong.to_owned(),
                },
            };
        }
        let mut record = bare(facts.denied_by);
        if let Some(ask) = &facts.settled {
            record.settlement = ask.settlement;
            record.origin.clone_from(&ask.origin);
        }
        record.cause = facts.cause;
        record.classifier.clone_from(&facts.classifier);
        record.released.clone_from(&facts.released);
        record.mode_refusal.clone_from(&facts.mode_refusal);
        self.spoil(&mut record);
        Output::Record { record }
    }

    /// What the faults do to a finished record.
    fn spoil(self, record: &mut Record) {
        let yes = matches!(record.settlement, Some(Settlement::Approved { .. }));
        let veto = yes && record.denied_by.is_some();
        let timeout = record.settlement
            == Some(Settlement::Refused {
                reason: Refusal::Timeout,
            });
        match self.0 {
            F::YesDropped if veto => (record.settlement, record.origin) = (None, None),
            F::VetoAsAsk if veto => record.denied_by = Some(Layer::AskResolution),
            F::RefusalMended if !yes && record.settlement.is_some() => {
                record.decision = Decision::Deny;
                record.denied_by = Some(Layer::AskResolution);
            }
            F::TimeoutApproved if timeout => {
                record.settlement = Some(Settlement::Approved {
                    by: Approver::Person,
                });
            }
            F::TimeoutDeclined if timeout => {
                record.settlement = Some(Settlement::Refused {
                    reason: Refusal::Declined,
                });
            }
            F::WordsReplaced => record.origin = record.origin.as_ref().map(|_| "agent".to_owned()),
            F::CauseLost => record.cause = None,
            F::ClassifierDenyOnly if record.denied_by.is_none() => record.classifier = None,
            F::LayersFolded if record.denied_by == Some(Layer::HookRescreen) => {
                record.denied_by = Some(Layer::Hook);
            }
            F::DelegateAsPerson if yes => {
                record.settlement = Some(Settlement::Approved {
                    by: Approver::Person,
                });
            }
            F::DeniesUnnamed => record.denied_by = None,
            _ => {}
        }
    }

    fn direct(self, layer: Layer) -> Output {
        if layer == Layer::AskResolution && !self.has(F::DirectAsk) {
            return Output::Defect {
                defect: "an ask resolves, it does not refuse".to_owned(),
            };
        }
        let mut record = bare(Some(layer));
        if self.has(F::DirectCause) {
            record.cause = Some(Cause::Unavailable);
        }
        Output::Record { record }
    }
}

/// A record that says no more than who refused.
fn bare(denied_by: Option<Layer>) -> Record {
    Record {
        decision: denied_by.map_or(Decision::Allow, |_| Decision::Deny),
        denied_by,
        cause: None,
        settlement: None,
        origin: None,
        classifier: None,
        released: None,
        mode_refusal: None,
    }
}

/// The answer of a mint with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    match op {
        Op::Mint(input) => Mint(fault).mint(&input.facts),
        Op::DirectDeny(input) => Mint(fault).direct(input.layer),
    }
}

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// The faulty mints.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Outcome, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    OriginForgotten I1 [WrongQuestion] "outcome/origin_forgotten" "A settlement is minted without its origin.";
    OriginAlone I1 [Misrecorded] "outcome/origin_alone" "An origin is minted without a settlement.";
    LicenceAlone I1 [Bytes] "outcome/licence_alone" "A licence that no ask gave is let through.";
    AskResolutionBare I2 [Misrecorded] "outcome/ask_resolution_bare" "`ask_resolution` is minted though no ask was resolved.";
    RefusalElsewhere I2 [Misrecorded] "outcome/refusal_elsewhere" "A refused ask is minted under another layer's name.";
    DeniesUnnamed I2 [Misrecorded] "outcome/denies_unnamed" "A deny is minted that does not say who refused.";
    AnyVeto I3 [Loosened] "outcome/any_veto" "A yes is minted beside any layer's deny.";
    ComplianceVeto I3 [Loosened] "outcome/compliance_veto" "A yes is minted beside `compliance`.";
    YesDropped I3 [Misrecorded] "outcome/yes_dropped" "A veto drops the yes: an approved call is recorded as never asked.";
    VetoAsAsk I3 [Misrecorded] "outcome/veto_as_ask" "A veto is recorded as a refusal of the ask.";
    RefusalAllowed I4 [Misrecorded FailsOpen] "outcome/refusal_allowed" "A refusal settlement is minted as an allow.";
    TimeoutApproved I4 [Misrecorded] "outcome/timeout_approved" "A wait that timed out is recorded as approved.";
    TimeoutDeclined I4 [Misrecorded] "outcome/timeout_declined" "A wait that timed out is recorded as a person's no.";
    RefusalMended Out01 [Misrecorded] "outcome/refusal_mended" "An allow that carries a refusal is quietly minted as a deny.";
    DefectAllows Out01 [FailsOpen] "outcome/defect_allows" "A defect becomes an allow.";
    DefectDenies Out01 [Misrecorded] "outcome/defect_denies" "A defect becomes a deny.";
    AlwaysDefect Out02 [OverRefuses] "outcome/always_defect" "Every pass is a defect.";
    WordsReplaced Out02 [Misrecorded] "outcome/words_replaced" "The origin is replaced by a word of the mint's own.";
    CauseLost Out02 [Misrecorded] "outcome/cause_lost" "The cause of a deny is lost.";
    CauseAnywhere Out03 [Misrecorded] "outcome/cause_anywhere" "A cause is minted beside an allow.";
    CauseClassifierOnly Out03 [OverRefuses] "outcome/cause_classifier_only" "A cause beside another layer than `classifier` is a defect.";
    ReleasedAnywhere Out04 [Misrecorded Loosened] "outcome/released_anywhere" "A release by the mode is minted beside a deny.";
    ReleasedNever Out04 [OverRefuses] "outcome/released_never" "A release by the mode is a defect.";
    ModeRefusalAnywhere Out05 [Misrecorded] "outcome/mode_refusal_anywhere" "A refusal by the mode is minted beside any layer.";
    ModeRefusalNever Out05 [OverRefuses] "outcome/mode_refusal_never" "A refusal by the mode is a defect.";
    ClassifierDenyOnly Out06 [Misrecorded] "outcome/classifier_deny_only" "A classification that allowed is not recorded.";
    ClassifierAllowDefect Out06 [OverRefuses] "outcome/classifier_allow_defect" "A classification beside an allow is a defect.";
    LayersFolded Out07 [Misrecorded] "outcome/layers_folded" "`hook_rescreen` is recorded as `hook`.";
    EditCapNoVeto Out08 [OverRefuses] "outcome/edit_cap_no_veto" "A yes beside `edit_cap` is a defect.";
    OrgNoVeto Out08 [OverRefuses] "outcome/org_no_veto" "A yes beside `org` is a defect.";
    DelegateAsPerson Out09 [Misrecorded] "outcome/delegate_as_person" "A delegate's yes is recorded as a person's.";
    DelegateDefect Out09 [OverRefuses] "outcome/delegate_defect" "A delegate's yes is a defect.";
    DirectCause Out10 [Misrecorded] "outcome/direct_cause" "A direct refusal says that a classifier did not rule.";
    DirectAsk Out11 [Misrecorded] "outcome/direct_ask" "A direct refusal by `ask_resolution` is made.";
    EmptySettledDefect Out13 [OverRefuses] "outcome/empty_settled_defect" "An empty settled ask is a defect.";
}
