//! An adapter for gatespec: reads questions on stdin, writes your gate's answers on stdout.
//!
//! Check it with:  gatespec check -- cargo run --quiet --release
//! What is wrong:  gatespec doctor -- cargo run --quiet --release
//!
//! The `key` suite is answered here so that you see one work. Replace its functions with calls into
//! your gate, then take on the next suite: add it to `SUITES`, and answer its ops as the section
//! `On the wire` of its chapter says (spec/<suite>.md).

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

const SUITES: [&str; 1] = ["key"];
// subjects here are text; see `Words for lacks` in each chapter
const LACKS: [&str; 1] = ["bytes"];

struct Plan<'a> {
    key: &'a str,
    iteration: Option<&'a str>,
    node: &'a str,
    step: Option<&'a str>,
}

/// KEY-01 to KEY-08: the parts of a plan key.
fn plan_key(subject: &str) -> Option<Plan<'_>> {
    let mut rest = subject.strip_prefix("node:")?;
    let mut iteration = None;
    if let Some((number, after)) = rest.strip_prefix("iter:").and_then(|rest| rest.split_once(':')) {
        if number.parse::<i64>().is_ok_and(|n| n >= 0 && n.to_string() == number) {
            (iteration, rest) = (Some(number), after);
        }
    }
    let (node, tail) = rest.split_at(rest.find(':').unwrap_or(rest.len()));
    let step = match tail {
        "" => None,
        _ => Some(tail.strip_prefix(":step:").filter(|step| !step.is_empty())?),
    };
    let key = &subject[..subject.len() - tail.len()];
    (!node.is_empty()).then_some(Plan { key, iteration, node, step })
}

/// KEY-10.
fn node_name(subject: &str) -> Option<&str> {
    plan_key(subject).filter(|plan| plan.step.is_none()).map(|plan| plan.node)
}

/// KEY-13 to KEY-17.
fn base(subject: &str) -> (&str, bool) {
    let before = if subject.starts_with("node:") {
        let before = subject.strip_suffix(":taint").filter(|key| node_name(key).is_some());
        before.filter(|_| plan_key(subject).is_none())
    } else {
        subject.strip_suffix("#taint")
    };
    before.map_or((subject, false), |base| (base, true))
}

fn answer(op: &str, subject: &str) -> Option<Value> {
    Some(match op {
        "key.planKey" => {
            let parts = plan_key(subject).map(|plan| {
                let mut parts = json!({ "key": plan.key, "node": plan.node });
                if let Some(n) = plan.iteration {
                    parts["iteration"] = n.into();
                }
                if let Some(step) = plan.step {
                    parts["step"] = step.into();
                }
                parts
            });
            json!({ "planKey": parts })
        }
        "key.isNodeKey" => json!({ "isNodeKey": node_name(subject).is_some() }),
        "key.nodeName" => json!({ "nodeName": node_name(subject) }),
        "key.nodeInstance" => json!({ "instance": format!("{subject}:taint") }),
        "key.id" => json!({ "instance": format!("{subject}#taint") }),
        "key.base" => {
            let (base, instance) = base(subject);
            json!({ "base": base, "instance": instance })
        }
        "key.liveId" => json!({ "live": !subject.contains('#') && !subject.starts_with("node:") }),
        // next: "outcome.mint", spec/outcome.md, I1 to I4
        _ => return None,
    })
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let reply = if message["hello"].is_object() {
            json!({ "hello": { "protocol": 1, "name": "my-gate", "version": "0.1",
                "language": "rust", "suites": SUITES, "lacks": LACKS } })
        } else if message["bye"].is_object() {
            break;
        } else {
            let op = message["op"].as_str().unwrap_or_default();
            match answer(op, message["input"]["subject"].as_str().unwrap_or_default()) {
                Some(output) => json!({ "id": message["id"], "output": output }),
                None => json!({ "id": message["id"], "unsupported": op }),
            }
        };
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}
