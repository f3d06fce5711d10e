//! The laws of a pass, over scripts and what comes of them.
//!
//! ```
//! use gatespec::laws::pass::LAWS;
//! use gatespec::model::pass::script::{Lock, Script};
//!
//! let mut script = Script::plain("call-1", serde_json::json!([]));
//! script.locks = [Lock::Compliance].into();
//! let law = LAWS.iter().find(|law| law.id == "nothing_after_a_deny_changes_it").unwrap();
//! assert!((law.reaches)(&script) && (law.check)(&script).is_ok());
//! ```

mod stricter;

use std::collections::BTreeSet;

use serde_json::Value;

use super::outcome::INVARIANTS;
use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::outcome::{Layer, Record, Settlement};
use crate::model::pass::script::{
    Bound, Org, Park, Probe, Protection, Question, ReadStation, Resolution, Ruling, Screen, Writer,
    nth,
};
use crate::model::pass::{Passed, Script, Stands, Station, Step, Verdict, run};
use crate::ops::SuiteOp as _;
use crate::ops::pass::{Op, Output};

pub use stricter::{rank, stricter};

/// What the seats were asked about, in order.
fn asked<'a>(passed: &'a Passed<'a>, seat: &'a str) -> impl Iterator<Item = &'a Step<'a>> {
    passed
        .consulted()
        .filter(move |step| step.station.seat() == Some(seat))
}

/// The input that a seat was asked about last, and how often it was asked.
fn last<'a>(passed: &'a Passed<'a>, seat: &'a str) -> Option<(&'a Value, usize)> {
    let count = asked(passed, seat).count();
    asked(passed, seat).last().map(|step| (step.input, count))
}

/// The input that a seat would have run: its rewrite, or what it saw.
fn after_screen<'a>(script: &'a Script, passed: &'a Passed<'a>) -> Option<&'a Value> {
    let (saw, count) = last(passed, "screening")?;
    match nth(&script.screening, count.checked_sub(1)?)? {
        Screen::None { rewrite } | Screen::Allow { rewrite } | Screen::Ask { rewrite, .. } => {
            Some(rewrite.as_ref().unwrap_or(saw))
        }
        _ => None,
    }
}

fn after_policy<'a>(script: &'a Script, passed: &'a Passed<'a>) -> Option<&'a Value> {
    let (saw, count) = last(passed, "policy")?;
    match nth(&script.policy, count.checked_sub(1)?)? {
        Ruling::Allow { rewrite, .. } | Ruling::Ask { rewrite, .. } => {
            Some(rewrite.as_ref().unwrap_or(saw))
        }
        _ => None,
    }
}

/// The bytes that the last yes was for: the resolver's, else the policy's record's.
fn licence<'a>(script: &'a Script, passed: &'a Passed<'a>) -> Option<&'a Value> {
    if let Some((saw, count)) = last(passed, "policy")
        && let Some(Ruling::Allow {
            rewrite,
            record: Some(record),
            ..
        }) = nth(&script.policy, count.checked_sub(1)?)
        && matches!(record.settlement, Settlement::Approved { .. })
        && record.call.as_ref().is_none_or(|call| *call == script.call)
    {
        let runs = rewrite.as_ref().unwrap_or(saw);
        if record.licenses.as_ref().is_none_or(|bytes| bytes == runs) {
            return Some(runs);
        }
    }
    let (saw, count) = last(passed, "resolver")?;
    match nth(script.resolutions(), count.checked_sub(1)?)? {
        Resolution::Allow {
            record: Some(record),
            edit,
        } => Some(record.licenses.as_ref().or(edit.as_ref()).unwrap_or(saw)),
        _ => None,
    }
}

/// A seat that was asked and did not answer, or a question with nobody to put it to.
fn unanswered(script: &Script, passed: &Passed<'_>) -> Option<&'static str> {
    let crashed = asked(passed, "screening").enumerate().any(|(at, _)| {
        matches!(
            nth(&script.screening, at),
            Some(Screen::Throw {} | Screen::Silent {} | Screen::Cancelled {})
        )
    });
    let threw = asked(passed, "policy")
        .enumerate()
        .any(|(at, _)| matches!(nth(&script.policy, at), Some(Ruling::Throw {})));
    let broke = asked(passed, "resolver").enumerate().any(|(at, _)| {
        matches!(
            nth(script.resolutions(), at),
            Some(Resolution::Throw {} | Resolution::Retired {})
        )
    });
    let nobody = script.resolutions().is_empty()
        && passed
            .trace
            .iter()
            .any(|step| step.station == Station::Resolver);
    match () {
        () if crashed => Some("a screening"),
        () if threw => Some("the policy"),
        () if broke => Some("the resolver"),
        () if nobody => Some("nobody"),
        () => None,
    }
}

/// The origin of the first question that is put, read off the script alone.
fn first_question(script: &Script) -> Option<&'static str> {
    let policy = match script.policy.first() {
        Some(Ruling::Ask { .. }) => Some("policy"),
        _ => None,
    };
    let hook = matches!(script.screening.first(), Some(Screen::Ask { .. })).then_some("hook");
    let probe = match script.probe {
        Some(Probe::Irreversible { .. } | Probe::Unanswered { .. }) => Some("probe"),
        _ => None,
    };
    let found = script
        .read_station
        .as_ref()
        .is_some_and(|found| found.question.is_some());
    let protected = matches!(
        script.write_protection.first(),
        Some(Protection::Match { .. })
    );
    policy
        .or(hook)
        .or(probe)
        .or(found.then_some("read_station"))
        .or(protected.then_some("write_protection"))
        .or(script.unstated.is_some().then_some("unstated"))
        .or(matches!(script.org, Some(Org::Ask { .. })).then_some("org"))
}

/// Whether only a person may answer what the script asks.
fn person_only(script: &Script) -> bool {
    matches!(script.probe, Some(Probe::Unanswered { .. }))
        || script
            .read_station
            .as_ref()
            .is_some_and(|found| found.target_unresolved)
}

fn owned(record: &Record<&str>) -> Record<String> {
    Record {
        decision: record.decision,
        denied_by: record.denied_by,
        cause: record.cause,
        settlement: record.settlement,
        origin: record.origin.map(str::to_owned),
        classifier: record.classifier.map(str::to_owned),
        released: record.released.map(str::to_owned),
        mode_refusal: record.mode_refusal.map(str::to_owned),
    }
}

fn answer(script: &Script) -> Output {
    Op::of(script.clone()).expected()
}

/// The same pass, whatever the other script changed.
fn same(script: &Script, other: &Script, says: &str) -> Result<(), Violation> {
    let (one, two) = (answer(script), answer(other));
    ensure(one == two, || format!("{says}: {one:?} became {two:?}"))
}

/// Other names for every id, word and string of a case: those that hold a hyphen.
fn renamed(value: Value) -> Value {
    match value {
        Value::String(text) if text.contains('-') => Value::String(format!("other {text}")),
        Value::Array(items) => items.into_iter().map(renamed).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, renamed(value)))
            .collect(),
        plain => plain,
    }
}

/// Each class set in another order.
fn turned(script: &Script) -> Script {
    let turn = |question: &mut Question| question.classes.reverse();
    let mut script = script.clone();
    for screen in &mut script.screening {
        if let Screen::Ask { question, .. } = screen {
            turn(question);
        }
    }
    for ruling in &mut script.policy {
        if let Ruling::Ask { question, .. } = ruling {
            turn(question);
        }
    }
    for answer in script.resolver.iter_mut().flatten() {
        if let Resolution::Allow {
            record: Some(record),
            ..
        }
        | Resolution::Deny {
            record: Some(record),
        } = answer
            && let Some(classes) = &mut record.classes
        {
            // a set: a class that is named twice is named once
            classes.extend(classes.clone());
        }
    }
    script.unstated.iter_mut().for_each(turn);
    script
}

/// The laws, each of every script.
pub const LAWS: &[Law<Script>] = &[
    Law {
        id: "nothing_after_a_deny_changes_it",
        sentence: "After the step that denies there is none but those of the same station and the exit, and the pass is a deny.",
        clauses: &[
            Clause::Pass14,
            Clause::Pass07,
            Clause::Pass08,
            Clause::Pass24,
        ],
        reaches: |script| run(script).denied_by().is_some(),
        check: |script| {
            let passed = run(script);
            let denied = |step: &Step<'_>| matches!(step.stands, Stands::Deny(_));
            let Some(at) = passed.trace.iter().position(denied) else {
                return Ok(());
            };
            let of = passed.trace.get(at).map(|step| step.station);
            let rest = passed.trace.iter().skip(at);
            let on = rest
                .filter(|step| Some(step.station) != of && step.station != Station::Exit)
                .count();
            ensure(on == 0 && passed.result == Verdict::Deny, || {
                format!("{on} steps after the deny, and it is {}", passed.result)
            })
        },
    },
    Law {
        id: "what_runs_was_adjudicated_byte_for_byte",
        sentence: "What runs is what the policy was asked about last, or its rewrite.",
        clauses: &[Clause::Pass12, Clause::Pass47, Clause::Pass55],
        reaches: |script| {
            let passed = run(script);
            passed.result == Verdict::Allow && asked(&passed, "policy").count() > 1
        },
        check: |script| {
            let passed = run(script);
            if passed.result != Verdict::Allow || script.policy.is_empty() {
                return Ok(());
            }
            let judged = after_policy(script, &passed);
            ensure(judged == Some(passed.input), || {
                format!("{judged:?} was adjudicated")
            })
        },
    },
    Law {
        id: "what_was_adjudicated_was_screened",
        sentence: "What the policy is asked about is what the hook was asked about last, or its rewrite.",
        clauses: &[Clause::Pass06, Clause::Pass45],
        reaches: |script| {
            let passed = run(script);
            passed.result == Verdict::Allow && asked(&passed, "screening").count() > 1
        },
        check: |script| {
            let passed = run(script);
            if passed.result != Verdict::Allow || script.screening.is_empty() {
                return Ok(());
            }
            let screened = after_screen(script, &passed);
            let judged = last(&passed, "policy").map_or(passed.input, |(saw, _)| saw);
            ensure(screened == Some(judged), || {
                format!("{screened:?} was screened")
            })
        },
    },
    Law {
        id: "a_yes_on_record_licensed_what_runs",
        sentence: "An allow that carries a yes runs the bytes that this yes was given for.",
        clauses: &[Clause::Pass11, Clause::Pass40, Clause::Pass51],
        reaches: |script| {
            let passed = run(script);
            let yes = passed
                .outcome
                .as_ref()
                .is_some_and(|record| record.settlement.is_some());
            passed.result == Verdict::Allow && yes && *passed.input != script.args
        },
        check: |script| {
            let passed = run(script);
            let Some(record) = &passed.outcome else {
                return Ok(());
            };
            if passed.result != Verdict::Allow || record.settlement.is_none() {
                return Ok(());
            }
            let licence = licence(script, &passed);
            ensure(licence == Some(passed.input), || {
                format!("the yes was for {licence:?}")
            })
        },
    },
    Law {
        id: "no_answer_never_allows",
        sentence: "Where a seat threw, was silent or was cancelled, or nobody could be asked, the call does not run.",
        clauses: &[
            Clause::Pass04,
            Clause::Pass10,
            Clause::Pass39,
            Clause::Pass43,
            Clause::Pass44,
            Clause::Pass46,
        ],
        reaches: |script| unanswered(script, &run(script)).is_some(),
        check: |script| {
            let passed = run(script);
            let silent = unanswered(script, &passed);
            ensure(silent.is_none() || rank(passed.result) == 2, || {
                format!("{silent:?} did not answer, and it is {}", passed.result)
            })
        },
    },
    Law {
        id: "a_person_answers_what_only_a_person_may",
        sentence: "A call whose probe is silent or whose target is not resolved runs only after the resolver was asked.",
        clauses: &[Clause::Pass17, Clause::Pass20, Clause::Pass42],
        reaches: |script| {
            let passed = run(script);
            person_only(script) && passed.result == Verdict::Allow
        },
        check: |script| {
            let passed = run(script);
            let question = first_question(script).is_some();
            let unasked = asked(&passed, "resolver").count() == 0;
            let runs = passed.result == Verdict::Allow;
            ensure(
                !(person_only(script) && question && unasked && runs),
                || "it runs, and nobody was asked".to_owned(),
            )
        },
    },
    Law {
        id: "the_first_question_is_the_origin",
        sentence: "The origin of the ask that is settled without an edit is the first seat, in the order of the spec, that puts a question.",
        clauses: &[
            Clause::Pass09,
            Clause::Pass15,
            Clause::Pass16,
            Clause::Pass18,
            Clause::Pass19,
            Clause::Pass21,
            Clause::Pass22,
            Clause::Pass25,
        ],
        reaches: |script| {
            let passed = run(script);
            asked(&passed, "resolver").count() == 1
                && passed.outcome.is_some_and(|record| record.origin.is_some())
        },
        check: |script| {
            let passed = run(script);
            let origin = passed.outcome.as_ref().and_then(|record| record.origin);
            let once = asked(&passed, "resolver").count() == 1;
            let edited =
                asked(&passed, "policy").count() > 1 || asked(&passed, "screening").count() > 1;
            if origin.is_none() || !once || edited {
                return Ok(());
            }
            ensure(origin == first_question(script), || {
                format!("the origin is {origin:?}, not {:?}", first_question(script))
            })
        },
    },
    Law {
        id: "a_pass_mints_once_and_lawfully",
        sentence: "A pass that ends has one record, which keeps I1 to I4; one that is suspended or a defect has none.",
        clauses: &[Clause::Pass23, Clause::Pass37, Clause::Pass53],
        reaches: |script| run(script).result == Verdict::Suspended,
        check: |script| {
            let passed = run(script);
            let ends = matches!(passed.result, Verdict::Allow | Verdict::Deny);
            ensure(passed.outcome.is_some() == ends, || {
                format!("{:?}", passed.outcome)
            })?;
            let Some(record) = passed.outcome.as_ref().map(owned) else {
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
        id: "the_observer_is_told_by_rule",
        sentence: "The observer is told once of every deny but the hook's own, and of nothing else.",
        clauses: &[
            Clause::Pass01,
            Clause::Pass04,
            Clause::Pass05,
            Clause::Pass52,
        ],
        reaches: |script| run(script).denied_by() == Some(Layer::Hook),
        check: |script| {
            let told = answer(script);
            let by = told.outcome.as_ref().and_then(|record| record.denied_by);
            let once = by.is_some_and(|layer| layer != Layer::Hook);
            ensure(told.observer.len() == usize::from(once), || {
                format!("told {} times of {by:?}", told.observer.len())
            })
        },
    },
    Law {
        id: "who_writes_into_the_arguments_changes_nothing",
        sentence: "Whoever writes into what was handed to them, the pass is the same.",
        clauses: &[Clause::Pass02, Clause::Pass54],
        reaches: |script| !script.writers.is_empty(),
        check: |script| {
            let mut all = script.clone();
            all.writers = Writer::ALL.iter().copied().collect();
            let mut none = script.clone();
            none.writers = BTreeSet::new();
            same(&all, &none, "with nobody writing")
        },
    },
    Law {
        id: "a_seat_is_read_once",
        sentence: "Whichever seats the host replaces under way, the pass is the same.",
        clauses: &[Clause::Pass03],
        reaches: |script| !script.rebinds.is_empty(),
        check: |script| {
            let mut all = script.clone();
            all.rebinds = Bound::ALL.iter().copied().collect();
            let mut none = script.clone();
            none.rebinds = BTreeSet::new();
            same(&all, &none, "with every seat left alone")
        },
    },
    Law {
        id: "a_pass_is_a_function_of_its_script",
        sentence: "The same script, sent and read again, gives the same pass.",
        clauses: &[Clause::Pass53],
        reaches: |script| script.resolver.is_some(),
        check: |script| {
            let again = serde_json::to_value(script).and_then(serde_json::from_value);
            let again: Script = again.map_err(|error| Violation(error.to_string()))?;
            same(script, &again, "sent and read again")
        },
    },
    Law {
        id: "stricter_seats_never_loosen",
        sentence: "A script that is stricter in one seat never comes to a looser result.",
        clauses: &[
            Clause::Pass14,
            Clause::Pass24,
            Clause::Pass26,
            Clause::Pass27,
            Clause::Pass28,
            Clause::Pass29,
            Clause::Pass30,
            Clause::Pass33,
            Clause::Pass36,
            Clause::Pass41,
            Clause::Pass48,
            Clause::Pass49,
            Clause::Pass50,
        ],
        reaches: |script| {
            let result = run(script).result;
            stricter(script)
                .iter()
                .any(|(_, next)| rank(run(next).result) > rank(result))
        },
        check: |script| {
            let result = run(script).result;
            stricter(script).iter().try_for_each(|(what, next)| {
                let then = run(next).result;
                ensure(rank(then) >= rank(result), || {
                    format!("where {what}, {result} becomes {then}")
                })
            })
        },
    },
    Law {
        id: "a_seat_without_opinion_changes_nothing",
        sentence: "A seat that is configured and has no opinion changes nothing but who was asked.",
        clauses: &[
            Clause::Pass09,
            Clause::Pass16,
            Clause::Pass18,
            Clause::Pass19,
        ],
        reaches: |script| script.policy.is_empty() && script.screening.is_empty(),
        check: |script| {
            let mut more = script.clone();
            if more.screening.is_empty() {
                more.screening = vec![Screen::None { rewrite: None }];
            }
            if more.policy.is_empty() {
                more.policy = vec![Ruling::Allow {
                    rewrite: None,
                    record: None,
                    round: None,
                }];
            }
            if more.write_protection.is_empty() {
                more.write_protection = vec![Protection::Clear {}];
            }
            more.probe.get_or_insert(Probe::Reversible {
                boundary_declined: false,
            });
            more.read_station.get_or_insert_with(ReadStation::default);
            let (mut one, mut two) = (answer(script), answer(&more));
            (one.consulted, two.consulted) = (Vec::new(), Vec::new());
            ensure(one == two, || format!("{one:?} became {two:?}"))
        },
    },
    Law {
        id: "names_and_the_order_of_classes_mean_nothing",
        sentence: "With other names for everything, and each class set in another order, the pass is the same but for the names.",
        clauses: &[Clause::Pass40],
        reaches: |script| first_question(script).is_some(),
        check: |script| {
            let failed = |error: serde_json::Error| Violation(error.to_string());
            let value = serde_json::to_value(turned(script)).map_err(failed)?;
            let other: Script = serde_json::from_value(renamed(value)).map_err(failed)?;
            let one = renamed(serde_json::to_value(answer(script)).map_err(failed)?);
            let two = serde_json::to_value(answer(&other)).map_err(failed)?;
            ensure(one == two, || format!("{one} became {two}"))
        },
    },
    Law {
        id: "only_a_park_suspends",
        sentence: "A suspended pass came to an ask that could be parked; it ran nothing and told nobody, and a deny says of a failed park that it failed.",
        clauses: &[Clause::Pass37, Clause::Pass38],
        reaches: |script| run(script).park_failed,
        check: |script| {
            let told = answer(script);
            let suspended = told.result == Verdict::Suspended;
            ensure(!suspended || script.park == Some(Park::Parks), || {
                "no park".to_owned()
            })?;
            let quiet = told.runs.is_none() && told.observer.is_empty();
            ensure(!suspended || quiet, || format!("{told:?}"))?;
            let tried = told
                .consulted
                .iter()
                .any(|consult| consult.seat.word() == "park");
            let denied = told.result == Verdict::Deny;
            let failed = tried && denied && script.park == Some(Park::Fails);
            ensure(told.park_failed == failed, || format!("{told:?}"))
        },
    },
    Law {
        id: "what_ended_by_itself_is_on_the_record",
        sentence: "A release, a mode's refusal, a cause and a round stand on the record exactly where the seat that spoke last gave them.",
        clauses: &[
            Clause::Pass13,
            Clause::Pass30,
            Clause::Pass31,
            Clause::Pass32,
            Clause::Pass33,
            Clause::Pass34,
            Clause::Pass35,
        ],
        reaches: |script| {
            run(script)
                .outcome
                .is_some_and(|record| record.released.is_some())
        },
        check: |script| {
            let passed = run(script);
            let Some(record) = &passed.outcome else {
                return Ok(());
            };
            let last = |stood: &Step<'_>| stood.station != Station::Exit;
            let spoke = passed.trace.iter().rev().find(|step| last(step));
            let by = spoke.map(|step| step.station);
            let moded = by == Some(Station::Mode);
            let allow = passed.result == Verdict::Allow;
            ensure(record.released.is_some() == (moded && allow), || {
                format!("{record:?}")
            })?;
            ensure(record.mode_refusal.is_some() == (moded && !allow), || {
                format!("{record:?}")
            })?;
            let judged = by == Some(Station::Classifier)
                || record.denied_by == Some(Layer::Policy)
                || record.denied_by == Some(Layer::AskResolution);
            ensure(record.cause.is_none() || judged, || format!("{record:?}"))?;
            let named = script
                .classifier
                .as_ref()
                .and_then(|seat| seat.round.as_deref());
            let asked = passed
                .trace
                .iter()
                .any(|step| step.station == Station::Classifier);
            ensure(
                !asked || named.is_none() || record.classifier == named,
                || format!("{record:?}"),
            )
        },
    },
];
