//! The op of the `window` suite: a whole window, drive after drive.
//!
//! ```
//! use gatespec::ops::SuiteOp;
//! use gatespec::ops::window::{Call, Drive, Op, Run};
//!
//! let call = Call { id: "a".into(), tool: "ls".into() };
//! let drives = vec![Drive::Removed {}];
//! let op = Op::Run(Run { calls: vec![call.clone()], drives: drives.clone() });
//! assert!(op.judge(&op.expected()).is_empty());
//! assert!(Run { calls: vec![call.clone(), call], drives }.repeats());
//! ```

use serde::{Deserialize, Serialize};

use super::{SuiteOp, read, shrink, weight};
use crate::model::Clause;
use crate::model::verdict::{Fault, Gate, Verdict};
use crate::model::window::{self as model, AfterFault, Window};

mod judge;
mod wire;

pub use wire::{
    Answer, Call, Committed, Drive, DriveOutput, EndWord, Event, KindWord, Mark, Output,
};

/// The names of this suite's ops.
pub const NAMES: &[&str] = &["window.run"];

/// The word a harness lacks when its control cannot be taken away between two drives.
pub const REMOVAL: &str = "control_removal";

/// The word a harness lacks when nothing stops it while a control runs.
pub const STOP: &str = "stop";

/// A question about a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", content = "input", deny_unknown_fields)]
pub enum Op {
    /// Drive a window.
    #[serde(rename = "window.run")]
    Run(Run),
}

/// The input of `window.run`: the calls of one step, and its drives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// The drives, in order.
    pub drives: Vec<Drive>,
}

impl Run {
    /// The model's window before its first drive.
    #[must_use]
    pub fn window(&self) -> Window {
        Window::new(self.calls.iter().map(model::Call::from).collect())
    }

    /// What the model does in every drive.
    #[must_use]
    pub fn drives(&self, after: AfterFault) -> Vec<model::Drive> {
        let mut window = self.window();
        self.drives
            .iter()
            .map(|drive| drive.run(&mut window, after))
            .collect()
    }

    /// Whether two calls share an id, so that only WIN-21 speaks of the case.
    #[must_use]
    pub fn repeats(&self) -> bool {
        let ids = || self.calls.iter().map(|call| &call.id);
        ids()
            .enumerate()
            .any(|(at, id)| ids().skip(at + 1).any(|other| other == id))
    }

    /// The clauses that the case puts to the test, the most particular first.
    fn clauses(&self) -> Vec<Clause> {
        if self.repeats() {
            return vec![Clause::Win21];
        }
        let mut window = self.window();
        let mut all = vec![Clause::Win01];
        for drive in &self.drives {
            let before = window.clone();
            let done = drive.run(&mut window, AfterFault::Adjudicate);
            exercised(drive, &before, &done, &mut all);
        }
        PARTICULAR
            .iter()
            .copied()
            .filter(|clause| all.contains(clause))
            .collect()
    }

    fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for at in 0..self.drives.len() {
            let mut less = self.clone();
            less.drives.remove(at);
            all.push(less);
        }
        for at in 0..self.calls.len() {
            let mut less = self.clone();
            let id = less.calls.remove(at).id;
            if !less.calls.iter().any(|call| call.id == id) {
                for drive in &mut less.drives {
                    drive.forget(&id);
                }
            }
            all.push(less);
        }
        for (at, drive) in self.drives.iter().enumerate() {
            for drive in drive.smaller() {
                let mut less = self.clone();
                if let Some(slot) = less.drives.get_mut(at) {
                    *slot = drive;
                }
                all.push(less);
            }
        }
        for call in &self.calls {
            all.extend(self.renamed(&call.id));
        }
        for (at, call) in self.calls.iter().enumerate() {
            if let Some(tool) = shrink::name(&call.tool) {
                let mut less = self.clone();
                if let Some(slot) = less.calls.get_mut(at) {
                    slot.tool = tool;
                }
                all.push(less);
            }
        }
        all
    }

    /// The case with a one-letter name for the calls with this id.
    fn renamed(&self, id: &str) -> Option<Self> {
        if id.len() < 2 {
            return None;
        }
        let free = |letter: &String| !self.calls.iter().any(|call| call.id == *letter);
        let letter = ('a'..='z').map(String::from).find(free)?;
        let mut less = self.clone();
        for call in less.calls.iter_mut().filter(|call| call.id == id) {
            call.id.clone_from(&letter);
        }
        for drive in &mut less.drives {
            drive.rename(id, &letter);
        }
        Some(less)
    }
}

/// The clauses from the most particular to those that every case exercises.
const PARTICULAR: [Clause; 21] = [
    Clause::Win20,
    Clause::Win18,
    Clause::Win10,
    Clause::Win13,
    Clause::Win12,
    Clause::Win09,
    Clause::Win17,
    Clause::Win16,
    Clause::Win19,
    Clause::Win11,
    Clause::Win07,
    Clause::Win06,
    Clause::Win05,
    Clause::Win04,
    Clause::Win08,
    Clause::Win14,
    Clause::Win15,
    Clause::Win03,
    Clause::Win02,
    Clause::Win22,
    Clause::Win01,
];

/// Notes the clauses that one drive puts to the test.
fn exercised(drive: &Drive, before: &Window, done: &model::Drive, all: &mut Vec<Clause>) {
    let marked = before.mark().is_some();
    let stale = marked && before.next_call().is_none();
    let removed = matches!(drive, Drive::Removed {});
    all.extend(before.faulted().then_some(Clause::Win20));
    all.extend(stale.then_some(Clause::Win18));
    all.extend((marked && !stale).then_some(Clause::Win09));
    all.extend((marked && !stale && removed).then_some(Clause::Win10));
    if !before.results().is_empty() {
        all.extend([Clause::Win08, Clause::Win14]);
    }
    for event in &done.events {
        match event {
            model::Event::Consulted { .. } => all.push(Clause::Win02),
            model::Event::Lifted { .. } => all.push(Clause::Win11),
            model::Event::Executed { .. } => all.extend([Clause::Win02, Clause::Win03]),
            model::Event::Committed { kind, .. } => match kind {
                model::Kind::Result => all.push(Clause::Win15),
                model::Kind::Refusal => all.extend([Clause::Win04, Clause::Win05]),
                model::Kind::Interrupted => all.push(Clause::Win17),
            },
        }
    }
    match done.end {
        model::End::Done => all.push(Clause::Win22),
        model::End::Stopped => all.push(Clause::Win16),
        model::End::Held => {
            let again = before.mark().map(|mark| &mark.id) == done.mark.as_ref().map(|m| &m.id);
            all.extend([Clause::Win06, Clause::Win07]);
            all.extend(again.then_some(Clause::Win13));
        }
        model::End::Fault => {
            all.push(Clause::Win19);
            all.extend(done.mark.is_some().then_some(Clause::Win12));
        }
    }
}

impl SuiteOp for Op {
    type Output = Output;

    fn name(&self) -> &'static str {
        "window.run"
    }

    fn expected(&self) -> Output {
        let Self::Run(run) = self;
        Output {
            drives: run
                .drives(AfterFault::default())
                .iter()
                .map(DriveOutput::from)
                .collect(),
        }
    }

    fn read_output(&self, output: &str) -> Result<Output, serde_json::Error> {
        read(output)
    }

    fn judge(&self, got: &Output) -> Vec<Clause> {
        let Self::Run(run) = self;
        judge::judge(run, got)
    }

    fn clauses(&self) -> Vec<Clause> {
        let Self::Run(run) = self;
        run.clauses()
    }

    fn needs(&self) -> Vec<&'static str> {
        let Self::Run(run) = self;
        let removal = run
            .drives
            .iter()
            .any(|drive| matches!(drive, Drive::Removed {}));
        let stop = run.drives.iter().any(|drive| match drive {
            Drive::Configured { answers } => answers
                .values()
                .any(|answer| matches!(answer, Answer::Stopped { .. })),
            Drive::Removed {} => false,
        });
        removal
            .then_some(REMOVAL)
            .into_iter()
            .chain(stop.then_some(STOP))
            .collect()
    }

    fn smaller(&self) -> Vec<Self> {
        let Self::Run(run) = self;
        let own = weight(self);
        run.smaller()
            .into_iter()
            .map(Self::Run)
            .filter(|op| weight(op) < own)
            .collect()
    }

    fn story(&self) -> Vec<String> {
        let Self::Run(run) = self;
        let calls: Vec<String> = run.calls.iter().map(Call::to_string).collect();
        let mut story = vec![format!("let a step emit {}", calls.join(", then "))];
        let mut window = run.window();
        for (number, drive) in (1..).zip(&run.drives) {
            story.push(format!("let drive {number} come {drive}"));
            let again = window.faulted();
            let done = drive.run(&mut window, AfterFault::Adjudicate);
            let free = if again {
                " (or settles all that is unanswered)"
            } else {
                ""
            };
            story.push(format!("then it {}{free}", told(&done)));
        }
        story
    }
}

/// What happened in a drive, in words.
fn told(drive: &model::Drive) -> String {
    let mut words: Vec<String> = drive
        .events
        .iter()
        .map(|event| Event::from(event).to_string())
        .collect();
    words.push(match (drive.end, &drive.mark) {
        (model::End::Done, _) => "is done".to_owned(),
        (model::End::Held, Some(mark)) => format!("parks `{}`: `{}`", mark.id, mark.reason),
        (model::End::Held, None) => "ends held".to_owned(),
        (model::End::Stopped, _) => "is stopped".to_owned(),
        (model::End::Fault, Some(mark)) => format!("ends in a fault, `{}` still parked", mark.id),
        (model::End::Fault, None) => "ends in a fault".to_owned(),
    });
    words.join(", ")
}

impl Drive {
    /// Drives the model's window once, as this drive says.
    pub fn run(&self, window: &mut Window, after: AfterFault) -> model::Drive {
        match self {
            Self::Removed {} => window.drive(None, after),
            Self::Configured { .. } => {
                let mut seam = |call: &model::Call| self.gate(&call.id);
                window.drive(Some(&mut seam), after)
            }
        }
    }

    /// The seam's ruling of a call: what the control answers, and a pass where nothing is said.
    #[must_use]
    pub fn gate(&self, id: &str) -> Gate {
        let Self::Configured { answers } = self else {
            return Gate::Proceed;
        };
        match answers.get(id) {
            None => Gate::Proceed,
            Some(Answer::Verdict(verdict)) => Verdict::from(verdict).into(),
            Some(Answer::Stopped { .. }) => Gate::Stopped,
            // which fault it is makes no difference to a window
            Some(Answer::Fault { .. }) => Gate::Fault(Fault::NotSpawned),
        }
    }

    fn forget(&mut self, id: &str) {
        if let Self::Configured { answers } = self {
            answers.remove(id);
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        if let Self::Configured { answers } = self
            && let Some(answer) = answers.remove(from)
        {
            answers.insert(to.to_owned(), answer);
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let Self::Configured { answers } = self else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (id, answer) in answers {
            let mut less = answers.clone();
            less.remove(id);
            all.push(Self::Configured { answers: less });
            if let Some(answer) = answer.smaller() {
                let mut less = answers.clone();
                less.insert(id.clone(), answer);
                all.push(Self::Configured { answers: less });
            }
        }
        all
    }
}
