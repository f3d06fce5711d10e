//! One fault planted in the example gate of each language: the reports show the same smallest case.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{run_in, toolchain};

/// An example gate: its folder in `examples/`, what builds a copy of it, and what runs it there.
struct Gate {
    folder: &'static str,
    build: &'static [&'static str],
    run: &'static [&'static str],
}

const GATES: [Gate; 3] = [
    Gate {
        folder: "python",
        build: &[],
        run: &["python3", "gate.py"],
    },
    Gate {
        folder: "node",
        build: &[],
        run: &["node", "gate.mjs"],
    },
    Gate {
        folder: "go",
        build: &["go", "build", "-o", "gate", "."],
        run: &["./gate"],
    },
];

/// A file of a gate, a text that stands there once, and what is written in its place.
type Edit = (&'static str, &'static str, &'static str);

/// A fault, planted in the gates in their order.
struct Fault {
    suite: &'static str,
    clause: &'static str,
    edits: [Edit; 3],
}

/// Whether what builds or runs a gate is there.
fn has(gate: &Gate) -> bool {
    let program = gate.build.first().or(gate.run.first());
    toolchain::has(program.unwrap())
}

fn copy_with(gate: &Gate, (file, before, after): Edit) -> tempfile::TempDir {
    let example: PathBuf = [env!("CARGO_MANIFEST_DIR"), "examples", gate.folder]
        .iter()
        .collect();
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let path = copy.path().join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let times = text.matches(before).count();
    assert_eq!(
        times, 1,
        "`{before}` stands {times} times in {}/{file}",
        gate.folder
    );
    std::fs::write(&path, text.replace(before, after)).unwrap();
    if let Some((program, args)) = gate.build.split_first() {
        let built = Command::new(program)
            .args(args)
            .current_dir(copy.path())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{}: {err}", gate.folder);
    }
    copy
}

/// The op and the input of the smallest case for a clause, as the JSON report of a check has it.
fn smallest(folder: &Path, gate: &Gate, suite: &str, clause: &str) -> (String, Value) {
    let options = [
        "check",
        "--seed",
        "1",
        "--cases",
        "2000",
        "--depth",
        "-2",
        "--suite",
        suite,
        "--report",
        "json=report.json",
        "--start-timeout",
        "60",
        "--timeout",
        "60",
        "--",
    ];
    let ran = run_in(folder, &[&options, gate.run].concat());
    assert_eq!(ran.code, 1, "{}: {}{}", gate.folder, ran.out, ran.err);
    let report = std::fs::read_to_string(folder.join("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let failures = report["failures"].as_array().unwrap();
    let failure = failures.iter().find(|of| of["clauses"][0] == clause);
    let failure =
        failure.unwrap_or_else(|| panic!("{} breaks no {clause}: {}", gate.folder, ran.out));
    let op = failure["op"].as_str().unwrap().to_owned();
    (op, failure["input"].clone())
}

fn assert_alike(fault: &Fault) {
    let mut first: Option<(&str, (String, Value))> = None;
    for (gate, edit) in GATES.iter().zip(fault.edits) {
        if !has(gate) {
            continue;
        }
        let copy = copy_with(gate, edit);
        let case = smallest(copy.path(), gate, fault.suite, fault.clause);
        match &first {
            None => first = Some((gate.folder, case)),
            Some((of, same)) => assert_eq!(case, *same, "{} beside {of}", gate.folder),
        }
    }
    assert!(first.is_some(), "no language is there");
}

#[test]
fn a_leading_zero_taken_as_an_iteration() {
    assert_alike(&Fault {
        suite: "key",
        clause: "KEY-02",
        edits: [
            ("key.py", "(0|[1-9][0-9]*)", "([0-9]+)"),
            ("key.mjs", "(0|[1-9][0-9]*)", "([0-9]+)"),
            (
                "key.go",
                "strconv.FormatInt(n, 10) == number",
                r#"strings.Trim(number, "0123456789") == """#,
            ),
        ],
    });
}

#[test]
fn a_time_out_recorded_as_a_yes() {
    assert_alike(&Fault {
        suite: "ledger",
        clause: "LED-04",
        edits: [
            (
                "ledger.py",
                "self.settle(refused(reason), origin)  # LED-04",
                r#"yes = {"kind": "approved", "by": "person"}
        self.settle(yes if reason == "timeout" else refused(reason), origin)"#,
            ),
            (
                "ledger.mjs",
                "set: ({ reason, origin }) => void ledger.set(reason, origin),",
                r#"set: ({ reason, origin }) => {
      const yes = { kind: "approved", by: "person" };
      if (reason === "timeout") ledger.settled = { settlement: yes, origin };
      else ledger.set(reason, origin);
    },"#,
            ),
            (
                "ledger.go",
                "book.refuse(e.Reason, e.Origin)",
                r#"book.refuse(e.Reason, e.Origin)
		if e.Reason == "timeout" {
			book.settled = &settled{settlement: settlement{Kind: "approved", By: "person"}, origin: e.Origin}
		}"#,
            ),
        ],
    });
}

#[test]
fn a_revoke_that_misses_the_children() {
    assert_alike(&Fault {
        suite: "boundary",
        clause: "BND-20",
        edits: [
            (
                "boundary.py",
                "any(above in self.floors for above in place.and_above())",
                "place in self.floors",
            ),
            (
                "boundary.mjs",
                "lineage(agent).some((place) => this.#floors.has(place))",
                "this.#floors.has(agent)",
            ),
            (
                "boundary.go",
                "for _, a := range at.lineage() {\n\t\tif b.floors[a] {",
                "for _, a := range at.lineage()[:1] {\n\t\tif b.floors[a] {",
            ),
        ],
    });
}
