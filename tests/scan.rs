//! The promise: the fast reader of logs reads a line as its published shape says, or leaves it to
//! serde; nothing that serde refuses is accepted, and nothing is read otherwise.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

use gatespec::audit::entry::Span;
use gatespec::audit::record::{
    Asked, Attestation, Classified, Digest, Event, EventLine, ExitLine, Line, OutcomeLine, Reading,
    Resolution, Returned,
};
use gatespec::audit::sample::Sample;
use gatespec::audit::scan;
use gatespec::model::ledger::Verdict;
use gatespec::model::outcome::{Approver, Cause, Decision, Layer, Record, Refusal, Settlement};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

#[path = "scan/told.rs"]
mod told;
use told::told;

/// What the fast reader makes of a line, if it takes it.
fn fast(line: &[u8]) -> Option<String> {
    let at = Span {
        start: 3,
        len: u32::try_from(line.len()).unwrap(),
    };
    let text = [b"x\n{", line, b"\"}\n"].concat();
    scan::scan(&text, at).map(|entry| told(&entry, &text))
}

/// What the shapes make of it.
fn shaped(line: &[u8]) -> Result<String, String> {
    let mut text = line.to_vec();
    let at = Span {
        start: 0,
        len: u32::try_from(line.len()).unwrap(),
    };
    scan::read_by_shape(&mut text, at).map(|entry| told(&entry, &text))
}

/// The one property: what is taken fast is taken alike by the shapes.
fn agree(line: &[u8]) -> Result<bool, TestCaseError> {
    match fast(line) {
        None => Ok(false),
        Some(fast) => {
            prop_assert_eq!(Ok(fast), shaped(line), "{}", line.escape_ascii());
            Ok(true)
        }
    }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(vec!["policy", "hook", "write", "net", "c", "toolu_01ABC", "", "a b", "[", "{}"])
            .prop_map(str::to_owned),
        2 => "[ -~]{0,12}",
        1 => select(vec!["é", "\u{7f}", "\"", "\\", "\n", "\u{0}", "日本", "a\u{2028}"])
            .prop_map(str::to_owned),
        1 => "[a-z]{250,260}",
    ]
}

fn digests() -> impl Strategy<Value = Digest> {
    prop_oneof![
        4 => select(vec![Digest([0; 32]), Digest([0xab; 32]), Digest([7; 32])]),
        1 => any::<[u8; 32]>().prop_map(Digest),
    ]
}

fn settlements() -> impl Strategy<Value = Settlement> {
    prop_oneof![
        select(Approver::ALL).prop_map(|by| Settlement::Approved { by }),
        select(Refusal::ALL).prop_map(|reason| Settlement::Refused { reason }),
    ]
}

fn records() -> impl Strategy<Value = Record> {
    let words = || option::of(words());
    (
        select(Decision::ALL),
        option::of(select(Layer::ALL)),
        option::of(select(Cause::ALL)),
        option::of(settlements()),
        words(),
        words(),
        words(),
        words(),
    )
        .prop_map(
            |(decision, denied_by, cause, settlement, origin, classifier, released, mode)| Record {
                decision,
                denied_by,
                cause,
                settlement,
                origin,
                classifier,
                released,
                mode_refusal: mode,
            },
        )
}

fn classes() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        5 => vec(select(vec!["write", "net", "read"]).prop_map(str::to_owned), 0..4),
        1 => vec(words(), 0..12),
    ]
}

fn attestations() -> impl Strategy<Value = Attestation> {
    (words(), words(), classes(), digests(), settlements()).prop_map(
        |(call, origin, classes, digest, settlement)| Attestation {
            call,
            origin,
            classes,
            digest,
            settlement,
        },
    )
}

fn events() -> impl Strategy<Value = Event> {
    let reading = || {
        let classified = (words(), option::of(select(Cause::ALL)), option::of(words()))
            .prop_map(|(call, cause, round)| Classified { call, cause, round });
        (select(Decision::ALL), option::of(classified)).prop_map(|(decision, classified)| Reading {
            decision,
            classified,
        })
    };
    let resolution = (
        select(Decision::ALL),
        option::of(attestations()),
        option::of(digests()),
        any::<bool>(),
    )
        .prop_map(|(decision, record, edited, settlement)| Resolution {
            decision,
            record,
            edited,
            settlement,
        });
    let asked =
        (words(), classes(), any::<bool>()).prop_map(|(origin, classes, real_approval)| Asked {
            origin,
            classes,
            real_approval,
        });
    prop_oneof![
        1 => (select(Refusal::ALL), words())
            .prop_map(|(reason, origin)| Event::Set { reason, origin }),
        4 => (resolution, asked, digests()).prop_map(|(resolution, asked, request)| {
            Event::Resolved { resolution, asked, request }
        }),
        3 => (select(Verdict::ALL), option::of(attestations()), digests())
            .prop_map(|(decision, record, runs)| Event::Decision { decision, record, runs }),
        1 => Just(Event::Supersede {}),
        1 => digests().prop_map(|runs| Event::KeepForBytes { runs }),
        1 => reading().prop_map(Event::CauseOf),
        1 => reading().prop_map(Event::ClassifierRoundOf),
    ]
}

fn lines() -> impl Strategy<Value = Line> {
    let head = || {
        (
            option::of(words()),
            words(),
            option::of(words()),
            option::of(words()),
        )
    };
    let returned = (
        option::of(select(Verdict::ALL)),
        option::of(select(Layer::ALL)),
        any::<bool>(),
        option::of(select(Cause::ALL)),
        option::of(words()),
    )
        .prop_map(|(decision, denied_by, fault, cause, round)| Returned {
            decision,
            denied_by,
            fault,
            cause,
            round,
        });
    let seq = || prop_oneof![3 => 0u64..9, 1 => any::<u64>(), 1 => Just(10u64.pow(18))];
    prop_oneof![
        2 => (head(), records()).prop_map(|((session, call, at, tool), record)| {
            Line::Outcome(OutcomeLine { session, call, at, tool, record })
        }),
        5 => (head(), seq(), events(), option::of(returned)).prop_map(
            |((session, call, at, tool), seq, event, returned)| {
                Line::Event(EventLine { session, call, at, tool, seq, event, returned })
            }
        ),
        2 => (head(), seq(), option::of(digests()), records()).prop_map(
            |((session, call, at, tool), seq, runs, record)| {
                Line::Exit(ExitLine { session, call, at, tool, seq, runs, record })
            }
        ),
    ]
}

/// A value with its members in another order and white space between its tokens.
fn respelt(value: &Value, seed: &mut u64) -> String {
    let mut draw = |bound: usize| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % bound.max(1)
    };
    let space = ["", "", "", " ", "  ", "\t"][draw(6)];
    match value {
        Value::Object(members) => {
            let mut order: Vec<_> = members.iter().collect();
            for at in (1..order.len()).rev() {
                order.swap(at, draw(at + 1));
            }
            let members: Vec<String> = order
                .into_iter()
                .map(|(name, value)| {
                    format!(
                        "{space}\"{name}\"{space}:{space}{}{space}",
                        respelt(value, seed)
                    )
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|value| format!("{space}{}{space}", respelt(value, seed)))
                .collect();
            format!("[{}]", values.join(","))
        }
        other => other.to_string(),
    }
}

/// Pieces that a mutation puts in: the shapes' own, and what JSON may hold besides.
const PIECES: [&str; 40] = [
    "\"kind\":\"exit\",",
    "\"call\":\"c\",",
    "\"seq\":0,",
    "\"seq\":1",
    "null",
    "true",
    "false",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0041",
    "\\\"",
    " ",
    "\t",
    "\r",
    "0",
    "-",
    "1.0",
    "1e3",
    "00",
    "18446744073709551616",
    "é",
    "\u{7f}",
    "\"event\":",
    "\"record\":{\"decision\":\"allow\"}",
    "\"origin\":\"x\",",
    "\"classes\":[]",
    "\"runs\":\"d\"",
    "allow",
    "deny",
    "ask",
    "approved",
    "\"by\":\"person\"",
    "\"settlement\":true",
    "ASK",
];

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0usize..6,
        prop_oneof![
            Just(Vec::new()),
            select(PIECES.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
            any::<u8>().prop_map(|byte| vec![byte]),
        ],
    );
    (lines(), any::<u64>(), vec(edit, 1..4)).prop_map(|(line, mut seed, edits)| {
        let value = serde_json::to_value(&line).unwrap();
        let mut text = if seed % 2 == 0 {
            serde_json::to_vec(&line).unwrap()
        } else {
            respelt(&value, &mut seed).into_bytes()
        };
        for (at, cut, piece) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + cut).min(text.len());
            text.splice(at..end, piece);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_line_as_serde_writes_it(line in lines()) {
        let text = serde_json::to_vec(&line).unwrap();
        let taken = agree(&text)?;
        // whatever is plain and fits is taken: the fast reader is no decoration
        let plain = text.iter().all(|byte| (b' '..=b'~').contains(byte) && *byte != b'\\');
        let long = match &line {
            Line::Event(EventLine { seq, .. }) | Line::Exit(ExitLine { seq, .. }) => {
                *seq > 999_999_999_999_999_999
            }
            Line::Outcome(_) => false,
        };
        let fits = shaped(&text).is_ok();
        prop_assert_eq!(taken, plain && !long && fits, "{}", String::from_utf8_lossy(&text));
    }

    #[test]
    fn a_line_in_another_order_and_with_white_space(line in lines(), mut seed in any::<u64>()) {
        let value = serde_json::to_value(&line).unwrap();
        let text = respelt(&value, &mut seed);
        agree(text.as_bytes())?;
        let written = serde_json::to_vec(&line).unwrap();
        prop_assert_eq!(shaped(text.as_bytes()), shaped(&written));
    }

    #[test]
    fn a_line_that_is_edited(text in mutated()) {
        agree(&text)?;
    }

    #[test]
    fn noise(text in vec(any::<u8>(), 0..200)) {
        agree(&text)?;
    }

    #[test]
    fn pieces(parts in vec(select(PIECES.to_vec()), 0..30)) {
        agree(parts.concat().as_bytes())?;
        agree(format!("{{{}}}", parts.concat()).as_bytes())?;
    }
}

#[test]
fn every_byte_of_an_ordinary_line_replaced_doubled_or_dropped() {
    let mut taken = 0u32;
    for line in Sample::new(4, 3).take(12) {
        let text = serde_json::to_vec(&line).unwrap();
        assert!(agree(&text).unwrap(), "{}", text.escape_ascii());
        for at in 0..text.len() {
            for byte in [
                b'"', b'\\', b' ', b'{', b'}', b'[', b',', b':', b'0', b'x', 0, 0x80, b'A',
            ] {
                for edit in [vec![byte], vec![text[at], byte], vec![]] {
                    let mut other = text.clone();
                    other.splice(at..=at, edit);
                    taken += u32::from(agree(&other).unwrap());
                }
            }
            agree(&text[..at]).unwrap();
        }
    }
    // strings that are not judged may hold any letter
    assert!(taken > 1000, "{taken}");
}

#[test]
fn what_serde_would_take_in_the_place_of_an_object_is_no_record() {
    for line in [
        r#"["outcome",{"call":"c","record":{"decision":"allow"}}]"#,
        r#"{"kind":"outcome","call":"c","record":["allow"]}"#,
        r#"{"kind":"outcome","call":"c","record":["allow",null,null,null,null,null,null,null]}"#,
        r#"{"kind":"event","call":"c","seq":0,"event":{"event":"resolved","resolution":["allow",null,null,false],"asked":{"origin":"p","classes":[]},"request":"d"}}"#,
    ] {
        assert!(fast(line.as_bytes()).is_none());
        assert!(shaped(line.as_bytes()).is_err(), "{line}");
    }
    for line in [
        r#"{"kind":"event","call":"[","seq":0,"at":"[[","event":{"event":"resolved","resolution":{"decision":"allow"},"asked":{"origin":"p","classes":["["]},"request":"d"}}"#,
        r#"{"kind":"outcome","call":"\u0063","record":{"decision":"allow","origin":null}}"#,
    ] {
        assert!(shaped(line.as_bytes()).is_ok(), "{line}");
    }
}

#[test]
fn hex_is_read_as_it_is_written_and_nothing_else() {
    let digest = Digest(std::array::from_fn(|at| (at * 37) as u8));
    let text = digest.to_string();
    assert_eq!(scan::hex(text.as_bytes()), Some(digest.0));
    for at in 0..64 {
        for byte in 0..=255u8 {
            let mut other = text.clone().into_bytes();
            other[at] = byte;
            let good = byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            let read = scan::hex(&other);
            assert_eq!(read.is_some(), good);
            if let Some(bytes) = read {
                assert_eq!(Digest(bytes).to_string().as_bytes(), other);
            }
        }
    }
    for length in [0, 1, 62, 63, 65, 66, 128] {
        assert_eq!(scan::hex(&vec![b'0'; length]), None);
    }
}
