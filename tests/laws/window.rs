#![allow(
    clippy::indexing_slicing,
    reason = "a wrong place in a list of three calls ends the test"
)]

use std::collections::BTreeSet;

use gatespec::generate::{self, Settings};
use gatespec::laws::window::LAWS;
use gatespec::model::verdict::{Fault as Cause, Gate};
use gatespec::model::window::{AfterFault, Call, End, Event, Kind, Mark, Window};
use gatespec::model::{Clause, Suite};
use gatespec::mutants::window::{Fault, MUTANTS, answer};
use gatespec::ops::SuiteOp as _;
use gatespec::ops::window::Op;
use proptest::prelude::*;

/// The harnesses that differ from the model where the law leaves a choice.
const CONFORMING: [Fault; 5] = [
    Fault::Nowhere,
    Fault::SettlesAfterFault,
    Fault::CommitsAtTheEnd,
    Fault::SweepsAtTheStop,
    Fault::DropsRepeats,
];

/// The bound at which everything is exhausted in a test run.
fn three_by_three() -> Settings {
    let mut settings = Settings::default();
    settings.window_calls = 3;
    settings.window_drives = 3;
    settings
}

#[test]
fn every_law_holds_of_every_window_up_to_the_bound() {
    let count = super::hold(LAWS, generate::window::enumerate(&Settings::default()));
    // windows of distinct calls, and those with a repeated id
    assert_eq!(count, 21_488 + 680);
    assert_eq!(
        generate::window::enumerate(&three_by_three()).count(),
        1_526 + 680
    );
}

#[test]
fn harnesses_that_choose_differently_conform_on_every_enumerated_window() {
    let mut differ = [0; 5];
    for op in generate::window::enumerate(&three_by_three()) {
        assert_eq!(op.judge(&op.expected()), [], "{op:?}");
        for (fault, differ) in CONFORMING.into_iter().zip(&mut differ) {
            let got = answer(fault, &op);
            assert_eq!(op.judge(&got), [], "{fault:?} on {op:?}: {got:?}");
            *differ += u32::from(got != op.expected());
        }
    }
    let [nowhere, others @ ..] = differ;
    assert_eq!(nowhere, 0);
    assert!(
        others.iter().all(|count| *count > 0),
        "a choice is never made: {others:?}"
    );
}

/// What the invariants keep of a path: how often each call ran and was answered.
#[derive(Clone, Default)]
struct Path {
    ran: [u8; 3],
    answered: [u8; 3],
    drives: u64,
    states: BTreeSet<Window>,
}

#[test]
fn all_windows_of_three_calls_and_three_drives_keep_the_invariants() {
    let calls: Vec<Call> = ["a", "b", "c"]
        .map(|id| Call {
            id: id.to_owned(),
            tool: format!("tool-{id}"),
        })
        .into();
    let answers = [
        Gate::Proceed,
        Gate::Refuse {
            reason: "no".to_owned(),
        },
        Gate::Hold {
            reason: "wait".to_owned(),
        },
        Gate::Stopped,
        Gate::Fault(Cause::NotSpawned),
    ];
    let mut configured: Vec<Option<[Gate; 3]>> = vec![None];
    for a in &answers {
        for b in &answers {
            configured.extend(
                answers
                    .iter()
                    .map(|c| Some([a.clone(), b.clone(), c.clone()])),
            );
        }
    }
    // with k < 3 calls passed or refused: one mark, one fault, one stop, one stop under the mark;
    // with all three answered: nothing more; and the window at its start
    let states = 1 + (1 + 2 + 4) * 4 + 8;
    for after in [AfterFault::Adjudicate, AfterFault::Settle] {
        let mut path = Path::default();
        explore(
            &Window::new(calls.clone()),
            &configured,
            after,
            3,
            &mut path,
        );
        // 126 drives from each of 1 + 126 + 126 * 126 windows
        assert_eq!(path.drives, 126 + 126 * 126 + 126 * 126 * 126);
        assert_eq!((path.states.len(), states), (37, 37), "{after:?}");
    }
}

/// Drives a window in every way, so many drives deep.
fn explore(
    window: &Window,
    configured: &[Option<[Gate; 3]>],
    after: AfterFault,
    depth: u32,
    path: &mut Path,
) {
    path.states.insert(window.clone());
    if depth == 0 {
        return;
    }
    let (ran, answered) = (path.ran, path.answered);
    for control in configured {
        let mut next = window.clone();
        let mut seam = control
            .as_ref()
            .map(|gates| |call: &Call| gates[usize::from(call.id.as_bytes()[0] - b'a')].clone());
        let control = seam
            .as_mut()
            .map(|seam| seam as &mut dyn FnMut(&Call) -> Gate);
        let removed = control.is_none();
        let drive = next.drive(control, after);
        path.drives += 1;
        path.ran = ran;
        path.answered = answered;
        let mut passed = [removed; 3];
        for event in &drive.events {
            let place = |id: &String| usize::from(id.as_bytes()[0] - b'a');
            match event {
                Event::Consulted { id } => passed[place(id)] = true,
                Event::Executed { id } => {
                    assert!(passed[place(id)], "{id} runs unadjudicated");
                    path.ran[place(id)] += 1;
                }
                Event::Committed { id, .. } => path.answered[place(id)] += 1,
                Event::Lifted { .. } => {}
            }
        }
        assert!(
            path.ran
                .iter()
                .chain(&path.answered)
                .all(|&times| times < 2),
            "{drive:?}"
        );
        let results = next.results().len();
        assert_eq!(
            path.answered.map(usize::from).iter().sum::<usize>(),
            results
        );
        let parked = drive.end == End::Held;
        assert!(!parked || next.next_call().map(|c| &c.id) == next.mark().map(|m| &m.id));
        assert!(drive.end != End::Done || (results == 3 && next.mark().is_none()));
        assert!(drive.end != End::Stopped || results == 3);
        explore(&next, configured, after, depth - 1, path);
        path.ran = ran;
        path.answered = answered;
    }
}

#[test]
fn every_mutant_is_killed_by_the_clause_that_it_breaks() {
    let cases: Vec<_> = generate::enumerate(Suite::Window, &three_by_three()).collect();
    super::strength::every_mutant_dies(MUTANTS, &cases);
}

#[test]
fn the_vectors_alone_kill_every_mutant() {
    super::strength::vectors_kill_every_mutant(Suite::Window, MUTANTS);
}

#[test]
fn random_cases_reach_every_clause() {
    super::strength::every_clause_is_hit(Suite::Window, 2_000, &[]);
}

#[test]
fn a_report_of_another_shape_is_no_answer() {
    let input = r#"{"op":"window.run","input":{"calls":[{"id":"a","tool":"t"}],"drives":[{"control":"removed"}]}}"#;
    let op: Op = serde_json::from_str(input).unwrap();
    assert_eq!(op.needs(), ["control_removal"]);
    for bad in [
        "{}",
        r#"{"drives":[{"events":[],"end":"done"}]}"#,
        r#"{"drives":[{"events":[],"end":"Done","mark":null}]}"#,
        r#"{"drives":[{"events":[{"swept":"a"}],"end":"done","mark":null}]}"#,
        r#"{"drives":[{"events":[{"executed":"a","consulted":"a"}],"end":"done","mark":null}]}"#,
        r#"{"drives":[{"events":[{"committed":{"id":"a","kind":"result"}}],"end":"done","mark":null}]}"#,
    ] {
        assert!(op.read_output(bad).is_err(), "{bad}");
    }
    let short = op.read_output(r#"{"drives":[]}"#).unwrap();
    assert_eq!(op.judge(&short), [Clause::Win01]);
}

/// The abstract machine of the random walk: how many calls are answered, and what is marked.
#[derive(Clone, Debug, Default)]
struct Machine {
    answered: usize,
    mark: Option<Mark>,
}

proptest! {
    #[test]
    fn every_law_holds_of_random_windows(op in generate::window::strategy(&Settings::default())) {
        super::hold_of(LAWS, &op)?;
        for fault in CONFORMING {
            prop_assert!(op.judge(&answer(fault, &op)).is_empty(), "{:?}", fault);
        }
        let json = serde_json::to_string(&op).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Op>(&json).unwrap(), &op);
        let expected = serde_json::to_string(&op.expected()).unwrap();
        prop_assert_eq!(op.read_output(&expected).unwrap(), op.expected());
    }

    /// A state machine test: each transition is one drive of one window, and after each the window
    /// is where an abstract machine of two variables says.
    #[test]
    fn a_window_follows_its_abstract_machine(
        count in 1..6usize,
        drives in prop::collection::vec((any::<bool>(), prop::collection::vec(0..5u8, 6)), 1..9),
    ) {
        let name = |at: usize| format!("call-{at}");
        let calls = (0..count).map(|at| Call { id: name(at), tool: format!("tool-{at}") });
        let mut window = Window::new(calls.collect());
        let mut machine = Machine::default();
        for (round, (removed, answers)) in drives.into_iter().enumerate() {
            let removed = removed && round % 3 == 2;
            let reason = format!("reason-{round}");
            let gate = |at: usize| match answers[at] {
                0 => Gate::Proceed,
                1 => Gate::Refuse { reason: reason.clone() },
                2 => Gate::Hold { reason: reason.clone() },
                3 => Gate::Stopped,
                _ => Gate::Fault(Cause::TimedOut),
            };
            let cut = (machine.answered..count)
                .find(|&at| !removed && answers[at] > 1)
                .unwrap_or(count);
            if cut > machine.answered || machine.answered == count {
                machine.mark = None;
            }
            let end = if cut == count { End::Done } else {
                match answers[cut] {
                    2 => {
                        let (id, tool) = (name(cut), format!("tool-{cut}"));
                        machine.mark = Some(Mark { id, tool, reason: reason.clone() });
                        End::Held
                    }
                    3 => End::Stopped,
                    _ => End::Fault,
                }
            };
            machine.answered = if end == End::Stopped { count } else { cut };
            let mut seam = |call: &Call| gate(call.id["call-".len()..].parse().unwrap());
            let drive = window.drive((!removed).then_some(&mut seam), AfterFault::Adjudicate);
            prop_assert_eq!(drive.end, end);
            prop_assert_eq!(window.results().len(), machine.answered);
            prop_assert_eq!(window.mark(), machine.mark.as_ref());
            prop_assert_eq!(&drive.mark, &machine.mark);
            let interrupted = window.results().iter().filter(|kind| **kind == Kind::Interrupted);
            prop_assert!(interrupted.count() == 0 || machine.answered == count);
        }
    }
}
