use std::collections::BTreeSet;

use gatespec::generate::{self, Settings};
use gatespec::laws::key::LAWS;
use gatespec::mutants::key::{Fault, answer};
use gatespec::ops::SuiteOp as _;
use proptest::prelude::*;

#[test]
fn every_law_holds_of_all_keys_of_up_to_seven_tokens() {
    let count = super::hold(LAWS, generate::key::subjects(7));
    // a(n) = 10 a(n-1) - a(n-2), summed to 7: token strings in which no `0` stands before `3`
    assert_eq!(count, 10_467_380);
}

#[test]
fn no_subject_is_enumerated_twice() {
    let mut seen = BTreeSet::new();
    for subject in generate::key::subjects(4) {
        assert!(
            seen.insert(subject.clone()),
            "{:?} again",
            subject.escape_ascii().to_string()
        );
    }
}

#[test]
fn a_second_implementation_agrees_on_all_keys_of_up_to_five_tokens() {
    for op in generate::key::enumerate(&Settings::default()) {
        assert_eq!(answer(Fault::Nowhere, &op), op.expected(), "{op:?}");
    }
}

#[test]
fn no_question_is_enumerated_twice() {
    for tokens in 1..=4 {
        let mut settings = Settings::default();
        settings.key_tokens = tokens;
        let mut seen = BTreeSet::new();
        for op in generate::key::enumerate(&settings) {
            assert!(
                seen.insert(serde_json::to_string(&op).unwrap()),
                "{op:?} again"
            );
        }
    }
}

#[test]
fn every_clause_is_hit_by_random_keys() {
    super::strength::every_clause_is_hit(gatespec::model::Suite::Key, 2000, &[]);
}

proptest! {
    #[test]
    fn every_law_holds_of_random_keys(op in generate::key::strategy(&Settings::default())) {
        super::hold_of(LAWS, op.subject())?;
        prop_assert_eq!(answer(Fault::Nowhere, &op), op.expected());
        prop_assert!(op.judge(&op.expected()).is_empty());
    }
}
