//! Random cases of the seam: mostly verdicts, many of them one edit away from one.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::{MEMBERS, WRAPS, object};
use crate::generate::{Settings, text};
use crate::ops::Text;
use crate::ops::verdict::{
    Adjudicate, Answer, Call, Failed, Op, Parse, RefusalText, Request, True,
};

/// Random questions of every op.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let length = settings.verdict_reason_chars;
    let request = call(length).prop_map(|call| Op::Request(Request { call }));
    let parse = output(length).prop_map(|output| {
        Op::Parse(Parse {
            output: Text(output),
        })
    });
    let seam = (
        prop::bool::weighted(0.85),
        name("control"),
        call(4),
        answer(length),
        any::<bool>(),
    )
        .prop_map(|(configured, command, call, answer, stop)| {
            Op::Adjudicate(Adjudicate {
                configured,
                command,
                call,
                answer,
                stop,
            })
        });
    let refusal = (name("tool"), reason(length))
        .prop_map(|(tool, reason)| Op::RefusalText(RefusalText { tool, reason }));
    prop_oneof![6 => parse, 2 => request, 6 => seam, 1 => refusal]
}

fn name(kind: &'static str) -> impl Strategy<Value = String> {
    text("[a-z0-9]{1,8}").prop_map(move |tag| format!("{kind}-{tag}"))
}

/// Reasons: words, white space around them, every kind of character, nothing.
fn reason(length: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => text("[a-z]{1,8}( [a-z]{1,8}){0,3}"),
        1 => text("[ \t\n]{1,2}[a-z]{1,8}[ \n]"),
        2 => vec(any::<char>(), 0..=length).prop_map(|chars| chars.into_iter().collect()),
        1 => Just(String::new()),
    ]
}

fn call(length: usize) -> impl Strategy<Value = Call> {
    let names = (name("call"), name("tool"), name("role"), name("agent"));
    (names, input(length)).prop_map(|((id, name, role, agent_id), input)| Call {
        id,
        name,
        input,
        role,
        agent_id,
    })
}

/// JSON values without numbers that languages read differently.
fn input(length: usize) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        2 => (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        3 => reason(length).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        let member = (text("[a-zA-Z_ é\"\\\\]{0,6}"), inner.clone());
        prop_oneof![
            vec(inner, 0..5).prop_map(Value::from),
            vec(member, 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// What a control prints: a verdict, a verdict after one edit, a member list, noise.
fn output(length: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => verdict(length),
        4 => edited(length),
        3 => listed(),
        1 => vec(any::<u8>(), 0..24),
    ]
}

/// A well-formed verdict, with random white space, order and escapes.
fn verdict(length: usize) -> impl Strategy<Value = Vec<u8>> {
    let word = select(vec!["pass", "refuse", "hold"]);
    let space = vec(select(vec!["", "", "", " ", "\n", "\t", "\r\n"]), 9);
    (word, reason(length), space, any::<bool>(), 0..4u8).prop_map(
        |(word, reason, space, last, escape)| {
            let text = |text: &str| match escape {
                0 => {
                    text.encode_utf16()
                        .fold("\"".to_owned(), |all, unit| format!("{all}\\u{unit:04x}"))
                        + "\""
                }
                _ => Value::from(text).to_string(),
            };
            let mut members = vec![(text("verdict"), text(word))];
            if word != "pass" {
                members.push((text("reason"), text(&reason)));
            }
            if last {
                members.reverse();
            }
            let mut spaces = space.into_iter().cycle();
            let mut sp = || spaces.next().unwrap_or_default();
            let list: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}{name}{}:{}{value}{}", sp(), sp(), sp(), sp()))
                .collect();
            format!("{}{{{}}}{}", sp(), list.join(","), sp()).into_bytes()
        },
    )
}

/// A verdict with a byte dropped or changed, a piece put in, or cut short.
fn edited(length: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&'static [u8]> = vec![
        b",",
        b"{",
        b"}",
        b"\"",
        b"\\",
        b"\0",
        b"\xff",
        b"0",
        b":",
        b" ",
        b"\\ud800",
        b"\xef\xbb\xbf",
        b",\"verdict\":\"pass\"",
        b",\"reason\":\"\"",
        b",\"x\":{}",
        b"\"verdict\":\"hold\",",
    ];
    let edit = prop_oneof![
        2 => Just((0, b"".as_slice())),
        4 => select(pieces).prop_map(|piece| (1, piece)),
        1 => Just((2, b"".as_slice())),
    ];
    (verdict(length), any::<prop::sample::Index>(), edit).prop_map(|(output, at, (how, piece))| {
        let (head, tail) = output.split_at(at.index(output.len()));
        match how {
            0 => [head, tail.get(1..).unwrap_or_default()].concat(),
            1 => [head, piece, tail].concat(),
            _ => head.to_vec(),
        }
    })
}

/// An object of up to four of the enumerated members, perhaps with a wrap around it.
fn listed() -> impl Strategy<Value = Vec<u8>> {
    let names = (text("[a-z]{1,5}"), text("[a-z]{1,5}"), text("[a-z]{6,9}"));
    let wrap = prop_oneof![2 => Just(("", "")), 1 => select(WRAPS.to_vec())];
    (any::<u32>(), 0..=4u32, names, wrap).prop_map(|(index, length, (r, s, u), (before, after))| {
        let members =
            MEMBERS.map(|member| member.replace("$r", &r).replace("$s", &s).replace("$u", &u));
        let index = usize::try_from(index).unwrap_or_default();
        format!("{before}{}{after}", object(&members, index, length)).into_bytes()
    })
}

fn answer(length: usize) -> impl Strategy<Value = Answer> {
    let stdout = || output(length).prop_map(Text);
    let maybe = || prop_oneof![Just(Text::default()), verdict(8).prop_map(Text)];
    prop_oneof![
        6 => stdout().prop_map(|stdout| Answer::Exited { exit: 0, stdout }),
        2 => (1..=255u8, maybe()).prop_map(|(exit, stdout)| Answer::Exited { exit, stdout }),
        3 => (1..=31u8, maybe()).prop_map(|(signal, stdout)| Answer::Killed { signal, stdout }),
        1 => Just(Answer::NotSpawned { spawn: Failed::Failed }),
        2 => maybe().prop_map(|stdout| Answer::TimedOut { timed_out: True, stdout }),
    ]
}
