//! How a run and an adapter end: bye, interrupt, time, drop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use gatespec::conform::process::{ByeError, Event, Exit, StartError, Stopped};

use super::{Bad, PATIENCE, assert_gone, bad, hasty, limits, request};

/// Asks ten requests, says goodbye, and gives what was wrong with the end.
fn farewell(behaviour: &str) -> ByeError {
    let mut limits = limits();
    limits.bye = Duration::from_secs(1);

    let mut bad = bad(&[behaviour], limits);
    bad.ask_up_to(10).unwrap();
    bad.assert_true_but(10, &[]);
    let error = bad.adapter.bye().unwrap_err();
    assert_gone(&bad.groups);
    error
}

#[test]
fn output_after_bye() {
    assert_eq!(
        farewell("speak after bye"),
        ByeError::Spoke {
            line: "goodbye!".to_owned()
        }
    );
    assert_eq!(
        farewell("half a word after bye"),
        ByeError::Spoke {
            line: "good".to_owned()
        }
    );
    assert!(matches!(
        farewell("flood after bye"),
        ByeError::Spoke { .. }
    ));
}

#[test]
fn output_some_time_after_bye() {
    let script = r#"read -r line; echo '{"hello":{}}'; read -r bye; sleep 0.3; echo late"#;
    let bad = Bad::new(["sh", "-c", script], limits());
    let (sender, heard) = mpsc::channel();
    let mut adapter = bad.adapter.traced(move |event| {
        if let Event::Received(line) = event {
            sender.send(line.to_vec()).unwrap();
        }
    });
    adapter.start().unwrap();
    let line = "late".to_owned();
    assert_eq!(adapter.bye(), Err(ByeError::Spoke { line }));
    assert_eq!(
        heard.iter().collect::<Vec<_>>(),
        [&br#"{"hello":{}}"#[..], b"late"]
    );
}

#[test]
fn a_child_that_keeps_stdout_open_does_not_hold_the_goodbye_up() {
    let script = r#"read -r line; echo '{"hello":{}}'; read -r bye; sleep 100 & exit 0"#;
    let mut bad = Bad::new(["sh", "-c", script], limits());
    bad.adapter.start().unwrap();
    let start = Instant::now();
    bad.leave_well();
    assert!(start.elapsed() < PATIENCE / 2);
}

#[test]
fn an_adapter_that_does_not_leave() {
    assert_eq!(
        farewell("stay after bye"),
        ByeError::Stayed {
            limit: Duration::from_secs(1)
        }
    );
}

#[test]
fn an_adapter_that_fails_at_bye() {
    assert_eq!(farewell("fail at bye"), ByeError::Exited(Exit::Status(5)));
}

#[test]
fn a_child_left_at_bye_ends_too() {
    let mut bad = bad(&["leave a child"], limits());
    bad.ask_up_to(3).unwrap();
    bad.leave_well();
}

#[test]
fn an_interrupt_ends_the_run_and_keeps_what_was_answered() {
    for behaviour in ["hang", "hang hard", "fork and hang"] {
        let mut bad = bad(&[behaviour, "50"], limits());
        let interrupt = Arc::clone(&bad.interrupt);
        bad.adapter.start().unwrap();
        let timer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(400));
            interrupt.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        assert_eq!(bad.ask_up_to(100), Err(Stopped::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(5));
        timer.join().unwrap();
        // before anything is dropped
        assert_gone(&bad.groups);
        bad.assert_true_but(50, &[]);
        assert!(bad.faults.is_empty());
    }
}

#[test]
fn the_time_for_a_run_is_bounded_and_what_was_answered_is_kept() {
    let limit = Duration::from_millis(1500);
    let mut bad = bad(&["hang", "50"], {
        let mut limits = limits();
        limits.run = Some(limit);
        limits
    });
    let start = Instant::now();
    assert_eq!(bad.ask_up_to(100), Err(Stopped::RunTimeout { limit }));
    assert!(start.elapsed() < Duration::from_secs(6));
    assert_gone(&bad.groups);
    bad.assert_true_but(50, &[]);
    // time does not come back
    assert_eq!(bad.ask([request(100)]), Err(Stopped::RunTimeout { limit }));
}

#[test]
fn dropping_an_adapter_ends_it_with_its_group() {
    for behaviour in ["fork and exit", "none"] {
        let mut bad = bad(&[behaviour, "1"], {
            let mut limits = limits();
            limits.respawns = 0;
            limits
        });
        let _ = bad.ask_up_to(2);
        bad.drop_whole();
    }
}

#[test]
fn the_end_of_stdin_is_a_goodbye_too() {
    // it reads to the end and takes no notice of what is in it
    let script = r#"read -r line; echo '{"hello":{}}'; cat > /dev/null"#;
    let mut bad = Bad::new(["sh", "-c", script], limits());
    bad.adapter.start().unwrap();
    bad.leave_well();
}

#[test]
fn a_drop_is_heard_on_the_wire() {
    let (sender, heard) = mpsc::channel();
    let bad = bad(&["none"], limits());
    assert!(format!("{:?}", bad.adapter).contains("python"));
    let mut adapter = bad.adapter.traced(move |event| {
        if let Event::Ended { exit } = event {
            sender.send(exit).unwrap();
        }
    });
    adapter.start().unwrap();
    drop(adapter);
    assert_eq!(heard.iter().count(), 1);
}

#[test]
fn a_panic_of_the_caller_leaves_no_process() {
    let mut bad = bad(&["none"], limits());
    let groups = Arc::clone(&bad.groups);
    let caller = std::thread::spawn(move || {
        let mut requests = (0..10).map(request);
        bad.adapter
            .run(&mut || requests.next(), &mut |_, _| panic!("on purpose"))
    });
    assert!(caller.join().is_err());
    assert_gone(&groups);
}

#[test]
fn an_adapter_that_starts_only_once_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark").display().to_string();
    let script = include_str!("bad.py").replace(
        "def main():\n",
        "def main():\n    if os.path.exists(EXTRA): os._exit(9)\n    open(EXTRA, 'w').close()\n",
    );
    let mut bad = Bad::new(super::python(&script, &["exit", "5", &mark]), limits());
    let stopped = bad.ask_up_to(10).unwrap_err();
    assert!(
        matches!(
            &stopped,
            Stopped::Start(StartError::Exited {
                exit: Exit::Status(9),
                ..
            })
        ),
        "{stopped:?}"
    );
    bad.assert_true_but(5, &[]);
    assert_eq!(bad.incidents().len(), 1);
    bad.drop_whole();
}

#[test]
fn one_process_serves_run_after_run() {
    let mut bad = bad(&["none"], limits());
    for run in 0..20 {
        bad.ask((run * 5..run * 5 + 5).map(request)).unwrap();
    }
    bad.ask([]).unwrap();
    bad.assert_true_but(100, &[]);
    assert_eq!(bad.started(), 1);
    bad.leave_well();
}

#[test]
fn the_wire_can_be_listened_to() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = Arc::clone(&heard);
    let bad = bad(&["exit", "1"], limits());
    let mut adapter = bad.adapter.traced(move |event| {
        let text = match event {
            Event::Started { .. } => "started".to_owned(),
            Event::Sent(line) => format!("> {line}"),
            Event::Received(line) => format!("< {}", String::from_utf8_lossy(line)),
            Event::Stderr(bytes) => format!("! {}", String::from_utf8_lossy(bytes).trim_end()),
            Event::Ended { exit } => format!("it {exit}"),
        };
        listener.lock().unwrap().push(text);
    });
    let mut requests = (0..2).map(request);
    adapter
        .run(&mut || requests.next(), &mut |_, _| {})
        .unwrap();
    drop(adapter);
    let (zero, one) = (request(0).line, request(1).line);
    let start = ["started".to_owned(), format!("> {}", super::HELLO)];
    let hello = r#"< {"hello":{"protocol":1}}"#.to_owned();
    let end = [
        "! about to fail on 1".to_owned(),
        "it exited with status 3".to_owned(),
    ];
    let answer = format!(r#"< {{"id": "0", "output": "{}"}}"#, super::nonce(0));
    let mut expected = start.to_vec();
    expected.extend([
        hello.clone(),
        format!("> {zero}"),
        format!("> {one}"),
        answer,
    ]);
    expected.extend(end.clone());
    expected.extend(start);
    expected.extend([hello, format!("> {one}")]);
    expected.extend(end);
    assert_eq!(*heard.lock().unwrap(), expected);
}

#[test]
fn an_adapter_can_be_moved_to_another_thread() {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..3 {
        let sender = sender.clone();
        let mut bad = bad(&["none"], hasty());
        std::thread::spawn(move || {
            bad.ask_up_to(50).unwrap();
            bad.assert_true_but(50, &[]);
            bad.leave_well();
            sender.send(()).unwrap();
        });
    }
    drop(sender);
    assert_eq!(receiver.iter().count(), 3);
}
