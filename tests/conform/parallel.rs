//! Several copies of one gate.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gatespec::conform::parallel::Parallel;
use gatespec::conform::{Answer, Case, Depth, Hello, Stopped, Subject};

use super::fake::{Fake, key};

/// So many that each of two copies gets some.
const CASES: usize = 20_000;

fn cases() -> impl Iterator<Item = Case> {
    (0..CASES).map(|n| Case {
        id: format!("key/generated/{n}"),
        depth: Depth::Generated,
        op: key("key.id", "a"),
    })
}

fn run(gate: &mut dyn Subject) -> (Vec<Case>, Result<(), Stopped>) {
    let mut done = Vec::new();
    let ended = gate.run(&mut cases(), &mut |case, _| done.push(case));
    (done, ended)
}

#[test]
fn every_case_comes_back_once_and_copies_share_them() {
    for copies in [1, 2, 3] {
        let mut gate = Parallel::new((0..copies).map(|_| Fake::right()).collect());
        let (done, ended) = run(&mut gate);
        let ids: BTreeSet<&str> = done.iter().map(|case| case.id.as_str()).collect();
        assert_eq!((ended, done.len(), ids.len()), (Ok(()), CASES, CASES));
    }
}

#[test]
fn copies_that_say_different_things_of_themselves_are_no_gate() {
    let mut other = Fake::right();
    if let Ok(hello) = &mut other.hello {
        hello.version = "other".to_owned();
    }
    let mut gate = Parallel::new(vec![Fake::right(), Fake::right()]);
    assert_eq!(gate.hello(), Fake::right().hello);
    let mut gate = Parallel::new(vec![Fake::right(), Fake::right(), other]);
    let says = "two copies of the adapter say different hellos";
    assert_eq!(gate.hello(), Err(Stopped::Handshake(says.to_owned())));
}

#[test]
fn a_copy_that_stops_ends_the_run_and_what_was_answered_is_kept() {
    let gone = || Stopped::GaveUp("gone".to_owned());
    for copies in [1, 2] {
        let mut fakes: Vec<Fake> = (0..copies).map(|_| Fake::right()).collect();
        fakes
            .iter_mut()
            .for_each(|fake| fake.stops = Some((100, gone())));
        let (done, ended) = run(&mut Parallel::new(fakes));
        assert_eq!(ended, Err(gone()));
        // the others may be ended before they are handed a case
        assert!((100..=100 * copies).contains(&done.len()), "{}", done.len());
    }
}

#[test]
fn a_copy_that_stopped_is_asked_no_more() {
    struct Stops(Arc<AtomicUsize>);
    impl Subject for Stops {
        fn hello(&mut self) -> Result<Hello, Stopped> {
            Ok(Hello::reference())
        }
        fn run(
            &mut self,
            _: &mut dyn Iterator<Item = Case>,
            _: &mut dyn FnMut(Case, Answer),
        ) -> Result<(), Stopped> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(Stopped::Interrupted)
        }
    }
    for _ in 0..20 {
        let runs = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let copies = runs.each_ref().map(|runs| Stops(Arc::clone(runs)));
        let (_, ended) = run(&mut Parallel::new(copies.into()));
        assert_eq!(ended, Err(Stopped::Interrupted));
        assert!(
            runs.iter().all(|runs| runs.load(Ordering::Relaxed) <= 1),
            "{runs:?}"
        );
    }
}

#[test]
fn what_any_copy_did_wrong_is_told() {
    let with = |incident: &str| {
        let mut fake = Fake::right();
        fake.incidents = vec![incident.to_owned()];
        fake
    };
    let mut gate = Parallel::new(vec![with("one"), Fake::right(), with("two")]);
    assert_eq!(gate.end(), ["one", "two"]);
}
