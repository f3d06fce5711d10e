//! An adapter's own throughput: what is put through, what counts, and what is no measurement.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use gatespec::conform::bench::{Bench, Size, bench};
use gatespec::conform::process::{Adapter, Command, Event, Limits};
use gatespec::conform::{Hello, Stopped};
use gatespec::model::Suite;

/// The questions that went over the wire; no two are the same line, since ids differ.
type Sent = Arc<Mutex<BTreeSet<String>>>;

/// An adapter that answers every line with the same output, or what else a script says.
fn python(hello: &str, answer: &str) -> (Adapter, Sent) {
    let script = format!(
        r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        print(json.dumps({{"hello": {{"protocol": 1, "name": "x", "suites": ["key"], {hello}}}}}), flush=True)
    elif "bye" in m:
        break
    else:
        print(json.dumps({{"id": m["id"], {answer}}}), flush=True)
"#
    );
    let command = Command::new(["python3", "-c", &script]).unwrap();
    let sent = Sent::default();
    let seen = Arc::clone(&sent);
    let interrupt = Arc::new(AtomicBool::new(false));
    let adapter = Adapter::new(command, Limits::default(), Hello::line(), interrupt);
    let adapter = adapter.traced(move |event| {
        if let Event::Sent(line) = event
            && line.contains("\"op\"")
        {
            seen.lock().unwrap().insert(line.to_owned());
        }
    });
    (adapter, sent)
}

const ECHO: &str = r#""echo": True"#;
const OUTPUT: &str = r#""output": {}"#;

fn size() -> Size {
    let mut size = Size::default();
    (size.batch, size.batches, size.rounds, size.warm_up) = (10, 3, 5, 2);
    size
}

fn run(subject: Adapter, suite: Suite) -> Result<Bench, Stopped> {
    bench(subject, python(ECHO, OUTPUT).0, suite, 1, size())
}

#[test]
fn each_round_puts_the_workload_and_its_echoes_through() {
    let (subject, sent) = python(ECHO, OUTPUT);
    let measured = run(subject, Suite::Key).unwrap();
    assert_eq!(sent.lock().unwrap().len(), 7 * 3 * 10 * 2);
    assert_eq!(
        (measured.batch, measured.batches, measured.rounds),
        (10, 3, 5)
    );
    assert_eq!((measured.suite.as_str(), measured.left_out), ("key", 0));
    assert!(measured.model_nanos > 0.0);
    for of in [measured.subject, measured.reference] {
        let echo = of.echo.unwrap();
        for times in [of.all, echo] {
            assert!(0.0 < times.fastest_round && times.fastest_round <= times.slowest_round);
            assert!(times.p50 <= times.p90 && times.p90 <= times.p99);
            assert!((times.per_second - 1e9 / times.p50).abs() < 1e-3 * times.per_second);
        }
        assert_eq!(of.own_nanos, Some((of.all.p50 - echo.p50).max(0.0)));
    }
}

#[test]
fn without_a_warm_up_every_round_counts() {
    let mut size = size();
    size.warm_up = 0;
    let (subject, sent) = python(ECHO, OUTPUT);
    let reference = python(ECHO, OUTPUT).0;
    let measured = bench(subject, reference, Suite::Key, 1, size).unwrap();
    assert_eq!(sent.lock().unwrap().len(), 5 * 3 * 10 * 2);
    assert!(measured.subject.all.p50 > 0.0 && measured.model_nanos > 0.0);
}

#[test]
fn without_an_echo_the_overhead_is_not_told_apart() {
    let (subject, sent) = python(r#""echo": False"#, OUTPUT);
    let measured = run(subject, Suite::Key).unwrap();
    assert_eq!(sent.lock().unwrap().len(), 7 * 3 * 10);
    assert_eq!(
        (measured.subject.echo, measured.subject.own_nanos),
        (None, None)
    );
    assert!(measured.reference.echo.is_some());
}

#[test]
fn questions_that_need_a_lacked_word_are_left_out() {
    let (subject, sent) = python(r#""lacks": ["bytes"]"#, OUTPUT);
    let measured = run(subject, Suite::Key).unwrap();
    assert_eq!(
        sent.lock().unwrap().len(),
        7 * (30 - measured.left_out as usize)
    );
}

#[test]
fn what_is_no_measurement_is_said() {
    let says = |subject: Adapter, suite| match run(subject, suite) {
        Err(Stopped::GaveUp(why)) => why,
        other => panic!("{other:?}"),
    };
    let broke = says(python(ECHO, r#""error": "broke""#).0, Suite::Key);
    assert!(
        broke.starts_with("no output to time: it answered `{\"id\": ") && broke.contains("broke"),
        "{broke}"
    );
    assert_eq!(
        says(python(ECHO, OUTPUT).0, Suite::Window),
        "there is no workload for the suite `window`"
    );
    let command = Command::new(["sh", "-c", "exit 3"]).unwrap();
    let dead = Adapter::new(
        command,
        Limits::default(),
        Hello::line(),
        Arc::new(AtomicBool::new(false)),
    );
    assert!(matches!(run(dead, Suite::Key), Err(Stopped::Handshake(_))));
}
