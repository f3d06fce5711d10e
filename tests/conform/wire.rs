//! The protocol's lines, from both ends.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gatespec::conform::adapter::{read_answer, read_hello, request, transcript};
use gatespec::conform::process::{Command, Limits};
use gatespec::conform::serve::Server;
use gatespec::conform::subject::mutant;
use gatespec::conform::{Adapter, Answer, Case, Depth, Hello, Kind, Stopped, Subject, Verdict};
use gatespec::model::Profile;
use gatespec::mutants::Reply;
use gatespec::ops::Op;
use serde_json::{Value, json};

use super::fake::key;

fn case(n: u64, op: Op) -> Case {
    Case {
        id: format!("key/generated/{n}"),
        depth: Depth::Generated,
        op,
    }
}

#[test]
fn a_transcript_is_all_that_an_adapter_reads() {
    let cases = [key("key.id", "a"), key("key.base", "b")];
    let lines: Vec<String> =
        transcript((1..).zip(cases.clone()).map(|(n, op)| case(n, op))).collect();
    let [one, two] = cases;
    assert_eq!(
        lines,
        [
            r#"{"hello":{"protocol":1,"spec":"1.0"}}"#.to_owned(),
            request(1, &one),
            request(2, &two),
            r#"{"bye":{}}"#.to_owned(),
        ]
    );
    assert_eq!(
        request(2, &two),
        r#"{"id":"2","op":"key.base","input":{"subject":"b"}}"#
    );
}

#[test]
fn a_hello_is_held_to_the_spec() {
    let line = |change: &dyn Fn(&mut Value)| {
        let mut hello = json!({ "protocol": 1, "name": "x", "suites": ["key"] });
        change(&mut hello);
        json!({ "hello": hello }).to_string()
    };
    let hello = read_hello(&line(&|_| ())).unwrap();
    assert_eq!(
        (hello.name.as_str(), hello.suites.as_slice()),
        ("x", ["key".to_owned()].as_slice())
    );
    let full = line(&|of| {
        of["version"] = "1".into();
        of["language"] = "c".into();
        of["lacks"] = json!(["delegate"]);
        of["profiles"] = json!(["scoped-answers"]);
        of["echo"] = true.into();
    });
    let text = serde_json::to_value(read_hello(&full).unwrap()).unwrap();
    assert_eq!(
        json!({ "hello": text }),
        serde_json::from_str::<Value>(&full).unwrap()
    );
    let says = |line: &str| read_hello(line).unwrap_err();
    assert_eq!(
        says(&line(&|of| of["protocol"] = 2.into())),
        "the adapter speaks protocol 2, and this is protocol 1"
    );
    assert_eq!(
        says(&line(&|of| of["suites"] = json!(["key", "keys"]))),
        "the adapter declares the suite `keys`, and the spec has none"
    );
    assert_eq!(
        says(&line(
            &|of| of["profiles"] = json!(["scoped-answers", "scoped"])
        )),
        "the adapter declares the profile `scoped`, and the spec has none"
    );
    let long = "é".repeat(201);
    let said = says(&long);
    let shown = format!("`{}…`", "é".repeat(200));
    assert!(
        said.starts_with("the adapter's first line is no hello") && said.contains(&shown),
        "{said}"
    );
    let whole = "é".repeat(200);
    assert!(says(&whole).contains(&format!("`{whole}`")));
}

#[test]
fn an_answer_has_exactly_one_of_three_members() {
    let op = key("key.id", "a");
    let answer = |members: &str| read_answer(&op, &format!(r#"{{"id":"1"{members}}}"#));
    assert_eq!(
        answer(r##","output":{"instance":"a#taint"}"##),
        Answer::Output(op.expected())
    );
    assert_eq!(
        answer(r#","unsupported":"no""#),
        Answer::Unsupported("no".to_owned())
    );
    assert_eq!(
        answer(r#","error":"broke""#),
        Answer::Error("broke".to_owned())
    );
    assert!(matches!(
        answer(r#","output":{"instance":1}"#),
        Answer::Malformed { output, why } if output == r#"{"instance":1}"# && !why.is_empty()
    ));
    for members in [
        "",
        r#","error":"x","unsupported":"y""#,
        r##","output":{"instance":"a#taint"},"error":"x""##,
        r##","output":{"instance":"a#taint"},"unsupported":"x""##,
    ] {
        let Answer::Protocol(why) = answer(members) else {
            panic!("{members}")
        };
        assert!(why.starts_with("an answer has one of"), "{why}");
    }
    let Answer::Protocol(why) = answer(r#","more":1"#) else {
        panic!()
    };
    assert!(why.starts_with("no answer (unknown field"), "{why}");
}

#[test]
fn what_comes_back_is_told_apart() {
    let case = case(1, key("key.id", "a"));
    let clauses = case.op.clauses();
    let text = || "x".to_owned();
    assert_eq!(
        case.judge(&Answer::Output(case.op.expected())),
        Verdict::Passed
    );
    assert_eq!(
        case.judge(&Answer::Unsupported(text())),
        Verdict::Unsupported(text())
    );
    for (answer, kind) in [
        (
            Answer::Output(key("key.id", "b").expected()),
            Kind::Diverged,
        ),
        (
            Answer::Malformed {
                output: text(),
                why: text(),
            },
            Kind::Malformed,
        ),
        (Answer::Error(text()), Kind::Errored),
        (Answer::Crashed(text()), Kind::Crashed),
        (Answer::TimedOut(text()), Kind::TimedOut),
        (Answer::Protocol(text()), Kind::Protocol),
    ] {
        assert_eq!(
            case.judge(&answer),
            Verdict::Failed {
                kind,
                clauses: clauses.clone()
            }
        );
    }
    assert_eq!(case.profile(), Profile::Core);
    let words = Depth::ALL.map(|depth| depth.to_string());
    assert_eq!(words, ["kept", "vectors", "enumerated", "generated"]);
    let ways = [
        Kind::Diverged,
        Kind::Malformed,
        Kind::Errored,
        Kind::Crashed,
        Kind::TimedOut,
        Kind::Protocol,
    ];
    assert_eq!(
        ways.map(Kind::word),
        [
            "diverged",
            "malformed output",
            "error",
            "crashed",
            "timed out",
            "protocol error"
        ]
    );
}

#[test]
fn a_word_is_had_unless_it_is_lacked_or_of_a_profile_that_is_not_taken_on() {
    let mut hello = Hello::reference();
    assert_eq!(hello.has(&[]), Ok(()));
    assert_eq!(hello.has(&["delegate", "scoped-answers"]), Ok(()));
    hello.lacks = vec!["delegate".to_owned()];
    assert_eq!(hello.has(&["policy-change", "delegate"]), Err("delegate"));
    hello.profiles.clear();
    assert_eq!(
        hello.has(&["policy-change", "scoped-answers"]),
        Err("scoped-answers")
    );
    hello.profiles = vec!["scoped-answers".to_owned()];
    hello.lacks = vec!["scoped-answers".to_owned()];
    assert_eq!(hello.has(&["scoped-answers"]), Err("scoped-answers"));
}

#[test]
fn a_server_answers_each_line_by_itself() {
    let mut server = Server::new(Hello::reference(), |op: &Op| match op.name() {
        "key.base" => Reply::Raw("[]".to_owned()),
        "key.liveId" => Reply::Unsupported("no live ids".to_owned()),
        _ => Reply::Output(op.expected()),
    });
    let mut says = |line: &str| server.reply(line);
    let hello = json!({ "hello": Hello::reference() });
    assert_eq!(
        serde_json::from_str::<Value>(&says(&Hello::line()).unwrap()).unwrap(),
        hello
    );
    assert_eq!(
        says(r#"{"id":"a","op":"echo","input":[1, 2]}"#).unwrap(),
        r#"{"id":"a","output":[1, 2]}"#
    );
    let line = |op: &str| format!(r#"{{"id":"7","op":"{op}","input":{{"subject":"a"}}}}"#);
    assert_eq!(
        says(&line("key.id")).unwrap(),
        r##"{"id":"7","output":{"instance":"a#taint"}}"##
    );
    assert_eq!(
        says(&line("key.base")).unwrap(),
        r#"{"id":"7","output":[]}"#
    );
    assert_eq!(
        says(&line("key.liveId")).unwrap(),
        r#"{"id":"7","unsupported":"no live ids"}"#
    );
    assert!(
        says(&line("key.ids"))
            .unwrap()
            .starts_with(r#"{"id":"7","error":"unknown op"#)
    );
    assert_eq!(
        says(r#"{"id":"7","op":"key.id"}"#).unwrap(),
        r#"{"id":"7","error":"a request has `id`, `op` and `input`"}"#
    );
    assert!(says("[").unwrap().starts_with(r#"{"error":"#));
    assert_eq!(says(r#"{"bye":{}}"#), None);
}

#[test]
fn a_reply_in_this_process_is_read_as_an_adapter_s_is() {
    let op = key("key.id", "a");
    assert_eq!(
        Answer::of(&op, op.expected().into()),
        Answer::Output(op.expected())
    );
    let raw = |text: &str| Answer::of(&op, Reply::Raw(text.to_owned()));
    assert_eq!(
        raw(r##"{"instance":"a#taint"}"##),
        Answer::Output(op.expected())
    );
    assert!(matches!(raw("[]"), Answer::Malformed { output, .. } if output == "[]"));
    let no = Reply::Unsupported("no".to_owned());
    assert_eq!(Answer::of(&op, no), Answer::Unsupported("no".to_owned()));
}

#[test]
fn a_mutant_is_a_gate_of_its_own_suite_alone() {
    for faulty in gatespec::mutants::all() {
        let mut gate = mutant(faulty);
        let hello = gate.hello().unwrap();
        let suite = faulty.clause.suite().word();
        assert_eq!(
            (hello.name, hello.suites),
            (faulty.id.to_owned(), vec![suite.to_owned()])
        );
    }
    let faulty = *gatespec::mutants::key::MUTANTS.first().unwrap();
    let op = key("key.id", "a");
    let answer = Answer::Output((faulty.answer)(&op));
    let mut answers = Vec::new();
    let mut cases = [case(1, op.clone()), case(2, op)].into_iter();
    let ended = mutant(faulty).run(&mut cases, &mut |case, answer| {
        answers.push((case.id, answer))
    });
    let of = |n| (format!("key/generated/{n}"), answer.clone());
    assert_eq!((answers, ended), (vec![of(1), of(2)], Ok(())));
}

/// A program of the shell as an adapter, with time enough.
fn shell(script: &str) -> Adapter {
    let mut limits = Limits::default();
    limits.case = Duration::from_millis(400);
    let command = Command::new(["sh", "-c", script]).unwrap();
    Adapter::new(command, limits, Arc::new(AtomicBool::new(false)))
}

const HELLO: &str =
    r#"read -r line; echo '{"hello":{"protocol":1,"name":"x","suites":["key"]}}'; "#;

fn ask(adapter: &mut Adapter, cases: u64) -> (Vec<(String, Answer)>, Result<(), Stopped>) {
    let mut answers = Vec::new();
    let mut cases = (1..=cases).map(|n| case(n, key("key.id", "a")));
    let ended = adapter.run(&mut cases, &mut |case, answer| {
        answers.push((case.id, answer))
    });
    (answers, ended)
}

#[test]
fn each_case_of_an_adapter_gets_the_answer_to_its_own_id() {
    let script = format!(
        "{HELLO}{}",
        r#"read -r one; read -r two
        echo '{"id":"2","error":"two"}'; echo '{"id":"1","error":"one"}'
        read -r three; echo '{"id":"3","error":"three"}'; read -r bye"#
    );
    let mut adapter = shell(&script);
    assert_eq!(adapter.hello().unwrap().name, "x");
    // asked again, it is not started again
    assert_eq!(adapter.hello().unwrap().name, "x");
    let error = |says: &str| Answer::Error(says.to_owned());
    let (answers, ended) = ask(&mut adapter, 2);
    assert_eq!(ended, Ok(()));
    assert_eq!(
        answers,
        [
            ("key/generated/2".to_owned(), error("two")),
            ("key/generated/1".to_owned(), error("one"))
        ]
    );
    let (answers, _) = ask(&mut adapter, 1);
    assert_eq!(answers, [("key/generated/1".to_owned(), error("three"))]);
    assert_eq!(adapter.end(), Vec::<String>::new());
    // it has been sent away
    let gone = Stopped::GaveUp("the adapter has been sent away already".to_owned());
    assert_eq!(ask(&mut adapter, 1), (Vec::new(), Err(gone)));
    assert_eq!(adapter.end(), Vec::<String>::new());
}

#[test]
fn a_fault_of_the_process_says_what_and_the_end_of_its_stderr() {
    let one = |script: &str| {
        let mut adapter = shell(&format!("{HELLO}{script}"));
        adapter.hello().unwrap();
        let (mut answers, _) = ask(&mut adapter, 1);
        adapter.end();
        answers.remove(0).1
    };
    let Answer::Crashed(says) = one("read -r line; echo broken >&2; exit 3") else {
        panic!()
    };
    assert!(
        says.contains('3') && says.ends_with("; its stderr ends: broken"),
        "{says}"
    );
    let Answer::Crashed(says) = one("read -r line; exit 3") else {
        panic!()
    };
    assert!(!says.contains("stderr"), "{says}");
    let many =
        "read -r line; i=0; while [ $i -lt 100 ]; do echo abcdefghi >&2; i=$((i+1)); done; exit 3";
    let Answer::Crashed(says) = one(many) else {
        panic!()
    };
    let tail = says.split_once("; its stderr ends: …").unwrap().1;
    assert_eq!(tail.chars().count(), 600);
    assert!(matches!(
        one("read -r line; echo '{'; cat"),
        Answer::Protocol(_)
    ));
    assert!(matches!(one("read -r line; sleep 20"), Answer::TimedOut(_)));
}

#[test]
fn an_adapter_that_does_not_start_says_its_stderr_too() {
    let Err(Stopped::Handshake(says)) = shell("echo no such module >&2; exit 1").hello() else {
        panic!()
    };
    assert!(says.ends_with("; its stderr: no such module"), "{says}");
    let Err(Stopped::Handshake(says)) = shell("exit 1").hello() else {
        panic!()
    };
    assert!(!says.contains("stderr"), "{says}");
    let Err(Stopped::Handshake(says)) = shell("read -r line; echo '{\"hello\":{}}'; cat").hello()
    else {
        panic!()
    };
    assert!(
        says.starts_with("the adapter's first line is no hello"),
        "{says}"
    );
}

#[test]
fn what_an_adapter_does_outside_its_cases_is_told_at_the_end() {
    let mut adapter = shell(&format!("{HELLO}read -r bye; exit 5"));
    adapter.hello().unwrap();
    let incidents = adapter.end();
    assert!(
        incidents.len() == 1 && incidents[0].contains('5'),
        "{incidents:?}"
    );
    // one that never said hello has nothing to say goodbye to
    assert_eq!(shell(HELLO).end(), Vec::<String>::new());
}
