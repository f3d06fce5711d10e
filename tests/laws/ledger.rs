use gatespec::generate::ledger::{Words, traces};
use gatespec::generate::{self, Settings};
use gatespec::laws::ledger::{LAWS, Trace, numbered};
use gatespec::model::ledger::{Event, Numbered};
use gatespec::model::{Clause, Suite};
use gatespec::mutants::ledger::{Fault, MUTANTS, answer};
use gatespec::ops::ledger::{Op, Output, WORDS};
use gatespec::ops::{Op as AnyOp, SuiteOp as _};
use proptest::prelude::*;

/// The alphabet in numbers.
fn alphabet() -> Vec<Event<Numbered>> {
    let words = Words::of(&Settings::default(), 0);
    numbered(&words.trace(words.alphabet()))
}

/// Every trace that goes on from `trace` for `length` events, each given to `each`.
fn every_trace(
    alphabet: &[Event<Numbered>],
    trace: &mut Vec<Event<Numbered>>,
    length: usize,
    each: &mut impl FnMut(&Trace),
) {
    if length == 0 {
        return each(trace);
    }
    for event in alphabet {
        trace.push(event.clone());
        every_trace(alphabet, trace, length - 1, each);
        trace.pop();
    }
}

#[test]
fn every_law_holds_of_all_traces_of_up_to_four_events() {
    let alphabet = alphabet();
    assert_eq!(alphabet.len(), 56);
    let mut reached = vec![false; LAWS.len()];
    let mut count = 0u64;
    for length in 0..=4 {
        every_trace(&alphabet, &mut Vec::new(), length, &mut |trace| {
            count += 1;
            for (law, reached) in LAWS.iter().zip(&mut reached) {
                if length < 4 {
                    *reached |= (law.reaches)(trace);
                }
                if let Err(violation) = (law.check)(trace) {
                    panic!("{} is broken by {trace:?}: {violation}", law.id);
                }
            }
        });
    }
    for (law, reached) in LAWS.iter().zip(reached) {
        assert!(
            reached,
            "{} is vacuous: no trace reaches its premise",
            law.id
        );
    }
    assert_eq!(count, 1 + 56 + 56u64.pow(2) + 56u64.pow(3) + 56u64.pow(4));
}

#[test]
fn the_enumeration_is_every_trace_once() {
    let all: std::collections::BTreeSet<Vec<usize>> = traces(5, 3).collect();
    assert_eq!(all.len(), 5 + 25 + 125);
    assert_eq!(traces(5, 3).count(), all.len());
    let mut settings = Settings::default();
    settings.ledger_events = 2;
    let pairs = generate::ledger::pairs(&settings).len();
    assert_eq!(
        generate::ledger::enumerate(&settings).count(),
        pairs + 56 + 56 * 56
    );
}

#[test]
fn a_second_implementation_agrees_on_all_traces_of_up_to_three_events() {
    for op in generate::ledger::enumerate(&Settings::default()) {
        assert_eq!(answer(Fault::Nowhere, &op), op.expected(), "{op:?}");
    }
}

#[test]
fn every_mutant_dies_by_its_own_clause() {
    let mut settings = Settings::default();
    settings.ledger_events = 2;
    let cases: Vec<AnyOp> = generate::enumerate(Suite::Ledger, &settings).collect();
    super::strength::every_mutant_dies(MUTANTS, &cases);
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    super::strength::vectors_kill_every_mutant(Suite::Ledger, MUTANTS);
}

#[test]
fn every_clause_is_hit_by_random_traces() {
    super::strength::every_clause_is_hit(Suite::Ledger, 2000, &[]);
}

#[test]
fn a_label_that_is_of_no_bytes_is_no_case() {
    let case = r#"{"op":"ledger.trace","input":{"call":"c","bytes":{"a":1},
        "events":[{"event":"keepForBytes","runs":"b"}]}}"#;
    let error = serde_json::from_str::<Op>(case).unwrap_err().to_string();
    assert!(error.contains("no bytes are labelled `b`"), "{error}");
    let unknown = r#"{"op":"ledger.trace","input":{"call":"c","bytes":{},
        "events":[{"event":"supersede","runs":"b"}]}}"#;
    assert!(serde_json::from_str::<Op>(unknown).is_err());
}

#[test]
fn either_label_of_equal_bytes_names_a_licence() {
    let case = r#"{"op":"ledger.trace","input":{"call":"c","bytes":{"a":{"x":1},"b":{"x":1}},
        "events":[{"event":"decision","decision":"allow","runs":"a","record":{"call":"c",
        "origin":"o","classes":[],"digestOf":"b","settlement":{"kind":"approved","by":"person"}}}]}}"#;
    let op: Op = serde_json::from_str(case).unwrap();
    let yes = |label: &str| {
        let json = format!(
            r#"{{"steps":[{{"decision":"allow","settled":{{"settlement":
            {{"kind":"approved","by":"person"}},"origin":"o","licensed":"{label}"}}}}]}}"#
        );
        op.judge(&op.read_output(&json).unwrap())
    };
    assert!(yes("a").is_empty());
    assert!(yes("b").is_empty());
    assert_eq!(yes("c"), [Clause::Led19]);
    for wrong in [
        r#"{"steps":[{"decision":"allow"}]}"#,
        r#"{"steps":[{"decision":"allow","settled":null,"more":1}]}"#,
        r#"{"steps":[{"decision":"maybe","settled":null}]}"#,
    ] {
        assert!(op.read_output(wrong).is_err(), "{wrong}");
    }
    let short = op.read_output(r#"{"steps":[]}"#).unwrap();
    assert_eq!(op.judge(&short), [Clause::Led19]);
}

#[test]
fn every_word_that_a_case_needs_is_listed() {
    let mut settings = Settings::default();
    settings.ledger_events = 1;
    for op in generate::ledger::enumerate(&settings) {
        for word in op.needs() {
            assert!(WORDS.contains(&word), "{word}");
        }
    }
}

#[test]
fn how_a_number_is_spelt_is_free() {
    let case = r#"{"op":"ledger.digest","input":{"a":{"n":1},"b":{"n":1.0}}}"#;
    let op: Op = serde_json::from_str(case).unwrap();
    for answer in [r#"{"same":true}"#, r#"{"same":false}"#] {
        assert!(op.judge(&op.read_output(answer).unwrap()).is_empty());
    }
}

proptest! {
    #[test]
    fn every_law_holds_of_random_traces(op in generate::ledger::strategy(&Settings::default())) {
        if let Op::Trace(input) = &op {
            super::hold_of(LAWS, &numbered(input)[..])?;
        }
        let expected: Output = op.expected();
        prop_assert_eq!(&answer(Fault::Nowhere, &op), &expected);
        prop_assert!(op.judge(&expected).is_empty());
        let json = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(serde_json::from_str::<Op>(&json).unwrap(), op.clone());
        for less in op.smaller() {
            let text = serde_json::to_string(&less).unwrap();
            prop_assert!((text.len(), &text) < (json.len(), &json));
        }
    }
}
