//! The promise: every faulty gate is caught, each by a check of the clause that it breaks, and the
//! gate that breaks none is not. Here with the vectors and the beginning of each enumeration;
//! `cargo run --release -- mutants` does the same with all cases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use gatespec::conform::process::Command;
use gatespec::conform::strength::{Bounds, Strength, measure};
use gatespec::conform::{Depth, Kind};
use gatespec::model::{Clause, Suite};
use gatespec::mutants;
use gatespec::report::strength as page;

fn spawn(id: &str) -> Option<Command> {
    Command::new([env!("CARGO_BIN_EXE_gatespec"), "serve", "--mutant", id])
}

/// Measured once for all tests.
static STRENGTH: LazyLock<Strength> = LazyLock::new(|| {
    let bounds = Bounds::shallow(6000).unwrap();
    measure(&bounds, Some(&spawn), &|_| {})
});

#[test]
fn every_mutant_dies_by_its_own_clause() {
    let complaints: Vec<String> = STRENGTH
        .mutants
        .iter()
        .filter_map(|killed| killed.complaint())
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert_eq!(STRENGTH.mutants.len(), mutants::all().len());
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    let survivors: Vec<&str> = STRENGTH
        .mutants
        .iter()
        .filter(|of| !of.by(Depth::Vector))
        .map(|of| of.id)
        .collect();
    assert!(survivors.is_empty(), "add vectors for: {survivors:#?}");
}

#[test]
fn the_model_passes_its_own_suite() {
    for row in &STRENGTH.reference {
        assert_eq!(row.wrong, None, "{}", row.suite);
        assert!(row.passed > 0, "{}", row.suite);
    }
    assert_eq!(STRENGTH.reference.len(), Suite::ALL.len());
}

#[test]
fn gates_that_are_wrong_as_a_whole_fail_every_suite() {
    let complaints = STRENGTH.complaints();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let words: BTreeSet<&str> = Suite::ALL.map(Suite::word).into();
    for row in &STRENGTH.gates {
        let suites: BTreeSet<&str> = row.suites.keys().copied().collect();
        assert_eq!(suites, words, "{}", row.id);
    }
    assert_eq!(STRENGTH.gates.len(), mutants::gates().count());
}

#[test]
fn each_way_to_break_the_protocol_is_named() {
    for (id, kind) in [
        ("degenerate/silent", Kind::TimedOut),
        ("degenerate/answers_late", Kind::TimedOut),
        ("degenerate/crashes_on_refuse", Kind::Crashed),
        ("degenerate/answers_twice", Kind::Protocol),
        ("degenerate/answers_another_id", Kind::Protocol),
    ] {
        let row = STRENGTH.gates.iter().find(|row| row.id == id).unwrap();
        for (suite, caught) in &row.suites {
            assert!(caught.kinds.contains(&kind), "{id} in {suite}: {caught:?}");
        }
    }
}

#[test]
fn those_who_cheat_pass_the_vectors_and_nothing_else() {
    for id in ["cheat/table", "cheat/echo", "cheat/unsupported"] {
        let row = STRENGTH.gates.iter().find(|row| row.id == id).unwrap();
        for (suite, caught) in &row.suites {
            assert!(!caught.depths.contains(&Depth::Vector), "{id} in {suite}");
            assert!(
                caught.depths.contains(&Depth::Enumerated),
                "{id} in {suite}"
            );
        }
    }
}

#[test]
fn the_sentinel_is_seen_in_every_suite() {
    let row = STRENGTH
        .gates
        .iter()
        .find(|row| row.id == "degenerate/sentinel")
        .unwrap();
    for (suite, caught) in &row.suites {
        // what a clause leaves free cannot be wrong
        assert!(
            caught.failed * 10 >= caught.cases * 9,
            "{suite}: {caught:?}"
        );
    }
}

#[test]
fn a_mutant_under_another_clause_is_found() {
    let mut killed = STRENGTH
        .mutants
        .iter()
        .find(|of| of.id == "key/sign")
        .unwrap()
        .clone();
    killed.clause = Clause::Key03;
    killed
        .depths
        .values_mut()
        .for_each(|kill| kill.after = None);
    assert_eq!(
        killed.complaint().unwrap(),
        "`key/sign` breaks KEY-03 and dies only by the checks of KEY-02"
    );
}

#[test]
fn the_page_says_what_the_vectors_kill() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/strength.md");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let section = page::vectors_alone(&STRENGTH);
    for line in section.lines() {
        assert!(
            text.lines().any(|of| of == line),
            "spec/strength.md is stale; run `cargo run --release -- mutants --write`: {line}"
        );
    }
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let id = line.trim_start_matches("| `").split('`').next().unwrap();
        let known = mutants::all().iter().any(|mutant| mutant.id == id)
            || mutants::gates().any(|gate| gate.id == id);
        assert!(
            known,
            "spec/strength.md speaks of `{id}`, and there is no such gate"
        );
    }
}
