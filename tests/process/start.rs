//! Commands that are no adapters: one clear sentence each, in time, and nothing left.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gatespec::conform::process::{Exit, Offence, StartError};

use super::{Bad, assert_gone, bad, limits};

/// Starts it, asserts that it fails and that nothing is left, and gives the error.
fn fails(mut bad: Bad) -> StartError {
    let error = bad.adapter.start().unwrap_err();
    if bad.started() > 0 {
        assert_gone(&bad.groups);
    }
    error
}

fn command(words: &[&str]) -> Bad {
    Bad::new(words.iter().copied(), limits())
}

fn hasty(words: &[&str]) -> Bad {
    let mut limits = limits();
    limits.start = Duration::from_millis(300);

    Bad::new(words.iter().copied(), limits)
}

fn script(folder: &tempfile::TempDir, text: &str, mode: u32) -> PathBuf {
    let path = folder.path().join("gate");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn a_program_that_does_not_exist() {
    for program in ["no-such-gate", "./no/such/gate"] {
        assert_eq!(
            fails(command(&[program])).to_string(),
            format!("there is no program `{program}`; give its path, or a name that is on PATH"),
        );
    }
}

#[test]
fn a_bare_name_is_looked_up_on_path_only() {
    // these tests run in the folder of the package
    assert!(std::path::Path::new("Cargo.toml").exists());
    let program = "Cargo.toml".to_owned();
    assert_eq!(
        fails(command(&[&program])),
        StartError::NotFound { program }
    );
}

#[test]
fn a_file_that_is_not_executable() {
    let folder = tempfile::tempdir().unwrap();
    let path = script(&folder, "#!/bin/sh\n", 0o644).display().to_string();
    assert_eq!(
        fails(command(&[&path])),
        StartError::NotExecutable { program: path }
    );
}

#[test]
fn a_script_whose_interpreter_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = script(&folder, "#!/no/such/interpreter\n", 0o755)
        .display()
        .to_string();
    assert_eq!(
        fails(command(&[&path])),
        StartError::NoInterpreter { program: path }
    );
}

#[test]
fn a_file_that_is_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = script(&folder, "\x01\x02\x03", 0o755).display().to_string();
    assert!(matches!(fails(command(&[&path])), StartError::Spawn { .. }));
}

#[test]
fn programs_that_end_at_once() {
    for (program, status) in [("true", 0), ("false", 1)] {
        assert_eq!(
            fails(command(&[program])).to_string(),
            format!(
                "`{program}` exited with status {status} before it said hello; \
                 it must answer and go on until `bye`"
            ),
        );
    }
    let error = fails(bad(&["exit at start"], limits()));
    assert!(
        matches!(
            error,
            StartError::Exited {
                exit: Exit::Status(7),
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(error.stderr(), "no config\n");
}

#[test]
fn a_program_that_leaves_its_stdout_to_a_child() {
    let error = fails(command(&["sh", "-c", "sleep 100 & exit 3"]));
    let exit = Exit::Status(3);
    assert!(
        matches!(error, StartError::Exited { exit: got, .. } if got == exit),
        "{error:?}"
    );
}

#[test]
fn a_program_that_says_nothing() {
    let start = Instant::now();
    let error = fails(hasty(&["sleep", "100"]));
    assert_eq!(
        error.to_string(),
        "`sleep` said no hello within 0.3 s; \
         does it read stdin and flush its stdout after each line?"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_program_that_ignores_the_signal_to_end() {
    let error = fails(hasty(&[
        "sh",
        "-c",
        "trap '' TERM; while :; do sleep 1; done",
    ]));
    assert!(matches!(error, StartError::TimedOut { .. }), "{error:?}");
}

#[test]
fn a_program_that_gives_back_what_it_reads() {
    assert_eq!(
        fails(command(&["cat"])),
        StartError::Echo {
            program: "cat".to_owned()
        }
    );
}

#[test]
fn a_banner_before_the_hello() {
    let error = fails(bad(&["banner"], limits()));
    let StartError::Banner { line, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(line, "my-gate v2 listening");
    assert!(error.to_string().ends_with(
        "wrote `my-gate v2 listening` before its hello; \
         only the protocol goes to stdout, everything else to stderr"
    ));
    let error = fails(bad(&["half a hello"], limits()));
    assert!(matches!(error, StartError::Banner { line, .. } if line == r#"{"hello":"#));
    // JSON, and an object, but no hello
    let error = fails(command(&["echo", r#"{"id":"1"}"#]));
    assert!(matches!(error, StartError::Banner { .. }), "{error:?}");
    let error = fails(command(&["echo", r#"[{"hello":{}}]"#]));
    assert!(matches!(error, StartError::Banner { .. }), "{error:?}");
}

#[test]
fn more_than_a_hello() {
    let error = fails(bad(&["hello with more"], limits()));
    assert!(matches!(error, StartError::Chatter { line, .. } if line == "ready"));
}

#[test]
fn a_first_line_without_end_or_sense() {
    let mut limits = limits();
    limits.line_bytes = 1 << 20;

    for (behaviour, offence) in [
        ("banner without end", Offence::LongLine { bound: 1 << 20 }),
        (
            "banner not utf-8",
            Offence::NotUtf8 {
                line: "\u{fffd}\u{fffd}".to_owned(),
            },
        ),
        ("no stdout", Offence::ClosedOutput),
    ] {
        match fails(bad(&[behaviour], limits.clone())) {
            StartError::Offence { offence: got, .. } => assert_eq!(got, offence),
            error => panic!("{behaviour}: {error:?}"),
        }
    }
}

#[test]
fn a_start_can_be_interrupted_and_runs_out_of_time() {
    let mut limits = limits();
    limits.run = Some(Duration::from_millis(200));

    assert_eq!(
        fails(Bad::new(["sleep", "100"], limits)),
        StartError::RunTimeout
    );
    let bad = command(&["sleep", "100"]);
    bad.interrupt
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(fails(bad), StartError::Interrupted);
}
