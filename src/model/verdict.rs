//! The tool-control seam: the one point where a configured control stands in front of a tool call
//! (`spec/verdict.md`).
//!
//! A harness that comes to a call asks [`adjudicate`]. With a control configured it spawns the
//! control's command, writes a [`Request`] on its stdin and reads a [`Verdict`] from its stdout.
//! Whatever else the control does is a [`Fault`], and a fault lets nothing run.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::Clause;

/// What a control is asked: the five members on its stdin (VER-03, VER-04).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request<'a> {
    /// The call's id.
    pub id: &'a str,
    /// The tool's name.
    pub name: &'a str,
    /// The tool's input, verbatim.
    pub input: &'a serde_json::Value,
    /// The role of the agent that calls.
    pub role: &'a str,
    /// The agent that calls.
    pub agent_id: &'a str,
}

/// What a control answers, well formed (VER-16 to VER-22).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The call may run.
    Pass,
    /// The call may not run; the model is told why.
    Refuse {
        /// Why.
        reason: String,
    },
    /// The call waits.
    Hold {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Refuse { reason } => write!(f, "refuse: `{reason}`"),
            Self::Hold { reason } => write!(f, "hold: `{reason}`"),
        }
    }
}

/// Why a control's output is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Malformed {
    /// The bytes are not UTF-8.
    NotUtf8,
    /// There is nothing but white space.
    Empty,
    /// What stands first is no object: an array, a number, a word, a byte order mark.
    NotAnObject,
    /// An object begins, and is no JSON from some place on.
    NotJson,
    /// Something follows the object.
    Trailing,
    /// A member is given twice.
    DoubledMember,
    /// A member is neither `verdict` nor `reason`.
    UnknownMember,
    /// There is no `verdict`.
    NoVerdict,
    /// `verdict` is no string, or none of the three words.
    UnknownVerdict,
    /// `refuse` or `hold` without a `reason`.
    NoReason,
    /// A `reason` that is no string.
    ReasonNotText,
    /// A string `reason` beside `pass`.
    ReasonBesidePass,
    /// `"reason": null` beside `pass`; an implementation may read this as `pass` ([`Self::free`]).
    NullReasonBesidePass,
}

impl Malformed {
    /// Whether an implementation may take the output for a `pass` all the same (VER-18).
    #[must_use]
    pub const fn free(self) -> bool {
        matches!(self, Self::NullReasonBesidePass)
    }

    /// The clause that says so.
    #[must_use]
    pub const fn clause(self) -> Clause {
        match self {
            Self::NotUtf8 | Self::NotJson => Clause::Ver21,
            Self::Empty | Self::NotAnObject | Self::Trailing => Clause::Ver16,
            Self::DoubledMember => Clause::Ver20,
            Self::UnknownMember => Clause::Ver19,
            Self::NoVerdict | Self::UnknownVerdict => Clause::Ver17,
            Self::NoReason
            | Self::ReasonNotText
            | Self::ReasonBesidePass
            | Self::NullReasonBesidePass => Clause::Ver18,
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "the output is not UTF-8",
            Self::Empty => "the output is empty",
            Self::NotAnObject => "the output does not begin with an object",
            Self::NotJson => "the output is not JSON",
            Self::Trailing => "something follows the object",
            Self::DoubledMember => "a member is given twice",
            Self::UnknownMember => "a member is neither `verdict` nor `reason`",
            Self::NoVerdict => "there is no `verdict`",
            Self::UnknownVerdict => "`verdict` is none of `pass`, `refuse` and `hold`",
            Self::NoReason => "there is no `reason`",
            Self::ReasonNotText => "`reason` is no string",
            Self::ReasonBesidePass | Self::NullReasonBesidePass => "a `reason` beside `pass`",
        })
    }
}

/// Reads a control's stdout, strictly and totally.
///
/// # Errors
/// When the bytes are anything but exactly one well-formed verdict. Of several offences the first
/// in the order of [`Malformed`] is given.
///
/// ```
/// use gatespec::model::verdict::{Malformed, Verdict, parse};
///
/// assert_eq!(parse(b" {\"verdict\": \"pass\"}\n"), Ok(Verdict::Pass));
/// assert_eq!(parse(b"{\"verdict\": \"Pass\"}"), Err(Malformed::UnknownVerdict));
/// assert_eq!(parse(b"{\"verdict\": \"hold\"}"), Err(Malformed::NoReason));
/// ```
pub fn parse(output: &[u8]) -> Result<Verdict, Malformed> {
    let text = std::str::from_utf8(output).map_err(|_| Malformed::NotUtf8)?;
    match text
        .trim_start_matches([' ', '\t', '\n', '\r'])
        .chars()
        .next()
    {
        None => return Err(Malformed::Empty),
        Some('{') => {}
        Some(_) => return Err(Malformed::NotAnObject),
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let Members(list) = Members::deserialize(&mut reader).map_err(|_| Malformed::NotJson)?;
    reader.end().map_err(|_| Malformed::Trailing)?;

    let count = list.len();
    let mut members: BTreeMap<String, Box<RawValue>> = list.into_iter().collect();
    if members.len() < count {
        return Err(Malformed::DoubledMember);
    }
    let (verdict, reason) = (members.remove("verdict"), members.remove("reason"));
    if !members.is_empty() {
        return Err(Malformed::UnknownMember);
    }
    let word = string(
        &verdict.ok_or(Malformed::NoVerdict)?,
        Malformed::UnknownVerdict,
    )?;
    match (word.as_str(), reason) {
        ("pass", None) => Ok(Verdict::Pass),
        ("pass", Some(reason)) if reason.get() == "null" => Err(Malformed::NullReasonBesidePass),
        ("pass", Some(_)) => Err(Malformed::ReasonBesidePass),
        ("refuse" | "hold", None) => Err(Malformed::NoReason),
        ("refuse", Some(reason)) => Ok(Verdict::Refuse {
            reason: string(&reason, Malformed::ReasonNotText)?,
        }),
        ("hold", Some(reason)) => Ok(Verdict::Hold {
            reason: string(&reason, Malformed::ReasonNotText)?,
        }),
        _ => Err(Malformed::UnknownVerdict),
    }
}

/// Reads a member's value as a string; what is none is `other`.
fn string(value: &RawValue, other: Malformed) -> Result<String, Malformed> {
    serde_json::from_str(value.get()).map_err(|error| {
        if error.is_data() {
            other
        } else {
            Malformed::NotJson
        }
    })
}

/// What became of a control that was asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// It ended by itself.
    Exited {
        /// Its exit code.
        code: u8,
        /// What it printed.
        stdout: Vec<u8>,
    },
    /// A signal killed it.
    Killed {
        /// The signal.
        signal: u8,
        /// What it had printed by then.
        stdout: Vec<u8>,
    },
    /// It would not spawn.
    NotSpawned,
    /// It did not end in time, and the harness killed it for that.
    TimedOut {
        /// What it had printed by then.
        stdout: Vec<u8>,
    },
}

/// What is wrong with a control's answer. Every fault fails closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// It would not spawn (VER-08).
    NotSpawned,
    /// A signal killed it, and it was not the stop (VER-09).
    Killed(u8),
    /// It exited with this code (VER-10).
    Exited(u8),
    /// It exited 0 without a verdict (VER-11).
    Output(Malformed),
    /// It did not end in time (VER-12).
    TimedOut,
}

impl Fault {
    /// The clause that makes it a fault.
    #[must_use]
    pub const fn clause(self) -> Clause {
        match self {
            Self::NotSpawned => Clause::Ver08,
            Self::Killed(_) => Clause::Ver09,
            Self::Exited(_) => Clause::Ver10,
            Self::Output(_) => Clause::Ver11,
            Self::TimedOut => Clause::Ver12,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSpawned => f.write_str("it would not spawn"),
            Self::Killed(signal) => write!(f, "signal {signal} killed it"),
            Self::Exited(code) => write!(f, "it exited with code {code}"),
            Self::Output(malformed) => malformed.fmt(f),
            Self::TimedOut => f.write_str("it did not end in time"),
        }
    }
}

/// What the seam decides about one call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// Execute the call.
    Proceed,
    /// Never execute it; commit the refusal in band.
    Refuse {
        /// The control's reason.
        reason: String,
    },
    /// Park it before execution.
    Hold {
        /// The control's reason.
        reason: String,
    },
    /// The harness's own stop killed the control: end the window.
    Stopped,
    /// The control failed: the call does not execute and the step ends in a fault.
    Fault(Fault),
}

impl From<Verdict> for Gate {
    /// What a verdict decides (VER-05 to VER-07).
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Proceed,
            Verdict::Refuse { reason } => Self::Refuse { reason },
            Verdict::Hold { reason } => Self::Hold { reason },
        }
    }
}

/// Decides about one call (VER-01, VER-05 to VER-14). `control` is what the configured control
/// answers, or `None` where none is configured.
///
/// ```
/// use gatespec::model::verdict::{Answer, Fault, Gate, adjudicate};
///
/// let killed = Answer::Killed { signal: 15, stdout: Vec::new() };
/// assert_eq!(adjudicate(None, true), Gate::Proceed);
/// assert_eq!(adjudicate(Some(&killed), true), Gate::Stopped);
/// assert_eq!(adjudicate(Some(&killed), false), Gate::Fault(Fault::Killed(15)));
/// ```
#[must_use]
pub fn adjudicate(control: Option<&Answer>, stop: bool) -> Gate {
    match control {
        None => Gate::Proceed,
        Some(Answer::NotSpawned) => Gate::Fault(Fault::NotSpawned),
        Some(Answer::TimedOut { .. }) => Gate::Fault(Fault::TimedOut),
        Some(Answer::Killed { .. }) if stop => Gate::Stopped,
        Some(Answer::Killed { signal, .. }) => Gate::Fault(Fault::Killed(*signal)),
        Some(Answer::Exited { code: 0, stdout }) => match parse(stdout) {
            Ok(verdict) => verdict.into(),
            Err(malformed) => Gate::Fault(Fault::Output(malformed)),
        },
        Some(Answer::Exited { code, .. }) => Gate::Fault(Fault::Exited(*code)),
    }
}

/// What the model reads of a refused call: an error result (VER-23), without exit code (VER-24).
///
/// The wording is free; this is one that names the tool and carries the reason.
#[must_use]
pub fn refusal_text(tool: &str, reason: &str) -> String {
    format!("the control refused the tool `{tool}`: {reason}")
}

/// The members of the output's object, in its order. Their values are kept as JSON text, which is
/// skipped without recursion, so that depth costs no stack.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
