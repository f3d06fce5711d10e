//! A campaign asks what it always asked, keeps what is new, and ends at its bounds.

use gatespec::conform::fuzz::{Campaign, Limits, State, fuzz};
use gatespec::conform::{Answer, Depth, Hello, Kind, Stopped};
use gatespec::generate::Settings;
use gatespec::model::Suite;
use gatespec::ops::{Op, weight};

use super::fake::{Fake, right};
use super::plan::digest;

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    (limits.cases, limits.batch) = (600, 64);
    change(&mut limits);
    limits
}

fn campaign(gate: &mut Fake, suite: Suite, limits: &Limits) -> Campaign {
    campaign_while(gate, suite, limits, &mut |_| true)
}

fn campaign_while(
    gate: &mut Fake,
    suite: Suite,
    limits: &Limits,
    go_on: &mut dyn FnMut(&State) -> bool,
) -> Campaign {
    let hello = gate.hello.clone().unwrap();
    fuzz(gate, &hello, suite, &Settings::seeded(3), limits, go_on)
}

#[test]
fn the_same_seed_is_the_same_campaign_on_every_machine() {
    let asked = |suite| {
        let mut gate = Fake::right();
        let ran = campaign(&mut gate, suite, &limits(|_| ()));
        let State {
            cases,
            corpus,
            seen,
            clauses,
            failed,
            ..
        } = ran.state;
        let asked = digest(gate.asked.into_iter().map(|case| case.op));
        format!(
            "{suite} {cases} {corpus} {seen} {} {failed} {asked}",
            clauses.len()
        )
    };
    // a change of these lines is a change of every seed that anybody wrote down
    insta::assert_snapshot!(Suite::ALL.map(asked).join("\n"), @r"
    key 600 118 118 17 0 500310700425bc7d
    verdict 600 182 182 24 0 62b33665ff1c9c96
    window 600 376 376 22 0 fae6354b62c6c61f
    boundary 600 483 483 35 0 5c3a903980dcdab6
    outcome 600 164 164 16 0 ae2c27f1484f592b
    ledger 600 483 483 27 0 49b204c0fd8eb344
    pass 600 362 362 54 0 b040178b33e1eaf4
    ");
}

#[test]
fn cases_are_numbered_and_counted_up_to_the_bound() {
    let mut gate = Fake::right();
    let mut told = Vec::new();
    let bounds = limits(|of| of.cases = 150);
    let ran = campaign_while(&mut gate, Suite::Key, &bounds, &mut |state| {
        told.push(state.cases);
        true
    });
    assert_eq!(
        (ran.state.cases, ran.stopped, told),
        (150, None, vec![0, 64, 128])
    );
    let ids: Vec<String> = gate.asked.iter().map(|case| case.id.clone()).collect();
    assert_eq!(
        ids,
        (1..=150)
            .map(|n| format!("key/fuzz/{n}"))
            .collect::<Vec<_>>()
    );
    assert!(gate.asked.iter().all(|case| case.depth == Depth::Generated));
    let mut gate = Fake::right();
    let ran = campaign_while(&mut gate, Suite::Key, &bounds, &mut |of| of.cases < 64);
    assert_eq!(ran.state.cases, 64);
}

#[test]
fn a_campaign_keeps_to_its_bounds() {
    let mut gate = Fake::right();
    let ran = campaign(&mut gate, Suite::Verdict, &limits(|of| of.corpus = 5));
    assert_eq!(ran.state.corpus, 5);
    assert!(ran.state.seen > 5);
    let mut gate = Fake::right();
    campaign(&mut gate, Suite::Verdict, &limits(|of| of.case_bytes = 120));
    let largest = gate
        .asked
        .iter()
        .map(|case| weight(&case.op))
        .max()
        .unwrap();
    assert!((110..=120).contains(&largest), "{largest}");
}

#[test]
fn a_gate_is_asked_only_what_it_has_the_words_for() {
    let mut gate = Fake::right();
    let mut hello = Hello::reference();
    hello.lacks = vec!["bytes".to_owned()];
    gate.hello = Ok(hello);
    let ran = campaign(&mut gate, Suite::Verdict, &limits(|_| ()));
    assert_eq!(ran.state.cases, 600);
    assert!(
        gate.asked
            .iter()
            .all(|case| !case.op.needs().contains(&"bytes"))
    );
}

#[test]
fn divergences_are_kept_apart_by_clause_way_and_shape_and_made_small() {
    let wrong = super::fake::key("key.id", "other");
    let faulty = move || {
        let wrong = wrong.clone();
        Fake::new(move |op| match op.name() {
            "key.id" => right(&wrong),
            "key.base" if op.input().get().contains('#') => Answer::Error("broke".to_owned()),
            "key.base" => Answer::Crashed("signal 11".to_owned()),
            _ => right(op),
        })
    };
    let mut gate = faulty();
    let thorough = limits(|of| of.shrink.crashing = of.shrink.answered);
    let ran = campaign(&mut gate, Suite::Key, &thorough);
    let found: Vec<String> = ran
        .found
        .iter()
        .map(|of| {
            format!(
                "{} {} {} {}",
                of.clauses[0],
                of.kind.word(),
                of.case.op.name(),
                of.case.op.input()
            )
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"), @r##"
    KEY-16 crashed key.base {"subject":""}
    KEY-12 diverged key.id {"subject":""}
    KEY-16 error key.base {"subject":"#"}
    "##);
    let mut again = faulty();
    let failed = gate.asked.iter().take(600).filter(|case| {
        matches!(
            case.judge(&(again.answer)(&case.op)),
            gatespec::conform::Verdict::Failed { .. }
        )
    });
    assert_eq!(ran.state.failed, failed.count() as u64);
    let one = limits(|of| (of.findings, of.shrink.answered, of.shrink.crashing) = (1, 0, 0));
    assert_eq!(campaign(&mut faulty(), Suite::Key, &one).found.len(), 1);
}

#[test]
fn the_smallest_of_what_is_the_same_is_kept() {
    // of those that are a character long there are many
    let breaks = |op: &Op| op.name() == "key.liveId" && !op.input().get().contains(r#""""#);
    let mut gate = Fake::new(move |op| match breaks(op) {
        true => Answer::Error("broke".to_owned()),
        false => right(op),
    });
    let ran = campaign(&mut gate, Suite::Key, &limits(|of| of.shrink.answered = 0));
    let asked = gate.asked.iter().filter(|case| breaks(&case.op));
    for of in &ran.found {
        assert_eq!(of.kind, Kind::Errored);
        let same = asked
            .clone()
            .filter(|case| case.op.clauses()[0] == of.clauses[0]);
        // of equals, the first
        let smallest = same.min_by_key(|case| weight(&case.op)).unwrap();
        assert_eq!(of.case.op, smallest.op);
    }
    assert!(!ran.found.is_empty());
}

#[test]
fn a_gate_that_stops_ends_the_campaign_with_what_was_found() {
    let mut gate = Fake::new(|_| Answer::Error("broke".to_owned()));
    let gone = Stopped::GaveUp("gone".to_owned());
    gate.stops = Some((70, gone.clone()));
    let ran = campaign(&mut gate, Suite::Key, &limits(|_| ()));
    assert_eq!(
        (ran.state.cases, ran.state.failed, ran.stopped),
        (70, 70, Some(gone))
    );
    assert!(!ran.found.is_empty());
    assert_eq!(gate.asked.len(), 70);
}

#[test]
fn answers_are_taken_in_the_order_of_the_questions() {
    let asked = |backwards| {
        let mut gate = Fake::right();
        gate.backwards = backwards;
        let ran = campaign(&mut gate, Suite::Key, &limits(|_| ()));
        (ran.state, gate.asked)
    };
    assert_eq!(asked(true), asked(false));
}
