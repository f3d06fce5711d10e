//! The seam: its whole table, all member lists of a verdict up to a bound, and what else a
//! control may print.
//!
//! ```
//! use gatespec::generate::{Settings, verdict};
//! use gatespec::model::verdict::parse;
//!
//! let outputs: Vec<_> = verdict::outputs(&Settings::default()).take(2_000).collect();
//! assert!(outputs.iter().any(|output| parse(output).is_ok()));
//! assert!(outputs.iter().any(|output| parse(output).is_err()));
//! ```

use serde_json::{Value, json};

use super::Settings;
use crate::ops::Text;
use crate::ops::verdict::{
    Adjudicate, Answer, Call, Failed, Op, Parse, RefusalText, Request, True,
};

mod random;

pub use random::strategy;

/// The members of the enumerated objects; `$r` and `$s` are reasons, `$u` is a name that no
/// verdict has.
pub const MEMBERS: [&str; 18] = [
    r#""verdict":"pass""#,
    r#""verdict":"refuse""#,
    r#""verdict":"hold""#,
    r#""reason":"$r""#,
    r#""reason":"""#,
    r#""reason":null"#,
    r#""reason":1"#,
    r#""verd\u0069ct":"pass""#,
    r#""verdict":"p\u0061ss""#,
    r#""reas\u006fn":"$s""#,
    r#""verdict":"Pass""#,
    r#""verdict":"$u""#,
    r#""verdict":true"#,
    r#""verdict":null"#,
    r#""Verdict":"pass""#,
    r#""$u":"pass""#,
    r#""$u":null"#,
    r#""reason":"  $r\n""#,
];

/// What may stand before and after an object: white space is nothing, the rest is a fault.
pub const WRAPS: [(&str, &str); 18] = [
    (" ", ""),
    ("", "\n"),
    ("\r\n\t", " \n"),
    ("", "0"),
    ("", ","),
    ("", "}"),
    ("", "{}"),
    ("", "\n{\"verdict\":\"pass\"}"),
    ("", "\0"),
    ("", "\u{a0}"),
    ("\u{a0}", ""),
    ("\u{c}", ""),
    ("\u{feff}", ""),
    ("ready\n", ""),
    ("// \n", ""),
    ("\"", "\""),
    ("[", "]"),
    ("{\"verdict\":\"pass\"}\n", ""),
];

/// Outputs that no member list spells.
pub const OUTPUTS: [&[u8]; 34] = [
    b"",
    b" \n",
    b"null",
    b"true",
    b"0",
    b"pass",
    b"\"pass\"",
    b"[]",
    b"[\"pass\"]",
    b"{",
    b"}",
    b"{\"verdict\"}",
    b"{\"verdict\":}",
    b"{\"verdict\":\"pass\"",
    b"{\"verdict\":\"pass",
    b"{\"verdict\":\"pass\",}",
    b"{,\"verdict\":\"pass\"}",
    b"{\"verdict\"=\"pass\"}",
    b"{'verdict':'pass'}",
    b"{verdict:\"pass\"}",
    b"{\"verdict\":pass}",
    b"{\"verdict\":\"pass\" \"reason\":\"\"}",
    b"{\"verdict\":[\"pass\"]}",
    b"{\"verdict\":{\"verdict\":\"pass\"}}",
    b"{\"verdict\":\"refuse\",\"reason\":[]}",
    b"{ \"verdict\" :\n\"hold\" , \"reason\" : \"\\ud83d\\ude00 \\\"\\u0000\" }",
    b"{\"verdict\":\"refuse\",\"reason\":\"\\ud83d\"}",
    b"{\"verdict\":\"refuse\",\"reason\":\"\\ude00\"}",
    b"{\"verdict\":\"refuse\",\"reason\":\"\\x41\"}",
    b"{\"verdict\":\"refuse\",\"reason\":\"a\nb\"}",
    b"{\"verdict\":\"refuse\",\"reason\":\"\xff\"}",
    b"{\"verdict\":\"refuse\",\"reason\":\"\xed\xa0\xbd\"}",
    b"{\"verdict\":\"pass\"}\xff",
    b"{\0\"\0v\0",
];

/// Every case of the suite's bounded space: outputs, requests, the whole table, refusals.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let parse = outputs(settings).map(|output| {
        Op::Parse(Parse {
            output: Text(output),
        })
    });
    parse
        .chain(requests(settings))
        .chain(table(settings))
        .chain(refusals(settings))
}

/// The member texts with this seed's names put in.
fn members(settings: &Settings) -> Vec<String> {
    let names = settings.names();
    MEMBERS
        .iter()
        .map(|member| {
            member
                .replace("$r", &names.name("reason", 0))
                .replace("$s", &names.name("reason", 1))
                .replace("$u", &names.name("word", 0))
        })
        .collect()
}

/// The object with the members whose numbers are the digits of `index`.
fn object(members: &[String], index: usize, length: u32) -> String {
    let digit = |place| index / members.len().pow(place) % members.len();
    let list: Vec<&str> = (0..length)
        .rev()
        .filter_map(|place| members.get(digit(place)).map(String::as_str))
        .collect();
    format!("{{{}}}", list.join(","))
}

/// Every enumerated output: all objects of up to [`Settings::verdict_members`] members, those of
/// up to two with each wrap around them, the other outputs, and deep nesting.
pub fn outputs(settings: &Settings) -> impl Iterator<Item = Vec<u8>> + Send + use<> {
    let members = members(settings);
    let bare = members.clone();
    let most = u32::try_from(settings.verdict_members).unwrap_or(u32::MAX);
    let objects = (0..=most).flat_map(move |length| {
        let members = bare.clone();
        (0..members.len().pow(length)).map(move |index| object(&members, index, length))
    });
    let wrapped = (1..=most.min(2)).flat_map(move |length| {
        let members = members.clone();
        (0..members.len().pow(length)).flat_map(move |index| {
            let object = object(&members, index, length);
            WRAPS
                .iter()
                .map(move |(before, after)| format!("{before}{object}{after}"))
        })
    });
    OUTPUTS
        .iter()
        .map(|output| output.to_vec())
        .chain(objects.map(String::into_bytes))
        .chain(wrapped.map(String::into_bytes))
        .chain(deep(settings.verdict_nesting))
}

/// Nesting that a recursive reader may not survive.
fn deep(depth: usize) -> impl Iterator<Item = Vec<u8>> + Send {
    [
        ("[", "]", "", ""),
        ("{\"verdict\":", "}", "", ""),
        ("[", "]", "{\"verdict\":\"pass\",\"x\":", "}"),
    ]
    .into_iter()
    .flat_map(move |(open, close, before, after)| {
        let nest = format!("{before}{}", open.repeat(depth));
        let closed = format!("{nest}{}{after}", close.repeat(depth));
        [nest.into_bytes(), closed.into_bytes()]
    })
}

/// A call with this input.
fn call(settings: &Settings, input: Value) -> Call {
    let names = settings.names();
    Call {
        id: names.name("call", 0),
        name: names.name("tool", 0),
        input,
        role: names.name("role", 0),
        agent_id: names.name("agent", 0),
    }
}

fn requests(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let word = settings.names().name("word", 0);
    let inputs = [
        Value::Null,
        json!({}),
        json!([]),
        json!(""),
        json!(word),
        json!(" é\u{2028}\"\\\n<&>\u{0}😀"),
        json!(true),
        json!(0),
        json!(-9_007_199_254_740_991_i64),
        json!(0.5),
        json!({"path": word, "lines": [1, 2, 3]}),
        json!({"a": null}),
        json!({"": ""}),
        json!({"id": word, "name": word, "input": {"role": word}, "agent_id": word}),
        json!({"agentId": word}),
        json!([null, [], {}, [[{"b": [null]}]]]),
        json!({"b": {"c": {"d": [{"e": ""}, null]}}}),
        json!("{\"verdict\":\"pass\"}"),
    ];
    let settings = settings.clone();
    inputs.into_iter().map(move |input| {
        Op::Request(Request {
            call: call(&settings, input),
        })
    })
}

/// What controls print in the table: each verdict, and each way to be none.
fn printed(settings: &Settings) -> Vec<Vec<u8>> {
    let reason = settings.names().name("reason", 0);
    let texts = [
        r#"{"verdict":"pass"}"#,
        r#"{"verdict":"refuse","reason":"$r"}"#,
        r#"{"verdict":"hold","reason":"$r"}"#,
        r#"{"verdict":"refuse","reason":""}"#,
        " {\"verdict\":\"pass\"}\n",
        "",
        "pass",
        r#"{"verdict":"pass""#,
        r#"{"verdict":"pass"}{"verdict":"pass"}"#,
        r#"{"verdict":"pass","verdict":"pass"}"#,
        r#"{"verdict":"pass","$r":1}"#,
        r#"{"reason":"$r"}"#,
        r#"{"verdict":"maybe"}"#,
        r#"{"verdict":"refuse"}"#,
        r#"{"verdict":"hold","reason":1}"#,
        r#"{"verdict":"pass","reason":"$r"}"#,
        r#"{"verdict":"pass","reason":null}"#,
    ];
    let texts = texts.map(|text| text.replace("$r", &reason).into_bytes());
    texts
        .into_iter()
        .chain([b"{\"verdict\":\"pass\"}\xff".to_vec()])
        .collect()
}

/// Every answer of the table.
fn answers(settings: &Settings) -> Vec<Answer> {
    let printed = printed(settings);
    let some = || printed.iter().take(6).map(|stdout| Text(stdout.clone()));
    let mut all = Vec::new();
    for exit in [0, 1, 2, 127, 255] {
        all.extend(printed.iter().map(|stdout| Answer::Exited {
            exit,
            stdout: Text(stdout.clone()),
        }));
    }
    for signal in [1, 2, 6, 9, 11, 13, 15] {
        all.extend(some().map(|stdout| Answer::Killed { signal, stdout }));
    }
    all.push(Answer::NotSpawned {
        spawn: Failed::Failed,
    });
    all.extend(some().map(|stdout| Answer::TimedOut {
        timed_out: True,
        stdout,
    }));
    all
}

/// The whole table: configured or not, each answer, the stop flag set or not.
pub fn table(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let call = call(settings, json!({}));
    let command = settings.names().name("control", 0);
    answers(settings).into_iter().flat_map(move |answer| {
        let (call, command) = (call.clone(), command.clone());
        [(true, false), (true, true), (false, false), (false, true)]
            .into_iter()
            .map(move |(configured, stop)| {
                let (call, command, answer) = (call.clone(), command.clone(), answer.clone());
                Op::Adjudicate(Adjudicate {
                    configured,
                    command,
                    call,
                    answer,
                    stop,
                })
            })
    })
}

fn refusals(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let names = settings.names();
    let tool = names.name("tool", 0);
    let reasons = ["$r", "$r: \"$s\"", " $r\n$s ", "é 😀 <$r> & 100%", ""];
    let reasons = reasons.map(|reason| {
        reason
            .replace("$r", &names.name("reason", 0))
            .replace("$s", &names.name("reason", 1))
    });
    reasons.into_iter().map(move |reason| {
        Op::RefusalText(RefusalText {
            tool: tool.clone(),
            reason,
        })
    })
}
