//! Adapters that fail on one request in a deep pipeline: that one is named, the others are true.

use std::time::{Duration, Instant};

use gatespec::conform::process::{Exit, Fault, Limits, Offence, Stopped, What};

use super::{Bad, bad, hasty, limits, protocol, request};

const CASES: u64 = 300;
const CULPRIT: u64 = 137;

/// Asks `CASES` requests of an adapter that fails on `CULPRIT`, asserts that it alone is blamed
/// and the others are true, and gives what it was blamed for.
fn blamed(behaviour: &str, limits: Limits) -> Fault {
    // more to ask than is in flight when it fails
    let mut limits = limits;
    limits.in_flight = 64;

    let mut bad = bad(&[behaviour, &CULPRIT.to_string()], limits);
    bad.ask_up_to(CASES).unwrap();
    bad.assert_true_but(CASES, &[CULPRIT]);
    assert_eq!(bad.incidents(), [], "{behaviour}: all is explained");
    assert!(
        (2..=4).contains(&bad.started()),
        "{behaviour} took {} processes",
        bad.started()
    );
    assert_eq!(bad.faults.len(), 1, "{behaviour}: {:?}", bad.faults);
    let fault = bad.faults.remove(&CULPRIT).unwrap();
    bad.leave_well();
    fault
}

#[test]
fn a_crash() {
    let fault = blamed("exit", limits());
    assert_eq!(fault.what, What::Crashed(Exit::Status(3)));
    assert_eq!(fault.stderr, "about to fail on 137\n");
    assert_eq!(
        fault.to_string(),
        "the adapter exited with status 3 before it had answered"
    );
    assert_eq!(
        blamed("exit 0", limits()).what,
        What::Crashed(Exit::Status(0))
    );
    let fault = blamed("segv", limits());
    assert_eq!(fault.what, What::Crashed(Exit::Signal(11)));
    assert_eq!(
        fault.to_string(),
        "the adapter was killed by SIGSEGV before it had answered"
    );
}

#[test]
fn a_hang() {
    let start = Instant::now();
    let fault = blamed("hang", hasty());
    assert_eq!(fault.what, What::TimedOut(Duration::from_millis(700)));
    assert_eq!(fault.stderr, "thinking about 137\n");
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[test]
fn a_hang_that_ignores_the_signal_to_end() {
    assert_eq!(
        blamed("hang hard", hasty()).what,
        What::TimedOut(Duration::from_millis(700))
    );
}

#[test]
fn a_process_that_is_stopped() {
    assert_eq!(
        blamed("stop", hasty()).what,
        What::TimedOut(Duration::from_millis(700))
    );
}

#[test]
fn an_answer_that_comes_late_is_nobody_elses() {
    assert_eq!(
        blamed("late", hasty()).what,
        What::TimedOut(Duration::from_millis(700))
    );
}

#[test]
fn an_id_that_was_never_asked() {
    let unknown = |id: &str| Offence::UnknownId { id: id.to_owned() };
    assert_eq!(protocol(&blamed("unknown", limits())), &unknown("999999"));

    // an id that has had its answer: its second is one too many, and when 137 is asked alone in a
    // fresh process, 136 has never been asked
    let mut bad = bad(&["earlier", "137"], limits());
    bad.ask_up_to(CASES).unwrap();
    bad.assert_true_but(CASES, &[137]);
    assert_eq!(protocol(&bad.faults[&137]), &unknown("136"));
    let incidents = bad.incidents();
    assert_eq!(protocol(&incidents[0].fault), &Offence::Doubled { id: 136 });
    bad.leave_well();
}

#[test]
fn a_line_that_is_no_answer() {
    let fault = blamed("print", limits());
    assert_eq!(
        fault.to_string(),
        "the adapter wrote `debug: got here`, which is no answer (not a JSON object); \
         only answers go to stdout, everything else to stderr"
    );
    assert!(matches!(
        protocol(&blamed("empty line", limits())),
        Offence::NotAnAnswer { .. }
    ));
    let line = r#"{"output":0}"#.to_owned();
    assert_eq!(
        protocol(&blamed("no id", limits())),
        &Offence::NoId { line }
    );
    let line = r#"{"id":137,"output":0}"#.to_owned();
    assert_eq!(
        protocol(&blamed("number", limits())),
        &Offence::NoId { line }
    );
    let line = "{\"id\":\"137\",\"output\":\"\u{fffd}\u{fffd}\"}".to_owned();
    assert_eq!(
        protocol(&blamed("not utf-8", limits())),
        &Offence::NotUtf8 { line }
    );
}

#[test]
fn half_a_line_and_the_end() {
    let line = r#"{"id":"137","outp"#.to_owned();
    assert_eq!(
        protocol(&blamed("half", limits())),
        &Offence::HalfLine { line }
    );
    // the crash is the news, not the line that it tore
    assert_eq!(
        blamed("half and exit 1", limits()).what,
        What::Crashed(Exit::Status(1))
    );
}

#[test]
fn a_line_over_the_bound() {
    let mut limits = limits();
    limits.line_bytes = 1 << 20;

    assert_eq!(
        protocol(&blamed("long", limits)),
        &Offence::LongLine { bound: 1 << 20 }
    );
}

#[test]
fn a_closed_stdout() {
    assert_eq!(
        protocol(&blamed("close stdout", limits())),
        &Offence::ClosedOutput
    );
}

#[test]
fn a_closed_stdin_alone_is_a_hang() {
    // nothing is written after the last request, so only time tells
    assert_eq!(
        blamed("close stdin", hasty()).what,
        What::TimedOut(Duration::from_millis(700))
    );
}

#[test]
fn a_closed_stdin_that_is_written_to() {
    // a line that the request hides behind it, which no pipe holds
    let mut bad = bad(&["close stdin"], {
        let mut limits = limits();
        limits.respawns = 0;
        limits
    });
    let mut large = request(0);
    large.line.push('\n');
    large.line.push_str(&" ".repeat(4 << 20));
    let stopped = bad.ask([large, request(1)]).unwrap_err();
    let Stopped::RespawnLimit { last, .. } = stopped else {
        panic!("{stopped:?}")
    };
    assert_eq!(protocol(&last), &Offence::ClosedInput);
    assert_eq!(protocol(&bad.faults[&0]), &Offence::ClosedInput);
    bad.drop_whole();
}

#[test]
fn a_stdin_that_closes_because_the_process_ends() {
    // it is given the time to end before it is blamed for its stdin
    let script = r#"read -r line; echo '{"hello":{}}'; exec 0<&-; sleep 0.2; exit 3"#;
    let mut bad = Bad::new(["sh", "-c", script], limits());
    bad.ask([request(0)]).unwrap();
    assert_eq!(bad.faults[&0].what, What::Crashed(Exit::Status(3)));
    bad.drop_whole();
}

#[test]
fn a_pipeline_of_none_is_one_at_a_time() {
    let mut limits = limits();
    (limits.in_flight, limits.in_flight_bytes) = (0, 0);
    let mut bad = bad(&["none"], limits);
    bad.ask_up_to(3).unwrap();
    bad.assert_true_but(3, &[]);
    bad.leave_well();
}

#[test]
fn a_child_that_outlives_its_parent() {
    assert_eq!(
        blamed("fork and exit", limits()).what,
        What::Crashed(Exit::Status(4))
    );
    assert_eq!(
        blamed("fork and hang", hasty()).what,
        What::TimedOut(Duration::from_millis(700))
    );
}

#[test]
fn an_answer_that_comes_twice_is_held_against_its_request() {
    let mut bad = bad(&["double", "137"], limits());
    bad.ask_up_to(CASES).unwrap();
    bad.assert_true_but(CASES, &[]);
    let incidents = bad.incidents();
    let [incident] = incidents.as_slice() else {
        panic!("{incidents:?}")
    };
    assert_eq!(protocol(&incident.fault), &Offence::Doubled { id: 137 });
    assert_eq!(incident.culprit, Some((137, request(137).line)));
    assert_eq!(
        incident.to_string(),
        format!(
            "the adapter answered id `137` twice; each request has one answer; it was asked `{}`",
            request(137).line
        )
    );
    bad.leave_well();
}

#[test]
fn an_answer_that_comes_twice_is_found_in_the_next_run() {
    let mut bad = bad(&["double", "5"], limits());
    bad.ask((0..6).map(request)).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    bad.ask((6..9).map(request)).unwrap();
    bad.assert_true_but(9, &[]);
    let incidents = bad.incidents();
    assert_eq!(incidents[0].culprit, Some((5, request(5).line)));
    bad.leave_well();
}

#[test]
fn answers_in_another_order_are_no_fault() {
    let mut backwards = bad(&["backwards"], limits());
    backwards.ask_up_to(CASES).unwrap();
    backwards.assert_true_but(CASES, &[]);
    assert_eq!(backwards.started(), 1);
    backwards.leave_well();

    let mut late = bad(&["second first", "0"], limits());
    late.ask_up_to(CASES).unwrap();
    late.assert_true_but(CASES, &[]);
    late.leave_well();
}

#[test]
fn several_culprits_are_all_found() {
    let script = include_str!("bad.py").replace(
        "ID not in (None, message[\"id\"])",
        "int(message[\"id\"]) % 50 != 7",
    );
    let mut bad = Bad::new(super::python(&script, &["exit"]), limits());
    bad.ask_up_to(CASES).unwrap();
    let culprits: Vec<u64> = (0..CASES).filter(|id| id % 50 == 7).collect();
    bad.assert_true_but(CASES, &culprits);
    assert_eq!(bad.faults.keys().copied().collect::<Vec<_>>(), culprits);
    assert_eq!(bad.incidents(), []);
    bad.leave_well();
}

#[test]
fn a_crash_that_does_not_come_again_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark").display().to_string();
    let mut bad = bad(&["exit once", "137", &mark], limits());
    bad.ask_up_to(CASES).unwrap();
    bad.assert_true_but(CASES, &[]);
    assert_eq!(bad.faults.len(), 0, "no request is blamed for it");
    let incidents = bad.incidents();
    let [incident] = incidents.as_slice() else {
        panic!("{incidents:?}")
    };
    assert_eq!(incident.fault.what, What::Crashed(Exit::Status(1)));
    assert_eq!(incident.culprit, None);
    assert_eq!(incident.after, Some((136, request(136).line)));
    assert_eq!(incident.open.map(|(from, _)| from), Some(137));
    bad.leave_well();
}

#[test]
fn a_crash_loop_is_stopped_and_what_was_found_is_kept() {
    let mut bad = bad(&["exit"], {
        let mut limits = limits();
        limits.respawns = 10;
        limits
    });
    let stopped = bad.ask_up_to(CASES).unwrap_err();
    let Stopped::RespawnLimit { respawns, last } = stopped else {
        panic!("{stopped:?}")
    };
    assert_eq!((respawns, last.what), (10, What::Crashed(Exit::Status(3))));
    assert_eq!(bad.started(), 11);
    // the first death named nobody; each one after it named one
    assert_eq!(
        bad.faults.keys().copied().collect::<Vec<_>>(),
        (0..10).collect::<Vec<_>>()
    );
    assert!(bad.replies.is_empty());
    bad.drop_whole();
}

#[test]
fn an_adapter_that_serves_one_request_a_process_blames_no_request() {
    let mut bad = bad(&["answer and exit"], {
        let mut limits = limits();
        limits.respawns = 6;
        limits
    });
    let stopped = bad.ask_up_to(CASES).unwrap_err();
    assert!(
        matches!(stopped, Stopped::RespawnLimit { .. }),
        "{stopped:?}"
    );
    assert!(bad.faults.is_empty(), "{:?}", bad.faults);
    assert!(!bad.replies.is_empty());
    bad.assert_true_but(bad.replies.len() as u64, &[]);
    assert!(!bad.incidents().is_empty());
    bad.drop_whole();
}
