//! Ctrl-C loses nothing: what was finished is reported, and nobody is left behind.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::GATESPEC;

/// The model as an adapter that starts a child, writes down its own process and its child's, and
/// after so many requests answers no more.
const HANGS: &str = r#"
import os, signal, subprocess, sys, time
folder, after = sys.argv[1], int(sys.argv[2])
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "600"])
model = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for pid in (os.getpid(), child.pid, model.pid):
    open(os.path.join(folder, "pid-%d" % pid), "w").close()
count = 0
for line in sys.stdin.buffer:
    count += 1
    if count == after:
        time.sleep(3)  # for what was answered to be read, on a busy machine too
        open(os.path.join(folder, "hangs-%d" % os.getpid()), "w").close()
        time.sleep(600)
    model.stdin.write(line)
    model.stdin.flush()
    sys.stdout.buffer.write(model.stdout.readline())
    sys.stdout.buffer.flush()
"#;

fn named(folder: &Path, prefix: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    names
        .filter_map(|name| name.strip_prefix(prefix).map(str::to_owned))
        .collect()
}

fn alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    // a zombie is dead; nobody has asked for its status yet
    stat.is_ok_and(|stat| {
        !stat
            .rsplit_once(") ")
            .is_some_and(|(_, rest)| rest.starts_with('Z'))
    })
}

fn until(limit: Duration, what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < limit, "{what} within {limit:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs `check` on the adapter, sends it SIGINT once one of them hangs, and gives what came.
fn interrupted(folder: &Path, options: &[&str], adapters: usize) -> Output {
    let child = Command::new(GATESPEC)
        .args(["check", "--seed", "7", "--timeout", "300"])
        .args(options)
        .args(["--", "python3", "-c", HANGS, folder.to_str().unwrap(), "40"])
        .args([GATESPEC, "serve"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let hangs = || !named(folder, "hangs-").is_empty();
    until(Duration::from_secs(60), "an adapter hangs", hangs);
    let pid = child.id().to_string();
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -INT {pid}")])
        .status();
    assert!(sent.unwrap().success());
    let began = Instant::now();
    let output = child.wait_with_output().unwrap();
    let took = began.elapsed();
    // it does not go through all that is left just to count it
    assert!(took < Duration::from_secs(8), "it took {took:?} to end");
    let pids = named(folder, "pid-");
    assert_eq!(pids.len(), 3 * adapters, "{pids:?}");
    let gone = || !pids.iter().any(|pid| alive(pid));
    until(Duration::from_secs(3), "all processes end", gone);
    output
}

#[test]
fn an_interrupt_prints_what_was_finished_and_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let output = interrupted(folder.path(), &[], 1);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{out}");
    assert!(out.contains("inconclusive: "), "{out}");
    assert!(out.contains("interrupted"), "{out}");
    // the hello, and 38 cases that were answered
    assert!(out.contains("38 of "), "{out}");
    assert!(out.contains("not run"), "{out}");
    // what was not begun is not counted
    let ledger = out.lines().find(|line| line.starts_with("ledger"));
    assert!(!ledger.unwrap().contains(" of "), "{out}");
}

#[test]
fn an_interrupt_of_several_adapters_writes_every_report() {
    let folder = tempfile::tempdir().unwrap();
    let options = [
        "--jobs",
        "2",
        "--report",
        "json=report.json",
        "--cases",
        "30000",
    ];
    let output = interrupted(folder.path(), &options, 2);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{out}");
    let report = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["outcome"], "inconclusive");
    assert!(
        report["stopped"].as_str().unwrap().contains("interrupted"),
        "{report}"
    );
    let depths = report["suites"][0]["depths"].as_object().unwrap();
    let passed: u64 = depths
        .values()
        .map(|tally| tally["passed"].as_u64().unwrap())
        .sum();
    // what the adapter answered that had the vectors; the other waits for the next depth
    assert_eq!(passed, 38, "{report}");
}
