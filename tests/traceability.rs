//! The promise: every clause has a law, a vector, a case and a mutant, or a written reason; prose,
//! enum and vectors say the same; and whatever is taken away is missed by name.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use gatespec::conform::trace::{Column, Exemption, Parts};
use gatespec::model::{Clause, Suite};
use gatespec::ops::Op;
use gatespec::report::trace as page;

/// The parts of this crate, gathered once: the cases take a while.
static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let chapter = |suite: Suite| std::fs::read_to_string(spec.join(format!("{suite}.md")));
    let chapters: BTreeMap<Suite, String> = Suite::ALL
        .into_iter()
        .filter_map(|suite| Some((suite, chapter(suite).ok()?)))
        .collect();
    Parts::of_crate(chapters).unwrap()
});

fn parts() -> Parts {
    PARTS.clone()
}

/// The gaps of some parts that are not gaps of the crate.
fn new_gaps(parts: &Parts) -> Vec<String> {
    let known = PARTS.gaps();
    parts
        .gaps()
        .into_iter()
        .filter(|gap| !known.contains(gap))
        .collect()
}

#[test]
fn every_clause_has_all_that_tests_it_or_a_reason() {
    let gaps = parts().gaps();
    assert!(gaps.is_empty(), "\n{}", gaps.join("\n"));
}

#[test]
fn the_page_is_what_there_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/traceability.md");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let differences = page::differences(&text, &page::markdown(&parts()));
    assert!(
        differences.is_empty(),
        "spec/traceability.md is stale; if what changed is meant, run `gatespec trace --write`\n{}",
        differences.join("\n")
    );
}

#[test]
fn a_clause_that_only_the_chapter_states_is_missed() {
    let mut parts = parts();
    let chapter = parts.chapters.get_mut(&Suite::Key).unwrap();
    chapter.push_str("\n### KEY-99 · seed\nA new rule.\n");
    assert_eq!(
        new_gaps(&parts),
        [
            "spec/key.md states KEY-99, and `key` has no such clause: add it to src/model/clause.rs, \
          with its law, vectors, cases and mutant"
        ]
    );
}

#[test]
fn a_clause_in_other_words_is_missed() {
    let mut parts = parts();
    let chapter = parts.chapters.get_mut(&Suite::Key).unwrap();
    *chapter = chapter
        .replace("### KEY-03 · derived", "### KEY-03 · seed")
        .replace(
            "A node key is a plan key without a Step.",
            "A node key has no Step.",
        );
    assert_eq!(
        new_gaps(&parts),
        [
            "spec/key.md marks KEY-03 `seed`, and src/model/clause.rs `derived`",
            "spec/key.md and src/model/clause.rs state KEY-09 in other words",
        ]
    );
}

#[test]
fn a_clause_without_its_mutant_is_missed() {
    let mut parts = parts();
    parts
        .mutants
        .retain(|mutant| mutant.clause != Clause::Key05);
    assert_eq!(
        new_gaps(&parts),
        [
            "KEY-05 has no mutant: add one to src/mutants/key.rs, or write into EXEMPT in \
          src/conform/trace.rs why it cannot have one"
        ]
    );
}

#[test]
fn a_mutant_under_another_clause_is_missed() {
    let mut parts = parts();
    let mutant = parts
        .mutants
        .iter_mut()
        .find(|mutant| mutant.id == "key/backtracks")
        .unwrap();
    mutant.clause = Clause::Key06;
    let gaps = new_gaps(&parts);
    assert!(
        gaps.iter()
            .any(|gap| gap.starts_with("KEY-05 has no mutant")),
        "{gaps:?}"
    );
}

#[test]
fn a_law_that_no_longer_states_a_clause_is_missed() {
    let mut parts = parts();
    parts
        .laws
        .retain(|law| !law.clauses.contains(&Clause::Key18));
    let gaps = new_gaps(&parts);
    assert!(
        gaps.iter().any(|gap| gap.starts_with("KEY-18 has no law")),
        "{gaps:?}"
    );
}

#[test]
fn a_clause_that_no_case_reaches_is_missed() {
    let mut parts = parts();
    parts.reached.remove(&Clause::Key17);
    assert_eq!(
        new_gaps(&parts),
        [
            "KEY-17 has no enumerated or random case: make src/generate/key.rs reach it, or write \
          into EXEMPT in src/conform/trace.rs why it cannot have one"
        ]
    );
}

#[test]
fn any_vector_that_goes_is_missed() {
    let whole = page::markdown(&parts());
    for at in (0..parts().vectors.len()).step_by(17) {
        let mut parts = parts();
        let gone = parts.vectors.remove(at);
        let name = gone.id.rsplit('/').next().unwrap();
        let differences = page::differences(&whole, &page::markdown(&parts));
        let named = differences
            .iter()
            .any(|line| line.starts_with("- ") && line.contains(name));
        assert!(named, "{} is not missed: {differences:?}", gone.id);
    }
}

#[test]
fn a_reason_that_is_stale_is_found() {
    let mut parts = parts();
    let (clause, column) = (Clause::Key01, Column::Law);
    parts.exempt.push(Exemption {
        clause,
        column,
        reason: "none",
    });
    assert_eq!(
        new_gaps(&parts),
        ["KEY-01 has a law, and is exempt from having one: the reason is stale"]
    );
}

#[test]
fn every_fate_of_a_suite_is_some_vector_s() {
    for suite in Suite::ALL {
        let vectors = || PARTS.vectors.iter().filter(|case| case.suite() == suite);
        assert!(
            !Op::fates(suite).is_empty(),
            "`{suite}` has no fates: add them to src/ops/fate.rs"
        );
        for case in vectors() {
            let fates = case.op.expected().fates();
            let known = fates.iter().all(|fate| Op::fates(suite).contains(fate));
            assert!(known && !fates.is_empty(), "{}: {fates:?}", case.id);
        }
        for fate in Op::fates(suite) {
            let hit = vectors().any(|case| case.op.expected().fates().contains(fate));
            assert!(hit, "no vector of `{suite}` comes to `{fate}`");
        }
    }
}
