//! Cases a second through a process, against a driver that only writes and reads the same lines to
//! the same gate, and against `cat` that gives them back.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench"
)]

mod common;

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::Contest;
use gatespec::conform::adapter::request;
use gatespec::conform::process::{self, Limits};
use gatespec::conform::{Adapter, Answer, Case, Depth, InProcess, Subject};
use gatespec::generate::{Settings, workload};
use gatespec::model::Suite;
use gatespec::ops::Op;

const CASES: u32 = 10_000;

fn put(subject: &mut dyn Subject, ops: &[Op]) -> u64 {
    let mut cases = ops.iter().enumerate().map(|(at, op)| Case {
        id: format!("bench/{at}"),
        depth: Depth::Generated,
        op: op.clone(),
    });
    let mut passed = 0;
    subject
        .run(&mut cases, &mut |case, answer| {
            if let Answer::Output(output) = answer {
                passed += u64::from(case.op.judge(&output).is_empty());
            }
        })
        .expect("it goes on");
    assert_eq!(passed, ops.len() as u64);
    passed
}

/// Writes all lines from a thread and reads as many.
fn through(child: &mut Child, lines: &[String]) -> u64 {
    let stdin = child.stdin.as_mut().unwrap();
    let mut stdout = BufReader::with_capacity(1 << 16, child.stdout.as_mut().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = BufWriter::with_capacity(1 << 16, stdin);
            for line in lines {
                writeln!(stdin, "{line}").unwrap();
            }
            stdin.flush().unwrap();
        });
        let mut line = String::new();
        let mut count = 0;
        while count < lines.len() as u64 {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0);
            count += 1;
        }
        count
    })
}

/// A gate with nothing around it that has said hello.
fn bare(command: &[&str]) -> Child {
    let (program, arguments) = command.split_first().unwrap();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    if *program != "cat" {
        let hello = r#"{"hello":{"protocol":1,"spec":"1.0"}}"#.to_owned();
        through(&mut child, &[hello]);
    }
    child
}

/// The same gate as `check` drives it.
fn driven(command: &[&str]) -> Adapter {
    let command = process::Command::new(command).unwrap();
    let mut adapter = Adapter::new(command, Limits::default(), Arc::new(AtomicBool::new(false)));
    adapter.hello().unwrap();
    adapter
}

fn main() {
    let mut criterion = common::criterion();
    let serve = [env!("CARGO_BIN_EXE_gatespec"), "serve"];
    let python = ["python3", "examples/python/gate.py"];
    for suite in [Suite::Key, Suite::Outcome, Suite::Ledger] {
        let ops = workload::ops(suite, CASES, &Settings::seeded(1)).unwrap();
        let lines: Vec<String> = (1..).zip(&ops).map(|(id, op)| request(id, op)).collect();
        let (mut served, mut bare_serve) = (driven(&serve), bare(&serve));
        let (mut in_python, mut bare_python) = (driven(&python), bare(&python));
        let mut cat = bare(&["cat"]);
        let mut reference = InProcess::reference();
        let name = format!("runner, {suite}");
        Contest::new(&name, ops.len() as u64, "cases")
            .way("gatespec serve, judged", || put(&mut served, &ops))
            .way("gatespec serve, bare", || through(&mut bare_serve, &lines))
            .way("Python, judged", || put(&mut in_python, &ops))
            .way("Python, bare", || through(&mut bare_python, &lines))
            .way("the same lines by cat", || through(&mut cat, &lines))
            .way("in process, judged", || put(&mut reference, &ops))
            .run(&mut criterion);
        served.end();
        in_python.end();
        for child in [&mut bare_serve, &mut bare_python, &mut cat] {
            drop(child.stdin.take());
            child.wait().unwrap();
        }
    }
    criterion.final_summary();
}
