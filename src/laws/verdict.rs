//! The laws of the seam, and an oracle that reads a verdict by census.
//!
//! ```
//! use gatespec::laws::verdict::{Census, census};
//! use gatespec::model::verdict::Verdict;
//!
//! assert_eq!(census(br#" {"verdict":"pass"} "#), Census::Verdict(Verdict::Pass));
//! assert_eq!(census(br#"{"verdict":"pass","verdict":"pass"}"#), Census::Fault);
//! ```

use serde_json::Value;

use super::{Law, Violation, ensure};
use crate::model::Clause;
use crate::model::verdict::{
    self as model, Answer, Fault, Gate, Malformed, Request, Verdict, adjudicate, parse,
};
use crate::ops::verdict::{Adjudicate, Op};

/// What the census finds in a control's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Census {
    /// A well-formed verdict.
    Verdict(Verdict),
    /// `"reason": null` beside `pass`: a pass or a fault, as the implementation chooses.
    Free,
    /// Anything else.
    Fault,
}

/// Reads an output another way: takes the JSON value as it comes, last member first, and then
/// counts that nothing was lost on the way.
#[must_use]
pub fn census(output: &[u8]) -> Census {
    let Ok(Value::Object(members)) = serde_json::from_slice(output) else {
        return Census::Fault;
    };
    let counted = members.len() == colons(output);
    let known = members
        .keys()
        .all(|name| ["verdict", "reason"].contains(&name.as_str()));
    let word = members.get("verdict").and_then(Value::as_str);
    match (counted && known, word, members.get("reason")) {
        (true, Some("pass"), None) => Census::Verdict(Verdict::Pass),
        (true, Some("pass"), Some(Value::Null)) => Census::Free,
        (true, Some("refuse"), Some(Value::String(reason))) => Census::Verdict(Verdict::Refuse {
            reason: reason.clone(),
        }),
        (true, Some("hold"), Some(Value::String(reason))) => Census::Verdict(Verdict::Hold {
            reason: reason.clone(),
        }),
        _ => Census::Fault,
    }
}

/// The colons of a JSON text that stand outside its strings and inside one bracket: the members
/// of the outer object, doubled ones too.
fn colons(json: &[u8]) -> usize {
    let (mut count, mut depth, mut string, mut escaped) = (0, 0usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            _ if string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => count += 1,
            _ => {}
        }
    }
    count
}

/// The verdict written out, its strings escaped in full when asked.
fn written(verdict: &Verdict, escaped: bool) -> String {
    let text = |text: &str| {
        let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
        if escaped {
            format!("\"{}\"", units.collect::<String>())
        } else {
            Value::from(text).to_string()
        }
    };
    let (word, reason) = match verdict {
        Verdict::Pass => ("pass", None),
        Verdict::Refuse { reason } => ("refuse", Some(reason)),
        Verdict::Hold { reason } => ("hold", Some(reason)),
    };
    let reason = reason.map(|reason| format!("{}:{},", text("reason"), text(reason)));
    format!(
        "{{{}{}:{}}}",
        reason.unwrap_or_default(),
        text("verdict"),
        text(word)
    )
}

/// The output that a case's reader gets to see.
fn output(op: &Op) -> Option<&[u8]> {
    match op {
        Op::Parse(input) => Some(&input.output.0),
        Op::Adjudicate(input) => input.answer.stdout().map(|stdout| &stdout.0[..]),
        Op::Request(_) | Op::RefusalText(_) => None,
    }
}

fn verdict(op: &Op) -> Option<(&[u8], Verdict)> {
    output(op).and_then(|output| Some((output, parse(output).ok()?)))
}

fn seam(op: &Op) -> Option<&Adjudicate> {
    if let Op::Adjudicate(input) = op {
        Some(input)
    } else {
        None
    }
}

/// A law of every output that is a verdict.
fn of_verdict(
    op: &Op,
    check: impl Fn(&[u8], &Verdict) -> Result<(), Violation>,
) -> Result<(), Violation> {
    verdict(op).map_or(Ok(()), |(output, verdict)| check(output, &verdict))
}

/// What the seam's table says of a control that is configured, read off row by row.
fn row(answer: &Answer, stop: bool) -> Option<Gate> {
    let census = match answer {
        Answer::Exited { code: 0, stdout } => census(stdout),
        _ => Census::Fault,
    };
    match (census, answer, stop) {
        (Census::Verdict(Verdict::Pass), ..) => Some(Gate::Proceed),
        (Census::Verdict(Verdict::Refuse { reason }), ..) => Some(Gate::Refuse { reason }),
        (Census::Verdict(Verdict::Hold { reason }), ..) => Some(Gate::Hold { reason }),
        (_, Answer::Killed { .. }, true) => Some(Gate::Stopped),
        _ => None, // a fault
    }
}

/// The laws, each of every case of the suite.
pub const LAWS: &[Law<Op>] = &[
    Law {
        id: "the_reader_and_the_census_agree",
        sentence: "An output is a verdict exactly where its JSON value has the members of one and none was lost on the way.",
        clauses: &[
            Clause::Ver16,
            Clause::Ver17,
            Clause::Ver18,
            Clause::Ver19,
            Clause::Ver20,
            Clause::Ver21,
            Clause::Ver22,
        ],
        reaches: |op| output(op).is_some_and(|output| census(output) != Census::Fault),
        check: |op| {
            let Some(output) = output(op) else {
                return Ok(());
            };
            let (read, counted) = (parse(output), census(output));
            let agree = match &counted {
                Census::Verdict(verdict) => read.as_ref() == Ok(verdict),
                Census::Free => read == Err(Malformed::NullReasonBesidePass),
                Census::Fault => read.is_err_and(|malformed| !malformed.free()),
            };
            ensure(agree, || format!("the census finds {counted:?}"))
        },
    },
    Law {
        id: "a_verdict_written_again_reads_the_same",
        sentence: "A verdict written anew, members the other way round and each character escaped or not, reads as itself.",
        clauses: &[Clause::Ver17, Clause::Ver18, Clause::Ver21, Clause::Ver22],
        reaches: |op| verdict(op).is_some_and(|(_, verdict)| verdict != Verdict::Pass),
        check: |op| {
            of_verdict(op, |_, verdict| {
                let plain = written(verdict, false);
                let escaped = written(verdict, true);
                let same = |text: &str| parse(text.as_bytes()).as_ref() == Ok(verdict);
                ensure(same(&plain) && same(&escaped), || {
                    format!("{plain} or {escaped} differs")
                })
            })
        },
    },
    Law {
        id: "white_space_around_changes_nothing",
        sentence: "White space before and after an output leaves its reading as it was, the offence too.",
        clauses: &[Clause::Ver16],
        reaches: |op| verdict(op).is_some(),
        check: |op| {
            let Some(output) = output(op) else {
                return Ok(());
            };
            let around = [b" \n", output, b"\t\r\n"].concat();
            ensure(parse(&around) == parse(output), || {
                format!("around: {:?}", parse(&around))
            })
        },
    },
    Law {
        id: "nothing_else_may_stand_around_a_verdict",
        sentence: "A verdict after another, before a word, or behind a byte order mark or a banner is none.",
        clauses: &[Clause::Ver16],
        reaches: |op| verdict(op).is_some(),
        check: |op| {
            of_verdict(op, |output, _| {
                let bom: &[u8] = "\u{feff}".as_bytes();
                let spoilt = [
                    [output, output].concat(),
                    [output, b"0"].concat(),
                    [output, b","].concat(),
                    [bom, output].concat(),
                    [b"ready\n", output].concat(),
                    [b"[", output, b"]"].concat(),
                ];
                ensure(spoilt.iter().all(|output| parse(output).is_err()), || {
                    "one reads".to_owned()
                })
            })
        },
    },
    Law {
        id: "no_part_of_a_verdict_is_one",
        sentence: "A verdict that is cut short at any byte is none.",
        clauses: &[Clause::Ver16, Clause::Ver21],
        reaches: |op| verdict(op).is_some(),
        check: |op| {
            of_verdict(op, |output, _| {
                let whole = output.trim_ascii_end();
                let cut = (0..whole.len()).filter_map(|end| whole.get(..end));
                let read = cut.filter(|part| parse(part).is_ok()).count();
                ensure(read == 0, || format!("{read} parts read"))
            })
        },
    },
    Law {
        id: "one_member_more_is_a_fault",
        sentence: "A verdict with one more member, a new one or one that it has, is none.",
        clauses: &[Clause::Ver19, Clause::Ver20],
        reaches: |op| verdict(op).is_some(),
        check: |op| {
            of_verdict(op, |_, verdict| {
                let plain = written(verdict, false);
                let open = plain.trim_end_matches('}');
                let more = [
                    r#""verdict":"pass""#,
                    r#""verdi\u0063t":"pass""#,
                    r#""":0"#,
                    r#""x":null"#,
                ];
                let read = more
                    .iter()
                    .find(|more| parse(format!("{open},{more}}}").as_bytes()).is_ok());
                ensure(read.is_none(), || format!("with {read:?} it reads"))
            })
        },
    },
    Law {
        id: "nothing_is_asked_when_nothing_is_configured",
        sentence: "With no control configured the call proceeds, whatever a control would have done.",
        clauses: &[Clause::Ver01],
        reaches: |op| seam(op).is_some_and(|case| !case.configured && case.stop),
        check: |op| match seam(op) {
            Some(case) if !case.configured => ensure(case.gate() == Gate::Proceed, || {
                format!("{:?}", case.gate())
            }),
            _ => Ok(()),
        },
    },
    Law {
        id: "the_seam_is_its_table",
        sentence: "A verdict with exit 0 decides, a kill under the flag is the stop, and every other row is a fault of its own kind.",
        clauses: &[
            Clause::Ver05,
            Clause::Ver06,
            Clause::Ver07,
            Clause::Ver08,
            Clause::Ver09,
            Clause::Ver10,
            Clause::Ver11,
            Clause::Ver12,
            Clause::Ver13,
        ],
        reaches: |op| seam(op).is_some_and(|case| case.configured),
        check: |op| {
            let Some(case) = seam(op).filter(|case| case.configured) else {
                return Ok(());
            };
            let answer = Answer::from(&case.answer);
            let same = match (row(&answer, case.stop), case.gate()) {
                (Some(gate), decided) => gate == decided,
                (None, Gate::Fault(fault)) => match answer {
                    Answer::Exited { code: 0, .. } => matches!(fault, Fault::Output(_)),
                    Answer::Exited { code, .. } => fault == Fault::Exited(code),
                    Answer::Killed { signal, .. } => fault == Fault::Killed(signal),
                    Answer::NotSpawned => fault == Fault::NotSpawned,
                    Answer::TimedOut { .. } => fault == Fault::TimedOut,
                },
                (None, _) => false,
            };
            ensure(same, || format!("the seam says {:?}", case.gate()))
        },
    },
    Law {
        id: "the_flag_tells_only_of_a_kill",
        sentence: "The stop flag changes the ruling where a signal killed the control, and nowhere else.",
        clauses: &[Clause::Ver09, Clause::Ver12, Clause::Ver13, Clause::Ver14],
        reaches: |op| seam(op).is_some_and(|case| case.configured && case.stop),
        check: |op| {
            let Some(case) = seam(op).filter(|case| case.configured) else {
                return Ok(());
            };
            let answer = Answer::from(&case.answer);
            let changed = adjudicate(Some(&answer), true) != adjudicate(Some(&answer), false);
            let killed = matches!(answer, Answer::Killed { .. });
            ensure(changed == killed, || {
                format!("changed {changed}, killed {killed}")
            })
        },
    },
    Law {
        id: "a_request_has_five_members_and_the_input_whole",
        sentence: "The request holds the call's five facts under their five names, and the input is the call's.",
        clauses: &[Clause::Ver03, Clause::Ver04],
        reaches: |op| matches!(op, Op::Request(_)),
        check: |op| {
            let Op::Request(input) = op else {
                return Ok(());
            };
            let call = &input.call;
            let (id, name, input) = (&call.id, &call.name, &call.input);
            let (role, agent_id) = (&call.role, &call.agent_id);
            let request = Request {
                id,
                name,
                input,
                role,
                agent_id,
            };
            let json = serde_json::to_value(request).unwrap_or_default();
            let wanted = [
                ("agent_id", Value::from(agent_id.as_str())),
                ("id", Value::from(id.as_str())),
                ("input", input.clone()),
                ("name", Value::from(name.as_str())),
                ("role", Value::from(role.as_str())),
            ];
            let wanted: serde_json::Map<_, _> = wanted
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
            ensure(json == Value::Object(wanted), || {
                format!("the request is {json}")
            })
        },
    },
    Law {
        id: "a_refusal_says_which_tool_and_why",
        sentence: "What the model reads of a refusal holds the tool's name and the control's reason.",
        clauses: &[Clause::Ver23, Clause::Ver24],
        reaches: |op| matches!(op, Op::RefusalText(_)),
        check: |op| {
            let Op::RefusalText(input) = op else {
                return Ok(());
            };
            let text = model::refusal_text(&input.tool, &input.reason);
            let says = text.contains(&input.tool) && text.contains(&input.reason);
            ensure(says, || format!("it says {text:?}"))
        },
    },
    Law {
        id: "a_control_is_consulted_exactly_when_configured",
        sentence: "A ruling other than a proceed without control is one that the control was consulted for.",
        clauses: &[Clause::Ver01, Clause::Ver02, Clause::Ver15],
        reaches: |op| seam(op).is_some_and(|case| matches!(case.gate(), Gate::Fault(_))),
        check: |op| {
            use crate::ops::SuiteOp as _;
            use crate::ops::verdict::{Output, SeamOutput as S};
            let (Some(case), Output::Seam(answer)) = (seam(op), op.expected()) else {
                return Ok(());
            };
            ensure(answer.consulted() == case.configured, || {
                format!("it answers {answer:?}")
            })?;
            let named = match &answer {
                S::Fault {
                    command,
                    tool,
                    detail,
                    ..
                } => *command == case.command && *tool == case.call.name && !detail.is_empty(),
                _ => true,
            };
            ensure(named, || format!("the fault names too little: {answer:?}"))
        },
    },
];
