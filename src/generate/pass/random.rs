//! Random scripts: most seats silent, most records those of the ask, most asks answered.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use super::super::{Names, Settings};
use super::axes::{input, plain, question};
use crate::model::outcome::{Approver, Cause, Refusal, Settlement};
use crate::model::pass::Script;
use crate::model::pass::script::{
    Answered, Arbitration, Arm, Attested, Bound, Classified, Classifier, Lock, Mode, Org, Park,
    Probe, Protection, Question, ReadStation, Resolution, Ruling, Screen, Writer,
};
use crate::ops::pass::Op;

/// Random scripts.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let names = settings.names();
    let answers = settings.pass_answers.max(1);
    let phase = (
        rarely(30),
        often(35, vec(screen(names), 1..=answers)),
        often(6, subsequence(Lock::ALL, 1..=Lock::ALL.len())),
        often(85, vec(ruling(names), 1..=answers)),
    );
    let fold = (
        often(25, probe(names)),
        often(20, read_station(names)),
        often(20, vec(protection(names), 1..=answers)),
        often(15, questions(names, 6)),
    );
    let lanes = (
        often(10, org(names)),
        subsequence(Arm::ALL, 0..=1).prop_filter_map("few arms", Some),
        often(15, classifier(names)),
        often(10, mode(names)),
        rarely(30),
        often(15, select(Park::ALL)),
    );
    let end = (
        often(
            85,
            often(95, vec(resolution(names), 1..=answers)).prop_map(list),
        ),
        prop_oneof![1 => Just(0), 2 => Just(1), 6 => Just(2), 1 => Just(3)],
        often(20, subsequence(writers(), 1..=6)),
        often(15, subsequence(Bound::ALL, 1..=4)),
    );
    (phase, fold, lanes, end).prop_map(move |(phase, fold, lanes, end)| {
        let mut script = plain(names);
        (
            script.unowned,
            script.screening,
            script.locks,
            script.policy,
        ) = (phase.0, list(phase.1), set(list(phase.2)), list(phase.3));
        (script.probe, script.read_station, script.unstated) = (fold.0, fold.1, fold.3);
        script.write_protection = list(fold.2);
        (script.org, script.clears, script.classifier) = (lanes.0, set(lanes.1), lanes.2);
        (script.mode, script.unshown, script.park) = (lanes.3, lanes.4, lanes.5);
        (script.resolver, script.edit_cap) = (end.0, end.1);
        (script.writers, script.rebinds) = (set(list(end.2)), set(list(end.3)));
        Op::of(unlike(names, script))
    })
}

fn writers() -> Vec<Writer> {
    Writer::ALL.to_vec()
}

fn list<T>(list: Option<Vec<T>>) -> Vec<T> {
    list.unwrap_or_default()
}

fn set<T: Ord>(list: Vec<T>) -> BTreeSet<T> {
    list.into_iter().collect()
}

/// No two inputs of a script are alike: an edit to what stands already is an open question.
fn unlike(names: Names, mut script: Script) -> Script {
    let mut index = 1;
    let mut fresh = |place: &mut Option<Value>| {
        if let Some(place) = place {
            *place = input(names, index);
            index += 1;
        }
    };
    for screen in &mut script.screening {
        if let Screen::None { rewrite } | Screen::Allow { rewrite } | Screen::Ask { rewrite, .. } =
            screen
        {
            fresh(rewrite);
        }
    }
    for ruling in &mut script.policy {
        if let Ruling::Allow { rewrite, .. } | Ruling::Ask { rewrite, .. } = ruling {
            fresh(rewrite);
        }
    }
    for answer in script.resolver.iter_mut().flatten() {
        if let Resolution::Allow { edit, .. } = answer {
            fresh(edit);
        }
    }
    script
}

/// True in one of `one_in`.
fn rarely(one_in: u32) -> impl Strategy<Value = bool> {
    (0..one_in).prop_map(|n| n == 0)
}

/// Something in this share of a hundred.
fn often<S: Strategy>(percent: u32, of: S) -> impl Strategy<Value = Option<S::Value>> {
    proptest::option::weighted(f64::from(percent) / 100.0, of)
}

fn questions(names: Names, index: u32) -> impl Strategy<Value = Question> {
    (any::<bool>(), 0..3_usize).prop_map(move |(real, fewer)| {
        let mut question = question(names, index, real);
        question.classes.truncate(2 - fewer.min(2));
        question
    })
}

fn rewrite(names: Names, percent: u32) -> impl Strategy<Value = Option<Value>> {
    // the place is marked here; `unlike` writes arguments of its own into it
    often(percent, Just(input(names, 0)))
}

fn screen(names: Names) -> impl Strategy<Value = Screen> {
    prop_oneof![
        5 => rewrite(names, 40).prop_map(|rewrite| Screen::None { rewrite }),
        4 => rewrite(names, 20).prop_map(|rewrite| Screen::Allow { rewrite }),
        4 => (questions(names, 10), rewrite(names, 20))
            .prop_map(|(question, rewrite)| Screen::Ask { question, rewrite }),
        1 => Just(Screen::Deny {}),
        1 => Just(Screen::Throw {}),
        1 => Just(Screen::Silent {}),
        1 => Just(Screen::Cancelled {}),
    ]
}

fn settlement() -> impl Strategy<Value = Settlement> {
    prop_oneof![
        3 => select(Approver::ALL).prop_map(|by| Settlement::Approved { by }),
        2 => select(Refusal::ALL).prop_map(|reason| Settlement::Refused { reason }),
    ]
}

fn attested(names: Names) -> impl Strategy<Value = Attested> {
    let licenses =
        prop_oneof![9 => Just(None), 1 => (0..9_u32).prop_map(move |n| Some(input(names, n)))];
    let call = often(8, Just(names.name("call", 1)));
    (settlement(), licenses, call).prop_map(move |(settlement, licenses, call)| Attested {
        settlement,
        origin: names.name("origin", 0),
        call,
        licenses,
    })
}

fn ruling(names: Names) -> impl Strategy<Value = Ruling> {
    let round = || often(10, Just(names.name("round", 1)));
    prop_oneof![
        6 => (questions(names, 0), rewrite(names, 25))
            .prop_map(|(question, rewrite)| Ruling::Ask { question, rewrite }),
        6 => (rewrite(names, 25), often(20, attested(names)), round())
            .prop_map(|(rewrite, record, round)| Ruling::Allow { rewrite, record, round }),
        2 => (often(40, attested(names)), often(20, select(Cause::ALL)), round())
            .prop_map(|(record, cause, round)| Ruling::Deny { record, cause, round }),
        1 => Just(Ruling::Throw {}),
    ]
}

fn probe(names: Names) -> impl Strategy<Value = Probe> {
    prop_oneof![
        1 => any::<bool>().prop_map(|boundary_declined| Probe::Reversible { boundary_declined }),
        2 => (questions(names, 20), any::<bool>()).prop_map(|(question, boundary_declined)| {
            Probe::Irreversible { question, boundary_declined }
        }),
        2 => questions(names, 20).prop_map(|question| Probe::Unanswered { question }),
    ]
}

fn read_station(names: Names) -> impl Strategy<Value = ReadStation> {
    (
        often(60, questions(names, 22)),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(question, target_unresolved, write_protected)| ReadStation {
                question,
                target_unresolved,
                write_protected,
            },
        )
}

fn protection(names: Names) -> impl Strategy<Value = Protection> {
    prop_oneof![
        Just(Protection::Clear {}),
        questions(names, 4).prop_map(|question| Protection::Match { question }),
    ]
}

fn org(names: Names) -> impl Strategy<Value = Org> {
    prop_oneof![
        Just(Org::Deny {}),
        questions(names, 8).prop_map(|question| Org::Ask { question }),
    ]
}

fn classifier(names: Names) -> impl Strategy<Value = Classifier> {
    (
        select(Classified::ALL),
        often(60, Just(names.name("round", 0))),
    )
        .prop_map(|(say, round)| Classifier { say, round })
}

fn mode(names: Names) -> impl Strategy<Value = Mode> {
    select(Arbitration::ALL).prop_map(move |say| Mode {
        say,
        word: names.name("mode", 0),
    })
}

fn resolution(names: Names) -> impl Strategy<Value = Resolution> {
    prop_oneof![
        12 => (often(75, answered(names)), rewrite(names, 50))
            .prop_map(|(record, edit)| Resolution::Allow { record, edit }),
        3 => often(70, answered(names)).prop_map(|record| Resolution::Deny { record }),
        1 => Just(Resolution::Retired {}),
        1 => Just(Resolution::Throw {}),
    ]
}

fn answered(names: Names) -> impl Strategy<Value = Answered> {
    let exact = settlement().prop_map(Answered::of);
    let astray = (settlement(), 0..9_u32, 0..5_u8).prop_map(move |(settlement, index, which)| {
        let mut record = Answered::of(settlement);
        match which {
            0 => record.origin = Some(names.name("origin", 1)),
            1 => record.classes = Some(vec![names.name("class", 0)]),
            2 => record.classes = Some(vec![names.name("class", 1), names.name("class", 0)]),
            3 => record.call = Some(names.name("call", 1)),
            _ => record.licenses = Some(input(names, index)),
        }
        record
    });
    prop_oneof![4 => exact, 1 => astray]
}
