//! The promise: an audit finds what is unlawful in a log, all of it and nothing else, in bounded
//! memory, and says so in the same words whatever the number of threads.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gatespec::audit::finding::Why;
use gatespec::audit::map::Map;
use gatespec::audit::reader::Input;
use gatespec::audit::record::{Digest, Event, Line};
use gatespec::audit::sample::Sample;
use gatespec::audit::{Audit, Finding, Note, Settings, Summary};
use gatespec::model::Clause;
use gatespec::model::outcome::{Decision, Layer, Refusal, Settlement};

fn json(line: &Line) -> String {
    serde_json::to_string(line).unwrap()
}

/// A lawful log of so many calls.
fn lawful(seed: u64, calls: u64, width: usize) -> Vec<String> {
    let mut sample = Sample::new(seed, width);
    let mut lines = Vec::new();
    while sample.calls() < calls {
        lines.push(json(&sample.next().unwrap()));
    }
    lines.extend(sample.rest().map(|line| json(&line)));
    lines
}

fn audit_of(inputs: Vec<Input>, settings: Settings) -> (Vec<Note>, Summary) {
    let mut notes = Vec::new();
    let audited = Audit::new(inputs, settings).run(&mut |note: &Note| notes.push(note.clone()));
    (notes, audited.summary)
}

fn memory(bytes: impl Into<Vec<u8>>) -> Vec<Input> {
    vec![Input::Memory("log".to_owned(), bytes.into().into())]
}

fn audit(bytes: impl Into<Vec<u8>>) -> (Vec<Note>, Summary) {
    audit_of(memory(bytes), Settings::default())
}

fn findings(notes: &[Note]) -> Vec<&Finding> {
    notes
        .iter()
        .filter_map(|note| match note {
            Note::Finding(finding) => Some(finding),
            _ => None,
        })
        .collect()
}

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn a_lawful_log_is_lawful() {
    for (calls, width) in [(1, 1), (50, 1), (2000, 16), (3000, 900)] {
        let (notes, summary) = audit(text(&lawful(7, calls, width)));
        assert_eq!(notes, [], "{calls} calls, {width} at a time");
        assert_eq!(summary.unlawful(), 0);
        assert!(summary.judged() >= calls);
        assert_eq!(summary.traces.unknown, 0);
        assert_eq!(summary.read.bad_lines, 0);
    }
}

/// Records that each break one invariant, by the clause.
fn faults() -> Vec<(Clause, String)> {
    let record = |clause, record: &str| {
        let line = format!(r#"{{"kind":"outcome","call":"planted-{clause}","record":{record}}}"#);
        (clause, line)
    };
    vec![
        record(
            Clause::I1,
            r#"{"decision":"allow","settlement":{"kind":"approved","by":"person"}}"#,
        ),
        record(
            Clause::I2,
            r#"{"decision":"deny","deniedBy":"ask_resolution"}"#,
        ),
        record(
            Clause::I3,
            r#"{"decision":"deny","deniedBy":"compliance","settlement":{"kind":"approved","by":"person"},"origin":"policy"}"#,
        ),
        record(
            Clause::I4,
            r#"{"decision":"allow","settlement":{"kind":"refused","reason":"timeout"},"origin":"policy"}"#,
        ),
    ]
}

#[test]
fn each_invariant_broken_once_among_many_lawful_calls_is_found_with_its_line() {
    // the million calls of the promise run in `million`, by hand
    planted(20_000);
}

#[test]
#[ignore = "a million calls: cargo test --release --test audit -- --ignored million"]
fn each_invariant_broken_once_among_a_million() {
    planted(1_000_000);
}

fn planted(calls: u64) {
    let mut lines = lawful(3, calls, 16);
    let mut expected = BTreeMap::new();
    for (at, (clause, line)) in faults().into_iter().enumerate() {
        let place = lines.len() / 5 * (at + 1);
        lines.insert(place, line);
        expected.insert(place as u64 + 1, clause);
    }
    let log = text(&lines);
    drop(lines);
    for threads in [1, 2, 3] {
        let (notes, summary) = audit_of(memory(log.as_bytes()), {
            let mut settings = Settings::default();
            settings.threads = threads;
            settings
        });
        let found: BTreeMap<u64, Clause> = findings(&notes)
            .iter()
            .map(|finding| (finding.line, finding.clause))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(notes.len(), 4);
        assert_eq!(summary.unlawful(), 4);
        assert!(summary.judged() >= calls);
    }
}

#[test]
fn every_single_fault_of_an_exit_is_found_and_nothing_else() {
    let lines: Vec<Line> = {
        let mut sample = Sample::new(11, 4);
        let mut lines: Vec<Line> = sample.by_ref().take(1500).collect();
        lines.extend(sample.rest());
        lines
    };
    let mut changed = 0;
    let mut blamed: BTreeMap<Clause, u32> = BTreeMap::new();
    for at in 0..lines.len() {
        let Line::Exit(exit) = &lines[at] else {
            continue;
        };
        let mut other = exit.clone();
        // what a gate that misrecords would write
        match (changed % 4, other.record.settlement) {
            (0, Some(Settlement::Refused { .. })) => {
                other.record.decision = Decision::Allow;
                other.record.denied_by = None;
                other.record.settlement = Some(Settlement::Approved {
                    by: gatespec::model::outcome::Approver::Person,
                });
            }
            (1, Some(Settlement::Refused { reason })) => {
                let reason = if reason == Refusal::Timeout {
                    Refusal::Declined
                } else {
                    Refusal::Timeout
                };
                other.record.settlement = Some(Settlement::Refused { reason });
            }
            (_, Some(_)) => {
                other.record.settlement = None;
                other.record.origin = None;
                if other.record.denied_by == Some(Layer::AskResolution) {
                    other.record.denied_by = Some(Layer::Org);
                }
            }
            (0 | 1, None) if other.record.decision == Decision::Allow => {
                other.record.settlement = Some(Settlement::Approved {
                    by: gatespec::model::outcome::Approver::Delegate,
                });
                other.record.origin = Some("policy".to_owned());
            }
            (_, None) if other.record.denied_by == Some(Layer::Policy) => {
                other.record.decision = Decision::Allow;
                other.record.denied_by = None;
            }
            _ => continue,
        }
        changed += 1;
        let mut all: Vec<String> = lines.iter().map(json).collect();
        all[at] = json(&Line::Exit(other));
        let (notes, summary) = audit(text(&all));
        let found = findings(&notes);
        assert_eq!(found.len(), 1, "line {}: {}", at + 1, all[at]);
        assert_eq!(found[0].line, at as u64 + 1);
        assert_eq!(found[0].call, exit.call);
        assert_eq!(summary.traces.unlawful, 1);
        assert!(
            found[0]
                .story
                .iter()
                .any(|line| line.starts_with("however "))
        );
        *blamed.entry(found[0].clause).or_default() += 1;
        if changed > 40 {
            break;
        }
    }
    assert!(changed > 30);
    for clause in [Clause::I4, Clause::Led16, Clause::Led23] {
        assert!(
            blamed.contains_key(&clause),
            "{clause} is never blamed: {blamed:?}"
        );
    }
}

#[test]
fn an_unlawful_event_claim_is_found() {
    let log = r#"
{"kind":"event","call":"c","seq":0,"event":{"event":"decision","decision":"deny","runs":"d"},"returned":{"decision":"deny","deniedBy":"policy"}}
{"kind":"exit","call":"c","seq":1,"record":{"decision":"deny","deniedBy":"policy"}}
{"kind":"event","call":"e","seq":0,"event":{"event":"decision","decision":"deny","runs":"d"},"returned":{"decision":"allow"}}
{"kind":"exit","call":"e","seq":1,"record":{"decision":"deny","deniedBy":"policy"}}
"#;
    let (notes, summary) = audit(log);
    let found = findings(&notes);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].line, found[0].clause), (4, Clause::Led16));
    assert_eq!((summary.traces.lawful, summary.traces.unlawful), (1, 1));
}

/// A trace of one call by its parts, for the blame of one clause.
fn blame(events: &[&str], exit: &str) -> Option<(Clause, Vec<Clause>)> {
    let mut log = String::new();
    for (seq, event) in events.iter().enumerate() {
        log += &format!(r#"{{"kind":"event","call":"c","seq":{seq},"event":{event}}}"#);
        log += "\n";
    }
    log += &format!(
        r#"{{"kind":"exit","call":"c","seq":{},{exit}}}"#,
        events.len()
    );
    log += "\n";
    let (notes, summary) = audit(log);
    assert_eq!(summary.read.bad_lines, 0, "{notes:?}");
    findings(&notes)
        .first()
        .map(|finding| (finding.clause, finding.also.clone()))
}

const YES: &str = r#""record":{"decision":"allow","settlement":{"kind":"approved","by":"person"},"origin":"policy"}"#;
const PLAIN: &str = r#""record":{"decision":"allow"}"#;

fn resolved(decision: &str, record: &str, asked: &str, rest: &str) -> String {
    format!(
        r#"{{"event":"resolved","resolution":{{"decision":"{decision}"{record}{rest}}},"asked":{asked},"request":"d1"}}"#
    )
}

fn attested(call: &str, origin: &str, classes: &str, digest: &str, settlement: &str) -> String {
    format!(
        r#","record":{{"call":"{call}","origin":"{origin}","classes":{classes},"digest":"{digest}","settlement":{settlement}}}"#
    )
}

#[test]
fn each_rule_of_the_ledger_is_blamed_by_its_own_clause() {
    let yes = r#"{"kind":"approved","by":"person"}"#;
    let no = r#"{"kind":"refused","reason":"timeout"}"#;
    let asked = r#"{"origin":"policy","classes":["write","net"]}"#;
    let real = r#"{"origin":"policy","classes":["write","net"],"realApproval":true}"#;
    let good = attested("c", "policy", r#"["net","write","net"]"#, "d1", yes);
    let approve = resolved("allow", &good, asked, "");
    assert_eq!(blame(&[&approve], &format!(r#""runs":"d1",{YES}"#)), None);
    let cases: Vec<(Vec<String>, String, Clause)> = vec![
        // a record that must not count, recorded as if it did
        (
            vec![resolved("allow", &attested("x", "policy", r#"["net","write"]"#, "d1", yes), asked, "")],
            YES.to_owned(),
            Clause::Led05,
        ),
        (
            vec![resolved("allow", &attested("c", "hook", r#"["net","write"]"#, "d1", yes), asked, "")],
            YES.to_owned(),
            Clause::Led06,
        ),
        (
            vec![resolved("allow", &attested("c", "policy", r#"["net"]"#, "d1", yes), asked, "")],
            YES.to_owned(),
            Clause::Led07,
        ),
        (
            vec![resolved("allow", &good, asked, r#","edited":"d2""#)],
            YES.to_owned(),
            Clause::Led08,
        ),
        (vec![approve.clone()], PLAIN.to_owned(), Clause::Led10),
        (vec![resolved("deny", &good, asked, "")], YES.to_owned(), Clause::Led11),
        (vec![resolved("deny", "", asked, "")], PLAIN.to_owned(), Clause::I4),
        (vec![resolved("allow", "", real, "")], PLAIN.to_owned(), Clause::I4),
        (vec![resolved("allow", "", asked, "")], YES.to_owned(), Clause::Led14),
        (
            vec![resolved("allow", &good, asked, r#","settlement":true"#)],
            YES.to_owned(),
            Clause::Led15,
        ),
        (
            vec![
                approve.clone(),
                resolved("deny", &attested("c", "policy", r#"["net","write"]"#, "d1", no), asked, ""),
            ],
            YES.to_owned(),
            Clause::Led02,
        ),
        (vec![approve.clone(), r#"{"event":"supersede"}"#.to_owned()], YES.to_owned(), Clause::Led22),
        (
            vec![approve.clone(), r#"{"event":"keepForBytes","runs":"d2"}"#.to_owned()],
            YES.to_owned(),
            Clause::Led23,
        ),
        (vec![approve.clone()], format!(r#""runs":"d2",{YES}"#), Clause::Led23),
        (
            vec![r#"{"event":"set","reason":"unshown_content","origin":"content"}"#.to_owned()],
            r#""record":{"decision":"deny","deniedBy":"ask_resolution","settlement":{"kind":"refused","reason":"declined"},"origin":"content"}"#.to_owned(),
            Clause::I4,
        ),
        (vec![], YES.to_owned(), Clause::Led01),
        (
            vec![approve.clone()],
            r#""record":{"decision":"allow","settlement":{"kind":"approved","by":"person"},"origin":"hook"}"#.to_owned(),
            Clause::I1,
        ),
        (
            vec![approve],
            r#""record":{"decision":"deny","deniedBy":"org"}"#.to_owned(),
            Clause::I3,
        ),
    ];
    for (events, exit, clause) in cases {
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let blamed = blame(&events, &exit);
        assert_eq!(
            blamed.as_ref().map(|(clause, _)| *clause),
            Some(clause),
            "{events:?} {exit}"
        );
    }
}

#[test]
fn a_trace_that_is_cut_is_unknown_and_never_lawful() {
    let lines = lawful(5, 400, 8);
    let whole = audit(text(&lines)).1;
    for cut in [lines.len() / 3, lines.len() / 2] {
        let head = audit(text(&lines[..cut])).1;
        let tail = audit(text(&lines[cut..])).1;
        assert!(head.traces.unknown > 0 && tail.traces.unknown > 0);
        assert_eq!(head.unlawful() + tail.unlawful(), 0);
        assert!(head.traces.lawful + tail.traces.lawful < whole.traces.lawful);
        assert_eq!(
            head.unknown.keys().copied().collect::<Vec<_>>(),
            [Why::NoExit]
        );
        assert_eq!(
            tail.unknown.keys().copied().collect::<Vec<_>>(),
            [Why::BeganBefore]
        );
    }
    let event = |seq: u64| {
        format!(r#"{{"kind":"event","call":"c","seq":{seq},"event":{{"event":"supersede"}}}}"#)
    };
    let exit = |seq: u64| format!(r#"{{"kind":"exit","call":"c","seq":{seq},{PLAIN}}}"#);
    for (lines, unknown) in [
        (vec![event(0), event(2), exit(3)], Some(Why::Gap)),
        (vec![event(0), event(1), event(1), exit(2)], Some(Why::Gap)),
        (vec![event(0), exit(2)], Some(Why::Gap)),
        (vec![exit(1)], Some(Why::BeganBefore)),
        (vec![event(0)], Some(Why::NoExit)),
        (vec![event(0), event(0), exit(1)], Some(Why::NoExit)),
        (vec![exit(0)], None),
        (vec![event(0), exit(1)], None),
    ] {
        let (_, summary) = audit(text(&lines));
        assert_eq!(summary.unknown.keys().next().copied(), unknown, "{lines:?}");
        assert_eq!(summary.traces.unknown, u64::from(unknown.is_some()));
    }
    // a record that is unlawful by itself is, whatever came before it
    let bad = r#"{"kind":"exit","call":"c","seq":9,"record":{"decision":"deny"}}"#.to_owned();
    assert_eq!(audit(text(&[bad])).1.traces.unlawful, 1);
}

#[test]
fn sessions_keep_equal_calls_apart() {
    let line = |session: &str, rest: &str| {
        format!(r#"{{"kind":"event","session":"{session}","call":"c",{rest}}}"#)
    };
    let begin = r#""seq":0,"event":{"event":"supersede"}"#;
    let lines = [line("a", begin), line("b", begin)];
    let ends = ["a", "b"].map(|session| {
        format!(r#"{{"kind":"exit","session":"{session}","call":"c","seq":1,{PLAIN}}}"#)
    });
    let (notes, summary) = audit(text(&[lines, ends].concat()));
    assert_eq!((notes.len(), summary.traces.lawful), (0, 2));
}

#[test]
fn the_oldest_open_call_ends_as_unknown_when_too_many_are_open() {
    let begin = |call: u32| {
        format!(r#"{{"kind":"event","call":"{call}","seq":0,"event":{{"event":"supersede"}}}}"#)
    };
    let lines: Vec<String> = (0..50).map(begin).collect();
    let (notes, summary) = audit_of(memory(text(&lines)), {
        let mut settings = Settings::default();
        settings.max_open = 10;
        settings
    });
    assert_eq!(
        summary.unknown,
        BTreeMap::from([(Why::Evicted, 40), (Why::NoExit, 10)])
    );
    let first: Vec<&str> = notes
        .iter()
        .filter_map(|note| match note {
            Note::Unknown(unknown) => Some(unknown.call.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        first,
        (0..50).map(|call| call.to_string()).collect::<Vec<_>>()
    );
}

#[test]
fn any_number_of_threads_says_the_same_in_the_same_order() {
    // faults of every kind, bad lines, and a file that ends in the middle of a line
    let mut files = Vec::new();
    for seed in 0..3 {
        let mut lines = lawful(seed, 3000, 40);
        let places = [200usize, 1999, 2000, 4000, 7000];
        for (place, (_, fault)) in places.iter().zip(faults()) {
            let place = (*place).min(lines.len());
            lines.insert(place, fault);
            lines.insert(place, "not a record".to_owned());
            lines.remove(place / 3);
        }
        let mut log = text(&lines);
        log.truncate(log.len() - 20);
        files.push(Input::Memory(
            format!("log-{seed}"),
            log.into_bytes().into(),
        ));
    }
    let run = |threads| {
        audit_of(files.clone(), {
            let mut settings = Settings::default();
            settings.threads = threads;
            settings
        })
    };
    let (notes, summary) = run(1);
    assert!(findings(&notes).len() >= 12, "{}", notes.len());
    assert!(summary.read.torn == 3 && summary.read.bad_lines >= 12 && summary.traces.unknown > 0);
    for threads in [2, 3, 8] {
        let (others, other) = run(threads);
        assert_eq!(notes, others);
        assert_eq!(summary, other);
    }
}

#[test]
fn logs_that_are_no_logs_get_a_clear_sentence() {
    let says = |bytes: &[u8]| {
        let (notes, summary) = audit(bytes);
        let logs: Vec<String> = notes
            .iter()
            .filter_map(|note| match note {
                Note::Log(log) => Some(log.says.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(summary.judged(), 0);
        (logs.join("; "), summary)
    };
    let (empty, _) = says(b"");
    assert!(empty.contains("it is empty"), "{empty}");
    let noise: Vec<u8> = (0..200_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let (binary, summary) = says(&noise);
    assert!(binary.contains("it looks binary"), "{binary}");
    assert!(summary.read.bad_lines > 100);
    let (prose, _) = says(b"hello\nworld\n");
    assert!(prose.contains("not one line of it is a record"), "{prose}");
    let (foreign, _) = says(b"{\"type\":\"gate\"}\n");
    assert!(foreign.contains("--map"), "{foreign}");
}

#[test]
fn a_long_line_is_counted_and_passed_over() {
    let good = &lawful(1, 30, 2);
    for size in [2_000, 200_000, 3_000_000] {
        for end in ["\n", ""] {
            let mut log = text(good).into_bytes();
            log.extend(std::iter::repeat_n(b'x', size));
            log.extend_from_slice(end.as_bytes());
            if !end.is_empty() {
                log.extend_from_slice(text(good).as_bytes());
            }
            let (notes, summary) = audit_of(memory(log), {
                let mut settings = Settings::default();
                settings.max_line = 1000;
                settings
            });
            assert_eq!(
                summary.read.bad_lines + summary.read.torn,
                1,
                "{size}: {notes:?}"
            );
            let lines = if end.is_empty() {
                good.len() + 1
            } else {
                2 * good.len() + 1
            };
            assert_eq!(summary.read.lines, lines as u64);
            assert_eq!(summary.unlawful(), 0);
            assert!(matches!(&notes[0], Note::BadLine(bad) if bad.line == good.len() as u64 + 1));
        }
    }
    // a line that is long and allowed
    let line = format!(
        r#"{{"kind":"outcome","call":"c","tool":"{}",{PLAIN}}}"#,
        "t".repeat(700_000)
    );
    let (notes, summary) = audit(text(&[line.clone(), line]));
    assert_eq!((notes.len(), summary.outcomes.lawful), (0, 2));
}

#[test]
fn packed_logs_are_unpacked_and_a_torn_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let log = text(&lawful(2, 2000, 8));
    let plain = audit(log.as_bytes()).1;
    let gz = folder.path().join("log.jsonl.gz");
    let half = log.len() / 2;
    {
        // two members, as appending to a packed log makes them
        let mut file = std::fs::File::create(&gz).unwrap();
        for part in [&log.as_bytes()[..half], &log.as_bytes()[half..]] {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(part).unwrap();
            file.write_all(&packed.finish().unwrap()).unwrap();
        }
    }
    let zst = folder.path().join("log.jsonl.zst");
    {
        let mut file = std::fs::File::create(&zst).unwrap();
        for part in [&log.as_bytes()[..half], &log.as_bytes()[half..]] {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            file.write_all(&ruzstd::encoding::compress_to_vec(part, level))
                .unwrap();
        }
    }
    for path in [&gz, &zst] {
        let (notes, summary) = audit_of(vec![Input::File(path.clone())], Settings::default());
        assert_eq!(notes, [], "{}", path.display());
        assert_eq!(summary, plain);
    }
    for path in [gz, zst] {
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
        let (notes, summary) = audit_of(vec![Input::File(path)], Settings::default());
        assert_eq!(summary.read.unread, 1);
        assert!(summary.judged() > 0);
        assert!(
            notes
                .iter()
                .any(|note| matches!(note, Note::Log(log) if log.says.contains("cannot be read"))),
            "{notes:?}"
        );
    }
}

#[test]
fn a_foreign_log_is_read_by_a_map() {
    let map = Map::read(
        r#"{
            "ignore": ["pid", "trace.spans"],
            "members": {
                "toolCallId": "call", "payload.outcome": "record", "denied_by": "deniedBy",
                "how": "kind", "who": "by", "why": "reason"
            },
            "fixed": { "kind": "outcome" },
            "words": {
                "kind": { "yes": "approved", "no": "refused" },
                "by": { "user": "person" }, "reason": { "user_declined": "declined" },
                "deniedBy": { "permissions": "policy", "user": "ask_resolution" }
            }
        }"#,
    )
    .unwrap();
    let log = r#"
{"toolCallId":"1","pid":7,"payload":{"outcome":{"decision":"allow","settlement":{"how":"yes","who":"user"},"origin":"ask"}}}
{"toolCallId":"2","trace":{"spans":[1,2]},"payload":{"outcome":{"decision":"deny","denied_by":"permissions"}}}
{"toolCallId":"3","payload":{"outcome":{"decision":"allow","settlement":{"how":"no","why":"user_declined"},"origin":"ask"}}}
{"toolCallId":"4","other":1,"payload":{"outcome":{"decision":"allow"}}}
{"toolCallId":"5","call":"6","payload":{"outcome":{"decision":"allow"}}}
{"toolCallId":"5","toolCallId":"6","payload":{"outcome":{"decision":"allow"}}}
"#;
    let (notes, summary) = audit_of(memory(log), {
        let mut settings = Settings::default();
        settings.map = Some(map);
        settings
    });
    assert_eq!(
        (summary.outcomes.lawful, summary.outcomes.unlawful),
        (2, 1),
        "{notes:?}"
    );
    assert_eq!(summary.read.bad_lines, 3);
    assert_eq!(findings(&notes)[0].clause, Clause::I4);
    for (map, why) in [
        (r#"{"wrods":{}}"#, "unknown field"),
        (r#"{"words":{"deniedBy":{"x":"polcy"}}}"#, "no word `polcy`"),
        (r#"{"words":{"tool":{"x":"y"}}}"#, "members with words are"),
        ("[", "no JSON"),
        (r#"{"ignore":[],"ignore":[]}"#, "doubled member"),
    ] {
        let error = Map::read(map).unwrap_err();
        assert!(error.contains(why), "{map}: {error}");
    }
}

#[test]
fn summaries_of_shards_add_up() {
    let mut whole = Summary::default();
    let mut counts = (0, 0);
    for seed in 0..3 {
        let mut lines = lawful(seed, 200, 4);
        lines.insert(9, faults()[seed as usize].1.clone());
        let (_, summary) = audit(text(&lines));
        counts = (counts.0 + summary.judged(), counts.1 + summary.findings());
        let written = serde_json::to_string(&summary).unwrap();
        whole.merge(serde_json::from_str(&written).unwrap());
    }
    assert_eq!((whole.judged(), whole.findings()), counts);
    assert_eq!(whole.clauses.len(), 3);
    assert_eq!(whole.read.files, 3);
}

#[test]
fn a_live_log_is_followed_until_it_is_told_to_stop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.jsonl");
    let faults = faults();
    std::fs::write(&path, format!("{}\n", faults[0].1)).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let mut settings = Settings::default();
    settings.follow = Some(Arc::clone(&stop));

    let (sender, receiver) = std::sync::mpsc::channel();
    let input = vec![Input::File(path.clone())];
    let audit = std::thread::spawn(move || {
        Audit::new(input, settings).run(&mut |note: &Note| sender.send(note.clone()).unwrap())
    });
    let next = || {
        receiver
            .recv_timeout(Duration::from_secs(20))
            .expect("a note")
    };
    assert!(matches!(next(), Note::Finding(finding) if finding.clause == Clause::I1));
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap();
    let (half, rest) = faults[3].1.split_at(20);
    file.write_all(half.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(150));
    file.write_all(format!("{rest}\n").as_bytes()).unwrap();
    let note = next();
    assert!(matches!(note, Note::Finding(finding) if finding.line == 2));
    file.write_all(b"{\"kind\"").unwrap();
    std::thread::sleep(Duration::from_millis(150));
    gatespec::audit::parallel::stop(&stop);
    assert!(matches!(next(), Note::BadLine(bad) if bad.torn && bad.line == 3));
    assert_eq!(audit.join().unwrap().summary.unlawful(), 2);
}

#[test]
fn digests_are_equal_as_they_are_spelt() {
    let hex = "ab".repeat(32);
    assert_eq!(Digest::of_text(hex.as_bytes()), Digest([0xab; 32]));
    assert_eq!(Digest([0xab; 32]).to_string(), hex);
    let other = [
        hex.to_uppercase(),
        format!("sha256:{hex}"),
        hex[..62].to_owned(),
        String::new(),
    ];
    for (at, text) in other.iter().enumerate() {
        assert_ne!(Digest::of_text(text.as_bytes()), Digest([0xab; 32]));
        assert_eq!(
            Digest::of_text(text.as_bytes()),
            Digest::of_text(text.as_bytes())
        );
        for another in &other[at + 1..] {
            assert_ne!(
                Digest::of_text(text.as_bytes()),
                Digest::of_text(another.as_bytes())
            );
        }
    }
}

#[test]
fn an_event_reads_as_its_published_shape() {
    for line in lawful(9, 300, 4) {
        let read: Line = serde_json::from_str(&line).unwrap();
        assert_eq!(json(&read), line);
    }
    let shapes = [
        r#"{"kind":"event","call":"c","seq":0,"event":{"event":"causeOf","decision":"deny","classified":{"call":"c","cause":"parse_error"}}}"#,
        r#"{"kind":"event","call":"c","seq":0,"event":{"event":"classifierRoundOf","decision":"allow","classified":{"call":"c","round":"r"}}}"#,
        r#"{"kind":"event","call":"c","seq":0,"event":{"event":"supersede"}}"#,
    ];
    for shape in shapes {
        let read: Line = serde_json::from_str(shape).unwrap();
        assert_eq!(json(&read), shape);
        assert!(matches!(read, Line::Event(line) if !matches!(line.event, Event::Set { .. })));
    }
}
