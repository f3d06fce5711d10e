//! The promise: `gatespec control` tells a control that a harness can rely on from one that it
//! cannot, whatever the control does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use gatespec::conform::control::{ControlReport, ControlSettings, Rule, check_control};
use gatespec::conform::process::{Command, StartError};
use gatespec::model::Clause;
use tempfile::TempDir;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/control")
        .join(name)
}

/// Python itself, not a shim before it: it is started some hundreds of times.
static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let asked = ["-c", "import sys; print(sys.executable)"];
    let output = std::process::Command::new("python3")
        .args(asked)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
});

fn python(script: &Path) -> Vec<String> {
    let script = script.display().to_string();
    vec![PYTHON.clone(), "-IS".to_owned(), script]
}

fn settings() -> ControlSettings {
    let mut settings = ControlSettings::default();
    settings.timeout = Duration::from_secs(20);
    settings
}

fn checked(words: &[String], settings: &ControlSettings) -> ControlReport {
    check_control(&Command::new(words).unwrap(), settings).unwrap()
}

/// A control in shell that reads its stdin and then does as `body` says.
fn shell(folder: &TempDir, body: &str) -> Vec<String> {
    let path = folder.path().join("control");
    std::fs::write(&path, format!("#!/bin/sh\nrequest=$(cat)\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    vec![path.display().to_string()]
}

/// The Python example with one line of it replaced.
fn broken(folder: &TempDir, line: &str, by: &str) -> Vec<String> {
    let text = std::fs::read_to_string(example("control.py")).unwrap();
    assert_eq!(text.matches(line).count(), 1, "{line}");
    let path = folder.path().join("control.py");
    std::fs::write(&path, text.replace(line, by)).unwrap();
    python(&path)
}

fn rules(report: &ControlReport) -> BTreeSet<Rule> {
    report.findings.iter().map(|finding| finding.rule).collect()
}

#[test]
fn the_example_in_python_keeps_every_rule() {
    let report = checked(&python(&example("control.py")), &settings());
    assert_eq!(report.findings, []);
    assert!(report.conforms());
    // eight requests in four spellings, sixteen that no control can read
    assert_eq!(report.consults, 8 * 4 + 16);
    assert_eq!(report.checks.len(), Rule::ALL.len());
    assert_eq!(
        report.verdicts.keys().copied().collect::<Vec<_>>(),
        ["hold", "pass", "refuse"]
    );
}

#[test]
fn the_example_in_shell_keeps_every_rule() {
    if std::process::Command::new("jq")
        .arg("--version")
        .output()
        .is_err()
    {
        eprintln!("skipped: no jq");
        return;
    }
    let report = checked(&[example("control.sh").display().to_string()], &settings());
    assert_eq!(report.findings, []);
    assert_eq!(
        report.verdicts,
        checked(&python(&example("control.py")), &settings()).verdicts
    );
}

/// The line of the Python example that prints its verdict.
const PRINTS: &str = r#"    print(json.dumps(decide(request["name"], request["input"])))"#;

#[test]
fn another_answer_the_second_time_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let by = format!(
        "    with open({:?}, 'a') as count:\n        count.write('x')\n        reason = str(count.tell())\n    \
         print(json.dumps({{'verdict': 'hold', 'reason': reason}}))",
        count.display().to_string()
    );
    let report = checked(&broken(&folder, PRINTS, &by), &settings());
    let wanted = [Rule::SameTwice, Rule::AnySpelling, Rule::UnknownMembers];
    assert_eq!(rules(&report), BTreeSet::from(wanted));
    assert!(!report.conforms());
    let first = &report.findings.first().unwrap().what;
    assert_eq!(first, "it answered hold: `1`, and then hold: `2`");
}

#[test]
fn a_banner_before_the_verdict_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let by = format!("    print('control 1.0')\n{PRINTS}");
    let report = checked(&broken(&folder, PRINTS, &by), &settings());
    assert_eq!(rules(&report), BTreeSet::from([Rule::OneVerdict]));
    let finding = report.findings.first().unwrap();
    assert_eq!(finding.clause, Some(Clause::Ver16));
    assert!(finding.stdout.starts_with("control 1.0\n{"), "{finding:?}");
}

#[test]
fn an_exit_after_a_pass_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let report = checked(
        &broken(&folder, "    return 0", "    return 3"),
        &settings(),
    );
    assert_eq!(rules(&report), BTreeSet::from([Rule::ExitZero]));
    let finding = report.findings.first().unwrap();
    assert_eq!(finding.clause, Some(Clause::Ver10));
    assert_eq!(finding.what, "it exited with status 3");
    assert_eq!(report.verdicts.values().sum::<u32>(), 0);
}

#[test]
fn a_control_that_hangs_is_found_in_time_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let child = folder.path().join("child");
    let body = format!(
        "echo '{{\"verdict\":\"pass\"}}'\nsleep 600 & echo $! > {}\nwait",
        child.display()
    );
    let mut settings = settings();
    settings.timeout = Duration::from_secs(1);
    let start = Instant::now();
    let report = checked(&shell(&folder, &body), &settings);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(rules(&report), BTreeSet::from([Rule::InTime]));
    assert_eq!(report.findings.first().unwrap().clause, Some(Clause::Ver12));
    assert_eq!((report.consults, report.gave_up), (2, true));
    let pid = std::fs::read_to_string(child).unwrap();
    let gone = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    };
    while !gone() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "its child {pid} lives on"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_child_that_keeps_the_pipe_open_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let body = "sleep 600 &\necho '{\"verdict\":\"pass\"}'";
    let start = Instant::now();
    let report = checked(&shell(&folder, body), &settings());
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(rules(&report), BTreeSet::from([Rule::MalformedRequest]));
}

#[test]
fn a_control_that_passes_what_it_cannot_read_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let report = checked(
        &broken(
            &folder,
            "        return 1",
            "        return print('{\"verdict\":\"pass\"}') or 0",
        ),
        &settings(),
    );
    assert_eq!(rules(&report), BTreeSet::from([Rule::MalformedRequest]));
    assert_eq!(report.findings.len(), 16);
    let first = &report.findings.first().unwrap().what;
    assert_eq!(
        first,
        "its stdin was empty, and it exited with status 0 and answered pass"
    );
}

#[test]
fn a_control_that_reads_its_request_too_closely_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let line = "    if not isinstance(request, dict) or \"input\" not in request:";
    let strict =
        "    if not isinstance(request, dict) or len(request) != 5 or \"input\" not in request:";
    let report = checked(&broken(&folder, line, strict), &settings());
    assert_eq!(rules(&report), BTreeSet::from([Rule::UnknownMembers]));
    let ordered = "    if not isinstance(request, dict) or list(request)[0] != \"agent_id\" or \"input\" not in request:";
    let report = checked(&broken(&folder, line, ordered), &settings());
    assert_eq!(rules(&report), BTreeSet::from([Rule::AnySpelling]));
}

#[test]
fn a_control_that_dies_or_floods_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let report = checked(&shell(&folder, "kill -9 $$"), &settings());
    assert!(rules(&report).contains(&Rule::ExitZero));
    assert_eq!(report.findings.first().unwrap().clause, Some(Clause::Ver09));
    let start = Instant::now();
    let report = checked(&shell(&folder, "exec yes"), &settings());
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
    let finding = report.findings.first().unwrap();
    assert_eq!(
        (finding.rule, finding.clause),
        (Rule::OneVerdict, Some(Clause::Ver11))
    );
    assert!(finding.stdout.chars().count() < 500);
}

#[test]
fn a_control_that_reads_nothing_does_not_hold_the_check_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deaf");
    std::fs::write(&path, "#!/bin/sh\necho '{\"verdict\":\"pass\"}'\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let report = checked(&[path.display().to_string()], &settings());
    assert_eq!(rules(&report), BTreeSet::from([Rule::MalformedRequest]));
}

#[test]
fn a_control_that_is_not_there_is_an_error() {
    let command = Command::new(["/does/not/exist"]).unwrap();
    let error = check_control(&command, &settings()).unwrap_err();
    assert!(matches!(error, StartError::NotFound { .. }), "{error}");
}

fn gatespec(arguments: &[&str]) -> Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gatespec"));
    command.arg("control").args(arguments).output().unwrap()
}

#[test]
fn the_command_says_what_is_wrong_by_its_exit_code() {
    let control = example("control.py").display().to_string();
    let good = gatespec(&["--", &PYTHON, "-IS", &control]);
    let text = String::from_utf8(good.stdout).unwrap();
    assert_eq!(good.status.code(), Some(0), "{text}");
    assert!(
        text.contains("48 consults, verdicts: hold 5, pass 2, refuse 1"),
        "{text}"
    );
    let bad = gatespec(&["--json", "--", "cat"]);
    let report: serde_json::Value = serde_json::from_slice(&bad.stdout).unwrap();
    assert_eq!(bad.status.code(), Some(1));
    assert_eq!(report["findings"][0]["rule"], "one_verdict");
    for (arguments, code) in [
        (&["--", "/does/not/exist"][..], 3),
        (&[][..], 2),
        (&["--request", "/does/not/exist", "--", "cat"][..], 2),
        (&["--timeout", "0", "--", "cat"][..], 2),
    ] {
        let failed = gatespec(arguments);
        assert_eq!(failed.status.code(), Some(code), "{arguments:?}");
        assert!(!failed.stderr.is_empty());
    }
}
