//! Adapters that write too much or read too little: no deadlock, and memory stays bounded.

use std::time::Duration;

use gatespec::conform::process::{Offence, Request, What, Wire};

use super::{bad, hasty, limits, protocol, request};

/// The most memory that this process has had, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim()
        .trim_end_matches("kB")
        .trim()
        .parse::<u64>()
        .unwrap()
        / 1024
}

fn assert_small() {
    let peak = peak();
    assert!(peak < 200, "{peak} MiB");
}

/// A request whose input is this many bytes.
fn large(id: u64, size: usize) -> Request {
    let input = "x".repeat(size);
    Request {
        id,
        line: format!(r#"{{"id":"{id}","op":"echo","input":"{input}"}}"#),
    }
}

#[test]
fn a_gigabyte_on_stderr() {
    let mut bad = bad(&["flood stderr", "3"], limits());
    bad.ask_up_to(10).unwrap();
    bad.assert_true_but(10, &[]);
    assert_small();
    bad.leave_well();
}

#[test]
fn only_the_end_of_stderr_is_kept() {
    let script = include_str!("bad.py")
        .replace("1 << 30", "1 << 20")
        .replace(
            "write(\"the end of it\\n\", 2)",
            "write(\"the end of it\\n\", 2); os._exit(1)",
        );
    let words = super::python(&script, &["flood stderr", "0"]);
    let mut bad = super::Bad::new(words, {
        let mut limits = limits();
        limits.stderr_bytes = 20;
        limits
    });
    bad.ask_up_to(1).unwrap();
    assert_eq!(bad.faults[&0].stderr, "…noise\nthe end of it\n");
    bad.drop_whole();
}

#[test]
fn a_gigabyte_on_stdout() {
    for (behaviour, bound) in [("flood stdout", 16 << 20), ("long", 16 << 20)] {
        let mut limits = limits();
        limits.line_bytes = bound;

        let mut bad = bad(&[behaviour, "3"], limits);
        bad.ask_up_to(10).unwrap();
        bad.assert_true_but(10, &[3]);
        match protocol(&bad.faults[&3]) {
            Offence::NotAnAnswer { line, .. } => assert_eq!(line, "noise"),
            offence => assert_eq!(offence, &Offence::LongLine { bound }),
        }
        assert_small();
        bad.leave_well();
    }
}

#[test]
fn a_gigabyte_of_answers_to_one_request() {
    let mut bad = bad(&["flood answers", "3"], limits());
    bad.ask_up_to(10).unwrap();
    assert_eq!(
        protocol(&bad.incidents()[0].fault),
        &Offence::Doubled { id: 3 }
    );
    assert_small();
    bad.leave_well();
}

#[test]
fn a_gigabyte_of_lawful_answers() {
    let mut bad = bad(&["huge"], limits());
    let mut requests = (0..100).map(request);
    let mut bytes = 0;
    bad.adapter
        .run(&mut || requests.next(), &mut |_, wire| match wire {
            Wire::Reply(line) => bytes += line.len(),
            Wire::Fault(fault) => panic!("{fault}"),
        })
        .unwrap();
    assert!(bytes > 1_000 << 20);
    assert_small();
    bad.leave_well();
}

#[test]
fn an_adapter_that_does_not_read_for_a_while() {
    let mut bad = bad(&["slow reader", "0"], limits());
    bad.ask((0..200).map(|id| large(id, 100_000))).unwrap();
    assert_eq!(bad.replies.len(), 200);
    assert_eq!(
        bad.replies.values().map(String::len).min().unwrap() / 100_000,
        1
    );
    bad.leave_well();
}

#[test]
fn an_adapter_that_reads_no_more() {
    let mut bad = bad(&["hang", "3"], hasty());
    bad.ask((0..50).map(|id| large(id, 100_000))).unwrap();
    assert_eq!(bad.replies.len(), 49);
    assert!(matches!(bad.faults[&3].what, What::TimedOut(_)));
    bad.leave_well();
}

#[test]
fn requests_and_answers_larger_than_any_pipe() {
    // both sides would wait for the other to read if either did nothing else
    let mut bad = bad(&["none"], {
        let mut limits = limits();
        limits.in_flight_bytes = 64 << 20;
        limits
    });
    bad.ask((0..24).map(|id| large(id, 2 << 20))).unwrap();
    assert_eq!(bad.replies.len(), 24);
    bad.leave_well();
}

#[test]
fn a_run_that_takes_its_time_does_not_time_the_adapter_out() {
    let mut bad = bad(&["none"], hasty());
    let mut requests = (0..3).map(request);
    let mut count = 0;
    bad.adapter
        .run(
            &mut || {
                std::thread::sleep(Duration::from_millis(800));
                requests.next()
            },
            &mut |_, wire| {
                assert!(matches!(wire, Wire::Reply(_)));
                std::thread::sleep(Duration::from_millis(800));
                count += 1;
            },
        )
        .unwrap();
    assert_eq!(count, 3);
    assert_eq!(bad.started(), 1);
    bad.leave_well();
}
