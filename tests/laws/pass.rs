use std::collections::BTreeMap;

use gatespec::generate::{self, Settings};
use gatespec::laws::pass::LAWS;
use gatespec::model::Suite;
use gatespec::model::outcome::Layer;
use gatespec::model::pass::{Choice, Station, Verdict, open, run};
use gatespec::mutants::pass::{Fault, MUTANTS, answer};
use gatespec::ops::pass::Op;
use gatespec::ops::{Op as AnyOp, SuiteOp as _, weight};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

fn ops() -> Vec<AnyOp> {
    generate::enumerate(Suite::Pass, &Settings::default()).collect()
}

/// One seat more than an adapter is asked about by default.
fn deep() -> Settings {
    let mut settings = Settings::default();
    settings.pass_deep += 1;
    settings
}

fn random(count: u32) -> impl Iterator<Item = Op> {
    let strategy = generate::pass::strategy(&Settings::default());
    let mut runner = TestRunner::deterministic();
    (0..count).map(move |_| strategy.new_tree(&mut runner).unwrap().current())
}

#[test]
fn every_law_holds_of_the_reduced_script_space() {
    let count = super::hold(LAWS, generate::pass::scripts(&deep()));
    assert_eq!(count, 121_378);
}

#[test]
fn a_second_implementation_agrees_on_the_reduced_script_space() {
    for op in generate::pass::enumerate(&deep()) {
        let got = answer(Fault::Nowhere, &op);
        assert!(
            op.judge(&got).is_empty(),
            "{op:?}: {got:?} for {:?}",
            op.expected()
        );
        assert!(op.judge(&op.expected()).is_empty(), "{op:?}");
    }
}

#[test]
fn no_script_is_enumerated_twice() {
    let settings = Settings::default();
    let count = generate::pass::scripts(&settings).count();
    assert_eq!(count, 17_900);
    assert_eq!(
        generate::pass::distinct(generate::pass::scripts(&settings)),
        count
    );
}

#[test]
fn every_mutant_dies_by_its_own_clause() {
    super::strength::every_mutant_dies(MUTANTS, &ops());
}

#[test]
fn every_clause_is_hit_by_random_scripts() {
    super::strength::every_clause_is_hit(Suite::Pass, 2000, &[]);
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    let vectors: Vec<Op> = gatespec::conform::vectors::embedded()
        .unwrap()
        .iter()
        .filter_map(|case| match &case.op {
            AnyOp::Pass(op) => Some(op.clone()),
            _ => None,
        })
        .collect();
    let survive = |mutant: &&gatespec::mutants::Mutant| {
        vectors.iter().all(|op| {
            let op = AnyOp::Pass(op.clone());
            op.judge(&(mutant.answer)(&op)).is_empty()
        })
    };
    let survivors: Vec<&str> = MUTANTS
        .iter()
        .filter(survive)
        .map(|mutant| mutant.id)
        .collect();
    assert!(survivors.is_empty(), "{survivors:?}");
}

/// How many of these scripts come to each exit, and to each station.
fn reach(ops: impl Iterator<Item = Op>) -> BTreeMap<String, u32> {
    let mut reached = BTreeMap::new();
    let exits = Verdict::ALL.iter().map(|result| format!("exit {result}"));
    let layers = Layer::ALL
        .iter()
        .map(|layer| format!("exit deny by {layer}"));
    let stations = Station::ALL
        .iter()
        .map(|station| format!("station {station}"));
    for name in exits.chain(layers).chain(stations) {
        reached.insert(name, 0);
    }
    for op in ops {
        let passed = run(op.script());
        let mut come: Vec<String> = passed
            .trace
            .iter()
            .map(|step| format!("station {}", step.station))
            .collect();
        come.push(format!("exit {}", passed.result));
        come.extend(
            passed
                .denied_by()
                .map(|layer| format!("exit deny by {layer}")),
        );
        come.sort();
        come.dedup();
        for name in come {
            *reached.entry(name).or_default() += 1;
        }
    }
    reached
}

#[test]
fn every_exit_and_every_station_is_reached() {
    let enumerated = reach(generate::pass::enumerate(&Settings::default()));
    let drawn = reach(random(2000));
    for (name, count) in &enumerated {
        let random = drawn.get(name).copied().unwrap_or_default();
        println!("{name}: {count} enumerated, {random} of 2000 random");
        assert!(
            *count > 0 && random > 0,
            "{name}: {count} enumerated, {random} random"
        );
    }
    assert_eq!(enumerated.len(), drawn.len());
}

#[test]
fn every_open_choice_is_come_near_and_a_gate_of_the_other_reading_conforms() {
    for choice in Choice::ALL {
        let readings = [*choice].into_iter().collect();
        let mut differs = 0;
        for op in generate::pass::enumerate(&Settings::default()).chain(random(4000)) {
            if !open(op.script()).contains(choice) {
                continue;
            }
            let other = gatespec::model::pass::run_under(op.script(), &readings);
            let got = gatespec::ops::pass::Output::of(&other);
            differs += u32::from(got != op.expected());
            assert!(op.judge(&got).is_empty(), "{choice}: {op:?}");
        }
        println!("{choice}: {differs} scripts come out otherwise");
        assert!(differs > 0, "{choice} makes no difference anywhere");
    }
}

#[test]
fn shrinking_ends_and_every_smaller_script_is_one() {
    for op in ops().into_iter().step_by(7) {
        let size = weight(&op);
        for less in op.smaller() {
            assert!(weight(&less) < size, "{op:?} is not larger than {less:?}");
            let json = serde_json::to_string(&less).unwrap();
            let AnyOp::Pass(less) = less else {
                panic!("a pass became another op")
            };
            assert_eq!(serde_json::from_str::<Op>(&json).unwrap(), less);
        }
    }
}

#[test]
fn a_fault_is_told_at_the_step_where_the_gate_parts() {
    let script = r#"{"op":"pass.run","input":{"script":{"call":"c","args":{},"editCap":2,
        "probe":{"say":"unanswered","question":{}},"clears":["stored_rules"]}}}"#;
    let op: Op = serde_json::from_str(script).unwrap();
    assert_eq!(op.story(), op.told(&op.expected()));
    let told = op.told(&answer(Fault::RuleClearsMandated, &op));
    let marked: Vec<&String> = told.iter().filter(|line| line.contains("<-")).collect();
    assert_eq!(marked.len(), 1);
    assert!(
        marked[0].starts_with("then stored_rules allow a mandated ask"),
        "{}",
        marked[0]
    );
    assert!(marked[0].ends_with("PASS-26"), "{}", marked[0]);
}

#[test]
fn unknown_members_are_refused() {
    for script in [
        r#"{"call":"c","args":{},"editCap":2,"org":{"say":"deny","extra":1}}"#,
        r#"{"call":"c","args":{},"editCap":2,"policy":[{"say":"Allow"}]}"#,
        r#"{"call":"c","args":{},"editCap":2,"hook":[]}"#,
        r#"{"call":"c","args":{}}"#,
        // rounds of edits are bounded, and so is a pass
        r#"{"call":"c","args":{},"editCap":256}"#,
    ] {
        let op = format!(r#"{{"op":"pass.run","input":{{"script":{script}}}}}"#);
        assert!(serde_json::from_str::<Op>(&op).is_err(), "{script}");
    }
}

proptest! {
    #[test]
    fn every_law_holds_of_random_scripts(
        op in generate::pass::strategy(&Settings::default())
    ) {
        super::hold_of(LAWS, op.script())?;
        let got = answer(Fault::Nowhere, &op);
        prop_assert!(op.judge(&got).is_empty(), "{:?} for {:?}", got, op.expected());
        prop_assert!(op.judge(&op.expected()).is_empty());
    }
}
