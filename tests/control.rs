//! The promise: a check of a control tells one that a harness can rely on from one that it
//! cannot, whatever the control does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
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
    let checks = Rule::ALL.map(|rule| match rule {
        Rule::MalformedRequest => (rule, 16),
        _ => (rule, 8),
    });
    assert_eq!(report.checks, checks.into());
    assert_eq!(
        report.verdicts.keys().copied().collect::<Vec<_>>(),
        ["hold", "pass", "refuse"]
    );
}

#[test]
fn every_rule_has_one_word_and_one_sentence() {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/verdict.md");
    let chapter = std::fs::read_to_string(chapter).unwrap();
    let sentences: BTreeSet<&str> = Rule::ALL.map(Rule::text).into();
    assert_eq!(sentences.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert_eq!(serde_json::to_value(rule).unwrap(), rule.word());
        assert_eq!(rule.to_string(), rule.word());
        assert!(chapter.contains(&format!("(`{rule}`")), "{rule}");
        assert!(rule.text().ends_with('.'), "{rule}: {}", rule.text());
    }
    // a control that was not asked has kept none
    assert!(!ControlReport::default().conforms());
}

#[test]
fn a_long_verdict_is_a_verdict_and_is_shown_in_part() {
    let folder = tempfile::tempdir().unwrap();
    let refuses = |reason: &str| {
        format!("    print(json.dumps({{'verdict': 'refuse', 'reason': {reason}}}))")
    };
    let report = checked(
        &broken(&folder, PRINTS, &refuses("'x' * 500_000")),
        &settings(),
    );
    assert_eq!(
        (report.findings, report.verdicts["refuse"]),
        (Vec::new(), 8)
    );
    // to the byte, with the line's end
    let text = r#"{"verdict": "refuse", "reason": ""}"#;
    let most = (1 << 20) - text.len() - 1;
    let of = |count: usize| broken(&folder, PRINTS, &refuses(&format!("'x' * {count}")));
    assert_eq!(checked(&of(most), &settings()).findings, []);
    let findings = checked(&of(most + 1), &settings()).findings;
    let what = &findings.first().unwrap().what;
    assert_eq!(what, "it printed more than 1048576 bytes");
    let shown = |count: usize| {
        let by = format!(
            "    print('é' * {count}, end='')\n    print('😀' * {count}, end='', file=sys.stderr)"
        );
        let report = checked(&broken(&folder, PRINTS, &by), &settings());
        let finding = report.findings.into_iter().next().unwrap();
        (finding.stdout, finding.stderr)
    };
    let of = |sign: &str, end: &str| sign.repeat(400) + end;
    assert_eq!(shown(400), (of("é", ""), of("😀", "")));
    assert_eq!(shown(401), (of("é", "…"), of("😀", "…")));
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

/// The children of this process that ended and were not reaped.
fn unreaped() -> usize {
    let own = std::process::id().to_string();
    let stats = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    // pid (name) state parent …
    let is_ours = |stat: &String| {
        let rest = stat.rsplit_once(") ").map(|(_, rest)| rest.split(' '));
        rest.is_some_and(|mut rest| rest.next() == Some("Z") && rest.next() == Some(&own))
    };
    stats.filter(is_ours).count()
}

#[test]
fn every_control_is_reaped() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings();
    settings.timeout = Duration::from_millis(20);
    settings.hangs = 20;
    checked(&shell(&folder, "sleep 600"), &settings);
    // those of other tests come and go
    let start = Instant::now();
    while unreaped() > 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "{}", unreaped());
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
