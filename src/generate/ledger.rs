//! Ledgers: every trace over a small alphabet up to a bound, pairs of inputs that are nearly the
//! same, and random traces whose records mostly count and often nearly count.
//!
//! ```
//! use gatespec::generate::ledger::traces;
//!
//! // of two letters, as the numbers of letters
//! let all: Vec<Vec<usize>> = traces(2, 2).collect();
//! assert_eq!(all.len(), 2 + 4);
//! assert_eq!(all.last(), Some(&vec![1, 1]));
//! ```

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::Settings;
use super::outcome::settlements;
use crate::model::ledger::Verdict;
use crate::model::outcome::{Approver, Cause, Decision, Refusal, Settlement};
use crate::ops::ledger::{
    Asked, Attestation, Classified, DigestInput, Event, Op, Reading, Resolution, TraceInput,
};

/// Every pair of inputs, then every trace of up to [`Settings::ledger_events`] events.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let words = Words::of(settings, 0);
    let alphabet = words.alphabet();
    let traces = traces(alphabet.len(), settings.ledger_events).map(move |trace| {
        let events = trace.into_iter().filter_map(|at| alphabet.get(at).cloned());
        Op::Trace(words.trace(events.collect()))
    });
    pairs(settings).into_iter().map(Op::Digest).chain(traces)
}

/// Every trace of 1 to `most` events as indices into an alphabet of `letters`, the shortest first.
pub fn traces(letters: usize, most: usize) -> impl Iterator<Item = Vec<usize>> + Send {
    (1..=most).flat_map(move |length| {
        let count = letters.saturating_pow(u32::try_from(length).unwrap_or(u32::MAX));
        (0..count).map(move |index| {
            let mut rest = index;
            let mut trace: Vec<usize> = (0..length)
                .map(|_| {
                    let letter = rest.checked_rem(letters).unwrap_or_default();
                    rest = rest.checked_div(letters).unwrap_or_default();
                    letter
                })
                .collect();
            trace.reverse();
            trace
        })
    })
}

/// The words of a case: fresh for each seed. What does not count is spelt longer than what does,
/// so that a smaller case has less that does not.
#[derive(Clone, Debug)]
pub struct Words {
    call: String,
    other_call: String,
    origin: String,
    other_origin: String,
    classes: [String; 3],
    round: String,
    bytes: [Value; 2],
}

impl Words {
    /// The `index`th words of these settings.
    #[must_use]
    pub fn of(settings: &Settings, index: u32) -> Self {
        let names = settings.names();
        let name = |kind: &str| names.name(kind, index);
        Self {
            call: name("call"),
            other_call: name("other-call"),
            origin: name("origin"),
            other_origin: name("other-origin"),
            classes: [name("class-x"), name("class-y"), name("class-z")],
            round: name("round"),
            bytes: [
                json!({ "path": name("path") }),
                json!({ "path": name("other-path") }),
            ],
        }
    }

    /// A case of these words.
    #[must_use]
    pub fn trace(&self, events: Vec<Event>) -> TraceInput {
        let [a, b] = &self.bytes;
        let mut bytes = BTreeMap::new();
        for (label, value) in [("a", a), ("b", b)] {
            if events
                .iter()
                .flat_map(Event::labels)
                .any(|named| named == label)
            {
                bytes.insert(label.to_owned(), value.clone());
            }
        }
        TraceInput {
            call: self.call.clone(),
            bytes,
            events,
        }
    }

    /// The alphabet of the enumeration: every rule of the ledger, kept and broken by one step.
    #[must_use]
    pub fn alphabet(&self) -> Vec<Event> {
        let mut all = vec![
            Event::Supersede {},
            Event::KeepForBytes {
                runs: "a".to_owned(),
            },
            Event::KeepForBytes {
                runs: "b".to_owned(),
            },
            Event::Set {
                reason: Refusal::Timeout,
                origin: self.origin.clone(),
            },
            Event::Set {
                reason: Refusal::UnshownContent,
                origin: self.other_origin.clone(),
            },
        ];
        all.extend(self.readings());
        all.extend(self.decisions());
        all.extend(self.resolutions());
        all
    }

    fn readings(&self) -> Vec<Event> {
        let of = |decision, call: &String| Reading {
            decision,
            classified: Some(Classified {
                call: call.clone(),
                cause: Some(Cause::ParseError),
                round: Some(self.round.clone()),
            }),
        };
        vec![
            Event::CauseOf(Reading {
                decision: Decision::Deny,
                classified: None,
            }),
            Event::CauseOf(of(Decision::Deny, &self.call)),
            Event::CauseOf(of(Decision::Allow, &self.call)),
            Event::CauseOf(of(Decision::Deny, &self.other_call)),
            Event::ClassifierRoundOf(of(Decision::Deny, &self.call)),
            Event::ClassifierRoundOf(of(Decision::Allow, &self.call)),
            Event::ClassifierRoundOf(of(Decision::Allow, &self.other_call)),
        ]
    }

    fn decisions(&self) -> Vec<Event> {
        use Verdict::{Allow, Ask, Deny};
        let no = self.record(
            "a",
            Settlement::Refused {
                reason: Refusal::Declined,
            },
        );
        let yes = self.record("a", YES);
        let delegate = self.record(
            "b",
            Settlement::Approved {
                by: Approver::Delegate,
            },
        );
        let of = |decision, record: Option<&Attestation>, runs: &str| Event::Decision {
            decision,
            record: record.cloned(),
            runs: runs.to_owned(),
        };
        let other = |record: &Attestation| self.of_other_call(record.clone());
        vec![
            of(Allow, None, "a"),
            of(Deny, None, "a"),
            of(Ask, None, "a"),
            of(Allow, Some(&no), "a"),
            of(Deny, Some(&no), "a"),
            of(Ask, Some(&no), "a"),
            of(Allow, Some(&other(&no)), "a"),
            of(Deny, Some(&other(&no)), "a"),
            of(Allow, Some(&yes), "a"),
            of(Allow, Some(&yes), "b"),
            of(Deny, Some(&yes), "a"),
            of(Ask, Some(&yes), "a"),
            of(Allow, Some(&other(&yes)), "a"),
            of(Deny, Some(&other(&yes)), "a"),
            of(Allow, Some(&delegate), "b"),
            of(Deny, Some(&delegate), "b"),
        ]
    }

    fn resolutions(&self) -> Vec<Event> {
        use Decision::{Allow, Deny};
        let of = |decision, record: Option<Attestation>, real_approval| {
            self.resolved(decision, record, real_approval, None)
        };
        let yes = || self.record("a", YES);
        let no = |reason| self.record("a", Settlement::Refused { reason });
        let mut all = Vec::new();
        for real in [false, true] {
            all.push(of(Allow, None, real));
            all.push(of(Deny, None, real));
            all.push(of(Allow, Some(yes()), real));
            all.push(of(Allow, Some(self.of_other_call(yes())), real));
            all.push(of(Allow, Some(self.of_other_origin(yes())), real));
            all.push(of(Allow, Some(self.of_other_classes(yes())), real));
            all.push(of(Allow, Some(self.record("b", YES)), real));
            all.push(self.resolved(Allow, Some(yes()), real, Some("b")));
        }
        let [x, y, _] = &self.classes;
        let delegate = self.record(
            "a",
            Settlement::Approved {
                by: Approver::Delegate,
            },
        );
        let turned = Attestation {
            classes: vec![y.clone(), x.clone(), y.clone()],
            ..delegate
        };
        let fewer = Attestation {
            classes: vec![x.clone()],
            ..yes()
        };
        all.extend([
            of(Deny, Some(yes()), true),
            of(Allow, Some(turned), true),
            of(Allow, Some(fewer), true),
            of(Allow, Some(no(Refusal::Timeout)), false),
            of(Deny, Some(no(Refusal::Cancelled)), true),
            of(Allow, Some(self.of_other_call(no(Refusal::Timeout))), false),
            of(Deny, Some(self.of_other_origin(no(Refusal::Timeout))), true),
            self.resolved(Allow, Some(self.record("b", YES)), true, Some("b")),
            retired(of(Allow, Some(yes()), true)),
            retired(of(Allow, None, false)),
            retired(of(Deny, None, false)),
            self.elsewhere(),
        ]);
        all
    }

    /// The resolution of another ask, by a record that answers it.
    fn elsewhere(&self) -> Event {
        let [_, _, z] = &self.classes;
        let yes = self.of_other_origin(self.record("a", YES));
        Event::Resolved {
            resolution: Resolution {
                decision: Decision::Allow,
                record: Some(Attestation {
                    classes: vec![z.clone()],
                    ..yes
                }),
                edited: None,
                settlement: false,
            },
            asked: Asked {
                origin: self.other_origin.clone(),
                classes: vec![z.clone()],
                real_approval: true,
            },
            request: "a".to_owned(),
        }
    }

    /// The resolution of the one ask of the alphabet.
    fn resolved(
        &self,
        decision: Decision,
        record: Option<Attestation>,
        real_approval: bool,
        edited: Option<&str>,
    ) -> Event {
        let edited = edited.map(str::to_owned);
        Event::Resolved {
            resolution: Resolution {
                decision,
                record,
                edited,
                settlement: false,
            },
            asked: Asked {
                origin: self.origin.clone(),
                classes: self.asked(),
                real_approval,
            },
            request: "a".to_owned(),
        }
    }

    fn asked(&self) -> Vec<String> {
        let [x, y, _] = &self.classes;
        vec![x.clone(), y.clone()]
    }

    /// A record of this call that answers the one ask of the alphabet, for these bytes.
    fn record(&self, digest_of: &str, settlement: Settlement) -> Attestation {
        Attestation {
            call: self.call.clone(),
            origin: self.origin.clone(),
            classes: self.asked(),
            digest_of: digest_of.to_owned(),
            settlement,
        }
    }

    fn of_other_call(&self, record: Attestation) -> Attestation {
        Attestation {
            call: self.other_call.clone(),
            ..record
        }
    }

    fn of_other_origin(&self, record: Attestation) -> Attestation {
        Attestation {
            origin: self.other_origin.clone(),
            ..record
        }
    }

    /// The record, with a class more than was asked of.
    fn of_other_classes(&self, record: Attestation) -> Attestation {
        Attestation {
            classes: self.classes.to_vec(),
            ..record
        }
    }
}

const YES: Settlement = Settlement::Approved {
    by: Approver::Person,
};

/// The resolution with the retired member on it.
fn retired(event: Event) -> Event {
    match event {
        Event::Resolved {
            resolution,
            asked,
            request,
        } => Event::Resolved {
            resolution: Resolution {
                settlement: true,
                ..resolution
            },
            asked,
            request,
        },
        other => other,
    }
}

/// Every pair of inputs of which some are nearly the same.
#[must_use]
pub fn pairs(settings: &Settings) -> Vec<DigestInput> {
    let word = settings.names().name("Path", 0);
    let inputs = inputs(&word);
    let pair = |a: &Value, b: &Value| DigestInput {
        a: a.clone(),
        b: b.clone(),
    };
    inputs
        .iter()
        .flat_map(|a| inputs.iter().map(move |b| pair(a, b)))
        .collect()
}

/// Inputs that a careless digest takes for one another.
fn inputs(word: &str) -> Vec<Value> {
    vec![
        json!({}),
        json!({ "path": word }),
        json!({ "path": word.to_lowercase() }),
        json!({ "path": format!("{word} ") }),
        json!({ "path": word, "mode": null }),
        json!({ "mode": word }),
        json!({ "path": { "to": word } }),
        json!({ "path": { "to": word, "all": true } }),
        json!({ "path": [word, "b"] }),
        json!({ "path": ["b", word] }),
        json!({ "path": [format!("{word}b")] }),
        json!({ "path": [[word], "b"] }),
        json!({ "path": [word, "b", "b"] }),
        json!({ "depth": 1 }),
        json!({ "depth": "1" }),
        json!({ "depth": true }),
        json!({ "depth": 1.5 }),
        json!({ "depth": -1 }),
        json!({ "depth": null }),
        json!({ "depth": [] }),
        json!({ "depth": {} }),
        json!({ "depth": "" }),
        json!({ "path": "\u{e9}" }),
        json!({ "path": "e\u{301}" }),
        json!({ "path": "\u{1f600}" }),
        json!({ "path": "a\u{0}b" }),
        json!({ "path": "ab" }),
        json!({ "path": "x".repeat(5000) }),
        json!({ "path": format!("{}y", "x".repeat(4999)) }),
    ]
}

/// Random traces, and random pairs of inputs.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let settings = settings.clone();
    let most = settings.ledger_random_events.max(1);
    let pairs = pairs(&settings);
    let trace = (1u32..100_000, vec(picks(), 1..=most)).prop_map(move |(index, picks)| {
        let words = Words::of(&settings, index);
        Op::Trace(words.trace(picks.into_iter().map(|pick| pick.event(&words)).collect()))
    });
    prop_oneof![
        1 => prop::sample::select(pairs).prop_map(Op::Digest),
        30 => trace,
    ]
}

/// How far a record is from one that counts.
#[derive(Clone, Copy, Debug)]
enum Off {
    Nothing,
    Call,
    Origin,
    MoreClasses,
    FewerClasses,
    ClassOrder,
    Bytes,
}

/// The choices behind one random event.
#[derive(Clone, Debug)]
struct Pick {
    kind: u8,
    record: Option<(Settlement, Off)>,
    decision: Verdict,
    refusal: Refusal,
    cause: Option<Cause>,
    edited: bool,
    retired: bool,
    real: bool,
    here: bool,
    first: bool,
}

fn picks() -> impl Strategy<Value = Pick> {
    let kind = prop_oneof![
        10 => Just(0u8), 8 => Just(1), 2 => Just(2), 2 => Just(3), 1 => 4u8..7
    ];
    let off = prop_oneof![
        8 => Just(Off::Nothing), 1 => Just(Off::Call), 1 => Just(Off::Origin),
        1 => Just(Off::MoreClasses), 1 => Just(Off::FewerClasses), 2 => Just(Off::ClassOrder),
        2 => Just(Off::Bytes),
    ];
    let yes = prop::sample::select(vec![
        YES,
        Settlement::Approved {
            by: Approver::Delegate,
        },
    ]);
    let settlement = prop_oneof![3 => yes, 2 => prop::sample::select(settlements())];
    let record = prop::option::weighted(0.75, (settlement, off));
    let decision = prop_oneof![
        5 => Just(Verdict::Allow), 4 => Just(Verdict::Deny), 1 => Just(Verdict::Ask)
    ];
    let refusal = prop::sample::select(Refusal::ALL.to_vec());
    let cause = prop::option::of(prop::sample::select(Cause::ALL.to_vec()));
    let flags = (
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.05),
        any::<bool>(),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.7),
    );
    (kind, record, decision, refusal, cause, flags).prop_map(
        |(kind, record, decision, refusal, cause, (edited, retired, real, here, first))| Pick {
            kind,
            record,
            decision,
            refusal,
            cause,
            edited,
            retired,
            real,
            here,
            first,
        },
    )
}

impl Pick {
    fn event(&self, words: &Words) -> Event {
        let bytes = if self.first { "a" } else { "b" };
        let decision = match self.decision {
            Verdict::Deny => Decision::Deny,
            Verdict::Allow | Verdict::Ask => Decision::Allow,
        };
        match self.kind {
            0 => {
                let edited = if self.first { "b" } else { "a" };
                let edited = self.edited.then(|| edited.to_owned());
                let licensed = edited.as_deref().unwrap_or(bytes);
                Event::Resolved {
                    resolution: Resolution {
                        decision,
                        record: self.record(words, licensed),
                        settlement: self.retired,
                        edited,
                    },
                    asked: Asked {
                        origin: words.origin.clone(),
                        classes: words.asked(),
                        real_approval: self.real,
                    },
                    request: bytes.to_owned(),
                }
            }
            1 => Event::Decision {
                decision: self.decision,
                record: self.record(words, bytes),
                runs: bytes.to_owned(),
            },
            2 => Event::Supersede {},
            3 => Event::KeepForBytes {
                runs: bytes.to_owned(),
            },
            4 => Event::Set {
                reason: self.refusal,
                origin: if self.here {
                    &words.origin
                } else {
                    &words.other_origin
                }
                .clone(),
            },
            5 => Event::CauseOf(self.reading(words, decision)),
            _ => Event::ClassifierRoundOf(self.reading(words, decision)),
        }
    }

    fn record(&self, words: &Words, licensed: &str) -> Option<Attestation> {
        let (settlement, off) = self.record?;
        let record = words.record(licensed, settlement);
        let [x, y, _] = &words.classes;
        Some(match off {
            Off::Nothing => record,
            Off::Call => words.of_other_call(record),
            Off::Origin => words.of_other_origin(record),
            Off::MoreClasses => words.of_other_classes(record),
            Off::FewerClasses => Attestation {
                classes: vec![x.clone()],
                ..record
            },
            Off::ClassOrder => Attestation {
                classes: vec![y.clone(), x.clone()],
                ..record
            },
            Off::Bytes => {
                let other = if licensed == "a" { "b" } else { "a" };
                Attestation {
                    digest_of: other.to_owned(),
                    ..record
                }
            }
        })
    }

    fn reading(&self, words: &Words, decision: Decision) -> Reading {
        let call = if self.here {
            &words.call
        } else {
            &words.other_call
        }
        .clone();
        let round = self.real.then(|| words.round.clone());
        let classified = self.first.then_some(Classified {
            call,
            cause: self.cause,
            round,
        });
        Reading {
            decision,
            classified,
        }
    }
}
