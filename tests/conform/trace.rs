//! Traceability: what is missing is named, with what to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gatespec::conform::plan::generated;
use gatespec::conform::trace::{Column, EXEMPT, Exemption, Parts, reached};
use gatespec::conform::{Depth, vectors};
use gatespec::generate::{Settings, enumerate};
use gatespec::model::{Clause, Suite};
use gatespec::{laws, mutants};

/// The parts of this crate, as if cases of both depths reached every clause.
fn parts() -> Parts {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    let chapter = |suite| std::fs::read_to_string(spec.join(format!("{suite}.md"))).unwrap();
    let both: BTreeSet<Depth> = [Depth::Enumerated, Depth::Generated].into();
    let shown = Clause::ALL
        .iter()
        .filter(|clause| **clause != Clause::Out12);
    let chapters = Suite::ALL
        .into_iter()
        .map(|suite| (suite, chapter(suite)))
        .collect();
    let reached = shown.map(|clause| (*clause, both.clone())).collect();
    let (laws, mutants) = (laws::all(), mutants::all());
    let (vectors, exempt) = (vectors::embedded().unwrap(), EXEMPT.to_vec());
    // built from the crate's own, since parts may come in
    Parts {
        chapters,
        laws,
        vectors,
        reached,
        mutants,
        exempt,
    }
}

#[test]
fn what_a_clause_lacks_is_said_with_what_to_do() {
    assert_eq!(parts().gaps(), Vec::<String>::new());
    let mut parts = parts();
    parts
        .laws
        .retain(|law| !law.clauses.contains(&Clause::Key18));
    parts
        .vectors
        .retain(|case| !case.op.clauses().contains(&Clause::Led04));
    parts.reached.remove(&Clause::Win01);
    parts
        .mutants
        .retain(|mutant| mutant.clause != Clause::Key05);
    let spoken: BTreeSet<Clause> =
        [Clause::Key18, Clause::Led04, Clause::Win01, Clause::Key05].into();
    let gaps: Vec<String> = parts
        .gaps()
        .into_iter()
        .filter(|gap| spoken.iter().any(|clause| gap.starts_with(clause.id())))
        .collect();
    assert_eq!(
        gaps,
        [
            "KEY-05 has no mutant: add one to src/mutants/key.rs, or write into EXEMPT in src/conform/trace.rs why it cannot have one",
            "KEY-18 has no law: add the clause to a law in src/laws/key.rs, or write into EXEMPT in src/conform/trace.rs why it cannot have one",
            "WIN-01 has no enumerated or random case: make src/generate/window.rs reach it, or write into EXEMPT in src/conform/trace.rs why it cannot have one",
            "LED-04 has no vector: add one below spec/vectors/ledger/, or write into EXEMPT in src/conform/trace.rs why it cannot have one",
        ]
    );
}

#[test]
fn a_row_holds_what_there_is_of_its_clause() {
    let parts = parts();
    let rows = parts.rows();
    assert_eq!(
        rows.iter().map(|row| row.clause).collect::<Vec<_>>(),
        Clause::ALL
    );
    for row in rows {
        let clause = row.clause;
        let laws: Vec<&str> = parts
            .laws
            .iter()
            .filter(|law| law.clauses.contains(&clause))
            .map(|law| law.id)
            .collect();
        let vectors = parts
            .vectors
            .iter()
            .filter(|case| case.op.clauses().contains(&clause));
        let mutants = parts.mutants.iter().filter(|of| of.clause == clause);
        assert_eq!(row.laws, laws);
        assert_eq!(
            row.vectors,
            vectors.map(|case| case.id.clone()).collect::<Vec<_>>()
        );
        assert_eq!(row.mutants, mutants.map(|of| of.id).collect::<Vec<_>>());
        assert_eq!(
            row.checks.len(),
            if clause == Clause::Out12 { 0 } else { 2 }
        );
        assert_eq!(row.has(Column::Law), !row.laws.is_empty());
        assert_eq!(row.has(Column::Vector), !row.vectors.is_empty());
        assert_eq!(row.has(Column::Check), !row.checks.is_empty());
        assert_eq!(row.has(Column::Mutant), !row.mutants.is_empty());
    }
}

#[test]
fn a_reason_that_is_no_longer_needed_is_stale() {
    let mut parts = parts();
    parts.exempt.push(Exemption {
        clause: Clause::Key05,
        column: Column::Mutant,
        reason: "x",
    });
    assert_eq!(
        parts.gaps(),
        ["KEY-05 has a mutant, and is exempt from having one: the reason is stale"]
    );
    parts.exempt.pop();
    // a reason is for one clause and one column
    let needed = parts.exempt.remove(0);
    let gaps = parts.gaps();
    assert_eq!(gaps.len(), 1);
    assert!(gaps[0].starts_with(&format!(
        "{} has no {}",
        needed.clause,
        needed.column.word()
    )));
}

#[test]
fn a_chapter_and_the_clauses_say_the_same() {
    let mut parts = parts();
    let chapter = parts.chapters.get_mut(&Suite::Key).unwrap();
    let heading = |id: &str| {
        let clause = Clause::from_id(id).unwrap();
        format!(
            "### {id} · {}\n{}\n",
            clause.provenance().word(),
            clause.text()
        )
    };
    assert!(chapter.contains(&heading("KEY-04")), "{chapter}");
    *chapter = chapter
        .replace(&heading("KEY-04"), "")
        .replace("### KEY-03 · derived", "### KEY-03 · seed")
        .replace(
            "A node key is a plan key without a Step.",
            "A node key has no Step.",
        );
    chapter.push_str(&heading("KEY-05"));
    chapter
        .push_str("### KEY-99 · seed\nA new rule.\n### LED-01 · seed\nIt is of another suite.\n");
    parts.chapters.remove(&Suite::Window);
    assert_eq!(
        parts.gaps(),
        [
            "spec/key.md marks KEY-03 `seed`, and src/model/clause.rs `derived`",
            "spec/key.md and src/model/clause.rs state KEY-09 in other words",
            "spec/key.md states KEY-05 twice",
            "spec/key.md states KEY-99, and `key` has no such clause: add it to src/model/clause.rs, with its law, vectors, cases and mutant",
            "spec/key.md states LED-01, and `key` has no such clause: add it to src/model/clause.rs, with its law, vectors, cases and mutant",
            "spec/key.md does not state KEY-04",
            "the suite `window` has no chapter: write spec/window.md",
        ]
    );
}

#[test]
fn the_depths_that_reach_a_clause_are_those_whose_cases_rest_on_it() {
    let settings = Settings::default().deeper(-3);
    let found = reached(&settings);
    let mut all: BTreeMap<Clause, BTreeSet<Depth>> = BTreeMap::new();
    for suite in [Suite::Key, Suite::Window] {
        for clause in enumerate(suite, &settings).flat_map(|op| op.clauses()) {
            all.entry(clause).or_default().insert(Depth::Enumerated);
        }
        for clause in generated(suite, &settings)
            .take(2000)
            .flat_map(|op| op.clauses())
        {
            all.entry(clause).or_default().insert(Depth::Generated);
        }
    }
    for (clause, depths) in all {
        assert!(
            found[&clause].is_superset(&depths),
            "{clause}: {:?}",
            found[&clause]
        );
    }
    assert!(
        found
            .values()
            .all(|depths| !depths.contains(&Depth::Vector))
    );
}
