//! A run as a value: the `json` report, and what every other report is made from.
//!
//! ```
//! use gatespec::conform::Check;
//! use gatespec::report::Report;
//! use gatespec::report::json::render;
//!
//! let report = Report::new(&Check::default(), 7, Vec::new());
//! assert_eq!(report.outcome.exit_code(), 3);
//! assert_eq!(serde_json::from_str::<Report>(&render(&report)).unwrap().seed, 7);
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::conform::baseline::Baseline;
use crate::conform::free::{compared, free};
use crate::conform::shrink::Failing;
use crate::conform::tally::{Fates, Reached, SuiteTally, Tally};
use crate::conform::{Answer, Check, Finding, Hello, Kind, Outcome, SPEC};
use crate::model::Clause;
use crate::ops::{Op, json};

/// What a run came to, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Word {
    /// Exit code 0.
    Conforms,
    /// Exit code 1.
    Fails,
    /// Exit code 3.
    Inconclusive,
}

impl Word {
    /// The exit code that says so.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::Fails => 1,
            Self::Inconclusive => 3,
        }
    }
}

/// The report of one conformance run.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Report {
    /// The version of gatespec.
    pub gatespec: String,
    /// The version of the spec.
    pub spec: String,
    /// The seed: with the same version it gives the same cases.
    pub seed: u64,
    /// The command that was run.
    pub command: Vec<String>,
    /// What the implementation said of itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<Hello>,
    /// What the run came to.
    pub outcome: Word,
    /// Why, when it is inconclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why the run ended before its end, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The counts by suite and depth.
    pub suites: Vec<SuiteTally>,
    /// How often each clause was put to the test.
    #[schemars(with = "BTreeMap<String, crate::conform::tally::Reach>")]
    pub clauses: Reached,
    /// How many cases that passed came to each fate, by suite.
    #[serde(default)]
    pub fates: Fates,
    /// Cases not run, by the word that the implementation declared it lacks.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lacked: BTreeMap<String, u64>,
    /// Cases that the implementation declined without having declared why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declined: BTreeMap<String, u64>,
    /// What the adapter did wrong that belongs to no case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<String>,
    /// Entries of the baseline that failed, as they are known to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// Entries of the baseline that no longer fail, or that no case put to the test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// What failed.
    pub failures: Vec<Failure>,
}

/// The report as JSON.
#[must_use]
pub fn render(report: &Report) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// One failure, by its smallest case.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Failure {
    /// In which way.
    pub kind: Kind,
    /// The clauses that are broken, the one to name first.
    #[schemars(with = "Vec<String>")]
    pub clauses: Vec<Clause>,
    /// The text of the first.
    pub text: String,
    /// How many cases fail so.
    pub count: u64,
    /// The id of the case that the smallest was made from.
    pub from: String,
    /// What happens in the smallest case.
    pub story: Vec<String>,
    /// The smallest case: the op's name.
    pub op: String,
    /// The smallest case: the op's input.
    #[schemars(with = "serde_json::Value")]
    pub input: Box<RawValue>,
    /// The model's answer.
    #[schemars(with = "serde_json::Value")]
    pub expected: Box<RawValue>,
    /// The parts of `expected` that the law leaves open, as JSON pointers: they are not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<String>,
    /// What came back: the output, or a sentence on why there is none.
    #[schemars(with = "serde_json::Value")]
    pub got: Box<RawValue>,
    /// The command that replays it, once it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

impl Failure {
    /// The report of a finding.
    #[must_use]
    pub fn new(finding: &Finding) -> Self {
        let Failing {
            case,
            answer,
            kind,
            clauses,
        } = &finding.smallest;
        Self {
            kind: *kind,
            clauses: clauses.clone(),
            text: clauses
                .first()
                .map(|clause| clause.text().to_owned())
                .unwrap_or_default(),
            count: finding.count,
            from: case.id.clone(),
            story: match answer {
                Answer::Output(output) => case.op.told(output),
                _ => case.op.story(),
            },
            op: case.op.name().to_owned(),
            input: case.op.input(),
            expected: json(&case.op.expected()),
            free: free(&case.op),
            got: match answer {
                Answer::Output(output) => json(output),
                other => json(&said(other)),
            },
            replay: None,
        }
    }

    /// `expected` without what the law leaves open.
    #[must_use]
    pub fn compared(&self) -> Box<RawValue> {
        match Op::parse(&self.op, &self.input) {
            Ok(op) if !self.free.is_empty() => compared(&op, &self.free),
            _ => self.expected.clone(),
        }
    }

    /// What the law leaves open in `expected`, in a sentence; none when it is all compared.
    #[must_use]
    pub fn open(&self) -> Option<String> {
        let whole: Value = serde_json::from_str(self.expected.get()).ok()?;
        open(&whole, &self.free)
    }
}

/// The parts at these pointers in a sentence, for people; none when there are none.
#[must_use]
pub fn open(expected: &Value, free: &[String]) -> Option<String> {
    const SHOWN: usize = 6;
    const LONGEST: usize = 80;
    let part = |pointer: &String| {
        let value = expected.pointer(pointer).map(Value::to_string);
        let value = value.unwrap_or_default();
        let mut clipped: String = value.chars().take(LONGEST).collect();
        if clipped.len() < value.len() {
            clipped.push('…');
        }
        format!("{} {clipped}", pointer.trim_start_matches('/'))
    };
    let mut parts: Vec<String> = free.iter().take(SHOWN).map(part).collect();
    if free.len() > SHOWN {
        parts.push(format!("{} more", free.len() - SHOWN));
    }
    (!parts.is_empty()).then(|| format!("left open by the law, not compared: {}", parts.join("; ")))
}

/// An answer that is no output, in a sentence.
#[must_use]
pub fn said(answer: &Answer) -> String {
    match answer {
        Answer::Output(output) => json(output).get().to_owned(),
        Answer::Unsupported(why) => format!("unsupported: {why}"),
        Answer::Malformed { output, why } => {
            format!("an output of another shape ({why}): {output}")
        }
        Answer::Error(error) => format!("an error of its own: {error}"),
        Answer::Crashed(how) => format!("nothing: {how}"),
        Answer::TimedOut(how) => format!("nothing in time: {how}"),
        Answer::Protocol(how) => format!("a protocol error: {how}"),
    }
}

fn word(outcome: &Outcome) -> (Word, Option<String>) {
    match outcome {
        Outcome::Conforms => (Word::Conforms, None),
        Outcome::Fails => (Word::Fails, None),
        Outcome::Inconclusive(why) => (Word::Inconclusive, Some(why.clone())),
    }
}

impl Report {
    /// The report of a run.
    #[must_use]
    pub fn new(check: &Check, seed: u64, command: Vec<String>) -> Self {
        let (outcome, reason) = word(&check.outcome);
        Self {
            gatespec: env!("CARGO_PKG_VERSION").to_owned(),
            spec: SPEC.to_owned(),
            seed,
            command,
            implementation: check.hello.clone(),
            outcome,
            reason,
            stopped: check.stopped.clone(),
            suites: check.suites.clone(),
            clauses: check.reached.clone(),
            fates: check.fates.clone(),
            lacked: check.lacked.clone(),
            declined: check.declined.clone(),
            incidents: check.incidents.clone(),
            known: Vec::new(),
            stale: Vec::new(),
            failures: check.findings.iter().map(Failure::new).collect(),
        }
    }

    /// The same report, held against a baseline.
    #[must_use]
    pub fn with_baseline(mut self, check: &Check, baseline: &Baseline) -> Self {
        let judged = baseline.judge(check);
        (self.outcome, self.reason) = word(&judged.outcome(check));
        self.known = judged.known;
        self.stale = [judged.stale, judged.unmatched].concat();
        self
    }

    /// All suites and depths together.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for suite in &self.suites {
            total.add(&suite.total());
        }
        total
    }
}
