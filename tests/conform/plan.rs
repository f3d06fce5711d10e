//! What is selected, and where cases come from.

use std::collections::BTreeSet;

use gatespec::conform::plan::generated;
use gatespec::conform::{Case, Depth, Plan, Selection};
use gatespec::generate::Settings;
use gatespec::model::{Clause, Profile, Suite};

use super::fake::key;

fn selected(change: impl FnOnce(&mut Selection)) -> Vec<Suite> {
    let mut selection = Selection::default();
    change(&mut selection);
    Suite::ALL
        .into_iter()
        .filter(|suite| selection.suite(*suite))
        .collect()
}

#[test]
fn a_suite_is_selected_by_name_clause_case_or_profile() {
    assert_eq!(selected(|_| ()), Suite::ALL);
    assert_eq!(
        selected(|of| of.suites = [Suite::Key, Suite::Pass].into()),
        [Suite::Key, Suite::Pass]
    );
    assert_eq!(
        selected(|of| of.clauses = [Clause::Led01].into()),
        [Suite::Ledger]
    );
    assert_eq!(
        selected(|of| of.ids = ["key/a/b".to_owned()].into()),
        [Suite::Key]
    );
    assert_eq!(selected(|of| of.ids = ["keys/a/b".to_owned()].into()), []);
    assert_eq!(
        selected(|of| of.profiles = [Profile::ScopedAnswers].into()),
        [Suite::Boundary]
    );
    assert_eq!(
        selected(|of| of.profiles = [Profile::Core].into()),
        Suite::ALL
    );
    // all that is given must hold
    let both = |of: &mut Selection| {
        of.suites = [Suite::Key].into();
        of.clauses = [Clause::Led01].into();
    };
    assert_eq!(selected(both), []);
}

#[test]
fn a_case_is_selected_by_id_clause_and_profile() {
    let op = key("key.id", "a");
    let clauses = op.clauses();
    let case = Case {
        id: "key/vectors/1".to_owned(),
        depth: Depth::Vector,
        op,
    };
    let takes = |change: &dyn Fn(&mut Selection)| {
        let mut selection = Selection::default();
        change(&mut selection);
        selection.case(&case)
    };
    assert!(takes(&|_| ()));
    assert!(takes(&|of| of.ids = ["key/vectors/1".to_owned()].into()));
    assert!(!takes(&|of| of.ids = ["key/vectors/2".to_owned()].into()));
    assert!(takes(&|of| of.clauses = [clauses[0], Clause::Led01].into()));
    assert!(!takes(&|of| of.clauses = [Clause::Led01].into()));
    assert!(takes(&|of| of.profiles = [Profile::Core].into()));
    assert!(!takes(&|of| of.profiles = [Profile::ScopedAnswers].into()));
}

#[test]
fn a_run_is_whole_when_nothing_but_suites_is_selected() {
    let whole = |change: &dyn Fn(&mut Selection)| {
        let mut selection = Selection::default();
        change(&mut selection);
        selection.is_whole()
    };
    assert!(whole(&|_| ()));
    assert!(whole(&|of| of.suites = [Suite::Key].into()));
    assert!(!whole(&|of| of.clauses = [Clause::Key01].into()));
    assert!(!whole(&|of| of.ids = ["key/a/b".to_owned()].into()));
    assert!(!whole(&|of| of.profiles = [Profile::Core].into()));
    assert!(!whole(&|of| of.depths = [Depth::Vector].into()));
}

#[test]
fn each_depth_gives_its_own_cases_of_the_suite_alone() {
    let mut plan = Plan::new(7).unwrap();
    (plan.generated, plan.enumerated) = (3, Some(2));
    let kept = |op: &str| Case {
        id: format!("kept/{op}"),
        depth: Depth::Kept,
        op: key(op, "a"),
    };
    plan.kept = vec![kept("key.id"), kept("key.base")];
    let ids = |plan: &Plan, suite, depth| -> Vec<String> {
        plan.cases(suite, depth)
            .inspect(|case| assert_eq!((case.suite(), case.depth), (suite, depth)))
            .map(|case| case.id)
            .collect()
    };
    assert_eq!(
        ids(&plan, Suite::Key, Depth::Kept),
        ["kept/key.id", "kept/key.base"]
    );
    assert_eq!(ids(&plan, Suite::Ledger, Depth::Kept), Vec::<String>::new());
    assert!(
        ids(&plan, Suite::Key, Depth::Vector)
            .iter()
            .all(|id| id.starts_with("key/"))
    );
    assert_eq!(
        ids(&plan, Suite::Key, Depth::Enumerated),
        ["key/enumerated/1", "key/enumerated/2"]
    );
    let drawn = ["key/generated/1", "key/generated/2", "key/generated/3"];
    assert_eq!(ids(&plan, Suite::Key, Depth::Generated), drawn);
    let ops: Vec<_> = plan
        .cases(Suite::Key, Depth::Generated)
        .map(|case| case.op)
        .collect();
    let stream: Vec<_> = generated(Suite::Key, &plan.settings).take(3).collect();
    assert_eq!(ops, stream);
    plan.enumerated = None;
    let all = plan.cases(Suite::Outcome, Depth::Enumerated).count();
    plan.enumerated = Some(all as u64 - 1);
    assert_eq!(
        plan.cases(Suite::Outcome, Depth::Enumerated).count(),
        all - 1
    );
    plan.selection.depths = [Depth::Vector].into();
    assert_eq!(
        ids(&plan, Suite::Key, Depth::Enumerated),
        Vec::<String>::new()
    );
    assert!(!ids(&plan, Suite::Key, Depth::Vector).is_empty());
}

#[test]
fn the_clauses_that_vectors_cover_come_with_the_words_of_each_case() {
    let plan = Plan::new(7).unwrap();
    for suite in Suite::ALL {
        let covered = plan.covered(suite);
        let of_suite: Vec<&Case> = plan
            .vectors
            .iter()
            .filter(|case| case.suite() == suite)
            .collect();
        let clauses: BTreeSet<Clause> =
            of_suite.iter().flat_map(|case| case.op.clauses()).collect();
        assert_eq!(covered.keys().copied().collect::<BTreeSet<_>>(), clauses);
        for (clause, needs) in covered {
            let on = of_suite
                .iter()
                .filter(|case| case.op.clauses().contains(&clause));
            assert_eq!(
                needs,
                on.map(|case| case.op.needs()).collect::<Vec<_>>(),
                "{clause}"
            );
        }
    }
}

/// FNV-1a of the cases' JSON, one a line: what a snapshot of them would hold, and short.
pub(crate) fn digest(ops: impl Iterator<Item = gatespec::ops::Op>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for op in ops {
        for byte in gatespec::ops::json(&op).get().bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[test]
fn the_same_seed_is_the_same_cases_on_every_machine() {
    let drawn = |seed| {
        let settings = Settings::seeded(seed);
        let line = |suite| format!("{suite} {}", digest(generated(suite, &settings).take(200)));
        Suite::ALL.map(line).join("\n")
    };
    assert_ne!(drawn(7), drawn(8));
    // a change of these lines is a change of every seed that anybody wrote down
    insta::assert_snapshot!(drawn(7), @r"
    key 93ddc0fd6e5de3e6
    verdict 38ac866f2e74ea57
    window b6b616f5941bc938
    boundary 169da2deebb3b19b
    outcome e24a3a4d202ebc33
    ledger f88fde5e38b6ace0
    pass c5f2beb6197d0f54
    ");
}
