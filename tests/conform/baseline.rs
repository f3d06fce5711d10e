//! Failures that are known.

use gatespec::conform::baseline::{Baseline, Judged};
use gatespec::conform::{Answer, Outcome, Stopped};
use gatespec::model::{Clause, Suite};

use super::fake::{Fake, failing, vectors_of};

fn baseline(text: &str) -> Baseline {
    Baseline::read(text).unwrap()
}

#[test]
fn an_entry_without_a_reason_is_refused() {
    let says = |text: &str| Baseline::read(text).unwrap_err().to_string();
    let reason = "gives no reason; write why the failure is known";
    assert_eq!(
        says(r#"{"clauses":{"KEY-02":" "}}"#),
        format!("the baseline's entry KEY-02 {reason}")
    );
    assert_eq!(
        says(r#"{"cases":{"key/a/b":""}}"#),
        format!("the baseline's entry key/a/b {reason}")
    );
    assert!(says("[").starts_with("this is no baseline: "));
    assert!(says(r#"{"clauses":{"KEY-99":"x"}}"#).contains("unknown clause"));
}

#[test]
fn a_run_against_its_own_baseline_conforms() {
    let check = failing();
    assert_eq!(check.outcome, Outcome::Fails);
    let of_run = Baseline::of(&check);
    assert_eq!(
        of_run,
        baseline(r#"{"clauses":{"KEY-12":"not yet fixed"}}"#)
    );
    let judged = of_run.judge(&check);
    assert_eq!(
        (judged.known.as_slice(), judged.outcome(&check)),
        (["KEY-12".to_owned()].as_slice(), Outcome::Conforms)
    );
    assert_eq!(
        (judged.stale.len(), judged.unmatched.len(), judged.new.len()),
        (0, 0, 0)
    );
}

#[test]
fn what_is_not_listed_no_longer_fails_or_was_not_asked_is_a_failure() {
    let check = failing();
    let judged = Baseline::default().judge(&check);
    assert_eq!(
        (judged.new.as_slice(), judged.outcome(&check)),
        ([Clause::Key12].as_slice(), Outcome::Fails)
    );
    let stale = baseline(r#"{"clauses":{"KEY-12":"x","KEY-01":"y"}}"#).judge(&check);
    assert_eq!(
        (stale.stale.as_slice(), stale.outcome(&check)),
        (["KEY-01".to_owned()].as_slice(), Outcome::Fails)
    );
    let unmatched = baseline(r#"{"clauses":{"KEY-12":"x","LED-01":"y"}}"#).judge(&check);
    assert_eq!(
        (unmatched.unmatched.as_slice(), unmatched.outcome(&check)),
        (["LED-01".to_owned()].as_slice(), Outcome::Fails)
    );
    // a run that conforms, and a list that says that something fails
    let good = Fake::right().check(&vectors_of(Suite::Key));
    let stale = baseline(r#"{"clauses":{"KEY-12":"x"}}"#).judge(&good);
    assert_eq!(
        (stale.stale.as_slice(), stale.outcome(&good)),
        (["KEY-12".to_owned()].as_slice(), Outcome::Fails)
    );
    assert_eq!(Judged::default().outcome(&good), Outcome::Conforms);
}

#[test]
fn a_case_is_known_stale_or_unmatched() {
    let mut check = failing();
    check.known.insert("key/a/fails".to_owned(), true);
    check.known.insert("key/a/passes".to_owned(), false);
    let cases = r#"{"cases":{"key/a/fails":"x","key/a/passes":"y","key/a/gone":"z"}}"#;
    let judged = baseline(cases).judge(&check);
    assert_eq!(judged.known, ["key/a/fails"]);
    assert_eq!(judged.stale, ["key/a/passes"]);
    assert_eq!(judged.unmatched, ["key/a/gone"]);
}

#[test]
fn a_clause_that_fails_in_two_ways_is_new_once() {
    let mut check = failing();
    check.findings = [&check.findings[..], &check.findings[..]].concat();
    assert_eq!(Baseline::default().judge(&check).new, [Clause::Key12]);
}

#[test]
fn what_ended_early_or_did_wrong_outside_its_cases_is_not_forgiven() {
    let mut check = failing();
    let known = Baseline::of(&check);
    check.incidents = vec!["it wrote after the goodbye".to_owned()];
    assert_eq!(known.judge(&check).outcome(&check), Outcome::Fails);
    let mut fake = Fake::new(|_| Answer::Error("broke".to_owned()));
    fake.stops = Some((2, Stopped::GaveUp("gone".to_owned())));
    let check = fake.check(&vectors_of(Suite::Key));
    assert_eq!(
        Baseline::of(&check).judge(&check).outcome(&check),
        Outcome::Fails
    );
    let mut fake = Fake::right();
    fake.stops = Some((2, Stopped::Interrupted));
    let check = fake.check(&vectors_of(Suite::Key));
    assert_eq!(Judged::default().outcome(&check), check.outcome);
    assert!(matches!(check.outcome, Outcome::Inconclusive(_)));
}
