//! The laws of the mint: the invariants as predicates over finished records, and an oracle that
//! builds every lawful shape of facts from the ground up.
//!
//! ```
//! use gatespec::laws::outcome::{INVARIANTS, lawful, unscreened};
//! use gatespec::model::outcome::mint;
//!
//! for facts in lawful("w") {
//!     let record = mint(&facts).unwrap();
//!     assert_eq!(record, unscreened(&facts));
//!     assert!(INVARIANTS.iter().all(|invariant| (invariant.holds)(&record)));
//! }
//! ```

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::outcome::{
    Approver, Cause, Decision, Facts, Layer, Record, Refusal, SettledFacts, Settlement,
    direct_deny, mint,
};

/// An invariant over a finished record, whoever made it.
#[derive(Clone, Copy)]
pub struct Invariant {
    /// Its clause.
    pub clause: Clause,
    /// Whether a record keeps it.
    pub holds: fn(&Record) -> bool,
}

/// What every record must keep. An audit asks these of records that no model made.
pub const INVARIANTS: &[Invariant] = &[
    Invariant {
        clause: Clause::I1,
        holds: |record| record.settlement.is_some() == record.origin.is_some(),
    },
    Invariant {
        clause: Clause::I2,
        holds: |record| {
            let refused = record.decision == Decision::Deny;
            let named = record.denied_by == Some(Layer::AskResolution);
            record.denied_by.is_some() == refused && (!named || refusal(record).is_some())
        },
    },
    Invariant {
        clause: Clause::I2,
        holds: |record| match (refusal(record), record.denied_by) {
            (Some(_), Some(layer)) => layer == Layer::AskResolution,
            _ => true,
        },
    },
    Invariant {
        clause: Clause::I3,
        holds: |record| match (record.settlement, record.denied_by) {
            (Some(Settlement::Approved { .. }), Some(layer)) => VETOES.contains(&layer),
            _ => true,
        },
    },
    Invariant {
        clause: Clause::I4,
        holds: |record| refusal(record).is_none() || record.decision == Decision::Deny,
    },
    Invariant {
        clause: Clause::Out03,
        holds: |record| record.cause.is_none() || record.denied_by.is_some(),
    },
    Invariant {
        clause: Clause::Out04,
        holds: |record| record.released.is_none() || record.denied_by.is_none(),
    },
    Invariant {
        clause: Clause::Out05,
        holds: |record| record.mode_refusal.is_none() || record.denied_by == Some(Layer::Mode),
    },
];

/// The layers that speak after a resolution, as the spec lists them.
const VETOES: [Layer; 5] = [
    Layer::Policy,
    Layer::Org,
    Layer::WriteProtection,
    Layer::HookRescreen,
    Layer::EditCap,
];

fn refusal(record: &Record) -> Option<Refusal> {
    match record.settlement {
        Some(Settlement::Refused { reason }) => Some(reason),
        _ => None,
    }
}

/// The record that facts would be, were nobody to look at them.
#[must_use]
pub fn unscreened(facts: &Facts) -> Record {
    let settled = facts.settled.clone().unwrap_or_default();
    Record {
        decision: if facts.denied_by.is_none() {
            Decision::Allow
        } else {
            Decision::Deny
        },
        denied_by: facts.denied_by,
        cause: facts.cause,
        settlement: settled.settlement,
        origin: settled.origin,
        classifier: facts.classifier.clone(),
        released: facts.released.clone(),
        mode_refusal: facts.mode_refusal.clone(),
    }
}

/// Every lawful shape of facts, built up from how a pass can end; each word is `word`.
///
/// A pass ends in four ways: nobody was asked or somebody said yes, and the call runs; a layer
/// refuses and nothing was settled; a layer vetoes a yes; the ask itself was refused.
#[must_use]
pub fn lawful(word: &str) -> Vec<Facts> {
    let some = || Some(word.to_owned());
    let settled = |settlement: Settlement| {
        [None, some()].map(|licensed| {
            Some(SettledFacts {
                settlement: Some(settlement),
                origin: some(),
                licensed,
            })
        })
    };
    let nothing = [None, Some(SettledFacts::default())];
    let yes = [Approver::Person, Approver::Delegate]
        .into_iter()
        .flat_map(|by| settled(Settlement::Approved { by }));
    let runs: Vec<_> = nothing.iter().cloned().chain(yes).collect();
    let no: Vec<_> = [
        Refusal::Declined,
        Refusal::Timeout,
        Refusal::Cancelled,
        Refusal::Unavailable,
        Refusal::ApproverContract,
        Refusal::UnshownContent,
    ]
    .into_iter()
    .flat_map(|reason| settled(Settlement::Refused { reason }))
    .collect();
    let mut ends: Vec<Facts> = Vec::new();
    for released in [None, some()] {
        ends.extend(runs.iter().map(|settled| Facts {
            settled: settled.clone(),
            released: released.clone(),
            ..Facts::default()
        }));
    }
    for &layer in Layer::ALL {
        let asks: &[_] = match layer {
            Layer::AskResolution => &no,
            _ if VETOES.contains(&layer) => &runs,
            _ => &nothing,
        };
        for cause in [None, Some(Cause::Unavailable), Some(Cause::ParseError)] {
            for mode_refusal in [None, (layer == Layer::Mode).then(|| word.to_owned())] {
                ends.extend(asks.iter().map(|settled| Facts {
                    denied_by: Some(layer),
                    cause,
                    settled: settled.clone(),
                    mode_refusal: mode_refusal.clone(),
                    ..Facts::default()
                }));
            }
        }
    }
    let mut all: Vec<Facts> = [None, some()]
        .into_iter()
        .flat_map(|round| {
            ends.iter().map(move |facts| Facts {
                classifier: round.clone(),
                ..facts.clone()
            })
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Why the licence alone is out of place: the record does not show it.
fn licence_alone(facts: &Facts) -> bool {
    facts.settled.as_ref().is_some_and(|settled| {
        settled.licensed.is_some() && settled.settlement.is_none() && settled.origin.is_none()
    })
}

/// The laws, each of all facts.
pub const LAWS: &[Law<Facts>] = &[
    Law {
        id: "every_minted_record_keeps_the_invariants",
        sentence: "No record that is minted breaks I1 to I4, or a rule on its members.",
        clauses: &[
            Clause::I1,
            Clause::I2,
            Clause::I3,
            Clause::I4,
            Clause::Out03,
            Clause::Out04,
            Clause::Out05,
            Clause::Out08,
        ],
        reaches: |facts| mint(facts).is_ok(),
        check: |facts| {
            let Ok(record) = mint(facts) else {
                return Ok(());
            };
            INVARIANTS.iter().try_for_each(|invariant| {
                ensure((invariant.holds)(&record), || {
                    format!("it breaks {}", invariant.clause)
                })
            })
        },
    },
    Law {
        id: "a_defect_names_exactly_the_clauses_that_the_record_would_break",
        sentence: "The clauses of a pass's defects are those that its record would break, all of them.",
        clauses: &[
            Clause::Out01,
            Clause::I1,
            Clause::I2,
            Clause::I3,
            Clause::I4,
        ],
        reaches: |facts| mint(facts).is_err(),
        check: |facts| {
            let record = unscreened(facts);
            let mut would: Vec<Clause> = INVARIANTS
                .iter()
                .filter(|invariant| !(invariant.holds)(&record))
                .map(|invariant| invariant.clause)
                .chain(licence_alone(facts).then_some(Clause::I1))
                .collect();
            would.sort();
            would.dedup();
            let mut named: Vec<Clause> = match mint(facts) {
                Ok(_) => Vec::new(),
                Err(defects) => defects
                    .iter()
                    .map(crate::model::outcome::Defect::clause)
                    .collect(),
            };
            named.sort();
            named.dedup();
            ensure(would == named, || {
                format!("it would break {would:?}, and {named:?} are named")
            })
        },
    },
    Law {
        id: "what_is_minted_is_what_was_handed_in",
        sentence: "A minted record carries every fact unchanged, save the licence.",
        clauses: &[
            Clause::Out02,
            Clause::Out06,
            Clause::Out07,
            Clause::Out09,
            Clause::Out13,
        ],
        reaches: |facts| mint(facts).is_ok_and(|record| record.classifier.is_some()),
        check: |facts| match mint(facts) {
            Ok(record) => ensure(record == unscreened(facts), || {
                format!("it is minted as {record:?}")
            }),
            Err(_) => Ok(()),
        },
    },
    Law {
        id: "a_wait_that_ended_without_a_yes_is_never_an_approval",
        sentence: "A refusal settlement is minted under `ask_resolution`, as that refusal, or not at all.",
        clauses: &[Clause::I2, Clause::I4],
        reaches: |facts| mint(facts).is_ok_and(|record| refusal(&record).is_some()),
        check: |facts| {
            let ended = facts
                .settled
                .as_ref()
                .and_then(|settled| settled.settlement);
            match (mint(facts), ended) {
                (Ok(record), Some(Settlement::Refused { reason })) => ensure(
                    record.denied_by == Some(Layer::AskResolution)
                        && refusal(&record) == Some(reason),
                    || format!("it is minted as {record:?}"),
                ),
                _ => Ok(()),
            }
        },
    },
    Law {
        id: "a_direct_deny_is_a_deny_with_nothing_else",
        sentence: "A direct refusal by the layer that refused is its name and nothing else, and `ask_resolution` has none.",
        clauses: &[Clause::Out10, Clause::Out11],
        reaches: |facts| facts.denied_by == Some(Layer::AskResolution),
        check: |facts| {
            let Some(layer) = facts.denied_by else {
                return Ok(());
            };
            let direct = direct_deny::<String>(layer).ok();
            let plain = unscreened(&Facts {
                denied_by: Some(layer),
                ..Facts::default()
            });
            let expected = (layer != Layer::AskResolution).then_some(plain);
            ensure(direct == expected, || format!("it is {direct:?}"))
        },
    },
    Law {
        id: "an_empty_settled_ask_is_none",
        sentence: "Facts with an empty settled ask are minted as those with none.",
        clauses: &[Clause::Out13],
        reaches: |facts| facts.settled == Some(SettledFacts::default()),
        check: |facts| -> Result<(), Violation> {
            if facts.settled != Some(SettledFacts::default()) {
                return Ok(());
            }
            let none = Facts {
                settled: None,
                ..facts.clone()
            };
            ensure(mint(&none) == mint(facts), || {
                format!("without it is {:?}", mint(&none))
            })
        },
    },
];
