//! Smaller traces: an event less, a member less, a plainer word, then what does not count made to.
//!
//! Steps go down in bytes of JSON, and among equals in the order of that text, so they end.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Asked, Attestation, Classified, DigestInput, Event, Resolution, TraceInput};
use crate::model::outcome::{Approver, Refusal, Settlement};

/// Where a case stands: its bytes, then its text.
fn order<T: Serialize>(case: &T) -> (usize, String) {
    let text = serde_json::to_string(case).unwrap_or_default();
    (text.len(), text)
}

/// Traces one step smaller.
pub(super) fn traces(input: &TraceInput) -> Vec<TraceInput> {
    let here = order(input);
    let mut all: Vec<TraceInput> = (0..input.events.len())
        .map(|cut| {
            let mut less = input.clone();
            less.events.remove(cut);
            less
        })
        .collect();
    for (at, event) in input.events.iter().enumerate() {
        for plainer in events(&input.call, event) {
            let mut less = input.clone();
            if let Some(place) = less.events.get_mut(at) {
                *place = plainer;
            }
            all.push(less);
        }
    }
    all.extend(classes(input));
    all.extend(bytes(input));
    for less in &mut all {
        prune(less);
    }
    all.retain(|less| order(less) < here);
    all
}

/// Drops the bytes that no event names.
fn prune(input: &mut TraceInput) {
    let named: BTreeSet<&str> = input.events.iter().flat_map(Event::labels).collect();
    let kept = input
        .bytes
        .iter()
        .filter(|(label, _)| named.contains(label.as_str()));
    input.bytes = kept
        .map(|(label, bytes)| (label.clone(), bytes.clone()))
        .collect();
}

/// The trace without one class, wherever it stands, and with its labels' bytes made plain.
fn classes(input: &TraceInput) -> Vec<TraceInput> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    let mut each = input.clone();
    each.events
        .iter_mut()
        .flat_map(class_sets)
        .for_each(|set| words.extend(set.iter().cloned()));
    words
        .iter()
        .map(|word| {
            let mut less = input.clone();
            less.events
                .iter_mut()
                .flat_map(class_sets)
                .for_each(|set| set.retain(|c| c != word));
            less
        })
        .collect()
}

fn class_sets(event: &mut Event) -> Vec<&mut Vec<String>> {
    match event {
        Event::Resolved {
            resolution, asked, ..
        } => {
            let record = resolution.record.as_mut().map(|record| &mut record.classes);
            record.into_iter().chain([&mut asked.classes]).collect()
        }
        Event::Decision { record, .. } => record
            .iter_mut()
            .map(|record| &mut record.classes)
            .collect(),
        _ => Vec::new(),
    }
}

/// The trace with the first label in another's place, and with plainer bytes.
fn bytes(input: &TraceInput) -> Vec<TraceInput> {
    let mut all = Vec::new();
    let Some(first) = input.bytes.keys().next() else {
        return all;
    };
    for label in input.bytes.keys().skip(1) {
        let mut less = input.clone();
        for place in less.events.iter_mut().flat_map(labels) {
            if place == label {
                place.clone_from(first);
            }
        }
        all.push(less);
    }
    let mut plain = input.clone();
    for (at, bytes) in plain.bytes.values_mut().enumerate() {
        *bytes = json!(at);
    }
    let distinct = |input: &TraceInput| {
        let all: Vec<String> = input.bytes.values().map(Value::to_string).collect();
        all.iter().collect::<BTreeSet<_>>().len() == all.len()
    };
    if distinct(input) {
        all.push(plain);
    }
    all
}

fn labels(event: &mut Event) -> Vec<&mut String> {
    match event {
        Event::Resolved {
            resolution,
            request,
            ..
        } => {
            let record = resolution
                .record
                .as_mut()
                .map(|record| &mut record.digest_of);
            record
                .into_iter()
                .chain(resolution.edited.as_mut())
                .chain([request])
                .collect()
        }
        Event::Decision { record, runs, .. } => record
            .iter_mut()
            .map(|record| &mut record.digest_of)
            .chain([runs])
            .collect(),
        Event::KeepForBytes { runs } => vec![runs],
        _ => Vec::new(),
    }
}

/// Plainer events in the place of one.
fn events(call: &str, event: &Event) -> Vec<Event> {
    let mut all = Vec::new();
    match event {
        Event::Set { origin, .. } => {
            all.push(Event::Set {
                reason: Refusal::Timeout,
                origin: origin.clone(),
            });
        }
        Event::Resolved {
            resolution,
            asked,
            request,
        } => {
            let with = |resolution: Resolution| Event::Resolved {
                resolution,
                asked: asked.clone(),
                request: request.clone(),
            };
            let licensed = resolution.edited.as_ref().unwrap_or(request);
            all.push(with(Resolution {
                record: None,
                ..resolution.clone()
            }));
            all.push(with(Resolution {
                edited: None,
                ..resolution.clone()
            }));
            all.push(with(Resolution {
                settlement: false,
                ..resolution.clone()
            }));
            let posture = Asked {
                real_approval: false,
                ..asked.clone()
            };
            all.push(Event::Resolved {
                resolution: resolution.clone(),
                asked: posture,
                request: request.clone(),
            });
            for record in resolution.record.iter().flat_map(|r| records(call, r)) {
                all.push(with(Resolution {
                    record: Some(record),
                    ..resolution.clone()
                }));
            }
            if let Some(record) = &resolution.record {
                let aligned = [
                    Attestation {
                        origin: asked.origin.clone(),
                        ..record.clone()
                    },
                    Attestation {
                        classes: asked.classes.clone(),
                        ..record.clone()
                    },
                    Attestation {
                        digest_of: licensed.clone(),
                        ..record.clone()
                    },
                ];
                all.extend(aligned.map(|record| {
                    with(Resolution {
                        record: Some(record),
                        ..resolution.clone()
                    })
                }));
            }
        }
        Event::Decision {
            decision,
            record,
            runs,
        } => {
            let with = |record: Option<Attestation>| Event::Decision {
                decision: *decision,
                record,
                runs: runs.clone(),
            };
            all.push(with(None));
            all.extend(
                record
                    .iter()
                    .flat_map(|r| records(call, r))
                    .map(|r| with(Some(r))),
            );
            // no clause looks at the classes of a decision's record
            all.extend(record.iter().map(|r| {
                with(Some(Attestation {
                    classes: Vec::new(),
                    ..r.clone()
                }))
            }));
        }
        Event::CauseOf(reading) | Event::ClassifierRoundOf(reading) => {
            for classified in classifieds(call, reading.classified.as_ref()) {
                let mut reading = reading.clone();
                reading.classified = classified;
                all.push(match event {
                    Event::CauseOf(_) => Event::CauseOf(reading),
                    _ => Event::ClassifierRoundOf(reading),
                });
            }
        }
        Event::Supersede {} | Event::KeepForBytes { .. } => {}
    }
    // every label may be the one before it
    let mut relabelled = event.clone();
    let places = labels(&mut relabelled).len();
    for at in 0..places {
        let mut less = event.clone();
        let least = event.labels().min().unwrap_or_default().to_owned();
        if let Some(place) = labels(&mut less).into_iter().nth(at) {
            *place = least;
        }
        all.push(less);
    }
    all
}

/// Plainer records: of this call, with a plainer settlement, with its classes in order and once.
fn records(call: &str, record: &Attestation) -> Vec<Attestation> {
    let plain = match record.settlement {
        Settlement::Approved { .. } => Settlement::Approved {
            by: Approver::Person,
        },
        Settlement::Refused { .. } => Settlement::Refused {
            reason: Refusal::Timeout,
        },
    };
    let sorted: BTreeSet<String> = record.classes.iter().cloned().collect();
    vec![
        Attestation {
            call: call.to_owned(),
            ..record.clone()
        },
        Attestation {
            settlement: plain,
            ..record.clone()
        },
        Attestation {
            classes: sorted.into_iter().collect(),
            ..record.clone()
        },
    ]
}

fn classifieds(call: &str, classified: Option<&Classified>) -> Vec<Option<Classified>> {
    let Some(classified) = classified else {
        return Vec::new();
    };
    vec![
        None,
        Some(Classified {
            cause: None,
            ..classified.clone()
        }),
        Some(Classified {
            round: None,
            ..classified.clone()
        }),
        Some(Classified {
            call: call.to_owned(),
            ..classified.clone()
        }),
    ]
}

/// Pairs of inputs one step smaller: without their outermost layer, or a member or an item less.
pub(super) fn digests(input: &DigestInput) -> Vec<DigestInput> {
    let here = order(input);
    let same = input.a == input.b;
    let mut all: Vec<DigestInput> = Vec::new();
    if same {
        all.extend(
            values(&input.a)
                .into_iter()
                .map(|a| DigestInput { b: a.clone(), a }),
        );
    } else {
        for (a, b) in layers(&input.a, &input.b) {
            all.push(DigestInput { a, b });
        }
    }
    all.retain(|less| order(less) < here && (less.a == less.b) == same);
    all
}

/// The parts of a value.
fn values(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::Object(members) => members.values().cloned().collect(),
        _ => vec![Value::Null],
    }
}

/// Two values without what they share: one shared part taken off, or one layer of both.
fn layers(a: &Value, b: &Value) -> Vec<(Value, Value)> {
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            let shared = one
                .iter()
                .filter(|(name, value)| other.get(*name) == Some(value));
            let mut all: Vec<(Value, Value)> = shared
                .map(|(name, _)| {
                    let (mut one, mut other) = (one.clone(), other.clone());
                    one.remove(name);
                    other.remove(name);
                    (Value::Object(one), Value::Object(other))
                })
                .collect();
            let both = one
                .iter()
                .filter_map(|(name, value)| Some((value, other.get(name)?)));
            all.extend(both.map(|(one, other)| (one.clone(), other.clone())));
            all
        }
        (Value::Array(one), Value::Array(other)) => one
            .iter()
            .zip(other)
            .map(|(one, other)| (one.clone(), other.clone()))
            .collect(),
        _ => Vec::new(),
    }
}
