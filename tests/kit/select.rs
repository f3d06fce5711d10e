//! What is selected is what is run, and what selects nothing is said.

use serde_json::Value;

use super::{GATESPEC, Ran, run_in};

fn check(options: &[&str], gate: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let quick = ["check", "--seed", "7", "--cases", "200", "--depth", "-3"];
    let args = [&quick, options, &["--"], gate].concat();
    run_in(folder.path(), &args)
}

/// The model as a gate that says this of itself.
fn saying(hello: &str) -> Vec<String> {
    let script = r#"
import subprocess, sys
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    child.stdin.write(line)
    child.stdin.flush()
    if b'"bye"' in line:
        break
    answer = child.stdout.readline()
    if b'"hello"' in line:
        answer = sys.argv[1].encode() + b'\n'
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
"#;
    ["python3", "-c", script, hello, GATESPEC, "serve"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn a_profile_is_run_alone() {
    let serve = [GATESPEC, "serve"];
    let ran = check(
        &["--profile", "scoped-answers", "--trace", "/dev/stderr"],
        &serve,
    );
    assert_eq!(ran.code, 0, "{}", ran.out);
    let sent: Vec<&str> = ran
        .err
        .lines()
        .filter(|line| line.contains("\"op\""))
        .collect();
    assert!(sent.len() > 50, "{} cases", sent.len());
    let other = sent
        .iter()
        .find(|line| !line.contains("\"boundary.scoped\""));
    assert_eq!(other, None);

    let core = ["--profile", "core", "--suite", "boundary"];
    let ran = check(&[&core[..], &["--trace", "/dev/stderr"]].concat(), &serve);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.err.contains("\"boundary.run\""));
    assert!(!ran.err.contains("\"boundary.scoped\""));
}

#[test]
fn a_profile_that_selects_nothing_is_said() {
    let ran = check(&["--profile", "scoped-answer"], &[GATESPEC, "serve"]);
    assert_eq!(ran.code, 2);
    let near = "there is no profile `scoped-answer`; did you mean `scoped-answers`?";
    assert!(ran.err.contains(near), "{}", ran.err);

    let none = ["--profile", "scoped-answers", "--suite", "key"];
    let ran = check(&none, &[GATESPEC, "serve"]);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(ran.out.contains("no suite is both"), "{}", ran.out);

    let gate = saying(r#"{"hello":{"protocol":1,"name":"x","suites":["boundary"]}}"#);
    let gate: Vec<&str> = gate.iter().map(String::as_str).collect();
    let ran = check(&["--profile", "scoped-answers"], &gate);
    assert_eq!(ran.code, 3, "{}", ran.out);
    assert!(
        ran.out.contains("hello does not name it in `profiles`"),
        "{}",
        ran.out
    );
}

#[test]
fn the_clauses_of_a_profile_are_listed() {
    let here = std::path::Path::new(".");
    let ran = run_in(here, &["clauses", "--profile", "scoped-answers"]);
    assert!(ran.out.lines().count() > 5, "{}", ran.out);
    assert!(
        ran.out.lines().all(|line| line.contains(" extension ")),
        "{}",
        ran.out
    );
}

#[test]
fn a_case_is_printed_as_the_adapter_reads_it_and_nothing_is_run() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = gatespec::conform::vectors::embedded().unwrap();
    let ids: Vec<&str> = vectors.iter().map(|case| case.id.as_str()).collect();
    let (one, two) = (ids[0], ids[1]);
    let marks = folder.path().join("ran");
    let touch = ["touch", marks.to_str().unwrap()];
    let args = [&["check", "--case", one, "--print-stdin", "--"][..], &touch].concat();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!marks.exists(), "the adapter was run");
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "{}", ran.out);
    assert_eq!(lines[0]["hello"]["protocol"], 1);
    assert_eq!(lines[1]["op"], vectors[0].op.name());
    assert_eq!(lines[2].to_string(), r#"{"bye":{}}"#);

    // these are the bytes: the model reads them and answers
    let lines = ran.out.clone();
    let mut child = std::process::Command::new(GATESPEC)
        .arg("serve")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    let answers = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(answers.stdout).unwrap().lines().count(),
        2
    );

    // no command is needed; several cases have an id each
    let args = ["check", "--case", one, "--case", two, "--print-stdin"];
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 4);
    assert!(ran.out.contains("{\"id\":\"2\","), "{}", ran.out);
    let args = ["check", "--suite", "key", "--vectors-only", "--print-stdin"];
    let ran = run_in(folder.path(), &args);
    let of_key = ids.iter().filter(|id| id.starts_with("key/")).count();
    assert_eq!(ran.out.lines().count(), of_key + 2);
}

#[test]
fn a_case_that_is_not_there_is_said_with_the_near_one() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = gatespec::conform::vectors::embedded().unwrap();
    let id = &vectors[0].id;
    let typo = format!("{id}s");
    for more in [&["--print-stdin"][..], &["--", GATESPEC, "serve"]] {
        let args = [&["check", "--case", &typo][..], more].concat();
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 3, "{}", ran.out);
        let says = format!("there is no case `{typo}`; did you mean `{id}`?");
        assert!(ran.err.contains(&says), "{}", ran.err);
    }
    let args = [
        "check",
        "--case",
        "key/enumerated/999999999",
        "--print-stdin",
    ];
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no case is selected"), "{}", ran.err);
}
