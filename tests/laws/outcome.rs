use std::collections::BTreeSet;

use gatespec::generate::{self, Settings};
use gatespec::laws::outcome::{INVARIANTS, LAWS, lawful, unscreened};
use gatespec::model::outcome::{Facts, Layer, mint};
use gatespec::model::{Clause, Suite};
use gatespec::mutants::outcome::{Fault, MUTANTS, answer};
use gatespec::ops::outcome::{MintInput, Op, Output, WORDS};
use gatespec::ops::{Op as AnyOp, SuiteOp as _};
use proptest::prelude::*;

fn ops() -> Vec<AnyOp> {
    generate::enumerate(Suite::Outcome, &Settings::default()).collect()
}

#[test]
fn every_law_holds_of_the_whole_fact_space() {
    let facts = generate::outcome::facts(&Settings::default());
    let distinct: BTreeSet<&Facts> = facts.iter().collect();
    assert_eq!(
        distinct.len(),
        facts.len(),
        "some facts are enumerated twice"
    );
    // who refused (12 or nobody) x cause x (no ask, or 9 x origin x licence) x three members
    assert_eq!(super::hold(LAWS, facts.iter()), 13 * 3 * (1 + 9 * 4) * 8);
    assert_eq!(facts.len(), 11_544);
}

#[test]
fn what_is_minted_is_exactly_what_the_oracle_builds() {
    let plain = |facts: &Facts| -> Facts {
        let word = |word: &Option<String>| word.as_ref().map(|_| "w".to_owned());
        let mut facts = facts.clone();
        facts.classifier = word(&facts.classifier);
        facts.released = word(&facts.released);
        facts.mode_refusal = word(&facts.mode_refusal);
        if let Some(settled) = &mut facts.settled {
            settled.origin = word(&settled.origin);
            settled.licensed = word(&settled.licensed);
        }
        facts
    };
    let minted: BTreeSet<Facts> = generate::outcome::facts(&Settings::default())
        .iter()
        .filter(|facts| mint(facts).is_ok())
        .map(plain)
        .collect();
    let built: BTreeSet<Facts> = lawful("w").into_iter().collect();
    assert_eq!(minted, built);
    assert_eq!(minted.len(), 360);
}

#[test]
fn each_invariant_is_broken_by_some_record() {
    let facts = generate::outcome::facts(&Settings::default());
    for invariant in INVARIANTS {
        let broken = facts
            .iter()
            .filter(|facts| !(invariant.holds)(&unscreened(facts)))
            .count();
        assert!(broken > 0, "{} is vacuous", invariant.clause);
    }
}

#[test]
fn a_second_implementation_agrees_on_the_whole_fact_space() {
    for op in generate::outcome::enumerate(&Settings::default()) {
        let got = answer(Fault::Nowhere, &op);
        assert!(op.judge(&got).is_empty(), "{op:?}: {got:?}");
        assert!(op.judge(&op.expected()).is_empty(), "{op:?}");
    }
}

#[test]
fn every_mutant_dies_by_its_own_clause() {
    super::strength::every_mutant_dies(MUTANTS, &ops());
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    super::strength::vectors_kill_every_mutant(Suite::Outcome, MUTANTS);
}

#[test]
fn every_clause_is_hit_by_random_facts() {
    // OUT-12 speaks of a whole pass: that suite has its cases
    super::strength::every_clause_is_hit(Suite::Outcome, 2000, &[Clause::Out12]);
}

#[test]
fn every_word_that_a_case_needs_is_listed() {
    for word in ops().iter().flat_map(AnyOp::needs) {
        let layer = Layer::ALL.iter().any(|layer| layer.word() == word);
        assert!(layer || WORDS.contains(&word), "{word}");
    }
}

#[test]
fn shrinking_ends() {
    for op in ops() {
        let size = gatespec::ops::weight(&op);
        for less in op.smaller() {
            assert!(
                gatespec::ops::weight(&less) < size,
                "{op:?} is not larger than {less:?}"
            );
        }
    }
}

#[test]
fn an_answer_is_a_record_or_a_defect() {
    let op = Op::Mint(MintInput {
        facts: Facts::default(),
    });
    let defect = op.read_output(r#"{"defect":"it is"}"#).unwrap();
    assert_eq!(
        defect,
        Output::Defect {
            defect: "it is".to_owned()
        }
    );
    assert!(op.judge(&defect).first() == Some(&Clause::Out02));
    let record = op
        .read_output(r#"{"record":{"decision":"allow"}}"#)
        .unwrap();
    assert!(op.judge(&record).is_empty());
    for wrong in [
        "{}",
        "null",
        r#"{"record":{"decision":"allow"},"defect":"it is"}"#,
        r#"{"record":{"decision":"ask"}}"#,
        r#"{"record":{"decision":"allow","licensed":"x"}}"#,
        r#"{"record":{"decision":"deny","deniedBy":"Hook"}}"#,
        r#"{"record":{"decision":"allow"},"decision":"allow"}"#,
        r#"{"record":{"decision":"allow","settlement":{"kind":"approved","by":"engine"}}}"#,
    ] {
        assert!(op.read_output(wrong).is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn every_law_holds_of_random_facts(op in generate::outcome::strategy(&Settings::default())) {
        if let Op::Mint(MintInput { facts }) = &op {
            super::hold_of(LAWS, facts)?;
        }
        prop_assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
        let json = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(serde_json::from_str::<Op>(&json).unwrap(), op);
    }
}
