//! The laws of the ledger, and an oracle that reads a whole trace at once.
//!
//! The machine goes forward and keeps a state. The oracle never does: what an event returns and
//! what it would settle depend on the event alone, so the state is that of the last event that
//! settles or supersedes, unless a later keeping drops it.
//!
//! ```
//! use gatespec::generate::workload;
//! use gatespec::laws::ledger::{CALL, reading};
//! use gatespec::model::ledger::{Ledger, Numbered};
//!
//! // the state after a trace is what is read off all of it at once
//! let trace: Vec<_> = workload::events(100, 7);
//! let mut ledger = Ledger::<Numbered>::new(CALL);
//! for (at, event) in trace.iter().enumerate() {
//!     ledger.step(event);
//!     assert_eq!(ledger.settled().copied(), reading(&trace[..=at]));
//! }
//! ```

mod numbered;

pub use numbered::numbered;

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::ledger::{Attestation, Event, Ledger, Numbered, Returned, Settled, Verdict};
use crate::model::outcome::{Approver, Decision, Facts, Layer, Refusal, Settlement, mint};

/// The call that every trace of the laws is about.
pub const CALL: u32 = 0;

/// A trace of one ledger, its words numbered.
pub type Trace = [Event<Numbered>];

type Ask = Settled<Numbered>;

/// Why a record does not count, if it does not: each thing that it must have in common with what
/// was asked, beside what it has.
fn mismatches(event: &Event<Numbered>) -> Option<Vec<Clause>> {
    let (record, checks) = match event {
        Event::Resolved {
            resolution,
            asked,
            request,
        } => {
            let record = resolution.record.as_ref()?;
            let bytes = match &resolution.edited {
                Some(edited) => edited,
                None => request,
            };
            let checks = vec![
                (record.origin == asked.origin, Clause::Led06),
                (record.classes == asked.classes, Clause::Led07),
                (record.digest == *bytes, Clause::Led08),
            ];
            (record, checks)
        }
        Event::Decision { record, .. } => (record.as_ref()?, Vec::new()),
        _ => return None,
    };
    let call = (record.call == CALL, Clause::Led05);
    let all = std::iter::once(call).chain(checks);
    Some(
        all.filter(|&(same, _)| !same)
            .map(|(_, clause)| clause)
            .collect(),
    )
}

/// The record of an event, when it counts.
fn counting(event: &Event<Numbered>) -> Option<&Attestation<Numbered>> {
    let counts = mismatches(event)?.is_empty();
    match event {
        Event::Resolved { resolution, .. } => resolution.record.as_ref().filter(|_| counts),
        Event::Decision { record, .. } => record.as_ref().filter(|_| counts),
        _ => None,
    }
}

/// What the engine itself settles where a resolver broke its contract.
fn contract(origin: u32) -> Option<Ask> {
    Some(Settled::Refused {
        reason: Refusal::ApproverContract,
        origin,
    })
}

/// What a record settles when it is taken.
fn taken(record: &Attestation<Numbered>) -> Ask {
    match record.settlement {
        Settlement::Approved { by } => Settled::Approved {
            by,
            origin: record.origin,
            licensed: record.digest,
        },
        Settlement::Refused { reason } => Settled::Refused {
            reason,
            origin: record.origin,
        },
    }
}

/// What an event settles, wherever in a trace it stands.
#[must_use]
pub fn settles(event: &Event<Numbered>) -> Option<Ask> {
    let record = counting(event);
    let yes = record.is_some_and(|record| matches!(record.settlement, Settlement::Approved { .. }));
    match event {
        Event::Set { reason, origin } => Some(Settled::Refused {
            reason: *reason,
            origin: *origin,
        }),
        Event::Resolved { resolution, .. } if resolution.retired => None,
        Event::Resolved {
            resolution, asked, ..
        } => {
            let denies = resolution.decision == Decision::Deny;
            match record {
                Some(_) if yes && denies => contract(asked.origin),
                Some(record) => Some(taken(record)),
                None if denies || asked.real_approval => contract(asked.origin),
                None => None,
            }
        }
        Event::Decision { decision, runs, .. } => {
            let record = record?;
            let runs_it = !yes || *decision == Verdict::Deny || record.digest == *runs;
            (*decision != Verdict::Ask && runs_it).then(|| taken(record))
        }
        _ => None,
    }
}

/// What an event returns, wherever in a trace it stands.
#[must_use]
pub fn returns(event: &Event<Numbered>) -> Returned<Numbered> {
    match event {
        Event::Resolved { resolution, .. } if resolution.retired => Returned::Fault,
        Event::Resolved { .. } => match settles(event) {
            Some(Settled::Refused { .. }) => Returned::Deny(Layer::AskResolution),
            Some(Settled::Approved { .. }) | None => Returned::Allow,
        },
        Event::Decision {
            decision: Verdict::Ask,
            ..
        } => Returned::Ask,
        Event::Decision { decision, .. } => match settles(event) {
            Some(Settled::Refused { .. }) => Returned::Deny(Layer::AskResolution),
            _ if *decision == Verdict::Deny => Returned::Deny(Layer::Policy),
            _ => Returned::Allow,
        },
        Event::CauseOf {
            decision,
            classified,
        } => Returned::Cause(match (decision, classified) {
            (Decision::Deny, Some(classified)) if classified.call == CALL => classified.cause,
            _ => None,
        }),
        Event::ClassifierRoundOf { classified, .. } => Returned::Round(match classified {
            Some(classified) if classified.call == CALL => classified.round,
            _ => None,
        }),
        Event::Set { .. } | Event::Supersede | Event::KeepForBytes { .. } => Returned::Nothing,
    }
}

/// What is settled after a trace, read off all of it at once.
#[must_use]
pub fn reading(trace: &Trace) -> Option<Ask> {
    let last = trace
        .iter()
        .rposition(|event| matches!(event, Event::Supersede) || settles(event).is_some())?;
    let (_, from) = trace.split_at_checked(last)?;
    let (event, later) = from.split_first()?;
    let settled = settles(event)?;
    let dropped = later.iter().any(|event| match (event, settled) {
        (Event::KeepForBytes { runs }, Settled::Approved { licensed, .. }) => licensed != *runs,
        _ => false,
    });
    (!dropped).then_some(settled)
}

/// The ledger after a trace, and what each of its events returned.
fn run(trace: &Trace) -> (Ledger<Numbered>, Option<Returned<Numbered>>) {
    let mut ledger = Ledger::new(CALL);
    let mut last = None;
    for event in trace {
        last = Some(ledger.step(event));
    }
    (ledger, last)
}

fn state(trace: &Trace) -> Option<Ask> {
    run(trace).0.settled().copied()
}

/// How a pass over this trace would end: what the ledger returned last, a refusal that the engine
/// put in being a deny. `None` when it would not: an ask is open, a resolution broke its contract,
/// nothing was decided since the last supersede, or something follows what ends a pass.
fn ends(trace: &Trace) -> Option<Option<Layer>> {
    let mut end = None;
    for event in trace {
        if *event == Event::Supersede {
            end = None;
            continue;
        }
        if matches!(end, Some(Some(_))) {
            return None;
        }
        match returns(event) {
            Returned::Allow => end = Some(None),
            Returned::Deny(layer) => end = Some(Some(layer)),
            Returned::Ask | Returned::Fault => return None,
            Returned::Nothing if matches!(event, Event::Set { .. }) => {
                end = Some(Some(Layer::AskResolution));
            }
            Returned::Nothing | Returned::Cause(_) | Returned::Round(_) => {}
        }
    }
    end
}

/// What the gate hands the mint at such an end.
fn facts(denied_by: Option<Layer>, settled: Option<Ask>) -> Facts<u8> {
    Facts {
        denied_by,
        settled: settled.map(|settled| settled.facts(|_| 0, |_| 0)),
        ..Facts::default()
    }
}

/// The laws, each of every trace.
pub const LAWS: &[Law<Trace>] = &[
    Law {
        id: "the_state_is_the_reading_of_the_whole_trace",
        sentence: "What is settled is what the last event that counts settled after the last supersede, unless other bytes run.",
        clauses: &[
            Clause::Led01,
            Clause::Led02,
            Clause::Led03,
            Clause::Led04,
            Clause::Led05,
            Clause::Led06,
            Clause::Led07,
            Clause::Led08,
            Clause::Led10,
            Clause::Led14,
            Clause::Led18,
            Clause::Led19,
            Clause::Led20,
            Clause::Led21,
            Clause::Led22,
            Clause::Led23,
            Clause::Led24,
        ],
        reaches: |trace| trace.len() > 1 && reading(trace).is_some(),
        check: |trace| {
            let (is, must) = (state(trace), reading(trace));
            ensure(is == must, || {
                format!("{is:?} is settled, and the trace reads {must:?}")
            })
        },
    },
    Law {
        id: "what_an_event_returns_depends_on_it_alone",
        sentence: "The last event returns what it would return to an empty ledger.",
        clauses: &[
            Clause::Led09,
            Clause::Led11,
            Clause::Led12,
            Clause::Led13,
            Clause::Led15,
            Clause::Led16,
            Clause::Led17,
            Clause::Led25,
            Clause::Led26,
        ],
        reaches: |trace| trace.len() > 1,
        check: |trace| {
            let (_, got) = run(trace);
            let must = trace.last().map(returns);
            ensure(got == must, || {
                format!("{got:?} is returned, and it must be {must:?}")
            })
        },
    },
    Law {
        id: "replaying_a_prefix_goes_on_as_before",
        sentence: "A ledger that took a prefix, cloned and given the rest, is the ledger that took all of it.",
        clauses: &[Clause::Led01],
        reaches: |trace| trace.len() > 1,
        check: |trace| {
            let (prefix, rest) = trace
                .split_at_checked(trace.len() / 2)
                .unwrap_or((trace, &[]));
            let mut resumed = run(prefix).0.clone();
            for event in rest {
                resumed.step(event);
            }
            ensure(resumed == run(trace).0, || {
                format!("it resumes as {resumed:?}")
            })
        },
    },
    Law {
        id: "supersede_is_idempotent",
        sentence: "After a supersede nothing is settled, and a second one changes nothing.",
        clauses: &[Clause::Led22],
        reaches: |trace| state(trace).is_some(),
        check: |trace| {
            let mut ledger = run(trace).0;
            ledger.supersede();
            let once = ledger;
            let mut twice = once.clone();
            twice.supersede();
            ensure(once.settled().is_none() && once == twice, || {
                format!("{once:?}, {twice:?}")
            })
        },
    },
    Law {
        id: "an_event_that_does_not_count_changes_nothing",
        sentence: "A last event that settles nothing, supersedes nothing and drops nothing leaves the state.",
        clauses: &[
            Clause::Led03,
            Clause::Led05,
            Clause::Led14,
            Clause::Led15,
            Clause::Led21,
        ],
        reaches: |trace| {
            trace
                .last()
                .is_some_and(|event| mismatches(event).is_some_and(|all| !all.is_empty()))
                && state(trace).is_some()
        },
        check: |trace| {
            let Some((last, prefix)) = trace.split_last() else {
                return Ok(());
            };
            let acts = matches!(last, Event::Supersede | Event::KeepForBytes { .. });
            let same = state(prefix) == state(trace);
            ensure(acts || settles(last).is_some() || same, || {
                "it changes the state".to_owned()
            })
        },
    },
    Law {
        id: "a_yes_runs_only_the_bytes_of_a_record_of_this_call",
        sentence: "A settled yes is that of a record of this call, since the last supersede, for the bytes that it licensed.",
        clauses: &[
            Clause::Led05,
            Clause::Led08,
            Clause::Led10,
            Clause::Led19,
            Clause::Led23,
        ],
        reaches: |trace| matches!(state(trace), Some(Settled::Approved { .. })),
        check: |trace| {
            let Some(Settled::Approved { by, licensed, .. }) = state(trace) else {
                return Ok(());
            };
            let since = trace
                .iter()
                .rev()
                .take_while(|event| **event != Event::Supersede);
            let mut records = since.filter_map(|event| match event {
                Event::Resolved { resolution, .. } => resolution.record.as_ref(),
                Event::Decision { record, .. } => record.as_ref(),
                _ => None,
            });
            let says = |approver: Approver| Settlement::Approved { by: approver };
            let known = records.any(|record| {
                record.call == CALL && record.settlement == says(by) && record.digest == licensed
            });
            ensure(known, || "no record of this call says so".to_owned())
        },
    },
    Law {
        id: "no_yes_outlasts_a_keeping_for_other_bytes",
        sentence: "After a keeping, a settled yes is licensed for the bytes that run.",
        clauses: &[Clause::Led23, Clause::Led24],
        reaches: |trace| {
            matches!(trace.last(), Some(Event::KeepForBytes { .. })) && state(trace).is_some()
        },
        check: |trace| match (trace.last(), state(trace)) {
            (Some(Event::KeepForBytes { runs }), Some(Settled::Approved { licensed, .. })) => {
                ensure(licensed == *runs, || "other bytes are licensed".to_owned())
            }
            _ => Ok(()),
        },
    },
    Law {
        id: "no_reachable_end_breaks_an_invariant",
        sentence: "What the ledger returned last and what it holds mint into a lawful record, wherever a pass can end.",
        clauses: &[Clause::I1, Clause::I2, Clause::I3, Clause::I4],
        reaches: |trace| matches!(ends(trace), Some(Some(Layer::Policy))) && state(trace).is_some(),
        check: |trace| -> Result<(), Violation> {
            let Some(denied_by) = ends(trace) else {
                return Ok(());
            };
            match mint(&facts(denied_by, state(trace))) {
                Ok(_) => Ok(()),
                Err(defects) => Err(Violation(format!("the mint finds {defects}"))),
            }
        },
    },
    Law {
        id: "of_two_that_settle_the_later_one_stands",
        sentence: "Swapping two last events that settle swaps only which of them is settled.",
        clauses: &[Clause::Led02],
        reaches: |trace| last_two(trace).is_some_and(|(_, one, other)| one != other),
        check: |trace| {
            let Some((prefix, one, other)) = last_two(trace) else {
                return Ok(());
            };
            let (Some(first), Some(second)) = (settles(one), settles(other)) else {
                return Ok(());
            };
            let mut ledger = run(prefix).0;
            ledger.step(other);
            ledger.step(one);
            let swapped = ledger.settled().copied();
            ensure(
                state(trace) == Some(second) && swapped == Some(first),
                || format!("{:?} is settled, and swapped {swapped:?}", state(trace)),
            )
        },
    },
];

/// A trace's last two events, when both settle.
fn last_two(trace: &Trace) -> Option<(&Trace, &Event<Numbered>, &Event<Numbered>)> {
    let (other, rest) = trace.split_last()?;
    let (one, prefix) = rest.split_last()?;
    (settles(one).is_some() && settles(other).is_some()).then_some((prefix, one, other))
}
