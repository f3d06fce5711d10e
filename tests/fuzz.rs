//! The promise: a campaign finds what plain random strings would not, makes it small, and is the
//! same campaign for the same seed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use gatespec::conform::fuzz::{Campaign, Limits, fuzz};
use gatespec::conform::subject::mutant;
use gatespec::conform::{Hello, InProcess, Subject};
use gatespec::generate::Settings;
use gatespec::model::{Clause, Suite};
use gatespec::ops::Op;

fn campaign(subject: &mut dyn Subject, suite: Suite, seed: u64, cases: u64) -> Campaign {
    let limits = Limits {
        cases,
        ..Limits::default()
    };
    fuzz(
        subject,
        &Hello::reference(),
        suite,
        &Settings::seeded(seed),
        &limits,
        &mut |_| true,
    )
}

#[test]
fn the_reference_survives_a_campaign_that_reaches_every_clause_of_the_grammar() {
    let ran = campaign(&mut InProcess::reference(), Suite::Key, 3, 20_000);
    assert!(ran.found.is_empty(), "{:?}", ran.found);
    assert_eq!(ran.state.cases, 20_000);
    let of_key = Clause::ALL
        .iter()
        .filter(|clause| clause.suite() == Suite::Key)
        .count();
    assert_eq!(ran.state.clauses.len(), of_key);
    assert!(ran.state.corpus > 100, "{:?}", ran.state);
}

#[test]
fn a_campaign_finds_the_iteration_one_above_the_largest_and_makes_it_small() {
    let wide = gatespec::mutants::all()
        .into_iter()
        .find(|m| m.id == "key/wide_iteration")
        .unwrap();
    let ran = campaign(&mut mutant(wide), Suite::Key, 3, 20_000);
    let clauses: Vec<_> = ran.found.iter().map(|found| found.clauses[0]).collect();
    assert!(
        clauses.iter().all(|clause| *clause == Clause::Key03),
        "{clauses:?}"
    );
    let smallest: Vec<String> = ran
        .found
        .iter()
        .map(|found| found.case.op.input().get().to_owned())
        .collect();
    let least = r#"{"subject":"node:iter:9223372036854775808:x"}"#;
    let len = |text: &String| text.len();
    assert_eq!(
        smallest.iter().map(len).min(),
        Some(least.len()),
        "{smallest:?}"
    );
}

#[test]
fn the_same_seed_is_the_same_campaign() {
    let asked = |seed| {
        let mut asked: Vec<Op> = Vec::new();
        let mut gate = InProcess::new(Hello::reference(), |op: &Op| {
            asked.push(op.clone());
            gatespec::conform::Answer::Output(op.expected())
        });
        campaign(&mut gate, Suite::Key, seed, 4_000);
        asked
    };
    assert_eq!(asked(5), asked(5));
    assert_ne!(asked(5), asked(6));
}
