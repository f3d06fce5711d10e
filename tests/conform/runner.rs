//! What a run counts, and what it comes to.

use std::collections::BTreeMap;

use gatespec::conform::runner::{Check, Outcome};
use gatespec::conform::shrink::ShrinkLimits;
use gatespec::conform::{Answer, Case, Depth, Hello, Kind, Plan, Stopped, check};
use gatespec::model::{Clause, Profile, Suite};

use super::fake::{Fake, key, right, vectors_of};

fn why(check: &Check) -> &str {
    match &check.outcome {
        Outcome::Inconclusive(why) => why,
        other => panic!("{other:?} is not inconclusive"),
    }
}

fn hello(change: impl FnOnce(&mut Hello)) -> Fake {
    let mut fake = Fake::right();
    let mut hello = Hello::reference();
    change(&mut hello);
    fake.hello = Ok(hello);
    fake
}

fn words(suites: &[&str]) -> Vec<String> {
    suites.iter().map(ToString::to_string).collect()
}

#[test]
fn a_gate_that_says_no_hello_is_inconclusive_and_nothing_is_counted() {
    let mut fake = Fake::right();
    fake.hello = Err(Stopped::Handshake("no hello".to_owned()));
    let check = fake.check(&vectors_of(Suite::Key));
    assert_eq!(
        (why(&check), check.stopped.as_deref()),
        ("no hello", Some("no hello"))
    );
    assert_eq!(
        (check.hello, check.suites, fake.asked.len()),
        (None, Vec::new(), 0)
    );
}

#[test]
fn what_is_selected_must_be_declared() {
    let says = |fake: &mut Fake, plan: &Plan| {
        let check = fake.check(plan);
        assert!(fake.asked.is_empty() && check.suites.is_empty());
        assert_eq!(check.hello, fake.hello.clone().ok());
        why(&check).to_owned()
    };
    let plan = vectors_of(Suite::Key);
    assert_eq!(
        says(&mut hello(|of| of.suites.push("keys".to_owned())), &plan),
        "the adapter declares the suite `keys`, and this spec has none"
    );
    assert_eq!(
        says(
            &mut hello(|of| of.suites = words(&["ledger", "pass"])),
            &plan
        ),
        "the suite `key` is selected, but the adapter declares only: ledger, pass"
    );
    let mut plan = vectors_of(Suite::Boundary);
    plan.selection.profiles = [Profile::ScopedAnswers].into();
    assert_eq!(
        says(&mut hello(|of| of.profiles.clear()), &plan),
        "the profile `scoped-answers` is selected, but the adapter's hello does not name it in \
         `profiles`"
    );
    let mut plan = Plan::new(7).unwrap();
    plan.selection.clauses = [Clause::Led01].into();
    assert_eq!(
        says(&mut hello(|of| of.suites = words(&["key"])), &plan),
        "no suite is both selected and declared by the adapter"
    );
}

#[test]
fn the_core_profile_needs_no_word_in_the_hello() {
    let mut plan = vectors_of(Suite::Boundary);
    plan.selection.profiles = [Profile::Core].into();
    let mut fake = hello(|of| of.profiles.clear());
    assert_eq!(fake.check(&plan).outcome, Outcome::Conforms);
    assert!(
        fake.asked
            .iter()
            .all(|case| case.profile() == Profile::Core)
    );
    plan.selection.profiles = [Profile::ScopedAnswers].into();
    let mut fake = Fake::right();
    assert_eq!(fake.check(&plan).outcome, Outcome::Conforms);
    assert!(!fake.asked.is_empty());
    assert!(
        fake.asked
            .iter()
            .all(|case| case.profile() == Profile::ScopedAnswers)
    );
}

#[test]
fn a_run_goes_over_the_suites_that_are_declared_and_selected() {
    let mut plan = vectors_of(Suite::Key);
    plan.selection.suites.clear();
    let mut fake = hello(|of| of.suites = words(&["ledger", "key"]));
    let check = fake.check(&plan);
    let suites: Vec<&str> = check.suites.iter().map(|of| of.suite.as_str()).collect();
    assert_eq!(
        (check.outcome, suites),
        (Outcome::Conforms, vec!["key", "ledger"])
    );
}

#[test]
fn every_depth_is_counted_by_itself_and_in_order() {
    let mut plan = vectors_of(Suite::Key);
    (plan.generated, plan.enumerated) = (30, Some(20));
    plan.kept = plan
        .vectors
        .iter()
        .filter(|case| case.suite() == Suite::Key)
        .take(2)
        .cloned()
        .collect();
    plan.kept
        .iter_mut()
        .for_each(|case| case.depth = Depth::Kept);
    let vectors = plan
        .vectors
        .iter()
        .filter(|case| case.suite() == Suite::Key)
        .count();
    let mut fake = Fake::right();
    let check = fake.check(&plan);
    let [suite] = check.suites.as_slice() else {
        panic!("{:?}", check.suites)
    };
    let passed: Vec<(Depth, u64, u64)> = suite
        .depths
        .iter()
        .map(|(depth, of)| (*depth, of.planned, of.passed))
        .collect();
    let vectors = vectors as u64;
    assert_eq!(
        passed,
        [
            (Depth::Kept, 2, 2),
            (Depth::Vector, vectors, vectors),
            (Depth::Enumerated, 20, 20),
            (Depth::Generated, 30, 30)
        ]
    );
    assert!(fake.asked.is_sorted_by_key(|case| case.depth));
    let total = suite.total();
    assert_eq!(
        (total.planned, total.finished(), total.unfinished()),
        (52 + vectors, 52 + vectors, 0)
    );
    // each clause is reached by the cases that rest on it
    let mut reached: BTreeMap<Clause, u64> = BTreeMap::new();
    for case in &fake.asked {
        for clause in case.op.clauses() {
            *reached.entry(clause).or_default() += 1;
        }
    }
    let counted: BTreeMap<Clause, u64> = check
        .reached
        .iter()
        .map(|(clause, of)| (*clause, of.passed))
        .collect();
    assert_eq!(counted, reached);
    let fates: u64 = check.fates["key"].values().sum();
    let each: usize = fake
        .asked
        .iter()
        .map(|case| case.op.expected().fates().len())
        .sum();
    assert_eq!(fates, each as u64);
}

#[test]
fn progress_is_told_every_512_cases_with_what_has_failed() {
    let mut plan = vectors_of(Suite::Key);
    plan.selection.depths = [Depth::Enumerated].into();
    plan.enumerated = Some(1100);
    let mut told = Vec::new();
    let mut fake = Fake::new(|_| Answer::Error("broke".to_owned()));
    check(&mut fake, &plan, &Default::default(), &mut |of| {
        told.push((of.suite, of.depth, of.finished, of.failed));
    });
    let at = |n| (Suite::Key, Depth::Enumerated, n, n);
    assert_eq!(told, [at(512), at(1024)]);
}

#[test]
fn a_word_that_is_lacked_is_counted_and_not_asked() {
    let plan = vectors_of(Suite::Outcome);
    let mut fake = hello(|of| of.lacks = words(&["delegate"]));
    let check = fake.check(&plan);
    let needing: Vec<_> = plan
        .vectors
        .iter()
        .filter(|case| case.suite() == Suite::Outcome && case.op.needs().contains(&"delegate"))
        .collect();
    assert!(!needing.is_empty());
    assert!(
        fake.asked
            .iter()
            .all(|case| !case.op.needs().contains(&"delegate"))
    );
    let count = needing.len() as u64;
    assert_eq!(
        check.lacked,
        BTreeMap::from([("delegate".to_owned(), count)])
    );
    let total = check.suites[0].total();
    assert_eq!((total.unsupported, total.unfinished()), (count, 0));
    let clause = needing[0].op.clauses()[0];
    let resting = needing
        .iter()
        .filter(|case| case.op.clauses().contains(&clause))
        .count();
    assert_eq!(check.reached[&clause].unsupported, resting as u64);
}

#[test]
fn a_suite_of_which_nothing_is_run_is_inconclusive() {
    let mut plan = vectors_of(Suite::Key);
    plan.selection.depths = [Depth::Enumerated].into();
    assert_eq!(
        why(&Fake::right().check(&plan)),
        "no case of `key` was run: nothing was selected"
    );
    let mut plan = vectors_of(Suite::Boundary);
    plan.selection.ids = plan
        .vectors
        .iter()
        .filter(|case| case.op.needs().contains(&"envelopes"))
        .map(|case| case.id.clone())
        .collect();
    assert!(!plan.selection.ids.is_empty());
    assert_eq!(
        why(&hello(|of| of.lacks = words(&["envelopes"])).check(&plan)),
        "no case of `boundary` was run: nothing of it was supported"
    );
}

#[test]
fn a_clause_that_no_passing_case_reaches_is_inconclusive_in_a_whole_run_only() {
    let mut plan = vectors_of(Suite::Key);
    let first = plan.covered(Suite::Key).into_keys().next().unwrap();
    // asked at one depth only, and the vectors speak of more clauses than that
    let mut thin = plan.clone();
    thin.enumerated = Some(3);
    thin.vectors
        .retain(|case| case.suite() != Suite::Key || case.op.clauses() == [first]);
    assert_eq!(Fake::right().check(&thin).outcome, Outcome::Conforms);
    plan.known = plan
        .vectors
        .iter()
        .filter(|case| case.op.clauses().contains(&first))
        .map(|case| case.id.clone())
        .collect();
    let check = Fake::right().check(&plan);
    assert_eq!(
        why(&check),
        format!("no case that passed puts {first} to the test")
    );
    plan.selection.depths = [Depth::Vector].into();
    assert_eq!(Fake::right().check(&plan).outcome, Outcome::Conforms);
}

#[test]
fn a_clause_whose_words_are_lacked_need_not_be_reached() {
    let plan = vectors_of(Suite::Boundary);
    let envelope = |needs: &Vec<&str>| needs.contains(&"envelopes");
    let only = plan
        .covered(Suite::Boundary)
        .into_values()
        .filter(|of| of.iter().all(envelope));
    assert!(only.count() > 0, "some clause has cases of envelopes alone");
    let mut fake = hello(|of| of.lacks = words(&["envelopes"]));
    assert_eq!(fake.check(&plan).outcome, Outcome::Conforms);
}

#[test]
fn a_clause_that_only_cases_without_an_answer_reach_is_not_reached() {
    let needs = |case: &Case| case.op.needs().contains(&"delegate");
    let mut plan = vectors_of(Suite::Outcome);
    let of_suite = |plan: &Plan| -> Vec<Case> {
        let of = plan
            .vectors
            .iter()
            .filter(|case| case.suite() == Suite::Outcome);
        of.cloned().collect()
    };
    let rests = |case: &Case, clause: Clause| case.op.clauses().contains(&clause);
    // one that cases with the word and cases without it rest on
    let clause = plan.covered(Suite::Outcome).into_keys().find(|clause| {
        let on = |with: bool| move |case: &Case| needs(case) == with && rests(case, *clause);
        of_suite(&plan).iter().any(on(true)) && of_suite(&plan).iter().any(on(false))
    });
    let clause = clause.unwrap();
    let without = of_suite(&plan)
        .into_iter()
        .filter(|case| !needs(case) && rests(case, clause));
    plan.known = without.map(|case| case.id).collect();
    let check = hello(|of| of.lacks = words(&["delegate"])).check(&plan);
    assert_eq!(
        (
            check.reached[&clause].passed,
            check.reached[&clause].unsupported > 0
        ),
        (0, true)
    );
    assert!(
        why(&check).starts_with("no case that passed puts "),
        "{check:?}"
    );
}

#[test]
fn a_case_that_is_known_to_fail_is_run_and_is_no_finding() {
    let mut plan = vectors_of(Suite::Key);
    let id = |at: usize| {
        plan.vectors
            .iter()
            .filter(|case| case.suite() == Suite::Key)
            .nth(at)
            .unwrap()
            .id
            .clone()
    };
    let (failing, passing) = (id(0), id(1));
    plan.known = [failing.clone(), passing.clone()].into();
    let wrong = plan
        .vectors
        .iter()
        .find(|case| case.id == failing)
        .unwrap()
        .op
        .clone();
    plan.vectors
        .retain(|case| case.op != wrong || case.id == failing);
    let mut fake = Fake::new(move |op| match *op == wrong {
        true => Answer::Error("known".to_owned()),
        false => right(op),
    });
    plan.selection.depths = [Depth::Vector].into();
    let check = fake.check(&plan);
    assert_eq!(check.outcome, Outcome::Conforms);
    assert_eq!(
        check.known,
        BTreeMap::from([(failing, true), (passing, false)])
    );
    assert_eq!(
        check.suites[0].total().failed,
        BTreeMap::from([(Kind::Errored, 1)])
    );
}

#[test]
fn what_is_declined_without_a_word_for_it_is_inconclusive_and_kept_apart_up_to_a_bound() {
    let plan = vectors_of(Suite::Key);
    let mut n = 0;
    let mut fake = Fake::new(move |op| {
        n += 1;
        match n {
            1..=40 => Answer::Unsupported(format!("no {n:02}")),
            // one of those that are kept apart
            41 => Answer::Unsupported("no 01".to_owned()),
            _ => right(op),
        }
    });
    let check = fake.check(&plan);
    assert_eq!(
        why(&check),
        "2 cases were declined (`no 01`) without a word for it in the hello's `lacks`; declare \
         the word, or answer the cases"
    );
    assert_eq!((check.declined.len(), check.declined["…"]), (33, 8));
    assert_eq!(check.suites[0].total().unsupported, 41);
    let unsupported: u64 = check.reached.values().map(|of| of.unsupported).sum();
    let resting: usize = fake
        .asked
        .iter()
        .take(41)
        .map(|case| case.op.clauses().len())
        .sum();
    assert_eq!(unsupported, resting as u64);
}

#[test]
fn failures_of_one_clause_are_one_finding_with_the_smallest_case() {
    let mut plan = vectors_of(Suite::Key);
    plan.vectors.clear();
    plan.enumerated = Some(400);
    let mut fake = Fake::new(|op| match op.name() {
        "key.liveId" => Answer::Error("broke".to_owned()),
        _ => right(op),
    });
    let limits = |answered| {
        let mut limits = ShrinkLimits::default();
        limits.answered = answered;
        limits
    };
    let check = check(&mut fake, &plan, &limits(0), &mut |_| {});
    assert_eq!(check.outcome, Outcome::Fails);
    let [finding] = check.findings.as_slice() else {
        panic!("{:?}", check.findings)
    };
    let live: Vec<_> = fake
        .asked
        .iter()
        .filter(|case| case.op.name() == "key.liveId")
        .collect();
    assert_eq!(
        (finding.count, finding.smallest.kind),
        (live.len() as u64, Kind::Errored)
    );
    let first = fake
        .asked
        .iter()
        .position(|case| case.op.name() == "key.liveId")
        .unwrap();
    assert_eq!(finding.after, first as u64 + 1);
    let smallest = live
        .iter()
        .min_by_key(|case| {
            (
                gatespec::ops::weight(&case.op),
                case.op.input().get().to_owned(),
            )
        })
        .unwrap();
    assert_eq!(finding.smallest.case.op, smallest.op);
    let failed: u64 = check.reached.values().map(|of| of.failed).sum();
    assert_eq!(failed, live.len() as u64);
}

#[test]
fn of_failures_that_are_the_same_the_smallest_is_kept_whatever_comes_first() {
    let mut plan = vectors_of(Suite::Key);
    let subjects = ["bbb", "b", "a", "c", "a", "cc"];
    let case = |(at, subject): (usize, &&str)| Case {
        id: format!("key/mine/{at}"),
        depth: Depth::Vector,
        op: key("key.liveId", subject),
    };
    plan.vectors = subjects.iter().enumerate().map(case).collect();
    let mut none = ShrinkLimits::default();
    none.answered = 0;
    let mut fake = Fake::new(|_| Answer::Error("broke".to_owned()));
    let found = check(&mut fake, &plan, &none, &mut |_| {}).findings;
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    // of equals, the first in the alphabet, and of those the first that was asked
    assert_eq!(finding.smallest.case.id, "key/mine/2");
    assert_eq!((finding.count, finding.after), (6, 1));
}

#[test]
fn what_fails_is_made_small() {
    let mut plan = vectors_of(Suite::Key);
    let op = key("key.base", "node:x:step:a");
    plan.vectors = vec![Case {
        id: "key/mine/1".to_owned(),
        depth: Depth::Vector,
        op,
    }];
    let found = Fake::broken_at("a").check(&plan).findings;
    let smallest = &found[0].smallest.case;
    assert_eq!(smallest.op.input().get(), r#"{"subject":"a"}"#);
    assert_eq!(smallest.id, "key/mine/1");
}

#[test]
fn each_clause_way_and_suite_is_a_finding_of_its_own() {
    // the answer to another question: it diverges, by whichever clause
    let wrong = key("key.id", "other");
    let mut fake = Fake::new(move |op| match op.name() {
        "key.id" => right(&wrong),
        "key.base" => Answer::Error("broke".to_owned()),
        "key.liveId" => Answer::Crashed("signal 11".to_owned()),
        _ => right(op),
    });
    let check = fake.check(&vectors_of(Suite::Key));
    let found: Vec<_> = check
        .findings
        .iter()
        .map(|of| (of.smallest.kind, of.clause()))
        .collect();
    let diverged = (Kind::Diverged, Some(Clause::Key12));
    assert!(found.contains(&diverged), "{found:?}");
    let ways: Vec<Kind> = found.iter().map(|of| of.0).collect();
    assert!(
        ways.contains(&Kind::Errored) && ways.contains(&Kind::Crashed),
        "{found:?}"
    );
    // what got no proper answer says nothing of a clause: one finding a way
    assert_eq!(ways.iter().filter(|of| **of == Kind::Errored).count(), 1);
}

#[test]
fn a_gate_that_is_given_up_leaves_cases_without_an_answer() {
    let mut fake = Fake::right();
    fake.stops = Some((5, Stopped::GaveUp("too many restarts".to_owned())));
    let plan = vectors_of(Suite::Key);
    let check = fake.check(&plan);
    assert_eq!(
        (why(&check), check.stopped.as_deref()),
        ("too many restarts", Some("too many restarts"))
    );
    let all = plan
        .vectors
        .iter()
        .filter(|case| case.suite() == Suite::Key)
        .count() as u64;
    let total = check.suites[0].total();
    assert_eq!(
        (total.planned, total.passed, total.unfinished()),
        (all, 5, all - 5)
    );
    assert!(!check.is_clean_but_for_findings());
}

#[test]
fn what_was_found_before_a_gate_is_given_up_fails_it_and_is_not_made_small() {
    let mut fake = Fake::new(|_| Answer::Error("broke".to_owned()));
    fake.stops = Some((3, Stopped::GaveUp("too many restarts".to_owned())));
    let check = fake.check(&vectors_of(Suite::Key));
    assert_eq!(
        (check.outcome, check.findings.len(), fake.asked.len()),
        (Outcome::Fails, 1, 3)
    );
}

#[test]
fn an_interrupt_counts_nothing_that_was_not_run() {
    let mut fake = Fake::right();
    fake.stops = Some((5, Stopped::Interrupted));
    let mut plan = vectors_of(Suite::Key);
    (plan.generated, plan.enumerated) = (50, Some(50));
    let check = fake.check(&plan);
    assert_eq!(why(&check), "interrupted; what was finished is reported");
    let total = check.suites[0].total();
    assert!(total.planned <= 6 && total.passed == 5, "{total:?}");
    assert_eq!(
        check.suites[0].depths.keys().collect::<Vec<_>>(),
        [&Depth::Kept, &Depth::Vector]
    );
}

#[test]
fn an_incident_fails_a_run_that_nothing_else_fails() {
    let mut fake = Fake::right();
    fake.incidents = vec!["it wrote after the goodbye".to_owned()];
    let check = fake.check(&vectors_of(Suite::Key));
    assert_eq!(check.outcome, Outcome::Fails);
    assert_eq!(check.incidents, ["it wrote after the goodbye"]);
    assert!(!check.is_clean_but_for_findings());
    // with a stop, the stop is what is to be said
    let mut fake = Fake::right();
    fake.incidents = vec!["it wrote after the goodbye".to_owned()];
    fake.stops = Some((5, Stopped::GaveUp("too many restarts".to_owned())));
    assert_eq!(
        why(&fake.check(&vectors_of(Suite::Key))),
        "too many restarts"
    );
    assert!(
        Fake::right()
            .check(&vectors_of(Suite::Key))
            .is_clean_but_for_findings()
    );
}

#[test]
fn a_case_that_gets_no_answer_is_inconclusive() {
    // takes cases and says nothing of them
    struct Silent;
    impl gatespec::conform::Subject for Silent {
        fn hello(&mut self) -> Result<Hello, Stopped> {
            Ok(Hello::reference())
        }
        fn run(
            &mut self,
            cases: &mut dyn Iterator<Item = Case>,
            done: &mut dyn FnMut(Case, Answer),
        ) -> Result<(), Stopped> {
            for (at, case) in cases.enumerate() {
                if at != 1 {
                    let answer = right(&case.op);
                    done(case, answer);
                }
            }
            Ok(())
        }
    }
    let check = check(
        &mut Silent,
        &vectors_of(Suite::Key),
        &Default::default(),
        &mut |_| {},
    );
    assert_eq!(why(&check), "1 cases got no answer");
}
