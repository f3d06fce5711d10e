//! The promise, in short: the model is what its vectors and a second implementation of every suite
//! say. Quick, so that a mutation of the model itself can be run against it (see CONTRIBUTING.md).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

mod beyond;

use gatespec::conform::{Plan, plan, vectors};
use gatespec::generate::{self, Settings};
use gatespec::model::Suite;
use gatespec::model::key::{by_grammar, plan_key};
use gatespec::mutants::{self, boundary, key, ledger, outcome, pass, verdict, window};
use gatespec::ops::{Op, Output};

/// The answer of the second implementation.
fn second(op: &Op) -> Output {
    match op {
        Op::Key(op) => Output::Key(key::answer(key::Fault::Nowhere, op)),
        Op::Verdict(op) => Output::Verdict(verdict::answer(verdict::Fault::Nowhere, op)),
        Op::Window(op) => Output::Window(window::answer(window::Fault::Nowhere, op)),
        Op::Boundary(op) => Output::Boundary(boundary::answer(boundary::Fault::Nowhere, op)),
        Op::Outcome(op) => Output::Outcome(outcome::answer(outcome::Fault::Nowhere, op)),
        Op::Ledger(op) => Output::Ledger(ledger::answer(ledger::Fault::Nowhere, op)),
        Op::Pass(op) => Output::Pass(pass::answer(pass::Fault::Nowhere, op)),
    }
}

/// The beginning of the enumeration, evenly spread cases of the rest, and random ones.
fn cases(suite: Suite) -> impl Iterator<Item = Op> {
    let settings = Settings::default();
    let first = generate::enumerate(suite, &settings).take(4000);
    let spread = generate::enumerate(suite, &settings)
        .skip(4000)
        .step_by(97)
        .take(1500);
    first
        .chain(spread)
        .chain(plan::generated(suite, &settings).take(1500))
}

#[test]
fn the_model_agrees_with_its_vectors() {
    vectors::embedded().unwrap();
}

#[test]
fn the_model_and_a_second_implementation_agree() {
    for op in Suite::ALL.into_iter().flat_map(cases) {
        for answer in [second(&op), op.expected()] {
            let broken = op.judge(&answer);
            assert!(broken.is_empty(), "{broken:?} by {answer:?} to {op:?}");
        }
    }
}

#[test]
fn the_vectors_kill_every_mutant() {
    let plan = Plan::new(0).unwrap();
    for mutant in mutants::all() {
        let of = plan
            .vectors
            .iter()
            .filter(|case| case.suite() == mutant.clause.suite());
        let mut blamed =
            of.filter_map(|case| case.op.judge(&(mutant.answer)(&case.op)).first().copied());
        assert!(
            blamed.any(|clause| clause == mutant.clause),
            "{} survives",
            mutant.id
        );
    }
}

#[test]
fn the_quick_reading_of_a_key_is_the_grammars() {
    let same = |subject: &[u8]| {
        let shown = || subject.escape_ascii().to_string();
        assert_eq!(plan_key(subject), by_grammar(subject), "{}", shown());
    };
    for subject in generate::key::subjects(5) {
        same(&subject);
        // around the length to which keys are read the quick way
        for padding in [16usize, 32, 48, 61, 62, 63, 64, 65] {
            if let Some(more) = padding.checked_sub(subject.len()) {
                same(&[&subject[..], &b"x".repeat(more)].concat());
            }
        }
    }
    // the end of the name at every place of every length
    for name in 1..60 {
        for step in 0..60 {
            let (name, step) = ("n".repeat(name), "s".repeat(step));
            same(format!("node:{name}:step:{step}").as_bytes());
            same(format!("node:iter:7:{name}:step:{step}").as_bytes());
        }
    }
    for digits in [
        "7",
        "70",
        "0",
        "07",
        "1234567",
        "12345678",
        "123456789",
        "",
        "x",
        "7x",
        "7/",
    ] {
        for rest in ["", ":", ":n", ":n:", ":n:step:", ":n:step:s", "n:step:s"] {
            let subject = format!("node:iter:{digits}{rest}").into_bytes();
            same(&subject);
            // any other byte anywhere
            for at in 0..subject.len() {
                for byte in 0..=u8::MAX {
                    let mut other = subject.clone();
                    other[at] = byte;
                    same(&other);
                }
            }
        }
    }
}
