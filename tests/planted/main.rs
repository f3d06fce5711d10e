//! The promise: the Python example conforms, and each fault of one line that is planted in it is
//! found, blamed on its clause and told by a case that nothing could be left out of.
//!
//! Each case stands in `snapshots/`, and someone has read it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod boundary;
mod key;
mod ledger;
mod outcome;
mod pass;
mod verdict;
mod window;

const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

/// A line of the example and what is written in its place.
struct Fault {
    file: &'static str,
    before: &'static str,
    after: &'static str,
}

/// A copy of the example in a folder of its own, with the faults planted.
fn copy_with(faults: &[Fault]) -> tempfile::TempDir {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python");
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    for Fault {
        file,
        before,
        after,
    } in faults
    {
        let path = copy.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let times = text.matches(before).count();
        assert_eq!(times, 1, "`{before}` stands {times} times in {file}");
        std::fs::write(&path, text.replace(before, after)).unwrap();
    }
    copy
}

struct Report {
    code: Option<i32>,
    text: String,
    kept: PathBuf,
}

/// What `gatespec check` says of a copy of the example, asked about one suite.
fn check(copy: &Path, suite: &str) -> Report {
    let kept = copy.join("kept");
    let run = Command::new(GATESPEC)
        .args(["check", "--seed", "1", "--cases", "2000", "--depth", "-2"])
        .args(["--start-timeout", "60", "--timeout", "60"])
        .args(["--suite", suite, "--keep"])
        .arg(&kept)
        .args(["--", "python3"])
        .arg(copy.join("gate.py"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    Report {
        code: run.status.code(),
        text: text.into_owned(),
        kept,
    }
}

/// Asserts that the fault is found and blamed on each of `clauses`, and gives the smallest case of
/// the first. One fault can break more rules than one: what else is blamed is not judged here.
fn smallest_case(suite: &str, clauses: &str, fault: Fault) -> String {
    let copy = copy_with(&[fault]);
    let report = check(copy.path(), suite);
    assert_eq!(report.code, Some(1), "{}", report.text);
    let clauses: Vec<&str> = clauses.split(' ').collect();
    let kept = kept_cases(&report.kept);
    let blamed = |clause: &str| kept.iter().find(|case| broken(case)[0] == clause);
    for clause in &clauses {
        assert!(blamed(clause).is_some(), "no {clause}: {}", report.text);
        assert!(report.text.contains(&format!("FAIL {clause} ")));
    }
    show(blamed(clauses[0]).unwrap())
}

/// The clauses that the case shows broken, the blamed one first.
fn broken(case: &Value) -> Vec<&str> {
    let clauses = case["clauses"].as_array().unwrap();
    clauses.iter().filter_map(Value::as_str).collect()
}

fn kept_cases(kept: &Path) -> Vec<Value> {
    let files = std::fs::read_dir(kept).unwrap();
    let read = |file: std::fs::DirEntry| std::fs::read(file.path()).unwrap();
    files
        .map(|file| serde_json::from_slice(&read(file.unwrap())).unwrap())
        .collect()
}

fn show(case: &Value) -> String {
    let pretty = |member: &str| serde_json::to_string_pretty(&case[member]).unwrap();
    unmarked(&format!(
        "{} {}\nexpected {}\ngot {}",
        case["op"].as_str().unwrap(),
        pretty("input"),
        case["expected"],
        case["got"]
    ))
}

/// The text without the six digits at the end of each word that is made fresh from the seed.
fn unmarked(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_inclusive('"') {
        let (body, quote) = word.split_at(word.len() - usize::from(word.ends_with('"')));
        let marked = body.rsplit_once('-').filter(|(_, mark)| {
            mark.len() == 6 && mark.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        words += marked.map_or(body, |(word, _)| word);
        words += quote;
    }
    words
}

/// Asserts that the example, changed where the spec leaves a choice, conforms.
fn conforms(suite: &str, changes: &[Fault]) {
    let copy = copy_with(changes);
    let report = check(copy.path(), suite);
    assert_eq!(report.code, Some(0), "{}", report.text);
}

/// A test for each fault: its name, the clause to blame and those that break beside it, the file,
/// and the line before and after.
macro_rules! faults {
    (
        $suite:literal:
        $($name:ident $clauses:literal in $file:literal: $before:literal => $after:literal;)+
    ) => {
        $(
            #[test]
            fn $name() {
                let fault = crate::Fault { file: $file, before: $before, after: $after };
                let case = crate::smallest_case($suite, $clauses, fault);
                insta::assert_snapshot!(stringify!($name), case);
            }
        )+
    };
}
use faults;
