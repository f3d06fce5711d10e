//! The promise, in short: the model is what its vectors and a second implementation of every suite
//! say. Quick, so that a mutation of the model itself can be run against it (see CONTRIBUTING.md).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use gatespec::conform::{Plan, plan, vectors};
use gatespec::generate::{self, Settings};
use gatespec::model::Suite;
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
