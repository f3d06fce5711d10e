//! What a measurement of the suite's strength says of each faulty gate, and how it is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use gatespec::conform::process::Command;
use gatespec::conform::strength::{Bounds, Caught, Killed, Strength, measure};
use gatespec::conform::{Answer, Case, Depth, Kind, Verdict, strength};
use gatespec::model::{Clause, Suite};
use gatespec::mutants;

/// The key suite, thinly, with a silent program in the place of every gate that breaks the
/// protocol.
fn bounds() -> Bounds {
    let mut bounds = Bounds::whole(3).unwrap();
    bounds.plan.selection.suites = [Suite::Key].into();
    bounds.plan.generated = 60;
    bounds.rungs = vec![Some(40), Some(400)];
    bounds.threads = 2;
    bounds
}

fn silent(_: &str) -> Option<Command> {
    let hello = r#"read -r line; echo '{"hello":{"protocol":1,"name":"x","suites":["key"]}}'; cat > /dev/null"#;
    Command::new(["sh", "-c", hello])
}

static MEASURED: LazyLock<(Strength, BTreeSet<String>)> = LazyLock::new(|| {
    let told = std::sync::Mutex::new(BTreeSet::new());
    let strength = measure(&bounds(), Some(&silent), &|id| {
        told.lock().unwrap().insert(id.to_owned());
    });
    (strength, told.into_inner().unwrap())
});

fn measured() -> Strength {
    MEASURED.0.clone()
}

/// The first cases of a depth, drawn once.
fn cases(depth: Depth, most: usize) -> &'static [Case] {
    static CASES: LazyLock<BTreeMap<Depth, Vec<Case>>> = LazyLock::new(|| {
        let mut plan = bounds().plan;
        plan.enumerated = Some(4096);
        let of = |depth| (depth, plan.cases(Suite::Key, depth).collect());
        Depth::ALL.map(of).into()
    });
    let all = &CASES[&depth];
    match depth {
        Depth::Enumerated => &all[..most],
        _ => all,
    }
}

#[test]
fn a_shallow_measurement_leaves_out_what_takes_long() {
    let (whole, shallow) = (Bounds::whole(3).unwrap(), Bounds::shallow(7).unwrap());
    assert_eq!(
        (whole.depths.as_slice(), whole.rungs.last()),
        (&strength::MEASURED[..], Some(&None))
    );
    assert_eq!(shallow.depths, [Depth::Vector, Depth::Enumerated]);
    assert_eq!(shallow.rungs, [Some(7)]);
}

#[test]
fn every_gate_of_the_suite_is_measured_and_told() {
    let (strength, told) = &*MEASURED;
    let of_key: Vec<&str> = mutants::key::MUTANTS.iter().map(|of| of.id).collect();
    let all: BTreeSet<String> = of_key
        .iter()
        .copied()
        .chain(mutants::gates().map(|of| of.id))
        .map(str::to_owned)
        .collect();
    assert_eq!(told, &all);
    assert_eq!(
        strength.mutants.iter().map(|of| of.id).collect::<Vec<_>>(),
        of_key
    );
    assert_eq!(
        strength.gates.iter().map(|row| row.id).collect::<Vec<_>>(),
        mutants::gates().map(|of| of.id).collect::<Vec<_>>()
    );
    assert!(
        strength
            .gates
            .iter()
            .all(|row| row.suites.keys().eq([&"key"]))
    );
    let vectors: Vec<String> = cases(Depth::Vector, 0)
        .iter()
        .map(|case| case.id.clone())
        .collect();
    assert_eq!(
        strength
            .vectors
            .iter()
            .map(|of| of.id.clone())
            .collect::<Vec<_>>(),
        vectors
    );
}

#[test]
fn the_model_is_put_to_every_case() {
    let strength = measured();
    let [row] = strength.reference.as_slice() else {
        panic!()
    };
    let all = cases(Depth::Vector, 0).len() + 400 + 60;
    assert_eq!(
        (row.suite, row.passed, &row.wrong),
        ("key", all as u64, &None)
    );
}

#[test]
fn a_clause_that_the_model_is_not_asked_about_is_wrong_with_the_suite() {
    let mut bounds = bounds();
    (bounds.plan.generated, bounds.rungs) = (0, vec![Some(0)]);
    let (clause, _) = bounds.plan.covered(Suite::Key).pop_first().unwrap();
    let on = cases(Depth::Vector, 0)
        .iter()
        .filter(|case| case.op.clauses().contains(&clause));
    bounds.plan.known = on.map(|case| case.id.clone()).collect();
    let strength = measure(&bounds, None, &|_| {});
    let wrong = strength.reference[0].wrong.as_ref().unwrap();
    assert_eq!(
        *wrong,
        format!("no case that passed puts {clause} to the test")
    );
}

#[test]
fn a_bound_that_leaves_a_depth_out_leaves_it_out_for_the_model_too() {
    let mut bounds = bounds();
    bounds.depths = vec![Depth::Vector];
    let strength = measure(&bounds, None, &|_| {});
    assert_eq!(
        strength.reference[0].passed,
        cases(Depth::Vector, 0).len() as u64
    );
    assert!(
        strength
            .mutants
            .iter()
            .all(|of| of.depths.keys().eq([&Depth::Vector]))
    );
    // without a way to start a process, what only a process can do wrong is left out
    let ids: BTreeSet<&str> = strength.gates.iter().map(|row| row.id).collect();
    assert!(!ids.contains("degenerate/silent") && ids.contains("degenerate/always_pass"));
}

#[test]
fn what_each_depth_made_of_a_mutant_is_what_its_cases_came_to() {
    for (mutant, killed) in mutants::key::MUTANTS.iter().zip(&measured().mutants) {
        for (&depth, kill) in &killed.depths {
            // the second rung is climbed when the first does not kill
            let rung = match depth {
                Depth::Enumerated if kill.cases == 40 => 40,
                _ => 400,
            };
            let cases = cases(depth, rung);
            let mut clauses: BTreeMap<Clause, u64> = BTreeMap::new();
            let mut after = None;
            for (at, case) in (1..).zip(cases) {
                let Some(&clause) = case.op.judge(&(mutant.answer)(&case.op)).first() else {
                    continue;
                };
                *clauses.entry(clause).or_default() += 1;
                if clause == mutant.clause {
                    after = after.or(Some(at));
                }
            }
            let says = format!("{} {depth}", mutant.id);
            assert_eq!(
                (kill.cases, &kill.clauses),
                (cases.len() as u64, &clauses),
                "{says}"
            );
            assert_eq!(kill.after, after, "{says}");
            assert_eq!(kill.smallest.is_some(), after.is_some(), "{says}");
            assert_eq!(killed.by(depth), after.is_some(), "{says}");
            if depth == Depth::Enumerated {
                let on_the_first = after.is_some_and(|after| after <= 40);
                assert_eq!(kill.cases == 40, on_the_first, "{says}");
            }
        }
        assert_eq!(
            (killed.sentence, killed.clause),
            (mutant.sentence, mutant.clause)
        );
        assert_eq!(killed.depths.len(), 3);
    }
}

#[test]
fn the_first_depth_and_the_smallest_case_are_those_that_kill() {
    let by_all = |of: &Killed| of.depths.values().all(|kill| kill.after.is_some());
    let mut killed = measured().mutants.into_iter().find(by_all).unwrap();
    let (first, kill) = killed.first().unwrap();
    assert_eq!(
        (first, kill.after),
        (Depth::Vector, killed.depths[&Depth::Vector].after)
    );
    let smallest = killed.smallest().unwrap();
    let lens = killed
        .depths
        .values()
        .filter_map(|kill| Some(kill.smallest.as_ref()?.input.get().len()));
    assert_eq!(smallest.input.get().len(), lens.min().unwrap());
    let all: BTreeSet<Clause> = killed
        .depths
        .values()
        .flat_map(|kill| kill.clauses.keys().copied())
        .collect();
    assert_eq!(killed.clauses(), all);
    assert_eq!(killed.complaint(), None);
    killed.depths.get_mut(&Depth::Vector).unwrap().after = None;
    assert!(!killed.by(Depth::Vector) && killed.by(Depth::Enumerated));
    assert_eq!(killed.first().unwrap().0, Depth::Enumerated);
    killed.depths.clear();
    assert_eq!(
        killed.complaint().unwrap(),
        format!(
            "`{0}` survives: no case of its suite fails, and {1} is not tested",
            killed.id, killed.clause
        )
    );
}

#[test]
fn a_score_counts_the_mutants_that_die_by_their_own_clause() {
    let mut strength = measured();
    let all = mutants::key::MUTANTS.len();
    let score = |strength: &Strength, suite, depth| strength.score(suite, depth).to_string();
    assert_eq!(
        score(&strength, Suite::Key, None),
        format!("{all} of {all}")
    );
    assert_eq!(
        score(&strength, Suite::Key, Some(Depth::Vector)),
        format!("{all} of {all}")
    );
    assert_eq!(score(&strength, Suite::Ledger, None), "0 of 0");
    assert_eq!(strength.of(Suite::Key).count(), all);
    strength.mutants[0]
        .depths
        .get_mut(&Depth::Vector)
        .unwrap()
        .after = None;
    let one_less = format!("{} of {all}", all - 1);
    assert_eq!(score(&strength, Suite::Key, Some(Depth::Vector)), one_less);
    strength.mutants[0].depths.clear();
    assert_eq!(score(&strength, Suite::Key, None), one_less);
}

#[test]
fn a_vector_is_idle_when_it_kills_nothing_and_doubled_when_others_kill_the_same() {
    let mut strength = measured();
    for (case, of) in cases(Depth::Vector, 0).iter().zip(&strength.vectors) {
        let kills = mutants::key::MUTANTS
            .iter()
            .filter(|m| !case.op.judge(&(m.answer)(&case.op)).is_empty());
        assert_eq!(
            (&of.clauses, &of.kills),
            (&case.op.clauses(), &kills.map(|m| m.id).collect())
        );
    }
    strength.vectors.truncate(4);
    let kills: [&[&'static str]; 4] = [&[], &["a", "b"], &["b"], &["c"]];
    for (vector, kills) in strength.vectors.iter_mut().zip(kills) {
        vector.kills = kills.to_vec();
    }
    let [none, _, shared, _] = [0, 1, 2, 3].map(|at| strength.vectors[at].id.clone());
    assert_eq!(
        strength
            .idle(Suite::Key)
            .map(|of| of.id.clone())
            .collect::<Vec<_>>(),
        [none]
    );
    assert_eq!(
        strength
            .doubled(Suite::Key)
            .iter()
            .map(|of| of.id.clone())
            .collect::<Vec<_>>(),
        [shared]
    );
    assert_eq!(strength.vectors_of(Suite::Key).count(), 4);
    strength.vectors[0].id = "keys/a/b".to_owned();
    assert_eq!(strength.vectors_of(Suite::Key).count(), 3);
    assert_eq!(strength.vectors_of(Suite::Ledger).count(), 0);
}

#[test]
fn what_a_suite_makes_of_a_gate_that_is_wrong_as_a_whole_is_counted() {
    let strength = measured();
    let caught = |id: &str| {
        let row = strength.gates.iter().find(|row| row.id == id).unwrap();
        row.suites["key"].clone()
    };
    let all: BTreeSet<Depth> = [Depth::Vector, Depth::Enumerated, Depth::Generated].into();
    let asked = all
        .iter()
        .map(|depth| cases(*depth, 4096).len() as u64)
        .sum::<u64>();
    for gate in mutants::gates() {
        let mutants::Manner::Plain(answer) = gate.manner else {
            continue;
        };
        let of = caught(gate.id);
        let mut failed = 0;
        for depth in &all {
            for case in cases(*depth, 4096) {
                let answer = Answer::of(&case.op, answer(&case.op));
                failed += u64::from(matches!(case.judge(&answer), Verdict::Failed { .. }));
            }
        }
        assert_eq!((of.failed, of.cases), (failed, asked), "{}", gate.id);
        assert_eq!((&of.depths, &of.fails), (&all, &all), "{}", gate.id);
        assert!(
            !of.kinds.is_empty() && !of.clauses.is_empty(),
            "{}",
            gate.id
        );
    }
    // two that are refused and two that are not, each to its time-out
    let silent = caught("degenerate/silent");
    assert_eq!((silent.cases, silent.failed), (4, 4));
    assert_eq!(silent.kinds, [Kind::TimedOut].into());
    assert_eq!(
        (silent.depths, silent.fails),
        ([Depth::Vector].into(), [Depth::Vector].into())
    );
    // what cheats knows the vectors
    assert!(!caught("cheat/table").depths.contains(&Depth::Vector));
    assert!(
        caught("cheat/unsupported")
            .depths
            .contains(&Depth::Enumerated)
    );
}

#[test]
fn what_is_wrong_with_the_suite_is_a_sentence_each() {
    let mut strength = measured();
    assert_eq!(strength.complaints(), Vec::<String>::new());
    strength.reference[0].wrong = Some("it broke".to_owned());
    strength.mutants[1].depths.clear();
    let change = |strength: &mut Strength, id: &str, change: &dyn Fn(&mut Caught)| {
        let row = strength.gates.iter_mut().find(|row| row.id == id).unwrap();
        change(row.suites.get_mut("key").unwrap());
    };
    change(&mut strength, "degenerate/silent", &|of| of.depths.clear());
    change(&mut strength, "degenerate/echo_input", &|of| {
        of.fails.clear()
    });
    change(&mut strength, "degenerate/sentinel", &|of| {
        of.fails.remove(&Depth::Generated);
    });
    change(&mut strength, "degenerate/always_pass", &|of| {
        of.clauses.clear()
    });
    change(&mut strength, "cheat/table", &|of| of.depths.clear());
    insta::assert_snapshot!(strength.complaints().join("\n"), @r"
    the model does not conform to `key`: it broke
    `key/leading_zero` survives: no case of its suite fails, and KEY-02 is not tested
    `degenerate/always_pass` breaks no clause of KEY
    `degenerate/echo_input` does not fail the suite `key`
    `degenerate/silent` conforms to the suite `key`
    `degenerate/sentinel` is not seen by every depth of the suite `key`
    `cheat/table` conforms to the suite `key`
    ");
    // with vectors alone, what knows them may pass
    for of in &mut strength.mutants {
        of.depths.retain(|depth, _| *depth == Depth::Vector);
    }
    assert!(!strength.complaints().iter().any(|of| of.contains("cheat/")));
}
