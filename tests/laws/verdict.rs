use gatespec::generate::{self, Settings};
use gatespec::laws::verdict::LAWS;
use gatespec::model::Suite;
use gatespec::mutants::verdict::{Fault, MUTANTS, answer};
use gatespec::ops::SuiteOp as _;
use gatespec::ops::verdict::Op;
use proptest::prelude::*;

#[test]
fn every_law_holds_of_the_whole_table_and_of_all_outputs_up_to_the_bound() {
    let settings = Settings::default();
    let count = super::hold(LAWS, generate::verdict::enumerate(&settings));
    // 18 member texts in lists of up to 3, those of up to 2 in 18 wraps
    let outputs = (1 + 18 + 18 * 18 + 18 * 18 * 18) + (18 + 18 * 18) * 18 + 34 + 6;
    // 18 outputs with 5 exit codes, 6 with 7 signals and with a time-out, and no spawn; four ways
    let table = (18 * 5 + 6 * 7 + 6 + 1) * 4;
    assert_eq!(generate::verdict::outputs(&settings).count(), outputs);
    assert_eq!(generate::verdict::table(&settings).count(), table);
    assert_eq!((count, outputs, table), (12_950, 12_371, 556));
}

#[test]
fn a_second_implementation_agrees_on_every_enumerated_case() {
    for op in generate::verdict::enumerate(&Settings::default()) {
        for fault in [Fault::Nowhere, Fault::NullIsPass] {
            assert_eq!(op.judge(&answer(fault, &op)), [], "{fault:?} on {op:?}");
        }
    }
}

#[test]
fn a_null_reason_beside_pass_may_be_a_fault_or_a_pass() {
    let input =
        r#"{"op":"verdict.parse","input":{"output":"{\"verdict\":\"pass\",\"reason\":null}"}}"#;
    let op: Op = serde_json::from_str(input).unwrap();
    for conforming in [r#"{"fault":"a reason"}"#, r#"{"verdict":"pass"}"#] {
        assert_eq!(op.judge(&op.read_output(conforming).unwrap()), []);
    }
    let held = op.read_output(r#"{"verdict":"hold","reason":""}"#).unwrap();
    assert_eq!(
        op.judge(&held).first().map(|clause| clause.id()),
        Some("VER-18")
    );
}

#[test]
fn an_output_of_another_shape_is_no_answer() {
    let op: Op =
        serde_json::from_str(r#"{"op":"verdict.parse","input":{"output":{"base64":"/w=="}}}"#)
            .unwrap();
    assert_eq!(op.needs(), ["bytes"]);
    for bad in [
        "{}",
        "null",
        r#"{"verdict":"pass","reason":"x"}"#,
        r#"{"verdict":"pass","verdict":"pass"}"#,
        r#"{"verdict":"hold"}"#,
        r#"{"verdict":"Pass"}"#,
        r#"{"fault":"x","verdict":"pass"}"#,
    ] {
        assert!(op.read_output(bad).is_err(), "{bad}");
    }
}

#[test]
fn every_mutant_is_killed_by_the_clause_that_it_breaks() {
    let cases: Vec<_> = generate::enumerate(Suite::Verdict, &Settings::default()).collect();
    super::strength::every_mutant_dies(MUTANTS, &cases);
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    super::strength::vectors_kill_every_mutant(Suite::Verdict, MUTANTS);
}

#[test]
fn random_cases_reach_every_clause() {
    super::strength::every_clause_is_hit(Suite::Verdict, 2_000, &[]);
}

proptest! {
    #[test]
    fn every_law_holds_of_random_cases(op in generate::verdict::strategy(&Settings::default())) {
        super::hold_of(LAWS, &op)?;
        prop_assert!(op.judge(&op.expected()).is_empty());
        prop_assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
        let json = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Op>(&json).unwrap(), &op);
        let expected = serde_json::to_string(&op.expected()).unwrap();
        prop_assert_eq!(op.read_output(&expected).unwrap(), op.expected());
    }
}
