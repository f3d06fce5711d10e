//! The op of the `pass` suite: one gate pass over a script.
//!
//! ```
//! use gatespec::model::Clause;
//! use gatespec::model::pass::script::{Screen, Script};
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::pass::Op;
//!
//! let mut script = Script::plain("call-1", serde_json::json!([]));
//! let allows = Op::of(script.clone()).expected();
//! script.screening = vec![Screen::Silent {}];
//! assert_eq!(Op::of(script).judge(&allows), [Clause::Pass04]);
//! ```

mod asked;
mod judge;
#[cfg(feature = "schema")]
mod schema;
mod shrink;
mod words;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{SuiteOp, read};
use crate::model::Clause;
use crate::model::outcome::Record;
use crate::model::pass::script::Writer;
use crate::model::pass::{self as model, Passed, Script, Station};

pub use judge::Fault;
pub use words::{REPLACED, Seat, WRITTEN, written};

/// The names of this suite's ops.
pub const NAMES: &[&str] = &["pass.run"];

/// A question about one pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Run the pass of a script.
    #[serde(rename = "pass.run")]
    Run(Run),
}

/// The input of `pass.run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What each seat answers.
    pub script: Box<Script>,
}

/// What a gate answers to `pass.run`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Output {
    /// What the pass comes to.
    pub result: model::Verdict,
    /// The record that the pass minted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The input that the exit decided on, read after everyone wrote what they write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_input: Option<Value>,
    /// The arguments that the tool ran with, as they were when it got them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Value>,
    /// The deny says that a park was tried and failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub park_failed: bool,
    /// What the observer was told, each time.
    #[serde(default)]
    pub observer: Vec<Told>,
    /// Which seats were asked, in order, and about which arguments.
    #[serde(default)]
    pub consulted: Vec<Consulted>,
}

/// A minted record, as the `outcome` suite spells it.
pub type Outcome = Record<String>;

/// One notification of the observer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The record that it was told.
    pub outcome: Outcome,
    /// The arguments that it was told, as they were when it got them.
    pub input: Value,
}

/// One consult of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Consulted {
    /// The seat, by its word; [`REPLACED`] for a seat that took another's place.
    pub seat: words::Seat,
    /// The arguments, as they were when the seat was asked.
    pub input: Value,
}

impl Op {
    /// The script.
    #[must_use]
    pub fn script(&self) -> &Script {
        let Self::Run(run) = self;
        &run.script
    }

    /// The op that runs a script.
    #[must_use]
    pub fn of(script: Script) -> Self {
        Self::Run(Run {
            script: Box::new(script),
        })
    }

    /// Where a gate's answer parts from the pass of the spec, if it does.
    #[must_use]
    pub fn parts(&self, got: &Output) -> Option<Fault> {
        judge::judge(self.script(), got)
    }
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        "pass.run"
    }

    fn expected(&self) -> Output {
        Output::of(&model::run(self.script()))
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        read(output)
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        self.parts(got)
            .map(|fault| fault.clause)
            .into_iter()
            .collect()
    }

    fn clauses(&self) -> Vec<Clause> {
        let script = self.script();
        let passed = model::run(script);
        let dropped = passed
            .outcome
            .as_ref()
            .is_some_and(|record| record.settlement.is_none());
        let acted = |step: &&model::Step<'_>| match step.station {
            Station::Entry | Station::Exit => step.clause == Clause::Pass01,
            Station::Keep => dropped,
            _ => true,
        };
        let mut all: Vec<Clause> = passed
            .trace
            .iter()
            .filter(acted)
            .map(|step| step.clause)
            .rev()
            .collect();
        all.extend(beside(script, &passed));
        let mut seen = BTreeSet::new();
        all.retain(|clause| seen.insert(*clause));
        all
    }

    fn needs(&self) -> Vec<&'static str> {
        words::needs(self.script())
    }

    fn is_asked(&self) -> bool {
        asked::is_asked(self.script())
    }

    fn smaller(&self) -> Vec<Self> {
        shrink::smaller(self.script())
            .into_iter()
            .map(Self::of)
            .collect()
    }

    fn story(&self) -> Vec<String> {
        story(self.script()).0
    }

    fn told(&self, got: &Output) -> Vec<String> {
        let (mut lines, first) = story(self.script());
        if let Some(fault) = self.parts(got) {
            let last = lines.len().saturating_sub(1);
            let at = fault.step.map_or(last, |step| (first + step).min(last));
            if let Some(line) = lines.get_mut(at) {
                line.push_str(&format!(
                    "  <- here the gate parts from it: {}",
                    fault.clause
                ));
            }
        }
        lines
    }
}

/// The script, then the pass, a line a step; and where the pass begins.
fn story(script: &Script) -> (Vec<String>, usize) {
    let mut lines = words::lets(script);
    let first = lines.len();
    let narrated = model::narrate(&model::run(script));
    lines.extend(narrated.into_iter().map(|line| format!("then {line}")));
    (lines, first)
}

/// The clauses that a case exercises beside those of its steps.
fn beside(script: &Script, passed: &Passed<'_>) -> Vec<Clause> {
    let mut all = Vec::new();
    let deny = passed.denied_by().is_some();
    if deny && judge::releases_later(script) {
        all.push(Clause::Pass14);
    }
    if passed
        .trace
        .iter()
        .any(|step| step.station == Station::Keep)
    {
        all.push(Clause::Pass51);
    }
    if passed.outcome.is_some() {
        all.push(Clause::Pass53);
    }
    if deny {
        all.push(Clause::Pass52);
    }
    if passed.result == model::Verdict::Allow {
        all.push(Clause::Pass55);
    }
    if script
        .writers
        .iter()
        .any(|writer| !matches!(writer, Writer::Tool | Writer::Observer))
    {
        all.push(Clause::Pass02);
    }
    if !script.writers.is_empty() {
        all.push(Clause::Pass54);
    }
    let named = script
        .classifier
        .as_ref()
        .is_some_and(|classifier| classifier.round.is_some());
    if named
        && passed
            .trace
            .iter()
            .any(|step| step.station == Station::Classifier)
    {
        all.push(Clause::Pass31);
    }
    if !script.rebinds.is_empty() {
        all.push(Clause::Pass03);
    }
    all
}

impl Output {
    /// What a pass comes to, on the wire.
    #[must_use]
    pub fn of(passed: &Passed<'_>) -> Self {
        let outcome = passed.outcome.as_ref().map(words::minted);
        let input = passed.input.clone();
        let observer = match &outcome {
            Some(outcome) if passed.told => {
                vec![Told {
                    outcome: outcome.clone(),
                    input: input.clone(),
                }]
            }
            _ => Vec::new(),
        };
        let consulted = passed.consulted().filter_map(Consulted::of).collect();
        let allow = passed.result == model::Verdict::Allow;
        Self {
            result: passed.result,
            final_input: outcome.is_some().then(|| input.clone()),
            runs: allow.then_some(input),
            park_failed: passed.park_failed,
            outcome,
            observer,
            consulted,
        }
    }
}

impl Consulted {
    fn of(step: &model::Step<'_>) -> Option<Self> {
        Some(Self {
            seat: words::Seat::of(step.station)?,
            input: step.input.clone(),
        })
    }
}
