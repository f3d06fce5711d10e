//! A trace of the wire as the model reads it: labels become digests.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    Asked, Attestation, Classified, Event, Reading, Resolution, SettledAsk, Step, TraceInput,
    TraceOutput,
};
use crate::model::digest::digest;
use crate::model::ledger::{self as model, Ledger, Recorded, Returned, Settled, Verdict};
use crate::model::outcome::Settlement;

type Digest = [u8; 32];

/// The labels of a case's bytes.
pub(super) struct Labels<'a>(BTreeMap<&'a str, Digest>);

impl<'a> Labels<'a> {
    pub(super) fn of(input: &'a TraceInput) -> Self {
        let digests = input.bytes.iter().map(|(label, bytes)| {
            // a JSON value always has canonical bytes
            (label.as_str(), digest(bytes).unwrap_or_default())
        });
        Self(digests.collect())
    }

    /// The digest of labelled bytes. A trace that was read has no other labels.
    fn digest(&self, label: &str) -> Digest {
        self.0.get(label).copied().unwrap_or_default()
    }

    /// The first label of the bytes with this digest.
    fn label(&self, digest: &Digest) -> String {
        let found = self.0.iter().find(|&(_, other)| other == digest);
        found.map_or_else(String::new, |(label, _)| (*label).to_owned())
    }

    /// The settled ask as the wire has it.
    pub(super) fn write(&self, settled: Option<&Settled<Recorded>>) -> Option<SettledAsk> {
        settled.map(|settled| SettledAsk {
            settlement: settled.settlement(),
            origin: settled.origin().clone(),
            licensed: settled.licensed().map(|digest| self.label(digest)),
        })
    }

    /// The settled ask that a gate wrote, if it can be one: a yes names bytes of the case, a
    /// refusal none. Where two labels are of equal bytes, either names them.
    pub(super) fn read(&self, settled: Option<&SettledAsk>) -> Option<Option<Settled<Recorded>>> {
        let Some(SettledAsk {
            settlement,
            origin,
            licensed,
        }) = settled
        else {
            return Some(None);
        };
        let origin = origin.clone();
        match (settlement, licensed) {
            (&Settlement::Approved { by }, Some(label)) => {
                let licensed = *self.0.get(label.as_str())?;
                Some(Some(Settled::Approved {
                    by,
                    origin,
                    licensed,
                }))
            }
            (&Settlement::Refused { reason }, None) => {
                Some(Some(Settled::Refused { reason, origin }))
            }
            _ => None,
        }
    }

    /// The event as the model reads it.
    pub(super) fn event(&self, event: &Event) -> model::Event<Recorded> {
        match event {
            Event::Set { reason, origin } => model::Event::Set {
                reason: *reason,
                origin: origin.clone(),
            },
            Event::Resolved {
                resolution,
                asked,
                request,
            } => model::Event::Resolved {
                resolution: self.resolution(resolution),
                asked: ask(asked),
                request: self.digest(request),
            },
            Event::Decision {
                decision,
                record,
                runs,
            } => model::Event::Decision {
                decision: *decision,
                record: record.as_ref().map(|record| self.record(record)),
                runs: self.digest(runs),
            },
            Event::Supersede {} => model::Event::Supersede,
            Event::KeepForBytes { runs } => model::Event::KeepForBytes {
                runs: self.digest(runs),
            },
            Event::CauseOf(Reading {
                decision,
                classified,
            }) => model::Event::CauseOf {
                decision: *decision,
                classified: classified.as_ref().map(round),
            },
            Event::ClassifierRoundOf(Reading {
                decision,
                classified,
            }) => model::Event::ClassifierRoundOf {
                decision: *decision,
                classified: classified.as_ref().map(round),
            },
        }
    }

    fn resolution(&self, resolution: &Resolution) -> model::Resolution<Recorded> {
        model::Resolution {
            decision: resolution.decision,
            record: resolution.record.as_ref().map(|record| self.record(record)),
            edited: resolution.edited.as_ref().map(|label| self.digest(label)),
            retired: resolution.settlement,
        }
    }

    fn record(&self, record: &Attestation) -> model::Attestation<Recorded> {
        model::Attestation {
            call: record.call.clone(),
            origin: record.origin.clone(),
            classes: record.classes.iter().cloned().collect(),
            digest: self.digest(&record.digest_of),
            settlement: record.settlement,
        }
    }
}

fn ask(asked: &Asked) -> model::Asked<Recorded> {
    model::Asked {
        origin: asked.origin.clone(),
        classes: asked.classes.iter().cloned().collect(),
        real_approval: asked.real_approval,
    }
}

fn round(classified: &Classified) -> model::Classified<Recorded> {
    model::Classified {
        call: classified.call.clone(),
        cause: classified.cause,
        round: classified.round.clone(),
    }
}

/// What a use of the ledger gives back, as the wire has it, with nothing settled.
pub(super) fn step(returned: Returned<Recorded>) -> Step {
    let none = Step::default();
    match returned {
        Returned::Nothing => none,
        Returned::Allow => Step {
            decision: Some(Verdict::Allow),
            ..none
        },
        Returned::Ask => Step {
            decision: Some(Verdict::Ask),
            ..none
        },
        Returned::Deny(layer) => Step {
            decision: Some(Verdict::Deny),
            denied_by: Some(layer),
            ..none
        },
        Returned::Fault => Step {
            fault: true,
            ..none
        },
        Returned::Cause(cause) => Step { cause, ..none },
        Returned::Round(round) => Step { round, ..none },
    }
}

/// Whether the chapter speaks of a trace.
pub(super) fn is_asked(input: &TraceInput) -> bool {
    let bytes = || {
        input
            .bytes
            .values()
            .map(|value| (value, digest(value).ok()))
    };
    let spelt_twice = bytes().enumerate().any(|(at, (one, digest))| {
        let same = |(other, like): (&Value, Option<Digest>)| like == digest && other != one;
        bytes().skip(at + 1).any(same)
    });
    let words = input.events.iter().all(|event| match event {
        Event::Set { origin, .. } => !origin.is_empty(),
        Event::Resolved { asked, .. } if asked.origin.is_empty() => false,
        Event::CauseOf(read) | Event::ClassifierRoundOf(read) => {
            let round = read.classified.as_ref().and_then(|it| it.round.as_deref());
            round != Some("")
        }
        other => other.record().is_none_or(|it| !it.origin.is_empty()),
    });
    words && !spelt_twice && !input.bytes.contains_key("")
}

/// What the model answers to a trace.
pub(super) fn expected(input: &TraceInput) -> TraceOutput {
    let labels = Labels::of(input);
    let mut ledger = Ledger::<Recorded>::new(input.call.clone());
    let steps = input.events.iter().map(|event| {
        let returned = ledger.step(&labels.event(event));
        Step {
            settled: labels.write(ledger.settled()),
            ..step(returned)
        }
    });
    TraceOutput {
        steps: steps.collect(),
    }
}
