//! Ledger events on digests against a hand-written minimum, and with the hashing of the bytes.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench"
)]

mod common;

use common::Contest;
use gatespec::generate::workload;
use gatespec::model::digest::digest;
use gatespec::model::ledger::{Event, Ledger, Numbered, Returned, Settled, Verdict};
use gatespec::model::outcome::{Decision, Layer, Refusal, Settlement};
use serde_json::{Value, json};

/// The least that a machine of these events can do, written by hand for this bench alone: one match
/// over the event, every comparison that the law demands, and a state that is overwritten.
#[inline]
fn least(
    settled: &mut Option<Settled<Numbered>>,
    call: u32,
    event: &Event<Numbered>,
) -> Returned<Numbered> {
    let refused = |settled: &mut Option<Settled<Numbered>>, reason, origin| {
        *settled = Some(Settled::Refused { reason, origin });
        Returned::Deny(Layer::AskResolution)
    };
    match event {
        Event::Set { reason, origin } => {
            *settled = Some(Settled::Refused {
                reason: *reason,
                origin: *origin,
            });
            Returned::Nothing
        }
        Event::Resolved {
            resolution,
            asked,
            request,
        } => {
            if resolution.retired {
                return Returned::Fault;
            }
            let bytes = resolution.edited.as_ref().unwrap_or(request);
            let counts = resolution.record.as_ref().filter(|record| {
                record.call == call
                    && record.origin == asked.origin
                    && record.classes == asked.classes
                    && record.digest == *bytes
            });
            let contract = Refusal::ApproverContract;
            match counts {
                Some(record) => match (record.settlement, resolution.decision) {
                    (Settlement::Refused { reason }, _) => refused(settled, reason, asked.origin),
                    (Settlement::Approved { by }, Decision::Allow) => {
                        *settled = Some(Settled::Approved {
                            by,
                            origin: asked.origin,
                            licensed: *bytes,
                        });
                        Returned::Allow
                    }
                    _ => refused(settled, contract, asked.origin),
                },
                None if resolution.decision == Decision::Allow && !asked.real_approval => {
                    Returned::Allow
                }
                None => refused(settled, contract, asked.origin),
            }
        }
        Event::Decision {
            decision,
            record,
            runs,
        } => {
            if *decision == Verdict::Ask {
                return Returned::Ask;
            }
            let deny = *decision == Verdict::Deny;
            match record.as_ref().filter(|record| record.call == call) {
                None if deny => Returned::Deny(Layer::Policy),
                None => Returned::Allow,
                Some(record) => match record.settlement {
                    Settlement::Refused { reason } => refused(settled, reason, record.origin),
                    Settlement::Approved { by } => {
                        if deny || record.digest == *runs {
                            *settled = Some(Settled::Approved {
                                by,
                                origin: record.origin,
                                licensed: record.digest,
                            });
                        }
                        if deny {
                            Returned::Deny(Layer::Policy)
                        } else {
                            Returned::Allow
                        }
                    }
                },
            }
        }
        Event::Supersede => {
            *settled = None;
            Returned::Nothing
        }
        Event::KeepForBytes { runs } => {
            if matches!(settled, Some(Settled::Approved { licensed, .. }) if licensed != runs) {
                *settled = None;
            }
            Returned::Nothing
        }
        _ => Returned::Nothing,
    }
}

fn said(returned: &Returned<Numbered>) -> u64 {
    match returned {
        Returned::Nothing => 1,
        Returned::Allow => 2,
        Returned::Ask => 3,
        Returned::Deny(Layer::Policy) => 5,
        Returned::Deny(_) => 7,
        Returned::Fault => 11,
        Returned::Cause(_) | Returned::Round(_) => 13,
    }
}

fn end(sum: u64, settled: Option<&Settled<Numbered>>) -> u64 {
    match settled {
        None => sum,
        Some(Settled::Refused { reason, .. }) => sum + 100 + *reason as u64,
        Some(Settled::Approved { by, licensed, .. }) => {
            sum + 200 + *by as u64 + u64::from(licensed[0])
        }
    }
}

fn main() {
    let mut criterion = common::criterion();
    // as many as stay in the second cache, gone over again and again
    let events = workload::events(2048, 7);
    let model = || {
        let mut ledger = Ledger::<Numbered>::new(0);
        let mut sum = 0;
        for event in &events {
            sum += said(&ledger.step(event));
        }
        end(sum, ledger.settled())
    };
    let bare = || {
        let mut settled = None;
        let mut sum = 0;
        for event in &events {
            sum += said(&least(&mut settled, 0, event));
        }
        end(sum, settled.as_ref())
    };
    assert_eq!(model(), bare());
    Contest::new("ledger on digests", events.len() as u64, "events")
        .way("gatespec", model)
        .way("hand-written minimum", bare)
        .way("with the clause of each", || {
            let mut ledger = Ledger::<Numbered>::new(0);
            let mut sum = 0;
            for event in &events {
                sum += ledger.deciding(event) as u64;
                sum += said(&ledger.step(event));
            }
            end(sum, ledger.settled())
        })
        .run(&mut criterion);

    // a call's input as agents send it: about 300 bytes
    let inputs: Vec<Value> = (0..64)
        .map(|n| {
            json!({
                "command": format!("cargo test --test laws window_{n} -- --nocapture"),
                "cwd": "/home/user/project/service", "timeout": 120_000 + n,
                "env": { "RUST_LOG": "info", "CI": "1" },
                "description": "Run the tests of the window suite and show what they print",
                "paths": ["src/model/window.rs", "src/laws/window.rs", "tests/laws/window.rs"],
            })
        })
        .collect();
    let canonical = || {
        let bytes = inputs
            .iter()
            .map(|input| gatespec::model::digest::canonical(input).unwrap());
        bytes.map(|bytes| bytes.len() as u64).sum::<u64>()
    };
    Contest::new(
        "ledger case with hashing: a digest, then 3 events",
        inputs.len() as u64,
        "cases",
    )
    .way("gatespec, all of it", || {
        let mut sum = 0;
        for (input, events) in inputs.iter().zip(events.chunks(3)) {
            sum += u64::from(digest(input).unwrap()[0]);
            let mut ledger = Ledger::<Numbered>::new(0);
            for event in events {
                sum += said(&ledger.step(event));
            }
        }
        sum
    })
    .way("canonical JSON alone", canonical)
    .way("canonical JSON and SHA-256", || {
        inputs
            .iter()
            .map(|input| u64::from(digest(input).unwrap()[0]))
            .sum()
    })
    .way("the events alone", || {
        let mut sum = 0;
        for (_, events) in inputs.iter().zip(events.chunks(3)) {
            let mut ledger = Ledger::<Numbered>::new(0);
            for event in events {
                sum += said(&ledger.step(event));
            }
        }
        sum
    })
    .run(&mut criterion);
    criterion.final_summary();
}
