//! The promise: whatever a person gives the command, it answers with one clear sentence and the
//! exit code that says what happened, in time.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

#[path = "common/command.rs"]
mod command;

use std::path::Path;
use std::time::{Duration, Instant};

use command::{GATESPEC, Ran, run_in};

fn run(args: &[&str]) -> Ran {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), args)
}

/// Runs `check` with quick settings in a folder of its own, so that nothing is kept in the tree.
fn check(options: &[&str], command: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let quick = [
        "check",
        "--seed",
        "7",
        "--cases",
        "200",
        "--depth",
        "-3",
        "--start-timeout",
        "1",
    ];
    let args: Vec<&str> = [&quick[..], options, &["--"], command]
        .into_iter()
        .flatten()
        .copied()
        .collect();
    run_in(folder.path(), &args)
}

#[test]
fn the_model_conforms_to_itself_and_the_report_counts_by_suite_and_depth() {
    let ran = check(&[], &[GATESPEC, "serve"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("conforms: "), "{}", ran.out);
    assert!(
        ran.out.contains("vectors") && ran.out.contains("enumerated"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("200 of 200"), "{}", ran.out);
}

#[test]
fn the_statistics_say_what_reached_each_clause_and_each_fate() {
    let ran = check(&["--stats", "--suite", "key"], &[GATESPEC, "serve"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let (_, stats) = ran.out.split_once("key: cases by clause").unwrap();
    let (clauses, fates) = stats.split_once("by what they came to").unwrap();
    let reached = |line: &str, count: usize| {
        let numbers: Vec<u64> = line
            .split(' ')
            .filter_map(|word| word.parse().ok())
            .collect();
        assert!(numbers.len() == count && numbers[0] > 0, "{line}");
    };
    let clauses: Vec<&str> = clauses
        .lines()
        .filter(|line| line.contains("KEY-"))
        .collect();
    let of_key = |of: &&gatespec::model::Clause| of.suite() == gatespec::model::Suite::Key;
    assert_eq!(
        clauses.len(),
        gatespec::model::Clause::ALL.iter().filter(of_key).count()
    );
    clauses.iter().for_each(|line| reached(line, 3));
    let fates: Vec<&str> = fates
        .lines()
        .filter(|line| line.starts_with("  "))
        .collect();
    assert!(fates.len() > 10, "{fates:?}");
    fates.iter().for_each(|line| reached(line, 1));
    // they are there when they are asked for
    let ran = check(&["--suite", "key"], &[GATESPEC, "serve"]);
    assert!(!ran.out.contains("cases by clause"), "{}", ran.out);
}

#[test]
fn a_command_that_is_no_adapter_is_inconclusive_within_the_time_out() {
    let commands: [&[&str]; 5] = [
        &["true"],
        &["cat"],
        &["false"],
        &["sleep", "100"],
        &["no-such-command-anywhere"],
    ];
    for command in commands {
        let began = Instant::now();
        let ran = check(&[], command);
        assert_eq!(ran.code, 3, "{command:?}: {}", ran.out);
        let says: Vec<&str> = ran
            .out
            .lines()
            .filter(|line| line.starts_with("inconclusive: "))
            .collect();
        assert_eq!(says.len(), 1, "{command:?}: {}", ran.out);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        assert!(began.elapsed() < Duration::from_secs(8), "{command:?}");
    }
}

#[test]
fn a_faulty_gate_fails_with_clause_case_expected_got_and_a_command_that_replays_it() {
    let folder = tempfile::tempdir().unwrap();
    let gate = ["--", GATESPEC, "serve", "--mutant", "key/leading_zero"];
    let args = [
        &["check", "--seed", "7", "--suite", "key", "--depth", "-3"][..],
        &gate,
    ]
    .concat();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("FAIL KEY-02 "), "{}", ran.out);
    assert!(
        ran.out.contains(r#"{"subject":"node:iter:00:x"}"#),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(r#"{"planKey":null}"#), "{}", ran.out);
    let replay = ran
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("replay "))
        .unwrap();
    let words: Vec<&str> = replay.split_whitespace().skip(1).collect();
    let again = run_in(folder.path(), &words);
    assert_eq!(again.code, 1, "{}", again.out);
    assert!(again.out.contains("FAIL KEY-02 "), "{}", again.out);

    // the mended gate passes the kept case, and `check` runs it first
    let good: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !["--mutant", "key/leading_zero"].contains(word))
        .collect();
    assert_eq!(run_in(folder.path(), &good).code, 0);
    let ran = run_in(
        folder.path(),
        &["check", "--depth", "-3", "--", GATESPEC, "serve"],
    );
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("kept"), "{}", ran.out);
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let gate = [GATESPEC, "serve", "--mutant", "key/trims"];
    let one = check(&["--suite", "key"], &gate);
    let other = check(&["--suite", "key"], &gate);
    assert_eq!(one.code, 1);
    assert_eq!(one.out, other.out);
}

#[test]
fn bad_usage_is_one_sentence_and_exit_code_2_or_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let broken = file("broken.json", b"{\"counterexample\":1,");
    let binary = file("binary.json", &[0xff, 0xfe, 0]);
    let other = file("other.json", b"{\"counterexample\":9}");
    let serve = GATESPEC;
    let table: &[(&[&str], i32, &str)] = &[
        (
            &["check", "--suite", "kye", "--", serve, "serve"],
            2,
            "did you mean `key`",
        ),
        (
            &["check", "--clause", "KEY-99", "--", serve, "serve"],
            2,
            "did you mean `KEY-",
        ),
        (
            &["check", "--case", "nothing/at/all", "--", serve, "serve"],
            3,
            "no case",
        ),
        (
            &["check", "--case", "key/no/such", "--", serve, "serve"],
            3,
            "no case",
        ),
        (
            &["check", "--cases", "many", "--", serve, "serve"],
            2,
            "invalid value",
        ),
        (
            &["check", "--timeout", "0", "--", serve, "serve"],
            2,
            "above 0",
        ),
        (&["check"], 2, "required"),
        (&["check", "--"], 2, "required"),
        (
            &["replay", "/no/such/file", "--", serve, "serve"],
            2,
            "cannot read",
        ),
        (
            &["replay", &broken, "--", serve, "serve"],
            2,
            "no counterexample",
        ),
        (&["replay", &binary, "--", serve, "serve"], 2, "cannot read"),
        (
            &["replay", &other, "--", serve, "serve"],
            2,
            "no counterexample",
        ),
        (&["vectors", "/no/such/folder"], 2, "/no/such/folder"),
        (
            &["vectors", folder.path().to_str().unwrap()],
            2,
            "binary.json",
        ),
        (&["schema", "reprot"], 2, "did you mean `report`"),
        (
            &["serve", "--mutant", "key/leading_zeros"],
            2,
            "did you mean `key/leading_zero`",
        ),
        (&["clauses", "--suite", "keys"], 2, "did you mean `key`"),
        (&["frobnicate"], 2, "unrecognized"),
    ];
    for (args, code, says) in table {
        let ran = run_in(folder.path(), args);
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(ran.code, *code, "{args:?}: {said}");
        assert!(said.contains(says), "{args:?}: {said}");
        assert!(!said.contains("panicked"), "{args:?}: {said}");
    }
}

#[test]
fn a_key_is_drawn_under_its_string() {
    let ran = run(&["key", "node:iter:3:x:step:a:b"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.out, @r"
    node:iter:3:x:step:a:b
              ^ iteration 3
                ^ node
                       ^^^ Step
    a plan key: a Step; its own base, no instance; a live tool-use id may not be this
    ");
    let ran = run(&["key", "call_7#taint"]);
    assert!(
        ran.out.contains("an escalation instance of `call_7`"),
        "{}",
        ran.out
    );
}

#[test]
fn the_published_schemas_are_those_of_the_types() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&["schema", "--write", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/schema");
    let names = |folder: &Path| {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        names(folder.path()),
        names(&published),
        "`gatespec schema --write spec/schema`"
    );
    for name in names(&published) {
        let [of_types, of_spec] = [folder.path(), &published]
            .map(|folder| std::fs::read_to_string(folder.join(&name)).unwrap());
        // no diff of two long texts: the command below shows it
        let same = of_types == of_spec;
        assert!(same, "{name:?}: run `gatespec schema --write spec/schema`");
    }
}

#[test]
fn the_vectors_are_as_the_model_writes_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/vectors");
    for (path, text) in gatespec::conform::vectors::files(&folder).unwrap() {
        let name = path.display().to_string();
        let filled = gatespec::conform::vectors::fill(&name, &text).unwrap();
        assert_eq!(filled, text, "{name}: run `gatespec vectors --write`");
    }
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    let adapter = |name: &str, answer: &str| {
        let path = folder.path().join(name);
        let script = format!(
            r#"
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m:
        print(json.dumps({{"hello": {{"protocol": 1, "name": "x", "suites": ["key"]}}}}), flush=True)
    elif "bye" in m:
        break
    else:
        {answer}
"#
        );
        std::fs::write(&path, script).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let shape = adapter(
        "shape.py",
        r#"print(json.dumps({"id": m["id"], "output": {"key": "x"}}), flush=True)"#,
    );
    let law = adapter(
        "law.py",
        r#"print(json.dumps({"id": m["id"], "output": {"planKey": None}}), flush=True)"#,
    );
    let dies = adapter("dies.py", "raise SystemExit('no idea')");
    let table: &[(&[&str], i32, &[&str])] = &[
        (
            &[GATESPEC, "serve"],
            0,
            &["ok   hello", "ok   key", "ok   bye", "well"],
        ),
        (&["cat"], 1, &["FAIL hello", "next answer the first line"]),
        (
            &["python3", &shape],
            1,
            &[
                "FAIL key",
                "unknown field `key`",
                "next give key.planKey the shape",
            ],
        ),
        (
            &["python3", &law],
            1,
            &[
                "FAIL key",
                "→ {\"id\"",
                "the law's answer is {\"planKey\":{",
            ],
        ),
        (
            &["python3", &dies],
            1,
            &["FAIL key", "no idea", "next run it by hand"],
        ),
    ];
    for (command, code, says) in table {
        let args = [&["doctor", "--"][..], command].concat();
        let ran = run(&args);
        assert_eq!(ran.code, *code, "{command:?}: {}{}", ran.out, ran.err);
        for says in *says {
            assert!(
                ran.out.contains(says),
                "{command:?} should say {says}: {}",
                ran.out
            );
        }
    }
}

#[test]
fn a_clause_is_explained_from_its_chapter_and_a_kept_case_step_by_step() {
    let ran = run(&["explain", "key-05"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.starts_with("KEY-05 · derived (spec/key.md)\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("no going back") && !ran.out.contains("KEY-06"),
        "{}",
        ran.out
    );
    assert!(
        run(&["explain", "KEY-55"])
            .err
            .contains("did you mean `KEY-")
    );

    let folder = tempfile::tempdir().unwrap();
    let gate = [
        "--",
        GATESPEC,
        "serve",
        "--mutant",
        "key/iteration_instance",
    ];
    let args = [
        &[
            "check", "--suite", "key", "--depth", "-3", "--trace", "wire",
        ][..],
        &gate,
    ]
    .concat();
    run_in(folder.path(), &args);
    let wire = std::fs::read_to_string(folder.path().join("wire")).unwrap();
    assert!(
        wire.contains("→ {\"hello\"") && wire.contains("← {\"hello\""),
        "no wire"
    );
    let kept = std::fs::read_dir(folder.path().join(".gatespec"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let ran = run(&["explain", kept.path().to_str().unwrap()]);
    assert!(
        ran.out.contains("let the subject be `node:iter:3:taint`"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("KEY-17 · derived"), "{}", ran.out);
}

#[test]
fn a_control_is_judged_by_the_exit_code() {
    let control = |args: &[&str]| run(&[&["control"], args].concat());
    let good = control(&["--", "python3", "examples/control/control.py"]);
    assert_eq!(good.code, 0, "{}{}", good.out, good.err);
    let says = "48 consults, verdicts: hold 5, pass 2, refuse 1";
    assert!(good.out.contains(says), "{}", good.out);
    let bad = control(&["--json", "--", "cat"]);
    let report: serde_json::Value = serde_json::from_str(&bad.out).unwrap();
    assert_eq!(bad.code, 1);
    assert_eq!(report["findings"][0]["rule"], "one_verdict");
    for (arguments, code) in [
        (&["--", "/does/not/exist"][..], 3),
        (&[][..], 2),
        (&["--request", "/does/not/exist", "--", "cat"][..], 2),
        (&["--timeout", "0", "--", "cat"][..], 2),
    ] {
        let failed = control(arguments);
        assert_eq!(failed.code, code, "{arguments:?}");
        assert!(!failed.err.is_empty());
    }
}
