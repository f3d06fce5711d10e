//! The promise: every report says what the run came to, none is green when the run is not, and
//! nothing that a gate says can break out of where it is shown.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

struct Run {
    folder: tempfile::TempDir,
    code: i32,
    out: String,
}

impl Run {
    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

/// Runs `check` on the key suite in an empty folder with these options.
fn check(options: &[&str], gate: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    check_in(folder, options, gate)
}

fn check_in(folder: tempfile::TempDir, options: &[&str], gate: &[&str]) -> Run {
    let ran = Command::new(GATESPEC)
        .args([
            "check", "--suite", "key", "--seed", "7", "--cases", "500", "--depth", "-3",
        ])
        .args(options)
        .arg("--")
        .args(gate)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    Run {
        folder,
        code: ran.status.code().unwrap(),
        out,
    }
}

const GOOD: [&str; 2] = [GATESPEC, "serve"];
const FAULTY: [&str; 4] = [GATESPEC, "serve", "--mutant", "key/leading_zero"];
const ALL: [&str; 8] = [
    "--report",
    "json=r.json",
    "--report",
    "junit=r.xml",
    "--report",
    "markdown=r.md",
    "--report",
    "badge=r.badge",
];

#[test]
fn a_run_that_conforms_is_green_in_every_report() {
    let run = check(&ALL, &GOOD);
    assert_eq!(run.code, 0, "{}", run.out);
    let json: serde_json::Value = serde_json::from_str(&run.file("r.json")).unwrap();
    assert_eq!(json["outcome"], "conforms");
    assert_eq!(json["suites"][0]["depths"]["generated"]["passed"], 500);
    assert!(!run.file("r.xml").contains("<failure"));
    assert!(run.file("r.md").contains("✅"));
    assert!(run.file("r.badge").contains("brightgreen"));
}

#[test]
fn a_run_that_fails_is_red_in_every_report() {
    let run = check(&ALL, &FAULTY);
    assert_eq!(run.code, 1, "{}", run.out);
    let json: serde_json::Value = serde_json::from_str(&run.file("r.json")).unwrap();
    assert_eq!(json["outcome"], "fails");
    assert_eq!(json["failures"][0]["clauses"][0], "KEY-02");
    assert_eq!(json["failures"][0]["input"]["subject"], "node:iter:00:x");
    assert!(run.file("r.xml").contains("<failure type=\"diverged\""));
    assert!(run.file("r.xml").contains("name=\"KEY-02 "));
    assert!(run.file("r.md").contains("❌") && run.file("r.md").contains("<b>KEY-02</b>"));
    assert!(run.file("r.badge").contains("\"red\""));
}

#[test]
fn a_run_that_is_inconclusive_is_not_green_in_any_report() {
    let run = check(&ALL, &["true"]);
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.file("r.json").contains("\"inconclusive\""));
    assert!(run.file("r.xml").contains("<error "));
    assert!(run.file("r.md").contains("⚠️"));
    assert!(run.file("r.badge").contains("lightgrey"));
}

/// An adapter that answers every op with markup and control bytes.
fn hostile(folder: &Path) -> PathBuf {
    let path = folder.join("hostile.py");
    let script = r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        print(json.dumps({"hello": {"protocol": 1, "name": "<script>|*`\u0007", "suites": ["key"]}}), flush=True)
    elif "bye" in m:
        break
    else:
        print(json.dumps({"id": m["id"], "error": "]]></failure><script>alert(1)</script> ``` \u0000"}), flush=True)
"#;
    std::fs::write(&path, script).unwrap();
    path
}

#[test]
fn what_a_gate_says_cannot_break_out_of_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let adapter = hostile(folder.path());
    let run = check_in(folder, &ALL, &["python3", adapter.to_str().unwrap()]);
    assert_eq!(run.code, 1, "{}", run.out);
    let (xml, markdown) = (run.file("r.xml"), run.file("r.md"));
    assert!(
        !xml.contains("<script>") && xml.contains("&lt;script&gt;"),
        "{xml}"
    );
    assert!(!xml.contains('\u{0}') && !xml.contains('\u{7}'), "{xml}");
    // the code block outlasts the back-ticks in it
    assert!(markdown.contains("````text"), "{markdown}");
    assert!(
        !markdown.lines().next().unwrap().contains("<script>"),
        "{markdown}"
    );
    let _: serde_json::Value = serde_json::from_str(&run.file("r.json")).unwrap();
}

#[test]
fn a_baseline_forgives_what_it_lists_and_nothing_else() {
    let run = check(&["--write-baseline", "known.json"], &FAULTY);
    assert_eq!(run.code, 1);
    let folder = run.folder;
    let known = std::fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(known.contains("KEY-02"), "{known}");
    let run = check_in(folder, &["--baseline", "known.json"], &FAULTY);
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.out.contains("known to fail: KEY-02"), "{}", run.out);

    // a stale entry fails
    let run = check_in(run.folder, &["--baseline", "known.json"], &GOOD);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("FAIL baseline KEY-02"), "{}", run.out);
}

#[test]
fn a_baseline_lists_cases_too_and_each_entry_needs_a_reason_and_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("known.json"), text).unwrap();
    let id = "key/bad-iteration/leading-zero";
    let only = ["--baseline", "known.json", "--case", id];
    write(&format!(
        r#"{{"cases":{{"{id}":"the old parser, until 3.0"}}}}"#
    ));
    let run = check_in(folder, &only, &FAULTY);
    assert!(
        run.out.contains(&format!("known to fail: {id}")),
        "{}",
        run.out
    );
    for (text, code, says) in [
        (
            r#"{"cases":{"key/no/such":"gone"}}"#,
            1,
            "FAIL baseline key/no/such",
        ),
        (r#"{"clauses":{"KEY-02":" "}}"#, 2, "gives no reason"),
        (r#"{"clauses":{"KEY-00":"x"}}"#, 2, "unknown clause"),
        (r#"{"clause":{}}"#, 2, "unknown field"),
    ] {
        std::fs::write(run.folder.path().join("known.json"), text).unwrap();
        let ran = Command::new(GATESPEC)
            .args(["check", "--suite", "key", "--cases", "10", "--depth", "-3"])
            .args(["--baseline", "known.json", "--", GATESPEC, "serve"])
            .current_dir(run.folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{text}: {said}");
        assert!(said.contains(says), "{text}: {said}");
    }
}

#[test]
fn the_report_is_the_same_whatever_the_number_of_adapters() {
    let one = check(&["--report", "json=r.json"], &FAULTY);
    let four = check(&["--report", "json=r.json", "--jobs", "4"], &FAULTY);
    assert_eq!(one.code, 1);
    assert_eq!(one.file("r.json"), four.file("r.json"));
    assert_eq!(one.out, four.out);
}
