//! Windows: all that differ in what a control is asked, up to a bound, and random ones.
//!
//! ```
//! use gatespec::generate::{Settings, window};
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::window::Op;
//!
//! let parks = |op: &Op| op.expected().drives.iter().any(|drive| drive.mark.is_some());
//! assert!(window::enumerate(&Settings::default()).take(2_000).any(|op| parks(&op)));
//! ```

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Settings, text};
use crate::model::window::{AfterFault, Window};
use crate::ops::verdict::{True, VerdictOutput};
use crate::ops::window::{Answer, Call, Drive, Op, Run};

/// Every window of up to [`Settings::window_calls`] calls and [`Settings::window_drives`] drives,
/// with every answer to every consult that the model makes, and windows with a repeated id.
///
/// Answers to consults that are not made are left out: a call that is asked about all the same
/// would pass, and run.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let (calls, drives) = (settings.window_calls, settings.window_drives);
    let cases = settings.clone();
    let distinct = (1..=drives).flat_map(move |drives| {
        let settings = cases.clone();
        (1..=calls).flat_map(move |count| {
            let calls = named(&settings, count);
            let run = Run {
                calls,
                drives: Vec::new(),
            };
            let window = run.window();
            grown(&settings, run, &window, drives).into_iter()
        })
    });
    distinct.chain(repeated(settings))
}

/// Calls with this seed's names.
fn named(settings: &Settings, count: usize) -> Vec<Call> {
    let names = settings.names();
    (0..u32::try_from(count).unwrap_or(u32::MAX))
        .map(|at| Call {
            id: names.name("call", at),
            tool: names.name("tool", at),
        })
        .collect()
}

/// A run with every list of so many more drives.
fn grown(settings: &Settings, run: Run, window: &Window, more: usize) -> Vec<Op> {
    if more == 0 {
        return vec![Op::Run(run)];
    }
    let mut all = Vec::new();
    for drive in asked(settings, window, run.drives.len()) {
        let mut window = window.clone();
        drive.run(&mut window, AfterFault::Adjudicate);
        let mut longer = run.clone();
        longer.drives.push(drive);
        all.extend(grown(settings, longer, &window, more - 1));
    }
    all
}

/// Every drive that differs in what its control is asked and answers.
fn asked(settings: &Settings, window: &Window, number: usize) -> Vec<Drive> {
    let mut all = vec![Drive::Removed {}];
    let mut open = vec![BTreeMap::new()];
    for (at, call) in window
        .calls()
        .iter()
        .enumerate()
        .skip(window.results().len())
    {
        let mut on = Vec::new();
        for answers in open {
            for (answer, ends) in answers_at(settings, number * window.calls().len() + at) {
                let mut answers: BTreeMap<String, Answer> = answers.clone();
                answers.insert(call.id.clone(), answer);
                if ends {
                    all.push(Drive::Configured { answers })
                } else {
                    on.push(answers)
                }
            }
        }
        open = on;
    }
    all.extend(
        open.into_iter()
            .map(|answers| Drive::Configured { answers }),
    );
    all
}

/// Every answer, with reasons of its own, and whether it ends the drive.
fn answers_at(settings: &Settings, place: usize) -> [(Answer, bool); 5] {
    let names = settings.names();
    let reason = |kind| names.name(kind, u32::try_from(place).unwrap_or(u32::MAX));
    [
        (Answer::Verdict(VerdictOutput::Pass {}), false),
        (
            Answer::Verdict(VerdictOutput::Refuse {
                reason: reason("refused"),
            }),
            false,
        ),
        (
            Answer::Verdict(VerdictOutput::Hold {
                reason: reason("held"),
            }),
            true,
        ),
        (Answer::Fault { fault: True }, true),
        (Answer::Stopped { stopped: True }, true),
    ]
}

/// Windows in which an id comes twice: two calls, and three with another between, two drives.
fn repeated(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let pair = named(settings, 2);
    let settings = settings.clone();
    [vec![0, 0], vec![0, 1, 0]]
        .into_iter()
        .flat_map(move |order| {
            let calls: Vec<Call> = order
                .iter()
                .filter_map(|&at| pair.get(at).cloned())
                .collect();
            let ids: Vec<String> = pair
                .iter()
                .take(order.len() - 1)
                .map(|call| call.id.clone())
                .collect();
            let drives = |number| every(&settings, &ids, number);
            let seconds = drives(1);
            let mut all = Vec::new();
            for first in drives(0) {
                all.push(Op::Run(Run {
                    calls: calls.clone(),
                    drives: vec![first.clone()],
                }));
                all.extend(seconds.iter().map(|second| {
                    let drives = vec![first.clone(), second.clone()];
                    Op::Run(Run {
                        calls: calls.clone(),
                        drives,
                    })
                }));
            }
            all
        })
}

/// Every drive over these ids, asked or not.
fn every(settings: &Settings, ids: &[String], number: usize) -> Vec<Drive> {
    let mut all = vec![BTreeMap::new()];
    for (at, id) in ids.iter().enumerate() {
        all = all
            .into_iter()
            .flat_map(|answers| {
                answers_at(settings, number * ids.len() + at).map(|(answer, _)| {
                    let mut answers: BTreeMap<String, Answer> = answers.clone();
                    answers.insert(id.clone(), answer);
                    answers
                })
            })
            .collect();
    }
    all.into_iter()
        .map(|answers| Drive::Configured { answers })
        .collect()
}

/// Random windows: more calls and drives than are enumerated, answers to calls that are not asked
/// about, now and then a repeated id.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let (calls, drives) = (settings.window_random_calls, settings.window_random_drives);
    (vec(call(), 1..=calls), prop::bool::weighted(0.05)).prop_flat_map(move |(mut calls, again)| {
        let mut ids: Vec<String> = Vec::new();
        for (at, call) in calls.iter_mut().enumerate() {
            if ids.contains(&call.id) {
                call.id = format!("{}-{at}", call.id);
            }
            ids.push(call.id.clone());
        }
        if again && let ([first, ..], [.., last]) = (&ids[..], &mut calls[..]) {
            last.id.clone_from(first);
        }
        vec(drive(ids), 1..=drives).prop_map(move |drives| {
            Op::Run(Run {
                calls: calls.clone(),
                drives,
            })
        })
    })
}

fn call() -> impl Strategy<Value = Call> {
    ("call-[a-z0-9]{1,6}", "tool-[a-z0-9]{1,6}").prop_map(|(id, tool)| Call { id, tool })
}

fn drive(ids: Vec<String>) -> impl Strategy<Value = Drive> {
    let answers = vec(prop::option::weighted(0.7, answer()), ids.len()).prop_map(move |answers| {
        let said = ids.iter().cloned().zip(answers);
        let answers = said
            .filter_map(|(id, answer)| Some((id, answer?)))
            .collect();
        Drive::Configured { answers }
    });
    prop_oneof![1 => Just(Drive::Removed {}), 7 => answers]
}

fn answer() -> impl Strategy<Value = Answer> {
    let reason = || text("[a-z]{1,6}( [a-z]{1,6})?");
    prop_oneof![
        5 => Just(Answer::Verdict(VerdictOutput::Pass {})),
        2 => reason().prop_map(|reason| Answer::Verdict(VerdictOutput::Refuse { reason })),
        3 => reason().prop_map(|reason| Answer::Verdict(VerdictOutput::Hold { reason })),
        2 => Just(Answer::Fault { fault: True }),
        1 => Just(Answer::Stopped { stopped: True }),
    ]
}
