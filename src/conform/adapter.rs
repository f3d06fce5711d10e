//! A gate in another process: the protocol of `spec/protocol.md`, put on the process harness.
//!
//! ```
//! use gatespec::conform::Answer;
//! use gatespec::conform::adapter::{read_answer, request};
//! use gatespec::ops::Op;
//!
//! let op = Op::from(gatespec::ops::key::Op::all(b"node:x").next().unwrap());
//! assert_eq!(request(1, &op), r#"{"id":"1","op":"key.planKey","input":{"subject":"node:x"}}"#);
//! let line = r#"{"id":"1","output":{"planKey":{"key":"node:x","node":"x"}}}"#;
//! assert_eq!(read_answer(&op, line), Answer::Output(op.expected()));
//! assert!(matches!(read_answer(&op, r#"{"id":"1"}"#), Answer::Protocol(_)));
//! ```

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::process::{self, Command, Event, Limits, Request, What, Wire};
use super::{Answer, Case, Hello, PROTOCOL, Stopped, Subject};
use crate::model::{Profile, Suite};
use crate::ops::{Op, json};

/// An adapter: a command that speaks the protocol.
pub struct Adapter {
    process: Option<process::Adapter>,
    started: Option<Hello>,
    next_id: u64,
}

impl Adapter {
    /// An adapter that is not started yet. When `interrupt` becomes true, a run ends.
    #[must_use]
    pub fn new(command: Command, limits: Limits, interrupt: Arc<AtomicBool>) -> Self {
        let process = process::Adapter::new(command, limits, Hello::line(), interrupt);
        Self {
            process: Some(process),
            started: None,
            next_id: 0,
        }
    }

    /// Has all that happens on the wire told to `listener`.
    #[must_use]
    pub fn traced(mut self, listener: impl FnMut(Event<'_>) + Send + 'static) -> Self {
        self.process = self.process.map(|process| process.traced(listener));
        self
    }
}

/// A case as the request line that asks it, without the newline.
#[must_use]
pub fn request(id: u64, op: &Op) -> String {
    // an op's JSON is an object: its members go behind the id
    let op = json(op);
    let members = op.get().strip_prefix('{').unwrap_or_default();
    format!(r#"{{"id":"{id}",{members}"#)
}

/// All that an adapter reads on its stdin when these cases are put to it, line by line, without
/// the newlines.
pub fn transcript(cases: impl Iterator<Item = Case>) -> impl Iterator<Item = String> {
    let requests = cases.zip(1..).map(|(case, id)| request(id, &case.op));
    std::iter::once(Hello::line())
        .chain(requests)
        .chain(std::iter::once(r#"{"bye":{}}"#.to_owned()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HelloLine {
    hello: Hello,
}

/// Reads an adapter's hello, and holds it to the spec.
///
/// # Errors
/// A sentence that says what is wrong with it and what to do.
pub fn read_hello(line: &str) -> Result<Hello, String> {
    let HelloLine { hello } = serde_json::from_str(line).map_err(|error| {
        format!(
            "the adapter's first line is no hello ({error}): `{}`; answer \
             {{\"hello\":{{\"protocol\":1,\"name\":…,\"suites\":[…]}}}} first (spec/protocol.md)",
            clipped(line)
        )
    })?;
    if hello.protocol != PROTOCOL {
        return Err(format!(
            "the adapter speaks protocol {}, and this is protocol {PROTOCOL}",
            hello.protocol
        ));
    }
    if let Some(word) = hello
        .suites
        .iter()
        .find(|word| Suite::from_word(word).is_none())
    {
        return Err(format!(
            "the adapter declares the suite `{word}`, and the spec has none"
        ));
    }
    let unknown = |word: &&String| Profile::from_word(word).is_none();
    if let Some(word) = hello.profiles.iter().find(unknown) {
        return Err(format!(
            "the adapter declares the profile `{word}`, and the spec has none"
        ));
    }
    Ok(hello)
}

/// The start of a line, for a message.
fn clipped(line: &str) -> String {
    const MOST: usize = 200;
    let mut clipped: String = line.chars().take(MOST).collect();
    if clipped.len() < line.len() {
        clipped.push('…');
    }
    clipped
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply<'a> {
    #[serde(rename = "id", borrow)]
    _id: &'a RawValue,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    unsupported: Option<String>,
    error: Option<String>,
}

/// What a reply line says to a question.
#[must_use]
pub fn read_answer(op: &Op, line: &str) -> Answer {
    let reply: Reply<'_> = match serde_json::from_str(line) {
        Ok(reply) => reply,
        Err(error) => {
            return Answer::Protocol(format!("no answer ({error}): `{}`", clipped(line)));
        }
    };
    match (reply.output, reply.unsupported, reply.error) {
        (Some(output), None, None) => match op.read_output(output.get()) {
            Ok(output) => Answer::Output(output),
            Err(why) => Answer::Malformed {
                output: clipped(output.get()),
                why: why.to_string(),
            },
        },
        (None, Some(why), None) => Answer::Unsupported(clipped(&why)),
        (None, None, Some(error)) => Answer::Error(clipped(&error)),
        _ => Answer::Protocol(format!(
            "an answer has one of `output`, `unsupported` and `error`: `{}`",
            clipped(line)
        )),
    }
}

/// What a fault of the process says to a question.
fn fault(fault: &process::Fault) -> Answer {
    let stderr = fault.stderr.trim();
    let says = if stderr.is_empty() {
        fault.to_string()
    } else {
        format!("{fault}; its stderr ends: {}", tail(stderr))
    };
    match fault.what {
        What::Crashed(_) => Answer::Crashed(says),
        What::TimedOut(_) => Answer::TimedOut(says),
        What::Protocol(_) => Answer::Protocol(says),
    }
}

/// The end of what was said on stderr, for a message.
fn tail(text: &str) -> String {
    const MOST: usize = 600;
    let skip = text.chars().count().saturating_sub(MOST);
    let tail: String = text.chars().skip(skip).collect();
    if skip > 0 { format!("…{tail}") } else { tail }
}

/// What a request to an adapter that said goodbye comes to.
fn gone() -> Stopped {
    Stopped::GaveUp("the adapter has been sent away already".to_owned())
}

impl Subject for Adapter {
    fn hello(&mut self) -> Result<Hello, Stopped> {
        if let Some(hello) = &self.started {
            return Ok(hello.clone());
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        let line = process.start().map_err(|error| {
            let stderr = tail(error.stderr().trim());
            let said = if stderr.is_empty() {
                stderr
            } else {
                format!("; its stderr: {stderr}")
            };
            Stopped::Handshake(format!("{error}{said}"))
        })?;
        let hello = read_hello(&line).map_err(Stopped::Handshake)?;
        self.started = Some(hello.clone());
        Ok(hello)
    }

    fn run(
        &mut self,
        cases: &mut dyn Iterator<Item = Case>,
        done: &mut dyn FnMut(Case, Answer),
    ) -> Result<(), Stopped> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        // the cases that are not answered yet, by request id
        let in_flight: RefCell<BTreeMap<u64, Case>> = RefCell::default();
        let next_id = &mut self.next_id;
        let mut next = || {
            let case = cases.next()?;
            *next_id += 1;
            let line = request(*next_id, &case.op);
            in_flight.borrow_mut().insert(*next_id, case);
            Some(Request { id: *next_id, line })
        };
        let mut came = |id: u64, wire: Wire<'_>| {
            let Some(case) = in_flight.borrow_mut().remove(&id) else {
                return;
            };
            let answer = match wire {
                Wire::Reply(line) => read_answer(&case.op, line),
                Wire::Fault(reason) => fault(reason),
            };
            done(case, answer);
        };
        process
            .run(&mut next, &mut came)
            .map_err(|stopped| match stopped {
                process::Stopped::Interrupted => Stopped::Interrupted,
                other => Stopped::GaveUp(other.to_string()),
            })
    }

    fn end(&mut self) -> Vec<String> {
        let Some(mut process) = self.process.take() else {
            return Vec::new();
        };
        let mut incidents: Vec<String> = process
            .take_incidents()
            .iter()
            .map(ToString::to_string)
            .collect();
        if self.started.is_some() {
            let left = process.bye();
            incidents.extend(left.err().map(|error| error.to_string()));
        }
        incidents
    }
}
