//! The ops of the `outcome` suite: the mint, and the direct refusal.
//!
//! ```
//! use gatespec::model::Clause;
//! use gatespec::model::outcome::{Facts, SettledFacts};
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::outcome::{MintInput, Op};
//!
//! let settled = SettledFacts { origin: Some("o".into()), ..SettledFacts::default() };
//! let facts = Facts { settled: Some(settled), ..Facts::default() };
//! let op = Op::Mint(MintInput { facts });
//! let allow = op.read_output(r#"{"record":{"decision":"allow","origin":"o"}}"#).unwrap();
//! assert_eq!(op.judge(&allow).first(), Some(&Clause::I1));
//! ```

use serde::{Deserialize, Serialize};

use super::{SuiteOp, read, weight};
use crate::model::Clause;
use crate::model::outcome::{
    self as model, Approver, Decision, Defects, Facts, Layer, Record, Refusal, SettledFacts,
    Settlement,
};

/// The names of this suite's ops.
pub const NAMES: &[&str] = &["outcome.mint", "outcome.directDeny"];

/// The words that a gate may declare that it lacks, beside the layers
/// ([`super::SuiteOp::needs`]).
pub const WORDS: &[&str] = &[
    "delegate",
    "timeout",
    "cancelled",
    "unavailable",
    "unshown_content",
    "cause",
    "classifier_round",
    "released",
    "mode_refusal",
];

/// A question about the record of one pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Mint the record of these facts.
    #[serde(rename = "outcome.mint")]
    Mint(MintInput),
    /// Make the record of a direct refusal by one layer.
    #[serde(rename = "outcome.directDeny")]
    DirectDeny(DirectDenyInput),
}

/// The input of `outcome.mint`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MintInput {
    /// What the pass hands the mint.
    pub facts: Facts,
}

/// The input of `outcome.directDeny`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectDenyInput {
    /// The layer that refuses.
    pub layer: Layer,
}

/// What a gate answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Output {
    /// It minted this record.
    Record {
        /// The record.
        record: Record,
    },
    /// It found a defect.
    Defect {
        /// What is wrong, in the gate's own words: it is shown and never judged.
        defect: String,
    },
}

/// An answer before it is known to be exactly one of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    record: Option<Record>,
    defect: Option<String>,
}

impl Output {
    /// What the model says of facts.
    #[must_use]
    pub fn of(minted: Result<Record, Defects>) -> Self {
        match minted {
            Ok(record) => Self::Record { record },
            Err(defects) => Self::Defect {
                defect: defects.to_string(),
            },
        }
    }
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        match self {
            Self::Mint(_) => "outcome.mint",
            Self::DirectDeny(_) => "outcome.directDeny",
        }
    }

    fn expected(&self) -> Output {
        Output::of(match self {
            Self::Mint(MintInput { facts }) => model::mint(facts),
            Self::DirectDeny(DirectDenyInput { layer }) => model::direct_deny(*layer),
        })
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        match read::<Wire>(output)? {
            Wire {
                record: Some(record),
                defect: None,
            } => Ok(Output::Record { record }),
            Wire {
                record: None,
                defect: Some(defect),
            } => Ok(Output::Defect { defect }),
            _ => Err(serde::de::Error::custom(
                "an answer has `record` or `defect`, one of them",
            )),
        }
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        match (self.expected(), got) {
            (Output::Defect { .. }, Output::Defect { .. }) => Vec::new(),
            (Output::Defect { .. }, Output::Record { record }) => {
                let mut all = self.clauses();
                // the facts as they stand break their own clauses; a record made of a defect is
                // something that nobody handed in
                if matches!(self, Self::Mint(input) if handed_in(&input.facts) != *record) {
                    all.rotate_right(1);
                }
                all
            }
            (Output::Record { .. }, Output::Defect { .. }) => match self {
                Self::Mint(MintInput { facts }) => vec![refused(facts), Clause::Out02],
                Self::DirectDeny(_) => vec![Clause::Out10],
            },
            (Output::Record { record }, Output::Record { record: got }) => {
                let broken = broken(&record, got);
                match self {
                    Self::DirectDeny(_) if !broken.is_empty() => vec![Clause::Out10],
                    _ => broken,
                }
            }
        }
    }

    fn clauses(&self) -> Vec<Clause> {
        match self {
            Self::Mint(MintInput { facts }) => match model::mint(facts) {
                Ok(_) => lawful(facts),
                Err(defects) => {
                    let mut all: Vec<Clause> = defects.iter().map(model::Defect::clause).collect();
                    all.push(Clause::Out01);
                    all.dedup();
                    all
                }
            },
            Self::DirectDeny(DirectDenyInput {
                layer: Layer::AskResolution,
            }) => {
                vec![Clause::Out11, Clause::Out01]
            }
            Self::DirectDeny(_) => vec![Clause::Out10, Clause::Out07],
        }
    }

    fn needs(&self) -> Vec<&'static str> {
        let (layer, facts) = match self {
            Self::Mint(MintInput { facts }) => (facts.denied_by, Some(facts)),
            Self::DirectDeny(DirectDenyInput { layer }) => (Some(*layer), None),
        };
        let layer = layer
            .filter(|&layer| layer != Layer::AskResolution)
            .map(Layer::word);
        layer
            .into_iter()
            .chain(facts.into_iter().flat_map(words))
            .collect()
    }

    /// A word that a gate carries is not empty: many gates take an empty one for none.
    fn is_asked(&self) -> bool {
        let Self::Mint(MintInput { facts }) = self else {
            return true;
        };
        let settled = facts.settled.as_ref();
        let of_ask = settled.map(|settled| [&settled.origin, &settled.licensed]);
        [&facts.classifier, &facts.released, &facts.mode_refusal]
            .into_iter()
            .chain(of_ask.into_iter().flatten())
            .flatten()
            .all(|word| !word.is_empty())
    }

    fn smaller(&self) -> Vec<Self> {
        let size = weight(self);
        let all = match self {
            Self::Mint(MintInput { facts }) => facts_smaller(facts)
                .into_iter()
                .map(|facts| Self::Mint(MintInput { facts }))
                .collect(),
            Self::DirectDeny(_) => [Layer::Org, Layer::Hook, Layer::Mode]
                .map(|layer| Self::DirectDeny(DirectDenyInput { layer }))
                .to_vec(),
        };
        all.into_iter().filter(|op| weight(op) < size).collect()
    }

    fn story(&self) -> Vec<String> {
        match self {
            Self::Mint(MintInput { facts }) => {
                let mut all = facts_story(facts);
                all.push("then mint the record of the pass".to_owned());
                all
            }
            Self::DirectDeny(DirectDenyInput { layer }) => {
                vec![format!(
                    "let `{layer}` refuse directly, with no ask settled"
                )]
            }
        }
    }
}

/// The words of the spec that these facts use and that a gate may lack.
fn words(facts: &Facts) -> Vec<&'static str> {
    let settlement = facts
        .settled
        .as_ref()
        .and_then(|settled| settled.settlement);
    let mut all: Vec<&'static str> = settlement.and_then(lackable).into_iter().collect();
    let members = [
        (facts.cause.is_some(), "cause"),
        (facts.classifier.is_some(), "classifier_round"),
        (facts.released.is_some(), "released"),
        (facts.mode_refusal.is_some(), "mode_refusal"),
    ];
    all.extend(
        members
            .into_iter()
            .filter(|&(there, _)| there)
            .map(|(_, word)| word),
    );
    all
}

/// The word of a settlement that a gate may lack: each but a person's yes, a person's no, and what
/// the ledger itself composes.
pub(super) const fn lackable(settlement: Settlement) -> Option<&'static str> {
    match settlement {
        Settlement::Approved {
            by: Approver::Delegate,
        } => Some("delegate"),
        Settlement::Refused {
            reason: reason @ (Refusal::Timeout | Refusal::Cancelled | Refusal::UnshownContent),
        } => Some(reason.word()),
        Settlement::Refused {
            reason: Refusal::Unavailable,
        } => Some("unavailable"),
        Settlement::Approved { .. } | Settlement::Refused { .. } => None,
    }
}

/// The record that facts would be, were nobody to look at them.
fn handed_in(facts: &Facts) -> Record {
    let settled = facts.settled.clone().unwrap_or_default();
    Record {
        decision: facts.denied_by.map_or(Decision::Allow, |_| Decision::Deny),
        denied_by: facts.denied_by,
        cause: facts.cause,
        settlement: settled.settlement,
        origin: settled.origin,
        classifier: facts.classifier.clone(),
        released: facts.released.clone(),
        mode_refusal: facts.mode_refusal.clone(),
    }
}

/// The clauses that lawful facts rest on: those that say why they are lawful first.
fn lawful(facts: &Facts) -> Vec<Clause> {
    let settlement = facts
        .settled
        .as_ref()
        .and_then(|settled| settled.settlement);
    let denied = facts.denied_by;
    let all = [
        (
            facts.settled.is_some() && settlement.is_none(),
            Clause::Out13,
        ),
        (facts.cause.is_some(), Clause::Out03),
        (facts.released.is_some(), Clause::Out04),
        (facts.mode_refusal.is_some(), Clause::Out05),
        (facts.classifier.is_some(), Clause::Out06),
        (
            settlement.is_some() && denied.is_some_and(Layer::can_veto),
            Clause::Out08,
        ),
        (
            settlement.is_some() && denied.is_some_and(Layer::can_veto),
            Clause::I3,
        ),
        (denied == Some(Layer::AskResolution), Clause::I4),
        (denied.is_some(), Clause::I2),
        (settlement.is_some(), Clause::Out09),
        (settlement.is_some(), Clause::I1),
        (denied.is_some(), Clause::Out07),
        (true, Clause::Out02),
    ];
    all.into_iter()
        .filter(|&(holds, _)| holds)
        .map(|(_, clause)| clause)
        .collect()
}

/// The clause to name when a gate finds a defect in lawful facts.
fn refused(facts: &Facts) -> Clause {
    lawful(facts).into_iter().next().unwrap_or(Clause::Out02)
}

/// The clauses that say what each member of the record is, for those that differ.
fn broken(expected: &Record, got: &Record) -> Vec<Clause> {
    let ended = expected.settlement;
    let refusal = matches!(ended, Some(Settlement::Refused { .. }));
    let decided = match (ended, got.denied_by) {
        _ if expected.denied_by == got.denied_by && expected.decision == got.decision => None,
        // who refused is the one thing that is always named beside a deny, and never else
        _ if got.denied_by.is_some() != (got.decision == Decision::Deny) => Some(Clause::I2),
        (_, None) if refusal => Some(Clause::I4),
        (_, None) => Some(Clause::I2),
        (Some(Settlement::Approved { .. }), _) => Some(Clause::I3),
        (Some(Settlement::Refused { .. }), _) => Some(Clause::I2),
        (None, _) if expected.decision == Decision::Allow => Some(Clause::I2),
        (None, _) => Some(Clause::Out07),
    };
    let settlement = match (ended, got.settlement) {
        (expected, got) if expected == got => None,
        (Some(Settlement::Approved { .. }), Some(Settlement::Approved { .. })) => {
            Some(Clause::Out09)
        }
        (Some(Settlement::Refused { .. }), _) => Some(Clause::I4),
        (Some(_), None) if expected.decision == Decision::Deny => Some(Clause::I3),
        (Some(_), None) if got.origin.is_some() => Some(Clause::I1),
        (Some(_), Some(_)) => Some(Clause::I4),
        (Some(_) | None, _) => Some(Clause::Out02),
    };
    let origin = match (&expected.origin, &got.origin) {
        (expected, got) if expected == got => None,
        (Some(_), None) if got.settlement.is_some() => Some(Clause::I1),
        (None, Some(_)) if got.settlement.is_none() => Some(Clause::I1),
        _ => Some(Clause::Out02),
    };
    let carried = [
        (
            expected.cause != got.cause,
            expected.cause.is_some(),
            Clause::Out03,
        ),
        (
            expected.released != got.released,
            expected.released.is_some(),
            Clause::Out04,
        ),
        (
            expected.mode_refusal != got.mode_refusal,
            expected.mode_refusal.is_some(),
            Clause::Out05,
        ),
    ]
    .map(|(differs, there, clause)| {
        // a fact that is lost or changed was not carried; one that nobody handed in is out of place
        differs.then_some(if there { Clause::Out02 } else { clause })
    });
    let classifier = (expected.classifier != got.classifier).then_some(Clause::Out06);
    let mut all: Vec<Clause> = Vec::new();
    for clause in [decided, settlement, origin, classifier]
        .into_iter()
        .chain(carried)
        .flatten()
    {
        if !all.contains(&clause) {
            all.push(clause);
        }
    }
    all
}

/// Facts one step smaller: a member less, then a shorter word.
fn facts_smaller(facts: &Facts) -> Vec<Facts> {
    let without = |cut: fn(&mut Facts)| {
        let mut less = facts.clone();
        cut(&mut less);
        less
    };
    let settled = |cut: fn(&mut SettledFacts)| {
        let mut less = facts.clone();
        if let Some(settled) = &mut less.settled {
            cut(settled);
        }
        less
    };
    let mut all = vec![
        without(|facts| facts.settled = None),
        settled(|settled| settled.licensed = None),
        without(|facts| facts.denied_by = None),
        without(|facts| facts.cause = None),
        without(|facts| facts.classifier = None),
        without(|facts| facts.released = None),
        without(|facts| facts.mode_refusal = None),
        settled(|settled| settled.settlement = None),
        settled(|settled| settled.origin = None),
    ];
    if facts.denied_by.is_some() {
        all.extend([
            without(|facts| facts.denied_by = Some(Layer::Org)),
            without(|facts| facts.denied_by = Some(Layer::Hook)),
        ]);
    }
    if let Some(Settlement::Refused { .. }) = facts.settled.as_ref().and_then(|s| s.settlement) {
        all.push(settled(|settled| {
            settled.settlement = Some(Settlement::Refused {
                reason: Refusal::Timeout,
            });
        }));
    }
    all
}

/// The facts, a line each.
fn facts_story(facts: &Facts) -> Vec<String> {
    let mut all = Vec::new();
    match facts.denied_by {
        Some(layer) => all.push(format!("let the pass refuse, by `{layer}`")),
        None => all.push("let the pass name nobody who refused".to_owned()),
    }
    if let Some(cause) = facts.cause {
        all.push(format!("let the classifier not have ruled: `{cause}`"));
    }
    if let Some(settled) = &facts.settled {
        let ended = match settled.settlement {
            Some(Settlement::Approved { by }) => format!("a yes by a `{by}`"),
            Some(Settlement::Refused { reason }) => format!("a refusal, `{reason}`"),
            None => "no settlement".to_owned(),
        };
        let origin = match &settled.origin {
            Some(origin) => format!("of an ask by `{origin}`"),
            None => "without an origin".to_owned(),
        };
        let licence = if settled.licensed.is_some() {
            ", with a licence"
        } else {
            ""
        };
        all.push(format!("let it hold {ended} {origin}{licence}"));
    }
    let members = [
        ("classification", &facts.classifier),
        ("release by the mode", &facts.released),
        ("refusal by the mode", &facts.mode_refusal),
    ];
    for (what, word) in members {
        if let Some(word) = word {
            all.push(format!("let it hold a {what}, `{word}`"));
        }
    }
    all
}
