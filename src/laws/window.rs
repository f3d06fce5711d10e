//! The laws of a window, and an oracle that cuts each drive out of the list of calls.
//!
//! ```
//! use gatespec::laws::window::reading;
//! use gatespec::model::window::AfterFault;
//! use gatespec::ops::window::{Call, Drive, Run};
//!
//! let calls = vec![Call { id: "a".into(), tool: "ls".into() }];
//! let run = Run { calls, drives: vec![Drive::Removed {}, Drive::Removed {}] };
//! // read at once, and walked by the model
//! assert_eq!(reading(&run, AfterFault::Adjudicate), run.drives(AfterFault::Adjudicate));
//! ```

use std::collections::BTreeMap;

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::verdict::Gate;
use crate::model::window::{AfterFault, Call, Drive, End, Event, Kind, Mark};
use crate::ops::window::{Drive as Asked, Op, Run};

const WAYS: [AfterFault; 2] = [AfterFault::Adjudicate, AfterFault::Settle];

/// What the drives of a case come to, read without walking: in each drive the calls from the first
/// unanswered to the first that its control neither passes nor refuses are the ones that it looks
/// at, and everything else follows from where that list is cut.
#[must_use]
pub fn reading(run: &Run, after: AfterFault) -> Vec<Drive> {
    let calls: Vec<Call> = run.calls.iter().map(Call::from).collect();
    let (mut answered, mut mark, mut faulted) = (0, None, false);
    let mut drives = Vec::new();
    for asked in &run.drives {
        let (drive, now) = read(
            &calls,
            asked,
            answered,
            mark.clone(),
            faulted && after == AfterFault::Settle,
        );
        answered = now;
        mark.clone_from(&drive.mark);
        faulted = drive.end == End::Fault && mark.is_none();
        drives.push(drive);
    }
    drives
}

/// One drive of the reading, and how many calls are answered after it.
fn read(
    calls: &[Call],
    asked: &Asked,
    answered: usize,
    mark: Option<Mark>,
    settle: bool,
) -> (Drive, usize) {
    let mut events = Vec::new();
    let id = |call: &Call| call.id.clone();
    let (_, open) = calls.split_at(answered.min(calls.len()));
    if settle || open.is_empty() {
        events.extend(open.iter().map(|call| Event::Committed {
            id: id(call),
            kind: Kind::Interrupted,
        }));
        events.extend(mark.map(|mark| Event::Lifted { id: mark.id }));
        return (
            Drive {
                events,
                end: End::Done,
                mark: None,
            },
            calls.len(),
        );
    }
    let goes_on =
        |call: &&Call| matches!(asked.gate(&call.id), Gate::Proceed | Gate::Refuse { .. });
    let through = open.iter().take_while(goes_on).count();
    let (through, rest) = open.split_at(through);
    let consults = matches!(asked, Asked::Configured { .. });
    let consulted = |call: &Call| consults.then(|| Event::Consulted { id: id(call) });
    for (place, call) in through.iter().enumerate() {
        let lifted = mark
            .iter()
            .filter(|_| place == 0)
            .map(|mark| Event::Lifted {
                id: mark.id.clone(),
            });
        let runs = asked.gate(&call.id) == Gate::Proceed;
        let kind = if runs { Kind::Result } else { Kind::Refusal };
        events.extend(consulted(call));
        events.extend(lifted);
        events.extend(runs.then(|| Event::Executed { id: id(call) }));
        events.push(Event::Committed { id: id(call), kind });
    }
    let standing = mark.filter(|_| through.is_empty());
    let now = answered + through.len();
    let Some(cut) = rest.first() else {
        return (
            Drive {
                events,
                end: End::Done,
                mark: None,
            },
            now,
        );
    };
    events.extend(consulted(cut));
    match asked.gate(&cut.id) {
        Gate::Hold { reason } => {
            let mark = Mark {
                id: id(cut),
                tool: cut.tool.clone(),
                reason,
            };
            (
                Drive {
                    events,
                    end: End::Held,
                    mark: Some(mark),
                },
                now,
            )
        }
        Gate::Stopped => {
            events.extend(rest.iter().map(|call| Event::Committed {
                id: id(call),
                kind: Kind::Interrupted,
            }));
            (
                Drive {
                    events,
                    end: End::Stopped,
                    mark: standing,
                },
                calls.len(),
            )
        }
        _ => (
            Drive {
                events,
                end: End::Fault,
                mark: standing,
            },
            now,
        ),
    }
}

/// A law of the drives of a case, whichever way it goes after a fault.
fn of_drives(
    op: &Op,
    check: impl Fn(&Run, &[Drive]) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let Op::Run(run) = op;
    if run.repeats() {
        return Ok(());
    }
    WAYS.into_iter()
        .try_for_each(|after| check(run, &run.drives(after)))
}

/// A law of each drive, with the drive before it.
fn of_each(
    op: &Op,
    check: impl Fn(&Asked, Option<&Drive>, &Drive) -> Result<(), Violation>,
) -> Result<(), Violation> {
    of_drives(op, |run, drives| {
        let before = std::iter::once(None).chain(drives.iter().map(Some));
        run.drives
            .iter()
            .zip(before.zip(drives))
            .try_for_each(|(asked, (before, drive))| check(asked, before, drive))
    })
}

fn ends(op: &Op, end: End) -> bool {
    let Op::Run(run) = op;
    run.drives(AfterFault::Adjudicate)
        .iter()
        .any(|drive| drive.end == end)
}

/// Whether a drive comes with a mark and ends so.
fn marked(op: &Op, wanted: impl Fn(&Drive) -> bool) -> bool {
    let Op::Run(run) = op;
    let drives = run.drives(AfterFault::Adjudicate);
    let next = drives.iter().skip(1);
    drives
        .iter()
        .zip(next)
        .any(|(before, drive)| before.mark.is_some() && wanted(drive))
}

fn committed(drive: &Drive) -> impl Iterator<Item = (&String, Kind)> {
    drive.events.iter().filter_map(|event| match event {
        Event::Committed { id, kind } => Some((id, *kind)),
        _ => None,
    })
}

fn executed(drive: &Drive) -> impl Iterator<Item = &String> {
    drive.events.iter().filter_map(|event| match event {
        Event::Executed { id } => Some(id),
        _ => None,
    })
}

/// The laws, each of every case of the suite.
pub const LAWS: &[Law<Op>] = &[
    Law {
        id: "the_walk_and_the_reading_agree",
        sentence: "What the model does, step by step, is what cutting the list of calls gives.",
        clauses: &[
            Clause::Win01,
            Clause::Win05,
            Clause::Win06,
            Clause::Win07,
            Clause::Win09,
            Clause::Win13,
            Clause::Win19,
            Clause::Win20,
        ],
        reaches: |op| ends(op, End::Fault),
        check: |op| {
            let Op::Run(run) = op;
            WAYS.into_iter().try_for_each(|after| {
                let read = reading(run, after);
                ensure(run.drives(after) == read, || {
                    format!("{after:?}: the reading is {read:?}")
                })
            })
        },
    },
    Law {
        id: "no_call_runs_twice_or_has_two_results",
        sentence: "Over all drives each call is executed at most once and committed at most once.",
        clauses: &[Clause::Win08, Clause::Win14],
        reaches: |op| ends(op, End::Held),
        check: |op| {
            of_drives(op, |_, drives| {
                let mut ran: BTreeMap<&String, u32> = BTreeMap::new();
                let mut results: BTreeMap<&String, u32> = BTreeMap::new();
                for drive in drives {
                    executed(drive).for_each(|id| *ran.entry(id).or_default() += 1);
                    committed(drive).for_each(|(id, _)| *results.entry(id).or_default() += 1);
                }
                let most = ran.values().chain(results.values()).max();
                ensure(most.is_none_or(|most| *most == 1), || {
                    format!("{ran:?}, {results:?}")
                })
            })
        },
    },
    Law {
        id: "results_commit_in_the_order_of_the_calls",
        sentence: "The results committed over all drives are those of the first calls, in their order.",
        clauses: &[Clause::Win01, Clause::Win15],
        reaches: |op| ends(op, End::Held),
        check: |op| {
            of_drives(op, |run, drives| {
                let results: Vec<&String> = drives
                    .iter()
                    .flat_map(committed)
                    .map(|(id, _)| id)
                    .collect();
                let calls: Vec<&String> = run.calls.iter().map(|call| &call.id).collect();
                ensure(calls.starts_with(&results), || {
                    format!("they are {results:?}")
                })
            })
        },
    },
    Law {
        id: "no_call_runs_unadjudicated",
        sentence: "A call that executes was passed in that drive, or no control was configured in it.",
        clauses: &[Clause::Win02, Clause::Win03, Clause::Win04, Clause::Win20],
        reaches: |op| ends(op, End::Done),
        check: |op| {
            of_each(op, |asked, _, drive| {
                let consulted =
                    |id: &String| drive.events.contains(&Event::Consulted { id: id.clone() });
                let removed = matches!(asked, Asked::Removed {});
                let wrong = executed(drive)
                    .find(|id| asked.gate(id) != Gate::Proceed || consulted(id) == removed);
                ensure(wrong.is_none(), || format!("{wrong:?} runs in {drive:?}"))
            })
        },
    },
    Law {
        id: "what_runs_is_what_has_a_result",
        sentence: "A call executes exactly where what it gave is committed, and first.",
        clauses: &[Clause::Win03, Clause::Win04, Clause::Win15],
        reaches: |op| ends(op, End::Done),
        check: |op| {
            of_each(op, |_, _, drive| {
                let ran: Vec<&String> = executed(drive).collect();
                let gave: Vec<&String> = committed(drive)
                    .filter_map(|(id, kind)| (kind == Kind::Result).then_some(id))
                    .collect();
                let ordered = drive.events.windows(2).all(|pair| match pair {
                    [Event::Executed { id }, next] => {
                        *next
                            == Event::Committed {
                                id: id.clone(),
                                kind: Kind::Result,
                            }
                    }
                    _ => true,
                });
                ensure(ran == gave && ordered, || {
                    format!("ran {ran:?}, gave {gave:?}")
                })
            })
        },
    },
    Law {
        id: "a_hold_is_the_last_word_of_its_drive",
        sentence: "Nothing follows the consult about the held call, and the mark says which and why.",
        clauses: &[Clause::Win06, Clause::Win07, Clause::Win13],
        reaches: |op| marked(op, |drive| drive.end == End::Held),
        check: |op| {
            of_each(op, |asked, _, drive| {
                if drive.end != End::Held {
                    return Ok(());
                }
                let last = drive.events.last();
                let said = match (last, &drive.mark) {
                    (Some(Event::Consulted { id }), Some(mark)) => {
                        *id == mark.id
                            && asked.gate(id)
                                == Gate::Hold {
                                    reason: mark.reason.clone(),
                                }
                    }
                    _ => false,
                };
                ensure(said, || format!("{last:?} and {:?}", drive.mark))
            })
        },
    },
    Law {
        id: "a_mark_lifts_before_its_call_is_settled",
        sentence: "A marked call that executes or is refused has its mark lifted first, in that drive.",
        clauses: &[Clause::Win10, Clause::Win11],
        reaches: |op| marked(op, |drive| executed(drive).next().is_some()),
        check: |op| {
            of_each(op, |_, before, drive| {
                let Some(mark) = before.and_then(|before| before.mark.as_ref()) else {
                    return Ok(());
                };
                let place = |wanted: &dyn Fn(&Event) -> bool| drive.events.iter().position(wanted);
                let lifted = place(&|event| {
                    *event
                        == Event::Lifted {
                            id: mark.id.clone(),
                        }
                });
                let settled = place(&|event| match event {
                    Event::Executed { id } => *id == mark.id,
                    Event::Committed { id, kind } => *id == mark.id && *kind == Kind::Refusal,
                    _ => false,
                });
                let ordered =
                    settled.is_none_or(|settled| lifted.is_some_and(|lifted| lifted < settled));
                ensure(ordered, || {
                    format!("lifted at {lifted:?}, settled at {settled:?}")
                })
            })
        },
    },
    Law {
        id: "a_fault_under_a_mark_changes_nothing",
        sentence: "A drive whose first consult fails under a mark leaves that mark and commits nothing.",
        clauses: &[Clause::Win12, Clause::Win19],
        reaches: |op| marked(op, |drive| drive.end == End::Fault && drive.mark.is_some()),
        check: |op| {
            of_each(op, |_, before, drive| {
                let mark = before.and_then(|before| before.mark.as_ref());
                let first = drive.end == End::Fault && drive.events.len() == 1;
                let kept = !first || drive.mark.as_ref() == mark;
                ensure(kept, || format!("{mark:?} becomes {:?}", drive.mark))
            })
        },
    },
    Law {
        id: "no_mark_outlives_a_drive_that_is_done",
        sentence: "A drive that is done leaves no mark and no call without result.",
        clauses: &[Clause::Win10, Clause::Win18, Clause::Win22],
        reaches: |op| marked(op, |drive| drive.end == End::Done),
        check: |op| {
            of_drives(op, |run, drives| {
                let mut answered = 0;
                drives.iter().try_for_each(|drive| {
                    answered += committed(drive).count();
                    let done = drive.end == End::Done;
                    let clean = drive.mark.is_none() && answered == run.calls.len();
                    ensure(!done || clean, || {
                        format!("{answered} answered, {:?}", drive.mark)
                    })
                })
            })
        },
    },
    Law {
        id: "a_stop_answers_every_call",
        sentence: "After a stop every call has its result, and of the stopped one and those after it that is an interruption.",
        clauses: &[Clause::Win16, Clause::Win17],
        reaches: |op| ends(op, End::Stopped),
        check: |op| {
            of_drives(op, |run, drives| {
                let stop = drives.iter().position(|drive| drive.end == End::Stopped);
                let Some(stop) = stop else { return Ok(()) };
                let answered = drives.iter().take(stop + 1).flat_map(committed).count();
                let last = drives.get(stop).and_then(|drive| committed(drive).last());
                let interrupted = last.is_some_and(|(_, kind)| kind == Kind::Interrupted);
                ensure(answered == run.calls.len() && interrupted, || {
                    format!("{answered} are")
                })
            })
        },
    },
    Law {
        id: "a_window_whose_control_passes_ends",
        sentence: "A drive in which every call passes, or that has no control, ends with every call answered.",
        clauses: &[Clause::Win03, Clause::Win09, Clause::Win10, Clause::Win22],
        reaches: |op| marked(op, |drive| executed(drive).next().is_some()),
        check: |op| {
            of_drives(op, |run, _| {
                let ends = [
                    Asked::Configured {
                        answers: BTreeMap::new(),
                    },
                    Asked::Removed {},
                ];
                ends.into_iter().try_for_each(|last| {
                    let mut longer = run.clone();
                    longer.drives.push(last);
                    let drives = longer.drives(AfterFault::Adjudicate);
                    let answered = drives.iter().flat_map(committed).count();
                    let end = drives.last().map(|drive| drive.end);
                    ensure(
                        answered == run.calls.len() && end == Some(End::Done),
                        || format!("{answered} answered, it ends {end:?}"),
                    )
                })
            })
        },
    },
    Law {
        id: "what_is_not_asked_does_not_matter",
        sentence: "Answers about calls that no drive consults about change nothing, and no later drive changes an earlier.",
        clauses: &[Clause::Win07, Clause::Win08],
        reaches: |op| ends(op, End::Held),
        check: |op| {
            let Op::Run(run) = op;
            if run.repeats() {
                return Ok(());
            }
            WAYS.into_iter().try_for_each(|after| {
                let drives = run.drives(after);
                let mut less = run.clone();
                for (asked, drive) in less.drives.iter_mut().zip(&drives) {
                    if let Asked::Configured { answers } = asked {
                        answers.retain(|id, _| {
                            drive.events.contains(&Event::Consulted { id: id.clone() })
                        });
                    }
                }
                ensure(less.drives(after) == drives, || {
                    "unasked answers count".to_owned()
                })?;
                less.drives.pop();
                let again = less.drives(after);
                ensure(drives.starts_with(&again), || {
                    format!("the drives become {again:?}")
                })
            })
        },
    },
];
