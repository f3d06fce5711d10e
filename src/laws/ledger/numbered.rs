//! Traces of the wire in numbers, so that millions of them can be checked.

use std::collections::BTreeMap;

use super::CALL;
use crate::model::ledger::{Asked, Attestation, Classified, Event, Numbered, Recorded, Resolution};
use crate::ops::ledger::TraceInput;

/// The events of a trace with every word as a number and its call as [`CALL`].
///
/// Up to 64 classes are told apart, which is more than any case has.
#[must_use]
pub fn numbered(input: &TraceInput) -> Vec<Event<Numbered>> {
    let mut numbers = Numbers {
        calls: BTreeMap::new(),
        words: BTreeMap::new(),
    };
    numbers.calls.insert(input.call.clone(), CALL);
    input
        .as_read()
        .into_iter()
        .map(|event| numbers.event(event))
        .collect()
}

struct Numbers {
    calls: BTreeMap<String, u32>,
    words: BTreeMap<String, u32>,
}

fn number(of: &mut BTreeMap<String, u32>, word: String) -> u32 {
    let next = u32::try_from(of.len()).unwrap_or(u32::MAX);
    *of.entry(word).or_insert(next)
}

impl Numbers {
    fn event(&mut self, event: Event<Recorded>) -> Event<Numbered> {
        match event {
            Event::Set { reason, origin } => Event::Set {
                reason,
                origin: number(&mut self.words, origin),
            },
            Event::Resolved {
                resolution,
                asked,
                request,
            } => Event::Resolved {
                resolution: Resolution {
                    decision: resolution.decision,
                    record: resolution.record.map(|record| self.record(record)),
                    edited: resolution.edited,
                    retired: resolution.retired,
                },
                asked: Asked {
                    origin: number(&mut self.words, asked.origin),
                    classes: self.classes(asked.classes),
                    real_approval: asked.real_approval,
                },
                request,
            },
            Event::Decision {
                decision,
                record,
                runs,
            } => {
                let record = record.map(|record| self.record(record));
                Event::Decision {
                    decision,
                    record,
                    runs,
                }
            }
            Event::Supersede => Event::Supersede,
            Event::KeepForBytes { runs } => Event::KeepForBytes { runs },
            Event::CauseOf {
                decision,
                classified,
            } => Event::CauseOf {
                decision,
                classified: classified.map(|classified| self.classified(classified)),
            },
            Event::ClassifierRoundOf {
                decision,
                classified,
            } => Event::ClassifierRoundOf {
                decision,
                classified: classified.map(|classified| self.classified(classified)),
            },
        }
    }

    fn record(&mut self, record: Attestation<Recorded>) -> Attestation<Numbered> {
        Attestation {
            call: number(&mut self.calls, record.call),
            origin: number(&mut self.words, record.origin),
            classes: self.classes(record.classes),
            digest: record.digest,
            settlement: record.settlement,
        }
    }

    fn classified(&mut self, classified: Classified<Recorded>) -> Classified<Numbered> {
        Classified {
            call: number(&mut self.calls, classified.call),
            cause: classified.cause,
            round: classified.round.map(|round| number(&mut self.words, round)),
        }
    }

    fn classes(&mut self, classes: impl IntoIterator<Item = String>) -> u64 {
        classes.into_iter().fold(0, |bits, class| {
            bits | 1 << (number(&mut self.words, class) % 64)
        })
    }
}
