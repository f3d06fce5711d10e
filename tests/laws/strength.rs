//! What every suite's strength test does: kill each mutant, shrink the case, look at the blame.

use std::collections::BTreeMap;

use gatespec::generate::{self, Settings};
use gatespec::model::{Clause, Suite};
use gatespec::mutants::Mutant;
use gatespec::ops::{Op, weight};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

/// The clause that a mutant's answer to a case breaks first.
fn blame(mutant: &Mutant, op: &Op) -> Option<Clause> {
    op.judge(&(mutant.answer)(op)).first().copied()
}

/// The smallest case that greedy steps reach, with the same clause broken first.
fn shrunk(mutant: &Mutant, mut op: Op, clause: Clause) -> Op {
    while let Some(less) = op
        .smaller()
        .into_iter()
        .find(|less| blame(mutant, less) == Some(clause))
    {
        op = less;
    }
    op
}

/// Every mutant fails some case, and both the first that it fails and the least blame its clause
/// when nothing more can be left out.
pub(super) fn every_mutant_dies(mutants: &[Mutant], cases: &[Op]) {
    let mut wrong = Vec::new();
    for mutant in mutants {
        let failing: Vec<(&Op, Clause)> = cases
            .iter()
            .filter_map(|op| Some((op, blame(mutant, op)?)))
            .collect();
        let least = failing.iter().min_by_key(|(op, _)| weight(op));
        if least.is_none() {
            wrong.push(format!("{} survives", mutant.id));
        }
        for (op, clause) in failing.first().into_iter().chain(least) {
            let small = shrunk(mutant, (*op).clone(), *clause);
            if *clause != mutant.clause {
                wrong.push(format!("{} is blamed on {clause}: {small:?}", mutant.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// How often each clause is exercised by `count` random cases, and that each but `unless` is.
pub(super) fn every_clause_is_hit(suite: Suite, count: u32, unless: &[Clause]) {
    let strategy = generate::strategy(suite, &Settings::default());
    let mut runner = TestRunner::deterministic();
    let mut hits: BTreeMap<Clause, u32> = BTreeMap::new();
    for _ in 0..count {
        let op = strategy.new_tree(&mut runner).unwrap().current();
        for clause in op.clauses() {
            *hits.entry(clause).or_default() += 1;
        }
    }
    for clause in Clause::ALL.iter().filter(|clause| clause.suite() == suite) {
        let share = hits.get(clause).copied().unwrap_or_default();
        println!("{clause}: {share} of {count}");
        assert_eq!(
            share == 0,
            unless.contains(clause),
            "{clause} is hit {share} times"
        );
    }
}

/// Every mutant fails a vector, with its own clause among those that its answer breaks.
pub(super) fn vectors_kill_every_mutant(suite: Suite, mutants: &[Mutant]) {
    let cases = gatespec::conform::vectors::embedded().unwrap();
    let cases: Vec<_> = cases
        .into_iter()
        .filter(|case| case.suite() == suite)
        .collect();
    let survives = |mutant: &&Mutant| {
        let kills = |op: &Op| op.judge(&(mutant.answer)(op)).contains(&mutant.clause);
        !cases.iter().any(|case| kills(&case.op))
    };
    let survivors: Vec<&str> = mutants
        .iter()
        .filter(survives)
        .map(|mutant| mutant.id)
        .collect();
    assert!(survivors.is_empty(), "no vector kills {survivors:?}");
}
