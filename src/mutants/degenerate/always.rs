//! Gates that say one word to everything.

use serde_json::{Value, json};

use crate::mutants::Reply;
use crate::ops::Op;

/// What a gate says whatever it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Yes: the call runs, the name is one.
    Pass,
    /// No: the call does not run, the name is none.
    Refuse,
    /// Not now: the call is parked.
    Hold,
}

/// The answer of a gate that says one word to everything.
///
/// Where a question has no such word (a name cannot be held, a digest cannot be refused), the gate
/// says what comes nearest, or nothing that can be read.
#[must_use]
pub fn always(op: &Op, word: Word) -> Reply {
    let input: Value = serde_json::from_str(op.input().get()).unwrap_or_default();
    let (suite, question) = op.name().split_once('.').unwrap_or_default();
    let output = match suite {
        "key" => key(question, &input, word),
        "verdict" => verdict(question, &input, word),
        "window" => window(&input, word),
        "boundary" => boundary(question, &input, word),
        "outcome" => json!({"record": record(word)}),
        "ledger" => ledger(question, &input, word),
        _ => pass(&input, word),
    };
    Reply::Raw(output.to_string())
}

/// Whether the model says here what a gate says that refuses everything.
#[must_use]
pub fn is_refusal(op: &Op) -> bool {
    match always(op, Word::Refuse) {
        Reply::Raw(json) => op
            .read_output(&json)
            .is_ok_and(|refusal| op.judge(&refusal).is_empty()),
        Reply::Output(_) | Reply::Unsupported(_) => false,
    }
}

fn at<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Every subject is a node, or none is. Nothing can be held here: that gate answers nothing.
fn key(question: &str, input: &Value, word: Word) -> Value {
    let subject = at(input, "subject");
    let yes = word == Word::Pass;
    match question {
        _ if word == Word::Hold => Value::Null,
        "planKey" if yes => json!({"planKey": {"key": subject, "node": subject}}),
        "planKey" => json!({"planKey": null}),
        "isNodeKey" => json!({"isNodeKey": yes}),
        "nodeName" if yes => json!({"nodeName": subject}),
        "nodeName" => json!({"nodeName": null}),
        "base" => json!({"base": subject, "instance": yes}),
        "liveId" => json!({"live": yes}),
        _ => json!({"instance": subject}),
    }
}

/// Whatever a control prints, and whatever becomes of it, it said the word.
fn verdict(question: &str, input: &Value, word: Word) -> Value {
    let reason = at(input, "reason").as_str().unwrap_or("no");
    match (question, word) {
        ("parse", Word::Pass) => json!({"verdict": "pass"}),
        ("parse", Word::Refuse) => json!({"verdict": "refuse", "reason": reason}),
        ("parse", Word::Hold) => json!({"verdict": "hold", "reason": reason}),
        ("request", _) => json!({"request": at(input, "call")}),
        ("adjudicate", Word::Pass) => json!({"gate": "proceed", "consulted": true}),
        ("adjudicate", Word::Refuse) => {
            json!({"gate": "refuse", "reason": reason, "consulted": true})
        }
        ("adjudicate", Word::Hold) => json!({"gate": "hold", "reason": reason, "consulted": true}),
        (_, Word::Pass) => json!({"text": "it ran", "isError": false}),
        (_, _) => json!({"text": "it was refused", "isError": true}),
    }
}

/// Every call runs in the first drive, or is refused there, or the first is held in every drive.
fn window(input: &Value, word: Word) -> Value {
    let calls: Vec<&Value> = items(at(input, "calls")).collect();
    let mut drives = Vec::new();
    for number in 0..items(at(input, "drives")).count() {
        let mut events = Vec::new();
        let mut mark = Value::Null;
        let fresh = if number == 0 || word == Word::Hold {
            calls.as_slice()
        } else {
            &[]
        };
        for call in fresh {
            let id = at(call, "id");
            events.push(json!({"consulted": id}));
            match word {
                Word::Pass => {
                    let committed = json!({"id": id, "kind": "result", "isError": false});
                    events.extend([json!({"executed": id}), json!({"committed": committed})]);
                }
                Word::Refuse => {
                    let committed = json!({"id": id, "kind": "refusal", "isError": true});
                    events.push(json!({"committed": committed}));
                }
                Word::Hold => {
                    mark = json!({"id": id, "tool": at(call, "tool"), "reason": "later"});
                    break;
                }
            }
        }
        let end = if mark.is_null() { "done" } else { "held" };
        drives.push(json!({"events": events, "end": end, "mark": mark}));
    }
    json!({"drives": drives})
}

/// Every call is ruled so, every answer is taken (or none), and a floor never stands.
fn boundary(question: &str, input: &Value, word: Word) -> Value {
    let ruling = match word {
        Word::Pass => "pass",
        Word::Refuse => "refuse",
        Word::Hold => "hold",
    };
    match question {
        "verdicts" => json!({"verdicts": [ruling]}),
        "envelope" => json!({"envelope": {"op": ruling}}),
        "descends" => json!({"descends": word == Word::Pass}),
        _ => {
            let events: Vec<Value> = items(at(input, "events"))
                .map(|event| match event {
                    _ if event.get("policy").is_some() => json!({"taken": true}),
                    _ if event.get("call").is_none() && word == Word::Refuse => {
                        json!({"refused": "no"})
                    }
                    _ if event.get("call").is_none() => {
                        json!({"receipt": {"floored": word == Word::Hold, "drives": false}})
                    }
                    _ => {
                        let held = if word == Word::Hold {
                            at(at(event, "call"), "id")
                        } else {
                            &Value::Null
                        };
                        json!({"ruling": ruling, "held": held})
                    }
                })
                .collect();
            json!({"events": events})
        }
    }
}

/// The record of every pass. None can say that a call is held.
fn record(word: Word) -> Value {
    match word {
        Word::Pass => json!({"decision": "allow"}),
        Word::Refuse => json!({"decision": "deny", "deniedBy": "policy"}),
        Word::Hold => json!({"decision": "ask"}),
    }
}

/// Every event lets the call run, or refuses it, or asks; nothing is ever settled by a yes or a
/// question, and everything by a refusal.
fn ledger(question: &str, input: &Value, word: Word) -> Value {
    if question == "digest" {
        return json!({"same": word == Word::Pass});
    }
    let settled = match word {
        Word::Refuse => json!({
            "settlement": {"kind": "refused", "reason": "declined"}, "origin": "policy"
        }),
        Word::Pass | Word::Hold => Value::Null,
    };
    let steps: Vec<Value> = items(at(input, "events"))
        .map(|event| match (at(event, "event").as_str(), word) {
            (Some("resolved" | "decision"), Word::Pass) => {
                json!({"decision": "allow", "settled": settled})
            }
            (Some("resolved" | "decision"), Word::Refuse) => {
                json!({"decision": "deny", "deniedBy": "ask_resolution", "settled": settled})
            }
            (Some("resolved" | "decision"), Word::Hold) => {
                json!({"decision": "ask", "settled": settled})
            }
            _ => json!({"settled": settled}),
        })
        .collect();
    json!({"steps": steps})
}

/// Every pass asks nobody and comes to the word.
fn pass(input: &Value, word: Word) -> Value {
    let args = at(at(input, "script"), "input");
    match word {
        Word::Pass => json!({
            "result": "allow", "outcome": record(word), "finalInput": args, "runs": args
        }),
        Word::Refuse => json!({
            "result": "deny", "outcome": record(word), "finalInput": args,
            "observer": [{"outcome": record(word), "input": args}]
        }),
        Word::Hold => json!({"result": "suspended"}),
    }
}
