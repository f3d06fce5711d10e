//! Making a failing case small.

use gatespec::conform::shrink::{Failing, ShrinkLimits, shrink};
use gatespec::conform::{Answer, Case, Depth, Hello, Kind, Stopped};
use gatespec::model::Suite;
use gatespec::ops::Op;

use super::fake::{Fake, key, right};

fn failing(op: Op, fake: &mut Fake) -> Failing {
    let answer = (fake.answer)(&op);
    let case = Case {
        id: "mine".to_owned(),
        depth: Depth::Generated,
        op,
    };
    Failing::of(case, answer).unwrap()
}

fn limits(change: impl FnOnce(&mut ShrinkLimits)) -> ShrinkLimits {
    let mut limits = ShrinkLimits::default();
    change(&mut limits);
    limits
}

const LONG: &str = "node:aaaaaaaaaa:step:bbbbbbbbbb:iter:12#cccc";

/// Shrinks the long key with a gate that is wrong in one way at every key with an `a`.
fn with(way: fn(String) -> Answer, limits: &ShrinkLimits) -> (Failing, usize) {
    let mut fake = Fake::new(move |op| match op.input().get().contains('a') {
        true => way("it did".to_owned()),
        false => right(op),
    });
    let start = failing(key("key.base", LONG), &mut fake);
    let (small, ended) = shrink(&mut fake, &Hello::reference(), start, limits);
    assert_eq!(ended, Ok(()));
    assert_eq!(
        (small.case.id.as_str(), small.case.depth),
        ("mine", Depth::Generated)
    );
    (small, fake.asked.len())
}

#[test]
fn an_answer_is_made_as_small_as_it_goes() {
    let small = |way| {
        with(way, &ShrinkLimits::default())
            .0
            .case
            .op
            .input()
            .get()
            .to_owned()
    };
    assert_eq!(small(Answer::Error), r#"{"subject":"a"}"#);
    let malformed = |why| Answer::Malformed {
        output: "[]".to_owned(),
        why,
    };
    assert_eq!(small(malformed), r#"{"subject":"a"}"#);
}

#[test]
fn every_way_to_fail_has_its_own_bound() {
    let none = limits(|of| (of.answered, of.crashing, of.hanging) = (0, 0, 0));
    for way in [
        Answer::Error,
        Answer::Crashed,
        Answer::Protocol,
        Answer::TimedOut,
    ] {
        assert_eq!(with(way, &none).1, 0);
    }
    let some = limits(|of| (of.answered, of.crashing, of.hanging, of.batch) = (5, 4, 3, 2));
    assert_eq!(with(Answer::Error, &some).1, 5);
    assert_eq!(with(Answer::Crashed, &some).1, 4);
    assert_eq!(with(Answer::Protocol, &some).1, 4);
    assert_eq!(with(Answer::TimedOut, &some).1, 3);
    // a batch of none is one at a time
    let single = limits(|of| (of.answered, of.batch) = (5, 0));
    assert_eq!(with(Answer::Error, &single).1, 5);
}

#[test]
fn the_first_candidate_that_fails_is_taken_whatever_comes_back_first() {
    // candidates come from the smallest on: all of a batch are asked, and the first counts
    let mut fake = Fake::new(|_| Answer::Error("always".to_owned()));
    fake.backwards = true;
    let start = failing(key("key.base", LONG), &mut fake);
    let first = start
        .case
        .op
        .smaller()
        .into_iter()
        .find(Op::is_asked)
        .unwrap();
    let one = limits(|of| (of.answered, of.batch) = (8, 8));
    let (small, _) = shrink(&mut fake, &Hello::reference(), start, &one);
    assert_eq!(small.case.op, first);
    assert_eq!(fake.asked.len(), 8);
}

#[test]
fn only_the_same_failure_counts() {
    // below ten characters it fails in another way
    let mut fake = Fake::new(|op| match op.input().get().len() {
        30.. => Answer::Error("long".to_owned()),
        _ => Answer::Crashed("short".to_owned()),
    });
    let start = failing(key("key.base", LONG), &mut fake);
    let (small, ended) = shrink(
        &mut fake,
        &Hello::reference(),
        start,
        &ShrinkLimits::default(),
    );
    assert_eq!((small.kind, ended), (Kind::Errored, Ok(())));
    assert_eq!(small.case.op.input().get().len(), 30);
}

#[test]
fn a_divergence_stays_one_of_the_same_clause() {
    // wrong at every key, by the clause that decides each
    let mut fake = Fake::new(|op| match op.input().get().contains("other") {
        true => right(op),
        false => right(&key("key.planKey", "node:other")),
    });
    let start = failing(key("key.planKey", "node:a:step:b:iter:12"), &mut fake);
    let empty = failing(key("key.planKey", ""), &mut fake);
    assert_ne!(empty.clauses[0], start.clauses[0]);
    let clause = start.clauses[0];
    let (small, _) = shrink(
        &mut fake,
        &Hello::reference(),
        start,
        &ShrinkLimits::default(),
    );
    assert_eq!((small.kind, small.clauses[0]), (Kind::Diverged, clause));
    assert_eq!(small.case.op.input().get(), r#"{"subject":"node:b:"}"#);
}

#[test]
fn a_candidate_that_needs_what_the_gate_lacks_is_not_asked() {
    let lacking = |words: &[&str]| {
        let mut hello = Hello::reference();
        hello.lacks = words.iter().map(ToString::to_string).collect();
        hello
    };
    let vectors = gatespec::conform::vectors::embedded().unwrap();
    let needy = vectors.into_iter().find(|case| {
        let needs = |op: &Op| op.needs().contains(&"delegate");
        case.suite() == Suite::Outcome && case.op.smaller().iter().any(needs)
    });
    let op = needy.unwrap().op;
    let asked = |words: &[&str]| {
        let mut fake = Fake::new(|_| Answer::Error("always".to_owned()));
        let start = failing(op.clone(), &mut fake);
        let one = limits(|of| (of.answered, of.batch) = (1000, 1000));
        let _ = shrink(&mut fake, &lacking(words), start, &one);
        fake.asked
            .iter()
            .filter(|case| case.op.needs().contains(&"delegate"))
            .count()
    };
    assert_ne!(asked(&[]), 0);
    assert_eq!(asked(&["delegate"]), 0);
}

#[test]
fn the_smallest_so_far_comes_with_the_reason_for_a_stop() {
    let mut fake = Fake::broken_at("a");
    let start = failing(key("key.base", LONG), &mut fake);
    fake.stops = Some((40, Stopped::GaveUp("gone".to_owned())));
    let (small, ended) = shrink(
        &mut fake,
        &Hello::reference(),
        start.clone(),
        &ShrinkLimits::default(),
    );
    assert_eq!(ended, Err(Stopped::GaveUp("gone".to_owned())));
    assert_ne!(small, start);
    fake.asked.clear();
    fake.stops = Some((0, Stopped::Interrupted));
    let (small, ended) = shrink(
        &mut fake,
        &Hello::reference(),
        start.clone(),
        &ShrinkLimits::default(),
    );
    assert_eq!((small, ended), (start, Err(Stopped::Interrupted)));
}
