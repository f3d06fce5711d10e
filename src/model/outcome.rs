//! The mint: what a gate pass decided, what ask it settled and who asked, as one record.
//!
//! A pass hands its [`Facts`] to [`mint`], which gives the one [`Record`] of the pass or every
//! [`Defect`] that the gate composed. A defect is the gate's own fault: it becomes neither a deny
//! nor an allow (OUT-01).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Clause;
use super::words::words;

words! {
    /// Who refused (OUT-07).
    Layer {
        /// The engine, fail-closed: a screen that crashed or never answered.
        Engine "engine";
        /// A hook's own deny.
        Hook "hook";
        /// The compliance lock.
        Compliance "compliance";
        /// The plan-mode block.
        PlanMode "plan_mode";
        /// The deployment's policy.
        Policy "policy";
        /// The organisation's rules.
        Org "org";
        /// The classifier.
        Classifier "classifier";
        /// The permission mode.
        Mode "mode";
        /// The write protection, judged again over the bytes that will run.
        WriteProtection "write_protection";
        /// A hook's screen of an approved edit.
        HookRescreen "hook_rescreen";
        /// The cap on rounds of edits.
        EditCap "edit_cap";
        /// The resolution of the ask itself: the settlement is a refusal.
        AskResolution "ask_resolution";
    }
}

impl Layer {
    /// Whether the layer can speak after an ask was resolved, and so veto a yes (OUT-08).
    #[must_use]
    pub const fn can_veto(self) -> bool {
        matches!(
            self,
            Self::Policy | Self::Org | Self::WriteProtection | Self::HookRescreen | Self::EditCap
        )
    }
}

words! {
    /// Why a classifier's round did not rule (OUT-03).
    Cause {
        /// The classifier gave no answer.
        Unavailable "unavailable";
        /// Its answer could not be read.
        ParseError "parse_error";
    }
}

words! {
    /// Who said yes. The engine itself never does (OUT-09).
    Approver {
        /// A person.
        Person "person";
        /// One that a person put in their place.
        Delegate "delegate";
    }
}

words! {
    /// What ended the wait without a yes (OUT-09).
    Refusal {
        /// Somebody said no.
        Declined "declined";
        /// Nobody answered in time.
        Timeout "timeout";
        /// The wait was called off.
        Cancelled "cancelled";
        /// There was nobody to ask.
        Unavailable "unavailable";
        /// The resolver broke its contract.
        ApproverContract "approver_contract";
        /// What would have run could not be shown.
        UnshownContent "unshown_content";
    }
}

words! {
    /// What a pass came to.
    Decision {
        /// The call runs.
        Allow "allow";
        /// The call does not run.
        Deny "deny";
    }
}

/// How an ask ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Settlement {
    /// With a yes.
    Approved {
        /// Who said it.
        by: Approver,
    },
    /// Without one.
    Refused {
        /// What ended the wait.
        reason: Refusal,
    },
}

/// What a pass hands the mint. Any combination can be written: to judge them is the mint's work.
///
/// `W` is the type of the words that the mint carries and never reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Facts<W = String> {
    /// Who refused, exactly when the pass refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<Layer>,
    /// Why the classifier's round behind the deny did not rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The ask that the pass consumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<SettledFacts<W>>,
    /// The classification that the pass ran, whatever it came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier: Option<W>,
    /// How the permission mode released the standing ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<W>,
    /// How the permission mode refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode_refusal: Option<W>,
}

// by hand: a derive would ask that the words have a default too
impl<W> Default for Facts<W> {
    fn default() -> Self {
        Self {
            denied_by: None,
            cause: None,
            settled: None,
            classifier: None,
            released: None,
            mode_refusal: None,
        }
    }
}

/// The ask that a pass consumed, as the gate wrote it down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettledFacts<W = String> {
    /// How the ask ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// The origin word that the ask carried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<W>,
    /// The digest of the bytes that the settlement licensed. The record does not carry it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licensed: Option<W>,
}

impl<W> Default for SettledFacts<W> {
    fn default() -> Self {
        Self {
            settlement: None,
            origin: None,
            licensed: None,
        }
    }
}

/// The record of a pass. [`mint`] gives only lawful ones; the type holds every record that a gate
/// may have written, so that the laws can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Record<W = String> {
    /// What the pass came to.
    pub decision: Decision,
    /// Who refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<Layer>,
    /// Why the classifier's round behind the deny did not rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// How the consumed ask ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// The origin word of that ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<W>,
    /// The classification that the pass ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classifier: Option<W>,
    /// How the permission mode released the standing ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<W>,
    /// How the permission mode refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode_refusal: Option<W>,
}

/// What a gate composed wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Defect {
    /// A settlement without the origin of its ask (I1).
    SettlementWithoutOrigin,
    /// An origin without a settlement (I1).
    OriginWithoutSettlement,
    /// A licence with neither settlement nor origin (I1).
    LicenceAlone,
    /// `ask_resolution` without a refusal that ended the ask (I2).
    AskResolutionWithoutRefusal,
    /// A refusal ended the ask, and another layer is named (I2).
    RefusalUnderAnotherName(Layer),
    /// A yes beside a deny by a layer that cannot speak after a resolution (I3).
    YesBesideNoVeto(Layer),
    /// A refusal ended the ask, and the pass did not refuse (I4).
    RefusalAllowed,
    /// A cause, and nobody refused (OUT-03).
    CauseWithoutDeny,
    /// A release by the mode, and somebody refused (OUT-04).
    ReleasedBesideDeny(Layer),
    /// A refusal by the mode, and another layer or none is named (OUT-05).
    ModeRefusalWithoutMode,
    /// A direct refusal by `ask_resolution`, with no ask settled (OUT-11).
    DirectAskResolution,
}

impl Defect {
    /// The clause that it breaks.
    #[must_use]
    pub const fn clause(self) -> Clause {
        match self {
            Self::SettlementWithoutOrigin | Self::OriginWithoutSettlement | Self::LicenceAlone => {
                Clause::I1
            }
            Self::AskResolutionWithoutRefusal | Self::RefusalUnderAnotherName(_) => Clause::I2,
            Self::YesBesideNoVeto(_) => Clause::I3,
            Self::RefusalAllowed => Clause::I4,
            Self::CauseWithoutDeny => Clause::Out03,
            Self::ReleasedBesideDeny(_) => Clause::Out04,
            Self::ModeRefusalWithoutMode => Clause::Out05,
            Self::DirectAskResolution => Clause::Out11,
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SettlementWithoutOrigin => f.write_str("a settlement without its origin"),
            Self::OriginWithoutSettlement => f.write_str("an origin without a settlement"),
            Self::LicenceAlone => f.write_str("a licence without a settlement"),
            Self::AskResolutionWithoutRefusal => {
                f.write_str("`ask_resolution` without a refusal settlement")
            }
            Self::RefusalUnderAnotherName(layer) => {
                write!(f, "a refusal settlement under `{layer}`")
            }
            Self::YesBesideNoVeto(layer) => {
                write!(f, "a yes beside `{layer}`, which cannot veto")
            }
            Self::RefusalAllowed => f.write_str("a refusal settlement, and nobody refused"),
            Self::CauseWithoutDeny => f.write_str("a cause, and nobody refused"),
            Self::ReleasedBesideDeny(layer) => write!(f, "a release beside a deny by `{layer}`"),
            Self::ModeRefusalWithoutMode => f.write_str("a mode refusal without `mode`"),
            Self::DirectAskResolution => f.write_str("a direct deny by `ask_resolution`"),
        }
    }
}

/// The defects of one pass: all of them, at least one, in reading order of their clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defects(Vec<Defect>);

impl Defects {
    /// Each defect.
    pub fn iter(&self) -> impl Iterator<Item = Defect> + '_ {
        self.0.iter().copied()
    }
}

impl fmt::Display for Defects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, defect) in self.0.iter().enumerate() {
            write!(
                f,
                "{}{defect} ({})",
                if at == 0 { "" } else { "; " },
                defect.clause()
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Defects {}

/// Mints the record of a pass.
///
/// # Errors
/// With every defect of the facts. None of them is a deny: the fault is the gate's own (OUT-01).
///
/// ```
/// use gatespec::model::outcome::{Facts, Layer, mint};
/// let facts = Facts::<String> { denied_by: Some(Layer::Hook), ..Facts::default() };
/// assert_eq!(mint(&facts)?.denied_by, Some(Layer::Hook));
/// # Ok::<(), gatespec::model::outcome::Defects>(())
/// ```
pub fn mint<W: Clone>(facts: &Facts<W>) -> Result<Record<W>, Defects> {
    let defects: Vec<Defect> = screen(facts).into_iter().flatten().collect();
    if !defects.is_empty() {
        return Err(Defects(defects));
    }
    let settled = facts.settled.as_ref();
    Ok(Record {
        decision: if facts.denied_by.is_some() {
            Decision::Deny
        } else {
            Decision::Allow
        },
        denied_by: facts.denied_by,
        cause: facts.cause,
        settlement: settled.and_then(|settled| settled.settlement),
        origin: settled.and_then(|settled| settled.origin.clone()),
        classifier: facts.classifier.clone(),
        released: facts.released.clone(),
        mode_refusal: facts.mode_refusal.clone(),
    })
}

/// The record of a direct refusal by one layer, with no ask settled (OUT-10).
///
/// # Errors
/// When the layer is `ask_resolution`: it refuses only where an ask was settled (OUT-11).
pub fn direct_deny<W: Clone>(layer: Layer) -> Result<Record<W>, Defects> {
    match layer {
        Layer::AskResolution => Err(Defects(vec![Defect::DirectAskResolution])),
        _ => mint(&Facts {
            denied_by: Some(layer),
            ..Facts::default()
        }),
    }
}

/// What each invariant and each rule on a member says of the facts.
fn screen<W>(facts: &Facts<W>) -> [Option<Defect>; 7] {
    let by = facts.denied_by;
    let settled = facts.settled.as_ref();
    let settlement = settled.and_then(|settled| settled.settlement);
    let origin = settled.is_some_and(|settled| settled.origin.is_some());
    let licensed = settled.is_some_and(|settled| settled.licensed.is_some());
    [
        match (settlement, origin) {
            (Some(_), false) => Some(Defect::SettlementWithoutOrigin),
            (None, true) => Some(Defect::OriginWithoutSettlement),
            (None, false) if licensed => Some(Defect::LicenceAlone),
            (None, false) | (Some(_), true) => None,
        },
        match (by, settlement) {
            (Some(Layer::AskResolution), Some(Settlement::Refused { .. })) => None,
            (Some(Layer::AskResolution), _) => Some(Defect::AskResolutionWithoutRefusal),
            (Some(layer), Some(Settlement::Refused { .. })) => {
                Some(Defect::RefusalUnderAnotherName(layer))
            }
            _ => None,
        },
        match (by, settlement) {
            (Some(layer), Some(Settlement::Approved { .. })) if !layer.can_veto() => {
                Some(Defect::YesBesideNoVeto(layer))
            }
            _ => None,
        },
        match (by, settlement) {
            (None, Some(Settlement::Refused { .. })) => Some(Defect::RefusalAllowed),
            _ => None,
        },
        (facts.cause.is_some() && by.is_none()).then_some(Defect::CauseWithoutDeny),
        by.filter(|_| facts.released.is_some())
            .map(Defect::ReleasedBesideDeny),
        (facts.mode_refusal.is_some() && by != Some(Layer::Mode))
            .then_some(Defect::ModeRefusalWithoutMode),
    ]
}
