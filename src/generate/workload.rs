//! The standard workloads of the benches: the same for the model, for an adapter (`gatespec bench`)
//! and for a Rust implementation's own benches.
//!
//! ```
//! use gatespec::generate::workload;
//! let keys = workload::short_keys(1000, 1);
//! let plan = keys.iter().filter(|key| gatespec::model::key::plan_key(key).is_some()).count();
//! assert!(plan > 500);
//! ```

use super::Settings;
use crate::model::ledger::{Asked, Attestation, Event, Numbered, Resolution, Verdict};
use crate::model::outcome::{Approver, Decision, Facts, Refusal, Settlement};
use crate::ops::Op;
use crate::ops::key::{self, Subject};
use crate::ops::outcome::{self, MintInput};
use crate::ops::{Text, ledger};

/// Subjects one behind the other, so that reading them costs the same for everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Keys {
    /// Each subject.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let end = end as usize;
            let key = self.bytes.get(start..end).unwrap_or_default();
            start = end;
            key
        })
    }

    /// How many subjects there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes all of them have.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

impl<K: AsRef<[u8]>> FromIterator<K> for Keys {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut all = Self::default();
        for key in keys {
            all.bytes.extend_from_slice(key.as_ref());
            all.ends
                .push(u32::try_from(all.bytes.len()).unwrap_or(u32::MAX));
        }
        all
    }
}

/// A small generator of numbers: what it gives is part of the workload.
struct Draw(u64);

impl Draw {
    const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound.max(1)
    }
}

/// Mixed short subjects, all of them different, in no order: half are nodes and Steps inside and
/// outside of a loop, the rest call ids, instances, and some that are no plan key.
#[must_use]
pub fn short_keys(count: u32, seed: u64) -> Keys {
    let mut draw = Draw::new(seed);
    (0..count)
        .map(|index| {
            // an odd factor keeps the indices apart and scatters them
            let name = name(index.wrapping_mul(0x9e37_79b1), &mut draw);
            let step = ["run", "fetch:page", "write", "a:step:b"]
                .get(draw.below(4) as usize)
                .copied()
                .unwrap_or("run");
            let (iteration, more) = (draw.below(120), draw.below(5_000_000));
            match draw.below(20) {
                0..5 => format!("node:{name}"),
                5..9 => format!("node:iter:{iteration}:{name}"),
                9..12 => format!("node:{name}:step:{step}"),
                12..14 => format!("node:iter:{iteration}:{name}:step:{step}"),
                14 => format!("node:iter:{more}:{name}"),
                15 => format!("node:{name}:taint"),
                16 => format!("node:iter:0{iteration}:{name}"),
                17 => format!("toolu_{name}#taint"),
                _ => format!("toolu_{name}"),
            }
        })
        .collect()
}

/// A name for this number, the number spelt in it, of changing length.
fn name(number: u32, draw: &mut Draw) -> String {
    const WORDS: [&str; 8] = [
        "",
        "x",
        "plan_",
        "fetch-",
        "Review#",
        "summarise_",
        "é",
        "iter",
    ];
    let word = WORDS
        .get(draw.below(8) as usize)
        .copied()
        .unwrap_or_default();
    format!("{word}{number:x}")
}

/// Nodes whose names have a thousand bytes and more, 1,024 with their prefix.
#[must_use]
pub fn long_names(count: u32, seed: u64) -> Keys {
    let mut draw = Draw::new(seed);
    (0..count)
        .map(|_| {
            let mut key = b"node:".to_vec();
            key.extend((5..1024).map(|_| b'a' + draw.below(26) as u8));
            key
        })
        .collect()
}

/// Subjects that are wrong as late as they can be, or look like another form for long.
#[must_use]
pub fn near_misses(count: u32, seed: u64) -> Keys {
    let mut draw = Draw::new(seed);
    (0..count)
        .map(|index| {
            let name = name(index, &mut draw);
            let number = draw.below(1 << 40);
            match draw.below(12) {
                0 => format!("node:iter:0{number}:{name}"),
                1 => format!("node:iter:9223372036854775808:{name}"),
                2 => format!("node:iter:{number}x:{name}"),
                3 => format!("node:iter:{number}"),
                4 => format!("node:iter:{number}::step:{name}"),
                5 => format!("node:{name}:step:"),
                6 => format!("node:{name}:steq:{name}"),
                7 => format!("node:{name}:step"),
                8 => format!("node:iter:9223372036854775807:{name}"),
                9 => format!("node:iter:{number}:step:{name}"),
                10 => format!("nodes:{name}:step:{name}"),
                _ => format!("node:iter:step:{name}:taint"),
            }
        })
        .collect()
}

/// Events of one call's ledger, in the numbers that need no allocation: as many that count as do
/// not, in no order that a branch predictor could learn.
#[must_use]
pub fn events(count: u32, seed: u64) -> Vec<Event<Numbered>> {
    let mut draw = Draw::new(seed);
    (0..count).map(|_| event(&mut draw)).collect()
}

fn event(draw: &mut Draw) -> Event<Numbered> {
    let mut digest = [0u8; 32];
    for part in digest.as_chunks_mut::<8>().0 {
        *part = draw.below(u64::MAX).to_le_bytes();
    }
    let mut other = digest;
    if let Some(last) = other.last_mut() {
        *last ^= 1;
    }
    let pick = |draw: &mut Draw, one: [u8; 32], two: [u8; 32]| {
        if draw.below(4) == 0 { two } else { one }
    };
    let settlement = match draw.below(4) {
        0 => Settlement::Refused {
            reason: Refusal::Timeout,
        },
        1 => Settlement::Approved {
            by: Approver::Delegate,
        },
        _ => Settlement::Approved {
            by: Approver::Person,
        },
    };
    let record = Attestation {
        call: u32::from(draw.below(8) == 0),
        origin: u32::from(draw.below(8) == 0),
        classes: if draw.below(8) == 0 { 0b101 } else { 0b111 },
        digest: pick(draw, digest, other),
        settlement,
    };
    let record = (draw.below(6) > 0).then_some(record);
    let decision = if draw.below(3) == 0 {
        Decision::Deny
    } else {
        Decision::Allow
    };
    match draw.below(16) {
        0 => Event::Set {
            reason: Refusal::UnshownContent,
            origin: 0,
        },
        1..8 => Event::Resolved {
            resolution: Resolution {
                decision,
                record,
                edited: (draw.below(8) == 0).then_some(other),
                retired: draw.below(64) == 0,
            },
            asked: Asked {
                origin: 0,
                classes: 0b111,
                real_approval: draw.below(2) == 0,
            },
            request: digest,
        },
        8..13 => Event::Decision {
            decision: match draw.below(4) {
                0 => Verdict::Ask,
                1 => Verdict::Deny,
                _ => Verdict::Allow,
            },
            record,
            runs: digest,
        },
        13 => Event::Supersede,
        _ => Event::KeepForBytes {
            runs: pick(draw, digest, other),
        },
    }
}

/// Every fact of the mint, in an order that no branch predictor could learn.
#[must_use]
pub fn facts(seed: u64) -> Vec<Facts> {
    let mut draw = Draw::new(seed);
    let mut all = super::outcome::facts(&Settings::seeded(seed));
    for at in (1..all.len()).rev() {
        all.swap(at, draw.below(at as u64 + 1) as usize);
    }
    all
}

/// The workload of a suite as questions to an adapter, repeated up to `count`; `None` for a suite
/// that has none.
#[must_use]
pub fn ops(suite: crate::model::Suite, count: u32, settings: &Settings) -> Option<Vec<Op>> {
    use crate::model::Suite;
    let count = count as usize;
    Some(match suite {
        Suite::Key => short_keys(u32::try_from(count).unwrap_or(u32::MAX), settings.seed)
            .iter()
            .enumerate()
            .map(|(at, key)| {
                let subject = Subject {
                    subject: Text::from(key),
                };
                Op::Key(if at % 2 == 0 {
                    key::Op::PlanKey(subject)
                } else {
                    key::Op::Base(subject)
                })
            })
            .collect(),
        Suite::Outcome => facts(settings.seed)
            .into_iter()
            .cycle()
            .take(count)
            .map(|facts| Op::Outcome(outcome::Op::Mint(MintInput { facts })))
            .collect(),
        Suite::Ledger => {
            let traces = super::ledger::enumerate(settings)
                .filter(|op| matches!(op, ledger::Op::Trace(trace) if trace.events.len() > 1));
            let traces: Vec<Op> = traces
                .step_by(7)
                .take(count.min(4096))
                .map(Op::Ledger)
                .collect();
            traces.iter().cycle().take(count).cloned().collect()
        }
        _ => return None,
    })
}
