//! A real control, checked from the outside: is it one that a harness can consult?
//!
//! A control is asked as a harness asks it, once a process, and held to the rules of
//! `spec/verdict.md`, *For authors of controls*. Which verdict it gives is its own affair; that it
//! gives one, and the same one again, is not.
//!
//! ```
//! use gatespec::conform::control::{ControlSettings, check_control};
//! use gatespec::conform::process::Command;
//!
//! // `true` exits 0 and prints nothing, which is no verdict
//! let command = Command::new(["true"]).unwrap();
//! let report = check_control(&command, &ControlSettings::default()).unwrap();
//! assert!(!report.conforms());
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::process::{Command, Exit, StartError};
use crate::generate::Settings;
use crate::model::Clause;
use crate::model::verdict::{Verdict, parse};
use consult::{Consult, Ended, MOST, consult};

mod consult;

/// A rule for controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Rule {
    /// It ends in time.
    InTime,
    /// It exits 0.
    ExitZero,
    /// It prints one well-formed verdict and nothing else.
    OneVerdict,
    /// It answers the same request in the same way.
    SameTwice,
    /// It reads the request as JSON: order and white space are free.
    AnySpelling,
    /// It ignores members of the request that it does not know.
    UnknownMembers,
    /// It exits non-zero on a request that it cannot read.
    MalformedRequest,
}

impl Rule {
    /// Every rule, in the order of the chapter.
    pub const ALL: [Self; 7] = [
        Self::InTime,
        Self::ExitZero,
        Self::OneVerdict,
        Self::SameTwice,
        Self::AnySpelling,
        Self::UnknownMembers,
        Self::MalformedRequest,
    ];

    /// The rule's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::InTime => "in_time",
            Self::ExitZero => "exit_zero",
            Self::OneVerdict => "one_verdict",
            Self::SameTwice => "same_twice",
            Self::AnySpelling => "any_spelling",
            Self::UnknownMembers => "unknown_members",
            Self::MalformedRequest => "malformed_request",
        }
    }

    /// The rule as a sentence.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::InTime => "A control ends in time.",
            Self::ExitZero => "A control that gives a verdict exits 0.",
            Self::OneVerdict => "A control prints one well-formed verdict, and nothing else.",
            Self::SameTwice => "Asked the same again, a control answers the same.",
            Self::AnySpelling => "The order of a request's members and its white space are free.",
            Self::UnknownMembers => "Members that a control does not know change nothing.",
            Self::MalformedRequest => "On a request that it cannot read a control exits non-zero.",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a control is checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ControlSettings {
    /// How long one consult may take.
    pub timeout: Duration,
    /// The seed of the names in the requests.
    pub seed: u64,
    /// Requests to put beside the built-in ones: whole requests, with their five members.
    pub requests: Vec<Value>,
    /// After so many consults that did not end in time the check gives up.
    pub hangs: u32,
}

impl Default for ControlSettings {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            seed: 0,
            requests: Vec::new(),
            hangs: 2,
        }
    }
}

/// One way in which a control breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The clause that makes it a fault at the seam, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<Clause>,
    /// What happened.
    pub what: String,
    /// What stood on the control's stdin, its end left out where it is long.
    pub request: String,
    /// What the control printed.
    pub stdout: String,
    /// What it said on its stderr.
    pub stderr: String,
}

/// What a check of a control found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ControlReport {
    /// How often the control was consulted.
    pub consults: u32,
    /// How many checks each rule had.
    pub checks: BTreeMap<Rule, u32>,
    /// How many of the built-in and given requests were passed, refused and held.
    pub verdicts: BTreeMap<&'static str, u32>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Whether the check gave up because the control hung too often.
    pub gave_up: bool,
}

impl ControlReport {
    /// Whether the control keeps every rule.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.findings.is_empty() && !self.gave_up && self.consults > 0
    }
}

/// Checks a control: consults it some fifty times, each in a process of its own.
///
/// # Errors
/// When the control does not spawn.
pub fn check_control(
    command: &Command,
    settings: &ControlSettings,
) -> Result<ControlReport, StartError> {
    let report = ControlReport::default();
    let mut check = Check {
        command,
        settings,
        report,
        hangs: 0,
    };
    let mut requests = requests(settings);
    requests.extend(settings.requests.iter().cloned());
    for request in &requests {
        check.request(request)?;
    }
    for (why, request) in malformed(settings) {
        check.malformed(why, &request)?;
    }
    Ok(check.report)
}

struct Check<'a> {
    command: &'a Command,
    settings: &'a ControlSettings,
    report: ControlReport,
    hangs: u32,
}

impl Check<'_> {
    /// Consults the control, unless it has hung too often.
    fn ask(&mut self, request: &[u8]) -> Result<Option<Consult>, StartError> {
        if self.hangs >= self.settings.hangs {
            self.report.gave_up = true;
            return Ok(None);
        }
        let got = consult(self.command, request, self.settings.timeout)?;
        self.report.consults += 1;
        self.hangs += u32::from(got.ended == Ended::TimedOut);
        Ok(Some(got))
    }

    fn count(&mut self, rule: Rule) {
        *self.report.checks.entry(rule).or_default() += 1;
    }

    fn find(
        &mut self,
        rule: Rule,
        clause: Option<Clause>,
        what: String,
        asked: &[u8],
        got: &Consult,
    ) {
        self.report.findings.push(Finding {
            rule,
            clause,
            what,
            request: shown(asked),
            stdout: shown(&got.stdout),
            stderr: shown(&got.stderr),
        });
    }

    /// Puts one request: as it is, again, spelt otherwise, and with members of another version.
    fn request(&mut self, request: &Value) -> Result<(), StartError> {
        let plain = request.to_string().into_bytes();
        let Some(first) = self.verdict(&plain)? else {
            return Ok(());
        };
        let word = match first {
            Verdict::Pass => "pass",
            Verdict::Refuse { .. } => "refuse",
            Verdict::Hold { .. } => "hold",
        };
        *self.report.verdicts.entry(word).or_default() += 1;
        self.same(Rule::SameTwice, &first, &plain)?;
        self.same(Rule::AnySpelling, &first, respelt(request).as_bytes())?;
        let more = widened(request, self.settings).to_string();
        self.same(Rule::UnknownMembers, &first, more.as_bytes())
    }

    /// The verdict on a request, if the control keeps the rules of giving one.
    fn verdict(&mut self, request: &[u8]) -> Result<Option<Verdict>, StartError> {
        for rule in [Rule::InTime, Rule::ExitZero, Rule::OneVerdict] {
            self.count(rule);
        }
        let Some(got) = self.ask(request)? else {
            return Ok(None);
        };
        match given(&got) {
            Ok(verdict) => Ok(Some(verdict)),
            Err((rule, clause, what)) => {
                self.find(rule, Some(clause), what, request, &got);
                Ok(None)
            }
        }
    }

    /// Asks what comes to the same request.
    fn same(&mut self, rule: Rule, first: &Verdict, request: &[u8]) -> Result<(), StartError> {
        self.count(rule);
        let Some(got) = self.ask(request)? else {
            return Ok(());
        };
        let what = match given(&got) {
            Ok(verdict) if verdict == *first => return Ok(()),
            Ok(verdict) => format!("it answered {first}, and then {verdict}"),
            Err((_, _, what)) => format!("it answered {first}, and then {what}"),
        };
        self.find(rule, None, what, request, &got);
        Ok(())
    }

    /// Puts a request that no control can read.
    fn malformed(&mut self, why: &str, request: &[u8]) -> Result<(), StartError> {
        self.count(Rule::MalformedRequest);
        let Some(got) = self.ask(request)? else {
            return Ok(());
        };
        let did = match got.ended {
            Ended::By(Exit::Status(status)) if status != 0 => return Ok(()),
            Ended::By(exit) => match parse(&got.stdout) {
                Ok(verdict) => format!("{exit} and answered {verdict}"),
                Err(_) => exit.to_string(),
            },
            Ended::TimedOut => "did not end in time".to_owned(),
            Ended::Flood => format!("printed more than {MOST} bytes"),
        };
        let what = format!("{why}, and it {did}");
        self.find(Rule::MalformedRequest, None, what, request, &got);
        Ok(())
    }
}

/// The verdict of a consult, or the rule and the clause that it breaks.
fn given(got: &Consult) -> Result<Verdict, (Rule, Clause, String)> {
    match got.ended {
        Ended::TimedOut => Err((
            Rule::InTime,
            Clause::Ver12,
            "it did not end in time".to_owned(),
        )),
        Ended::Flood => Err((
            Rule::OneVerdict,
            Clause::Ver11,
            format!("it printed more than {MOST} bytes"),
        )),
        Ended::By(Exit::Status(0)) => parse(&got.stdout).map_err(|malformed| {
            (
                Rule::OneVerdict,
                malformed.clause(),
                format!("it printed no verdict: {malformed}"),
            )
        }),
        Ended::By(exit @ Exit::Status(_)) => {
            Err((Rule::ExitZero, Clause::Ver10, format!("it {exit}")))
        }
        Ended::By(exit) => Err((Rule::ExitZero, Clause::Ver09, format!("it {exit}"))),
    }
}

/// Text to be shown, and no more of it than can be looked at.
fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 400;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Requests as harnesses send them.
fn requests(settings: &ControlSettings) -> Vec<Value> {
    let names = Settings::seeded(settings.seed).names();
    let word = names.name("word", 0);
    let inputs = [
        ("read_file", json!({ "path": format!("{word}.txt") })),
        (
            "write_file",
            json!({ "path": format!("/tmp/{word}"), "text": "a\nb\n" }),
        ),
        (
            "shell",
            json!({ "cmd": format!("rm -rf ./{word}"), "env": { "A": null } }),
        ),
        (
            "http_get",
            json!(["https://example.org/", 0, true, null, { "": [] }]),
        ),
        (word.as_str(), json!({})),
        (word.as_str(), Value::Null),
        (
            "shell",
            json!({ "cmd": "printf '\u{1b}[0m \\u00e9 é 😀 \u{2028} \"quoted\" \\ '" }),
        ),
        // more than a pipe holds: a control that does not read its stdin shows
        (
            "write_file",
            json!({ "path": word, "text": "0123456789abcdef".repeat(16 * 1024) }),
        ),
    ];
    (0..)
        .zip(inputs)
        .map(|(at, (name, input))| {
            json!({
                "id": names.name("call", at),
                "name": name,
                "input": input,
                "role": names.name("role", at % 2),
                "agent_id": names.name("agent", at % 3),
            })
        })
        .collect()
}

/// The same request with its members the other way round, with white space, and a line's end.
fn respelt(request: &Value) -> String {
    let Value::Object(members) = request else {
        return request.to_string();
    };
    let lines: Vec<String> = members
        .iter()
        .rev()
        .map(|(name, value)| format!("\t{} :\n\t{value}", Value::from(name.as_str())))
        .collect();
    format!(" {{\n{}\r\n}}\n", lines.join(" ,\n"))
}

/// The request with members that no control knows yet.
fn widened(request: &Value, settings: &ControlSettings) -> Value {
    let names = Settings::seeded(settings.seed).names();
    let mut more = request.clone();
    if let Value::Object(members) = &mut more {
        members.insert(
            names.name("later", 0),
            json!({ "verdict": "pass", "id": 0 }),
        );
        members.insert(names.name("later", 1), Value::Null);
    }
    more
}

/// Requests that no control can read, and why.
fn malformed(settings: &ControlSettings) -> Vec<(&'static str, Vec<u8>)> {
    let whole = requests(settings).into_iter().next().unwrap_or_default();
    let with = |member: &str, value: Option<Value>| {
        let mut request = whole.clone();
        if let Value::Object(members) = &mut request {
            members.remove(member);
            members.extend(value.map(|value| (member.to_owned(), value)));
        }
        request.to_string().into_bytes()
    };
    let text = whole.to_string().into_bytes();
    let cut = text.len().saturating_sub(1);
    vec![
        ("its stdin was empty", Vec::new()),
        ("its stdin held only white space", b" \n".to_vec()),
        ("the request was no JSON", b"pass\n".to_vec()),
        (
            "the request was cut short",
            text.get(..cut).unwrap_or_default().to_vec(),
        ),
        ("the request was null", b"null".to_vec()),
        ("the request was a list", [b"[", &text[..], b"]"].concat()),
        (
            "the request was a string",
            Value::from(String::from_utf8_lossy(&text))
                .to_string()
                .into_bytes(),
        ),
        ("the request had no `id`", with("id", None)),
        ("the request had no `name`", with("name", None)),
        ("the request had no `input`", with("input", None)),
        ("the request had no `role`", with("role", None)),
        ("the request had no `agent_id`", with("agent_id", None)),
        ("`id` was a number", with("id", Some(json!(7)))),
        ("`name` was null", with("name", Some(Value::Null))),
        ("`role` was a list", with("role", Some(json!(["dev"])))),
        (
            "`agent_id` was an object",
            with("agent_id", Some(json!({}))),
        ),
    ]
}
