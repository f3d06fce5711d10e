//! The promise: a campaign finds what plain random strings would not, makes it small, and is the
//! same campaign for the same seed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::path::Path;

use gatespec::conform::fuzz::{Campaign, Limits, fuzz};
use gatespec::conform::subject::mutant;
use gatespec::conform::{Answer, Hello, InProcess, Subject, plan, vectors};
use gatespec::generate::Settings;
use gatespec::model::{Clause, Suite};
use gatespec::ops::{Op, Output};
use serde_json::value::RawValue;

fn campaign(subject: &mut dyn Subject, suite: Suite, seed: u64, cases: u64) -> Campaign {
    let mut limits = Limits::default();
    limits.cases = cases;

    fuzz(
        subject,
        &Hello::reference(),
        suite,
        &Settings::seeded(seed),
        &limits,
        &mut |_| true,
    )
}

#[test]
fn the_reference_survives_a_campaign_that_reaches_every_clause_of_the_grammar() {
    let ran = campaign(&mut InProcess::reference(), Suite::Key, 3, 20_000);
    assert!(ran.found.is_empty(), "{:?}", ran.found);
    assert_eq!(ran.state.cases, 20_000);
    let of_key = Clause::ALL
        .iter()
        .filter(|clause| clause.suite() == Suite::Key)
        .count();
    assert_eq!(ran.state.clauses.len(), of_key);
    assert!(ran.state.corpus > 100, "{:?}", ran.state);
}

#[test]
fn a_campaign_finds_the_iteration_one_above_the_largest_and_makes_it_small() {
    let wide = gatespec::mutants::all()
        .into_iter()
        .find(|m| m.id == "key/wide_iteration")
        .unwrap();
    let ran = campaign(&mut mutant(wide), Suite::Key, 3, 20_000);
    let clauses: Vec<_> = ran.found.iter().map(|found| found.clauses[0]).collect();
    assert!(
        clauses.iter().all(|clause| *clause == Clause::Key03),
        "{clauses:?}"
    );
    let smallest: Vec<String> = ran
        .found
        .iter()
        .map(|found| found.case.op.input().get().to_owned())
        .collect();
    let least = r#"{"subject":"node:iter:9223372036854775808:x"}"#;
    let len = |text: &String| text.len();
    assert_eq!(
        smallest.iter().map(len).min(),
        Some(least.len()),
        "{smallest:?}"
    );
}

#[test]
fn the_same_seed_is_the_same_campaign() {
    let asked = |seed| {
        let mut asked: Vec<Op> = Vec::new();
        let mut gate = InProcess::new(Hello::reference(), |op: &Op| {
            asked.push(op.clone());
            gatespec::conform::Answer::Output(op.expected())
        });
        campaign(&mut gate, Suite::Key, seed, 4_000);
        asked
    };
    assert_eq!(asked(5), asked(5));
    assert_ne!(asked(5), asked(6));
}

#[test]
fn every_mutant_of_the_grammar_is_found_by_a_campaign() {
    for faulty in gatespec::mutants::key::MUTANTS {
        let ran = campaign(&mut mutant(*faulty), Suite::Key, 3, 30_000);
        assert!(!ran.found.is_empty(), "{} was not found", faulty.id);
    }
}

/// The second implementation of each suite, with no fault in it.
fn second(op: &Op) -> Output {
    use gatespec::mutants as m;
    match op {
        Op::Key(op) => Output::Key(m::key::answer(m::key::Fault::Nowhere, op)),
        Op::Verdict(op) => Output::Verdict(m::verdict::answer(m::verdict::Fault::Nowhere, op)),
        Op::Window(op) => Output::Window(m::window::answer(m::window::Fault::Nowhere, op)),
        Op::Boundary(op) => Output::Boundary(m::boundary::answer(m::boundary::Fault::Nowhere, op)),
        Op::Outcome(op) => Output::Outcome(m::outcome::answer(m::outcome::Fault::Nowhere, op)),
        Op::Ledger(op) => Output::Ledger(m::ledger::answer(m::ledger::Fault::Nowhere, op)),
        Op::Pass(op) => Output::Pass(m::pass::answer(m::pass::Fault::Nowhere, op)),
    }
}

#[test]
fn a_campaign_asks_nothing_that_two_readings_of_the_spec_answer_in_two_ways() {
    for suite in Suite::ALL {
        let mut gate = InProcess::new(Hello::reference(), |op: &Op| {
            assert!(op.is_asked(), "{op:?}");
            Answer::Output(second(op))
        });
        let ran = campaign(&mut gate, suite, 11, 20_000);
        assert!(ran.found.is_empty(), "{suite}: {:#?}", ran.found);
        assert_eq!(ran.state.cases, 20_000, "{suite}");
    }
}

#[test]
fn every_case_of_the_kit_is_one_that_the_law_answers() {
    for case in vectors::embedded().unwrap() {
        assert!(case.op.is_asked(), "{}", case.id);
    }
    for suite in Suite::ALL {
        let settings = Settings::seeded(7);
        let random = plan::generated(suite, &settings).take(5_000);
        let enumerated = gatespec::generate::enumerate(suite, &settings).step_by(7);
        for op in enumerated.chain(random) {
            assert!(op.is_asked(), "{op:?}");
        }
    }
}

/// Histories and scripts of the right shape that the spec says nothing of.
#[test]
fn what_the_spec_leaves_open_is_not_asked() {
    let policy =
        r#""policy":{"read":"pass","write":"hold","destructive":"hold","secret":"refuse"}"#;
    let call = |id: &str, tool: &str| {
        format!(
            r#"{{"call":{{"workspace":"w","agent":"p","id":"{id}","tool":"{tool}","effect":"write"}}}}"#
        )
    };
    let run = |events: &str| format!(r#"{{{policy},"events":[{events}]}}"#);
    let agent = |agent: &str| {
        format!(
            r#"{{"workspace":"w","agent":"{agent}","calls":[{{"id":"c","tool":"t","effect":"read"}}]}}"#
        )
    };
    let joint = |agents: &str, at: &str| {
        let drive = format!(r#"{{"drive":{{"workspace":"w","agent":"{at}"}}}}"#);
        format!(r#"{{{policy},"agents":[{agents}],"events":[{drive}]}}"#)
    };
    let act = |op: &str, more: &str| {
        run(&format!(
            r#"{{"act":{{"op":"{op}","workspace":"w","agent":"p"{more}}}}}"#
        ))
    };
    let mint = |word: &str| format!(r#"{{"facts":{{"released":"{word}"}}}}"#);
    let trace = |b: &str| format!(r#"{{"call":"c","bytes":{{"a":1,"b":{b}}},"events":[]}}"#);
    let pass = |args: &str| format!(r#"{{"script":{{"call":"c","args":{args},"editCap":2}}}}"#);
    let request = |input: &str| {
        format!(r#"{{"call":{{"id":"i","name":"n","input":{input},"role":"r","agentId":"a"}}}}"#)
    };
    let key = |subject: &str| format!(r#"{{"subject":"{subject}"}}"#);
    let pair = |agent: &str| format!(r#"{{"ancestor":"p","agent":"{agent}"}}"#);
    let two = [call("c", "sh"), call("c", "ls")].join(",");
    let same = [call("c", "sh"), call("c", "sh")].join(",");
    for (op, asked, not) in [
        ("key.nodeInstance", key("node:x"), key("x")),
        ("verdict.request", request("1"), request("9007199254740992")),
        ("boundary.descends", pair("p-c"), pair("p--c")),
        ("boundary.run", run(&same), run(&two)),
        (
            "boundary.run",
            act("revoke", ""),
            act("revoke", r#","verdict":"pass""#),
        ),
        (
            "boundary.run",
            act("answer", r#","verdict":"no""#),
            act("answer", r#","scope":"call""#),
        ),
        (
            "boundary.joint",
            joint(&agent("p"), "p"),
            joint(&agent("p"), "q"),
        ),
        (
            "boundary.joint",
            joint(&[agent("p"), agent("q")].join(","), "p"),
            joint(&[agent("p"), agent("p")].join(","), "p"),
        ),
        ("outcome.mint", mint("x"), mint("")),
        ("ledger.trace", trace("2"), trace("1.0")),
        ("pass.run", pass("[1]"), pass("[1.5]")),
    ] {
        let read = |input: &str| Op::parse(op, &RawValue::from_string(input.into()).unwrap());
        assert!(read(&asked).unwrap().is_asked(), "{op} {asked}");
        assert!(!read(&not).unwrap().is_asked(), "{op} {not}");
    }
}

#[test]
fn a_campaign_against_a_program_finds_a_bound_that_is_off_by_one() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python");
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(example).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let text = std::fs::read_to_string(&path).unwrap();
            let faulty = text.replace(
                r#"ITERATION_MAX = b"9223372036854775807""#,
                r#"ITERATION_MAX = b"9223372036854775808""#,
            );
            assert_eq!(text != faulty, path.ends_with("key.py"), "{path:?}");
            std::fs::write(copy.path().join(path.file_name().unwrap()), faulty).unwrap();
        }
    }
    // as long as the clock of `--time 30` would let it go on, and the same each time
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_gatespec"))
        .args(["fuzz", "key", "--seed", "3", "--cases", "20000", "--keep"])
        .arg(copy.path().join("kept"))
        .args(["--start-timeout", "60", "--timeout", "60", "--", "python3"])
        .arg(copy.path().join("gate.py"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{text}");
    for line in [
        "FAIL KEY-03",
        r#"{"subject":"node:iter:9223372036854775808:x"}"#,
        "20,000 cases",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let blamed = text.matches("FAIL ").count();
    assert_eq!(text.matches("FAIL KEY-03 ").count(), blamed, "{text}");
}
