use std::collections::{BTreeMap, BTreeSet};

use gatespec::generate::Settings;
use gatespec::generate::boundary::{Forest, Frame, acts, enumerate, mixed, sequences, strategy};
use gatespec::laws::boundary::{CHANGED, LAWS, Reading, Told, read};
use gatespec::model::boundary::{Boundary, Event, Outcome, Policy, Verdict};
use gatespec::model::{Clause, Suite};
use gatespec::mutants::boundary::{Fault, MUTANTS, answer};
use gatespec::ops::boundary::{Op, Output, Trace};
use gatespec::ops::{self, SuiteOp as _, weight};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

fn policy(write: Verdict) -> Policy {
    Policy {
        read: Verdict::Pass,
        write,
        destructive: write,
        secret: write,
    }
}

fn told(trace: &Trace) -> Told {
    Told::new(trace.policy, trace.history())
}

fn history(op: &Op) -> Option<Told> {
    match op {
        Op::Run(trace) | Op::Scoped(trace) => Some(told(trace)),
        _ => None,
    }
}

#[test]
fn every_law_holds_of_all_histories_of_up_to_three_events_and_of_every_enumerated_case() {
    let names = Settings::default().names();
    let seats = Forest::family(names).seats;
    let histories = || {
        Verdict::ALL.into_iter().flat_map(|write| {
            sequences(mixed(names, &seats), 3).map(move |events| Told::new(policy(write), events))
        })
    };
    let cases = || enumerate(&Settings::default()).filter_map(|op| history(&op));
    let count = super::hold(LAWS, histories().chain(cases()));
    // 24 things can happen: 3 answers, 2 floor acts and 3 calls at each of 3 agents
    assert_eq!(count, 3 * (1 + 24 + 24 * 24 + 24 * 24 * 24) + CASES);
    super::hold(CHANGED, histories().chain(cases()));
}

/// How many histories are enumerated by default.
const CASES: u64 = 45_362 + 1_598;

/// The state between the acts and the last rulings.
fn after_acts(before: &[Event], policy: Policy, acts: &[Event]) -> Boundary {
    let mut boundary = Boundary::new(policy);
    for event in before.iter().chain(acts) {
        boundary.step(event);
    }
    boundary
}

#[test]
fn all_act_sequences_of_length_five_on_a_forest_of_three_agents_read_as_they_run() {
    let names = Settings::default().names();
    let seats = Forest::family(names).seats;
    for (frame, states) in Frame::both(names, &seats).iter().zip(STATES) {
        let mut count = 0_u64;
        let mut ends = BTreeSet::new();
        for events in sequences(acts(&seats), 5) {
            let trace = frame.around(&events);
            let told = told(&trace);
            let readings: Vec<Reading> = told.outcomes.iter().map(Reading::of).collect();
            assert_eq!(read(told.policy, &told.events), readings, "{events:?}");
            ends.insert(after_acts(&frame.before, told.policy, &events));
            count += 1;
        }
        // 15 acts: 3 answers and 2 floor acts at each of 3 agents
        assert_eq!(count, 1 + 15 + 225 + 3_375 + 50_625 + 759_375);
        assert_eq!(ends.len(), states);
    }
}

/// How many states the sequences of five acts end in, in each frame.
const STATES: [usize; 2] = [485, 128];

#[test]
fn the_enumeration_is_of_this_size_and_holds_nothing_twice() {
    let mut seen = BTreeMap::new();
    let mut twice = 0;
    for op in enumerate(&Settings::default()) {
        *seen.entry(op.name()).or_insert(0) += 1;
        assert!(match &op {
            Op::Run(trace) | Op::Scoped(trace) => trace.is_lawful(),
            _ => true,
        });
        twice += usize::from(!op.judge(&op.expected()).is_empty());
    }
    assert_eq!(twice, 0);
    let sizes = [
        ("boundary.descends", 144),
        ("boundary.envelope", 5),
        ("boundary.joint", 7_984),
        ("boundary.run", 45_362),
        ("boundary.scoped", 1_598),
        ("boundary.verdicts", 1),
    ];
    assert_eq!(seen, BTreeMap::from(sizes));
}

#[test]
fn a_second_implementation_agrees_on_every_enumerated_case() {
    for op in enumerate(&Settings::default()) {
        let got = answer(Fault::Nowhere, &op);
        assert!(
            op.judge(&got).is_empty(),
            "{op:?}\n{got:?}\n{:?}",
            op.expected()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn every_law_holds_of_random_histories(op in strategy(&Settings::default())) {
        prop_assert!(op.judge(&op.expected()).is_empty());
        let got = answer(Fault::Nowhere, &op);
        prop_assert!(op.judge(&got).is_empty(), "{:?}\n{:?}", got, op.expected());
        if let Some(told) = history(&op) {
            super::hold_of(LAWS, &told)?;
            super::hold_of(CHANGED, &told)?;
        }
        let json = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(serde_json::from_str::<Op>(&json).unwrap(), op);
    }
}

#[test]
fn random_cases_exercise_every_clause() {
    let strategy = strategy(&Settings::default());
    let mut runner = TestRunner::deterministic();
    let mut hits: BTreeMap<Clause, u32> = BTreeMap::new();
    let (mut ruled, mut verdicts) = (0_u32, BTreeMap::new());
    for _ in 0..2_000 {
        let op = strategy.new_tree(&mut runner).unwrap().current();
        for clause in op.clauses() {
            *hits.entry(clause).or_default() += 1;
        }
        for outcome in history(&op).iter().flat_map(|told| &told.outcomes) {
            if let Outcome::Ruled(ruling, _) = outcome {
                ruled += 1;
                *verdicts.entry(ruling.verdict).or_insert(0_u32) += 1;
            }
        }
    }
    println!("{hits:?}\n{verdicts:?} of {ruled}");
    for clause in Clause::ALL
        .iter()
        .filter(|clause| clause.suite() == Suite::Boundary)
    {
        assert!(
            hits.get(clause).is_some_and(|&hits| hits >= 10),
            "{clause}: {hits:?}"
        );
    }
    for verdict in Verdict::ALL {
        assert!(
            verdicts
                .get(&verdict)
                .is_some_and(|&count| count * 10 > ruled),
            "{verdicts:?}"
        );
    }
}

/// Shrinks a case that a gate fails as far as it goes, keeping the clause that it breaks first.
fn shrink(mut op: Op, gate: &dyn Fn(&Op) -> Output) -> (Op, Clause) {
    let first = *op.judge(&gate(&op)).first().unwrap();
    while let Some(smaller) = op
        .smaller()
        .into_iter()
        .find(|smaller| smaller.judge(&gate(smaller)).first() == Some(&first))
    {
        op = smaller;
    }
    (op, first)
}

/// Mutants that the default bound of the enumeration does not reach: vectors and random cases kill
/// them, and a test of the vectors holds that.
const BEYOND: [&str; 1] = ["boundary/ruled_when_emitted"];

#[test]
fn every_mutant_is_killed_and_its_least_case_blames_its_clause() {
    let mut cases: Vec<(usize, Op, Output)> = enumerate(&Settings::default())
        .map(|op| (weight(&op), op.clone(), op.expected()))
        .collect();
    cases.sort_by_key(|(weight, ..)| *weight);
    let mut wrong = Vec::new();
    for mutant in MUTANTS {
        let gate = |op: &Op| match (mutant.answer)(&ops::Op::from(op.clone())) {
            ops::Output::Boundary(output) => output,
            other => panic!("{other:?}"),
        };
        // the lightest case for each clause that is blamed, among the first that kill
        let mut least: BTreeMap<Clause, Op> = BTreeMap::new();
        let mut more = 2_000;
        for (_, op, expected) in &cases {
            let got = gate(op);
            if got != *expected
                && let Some(&clause) = op.judge(&got).first()
            {
                least.entry(clause).or_insert_with(|| op.clone());
            }
            more -= usize::from(!least.is_empty());
            if more == 0 {
                break;
            }
        }
        let shrunk = least.into_values().map(|op| shrink(op, &gate));
        let least = shrunk.min_by_key(|(op, _)| weight(op));
        if BEYOND.contains(&mutant.id) {
            wrong.extend(least.map(|_| format!("{} is killed: it is not beyond", mutant.id)));
            continue;
        }
        let Some((op, clause)) = least else {
            wrong.push(format!("{} survives", mutant.id));
            continue;
        };
        if clause != mutant.clause {
            let story = op.story().join("\n    ");
            wrong.push(format!(
                "{} ({}) is blamed on {clause}:\n    {story}\n    {:?}",
                mutant.id,
                mutant.clause,
                gate(&op)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
