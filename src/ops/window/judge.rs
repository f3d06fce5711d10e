//! The judge of a window: drive by drive, what a harness reports beside what the model does.
//!
//! Of what happens in a drive three things are compared: the walk (what was consulted about and
//! executed, in order), the commits (in order), and where the drive ends. How commits stand among
//! the steps of the walk is free, but that none stands before what it reports.

use std::collections::BTreeSet;

use super::wire::{Committed, EndWord, Event, KindWord, Mark};
use super::{Answer, Drive, DriveOutput, Output, Run};
use crate::model::Clause;
use crate::model::window::{AfterFault, Window};
use crate::ops::verdict::VerdictOutput;

/// The clauses that the reported drives break.
pub(super) fn judge(run: &Run, got: &Output) -> Vec<Clause> {
    if run.repeats() {
        return unadjudicated(run, got)
            .then_some(Clause::Win21)
            .into_iter()
            .collect();
    }
    let mut window = run.window();
    for (drive, got) in run.drives.iter().zip(&got.drives) {
        let before = window.clone();
        let expected = DriveOutput::from(&drive.run(&mut window, choice(&before, got)));
        let case = Case {
            drive,
            before: &before,
            expected: &expected,
            got,
        };
        if let Some(clause) = case.blame() {
            return vec![clause];
        }
    }
    // a drive too few or too many is not what was asked
    let whole = run.drives.len() == got.drives.len();
    if whole {
        Vec::new()
    } else {
        vec![Clause::Win01]
    }
}

/// Which way a harness went after an unmarked fault (WIN-20): it settles where it commits
/// without looking at any call.
fn choice(before: &Window, got: &DriveOutput) -> AfterFault {
    let settles = before.faulted()
        && got
            .events
            .iter()
            .any(|event| matches!(event, Event::Committed(_)))
        && walk(got).next().is_none();
    if settles {
        AfterFault::Settle
    } else {
        AfterFault::Adjudicate
    }
}

/// Whether a call of a window with repeated ids ran without a pass of its own (WIN-21).
fn unadjudicated(run: &Run, got: &Output) -> bool {
    run.drives.iter().zip(&got.drives).any(|(drive, got)| {
        let Drive::Configured { answers } = drive else {
            return false;
        };
        let mut passes: Vec<&str> = Vec::new();
        walk(got).any(|step| match step {
            Step::Consulted(id) => {
                let pass = matches!(
                    answers.get(id),
                    None | Some(Answer::Verdict(VerdictOutput::Pass {}))
                );
                passes.extend(pass.then_some(id));
                false
            }
            Step::Executed(id) => match passes.iter().position(|pass| *pass == id) {
                Some(at) => {
                    passes.remove(at);
                    false
                }
                None => true,
            },
        })
    })
}

/// A step of the walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Consulted(&'a str),
    Executed(&'a str),
}

impl<'a> Step<'a> {
    const fn id(self) -> &'a str {
        let (Self::Consulted(id) | Self::Executed(id)) = self;
        id
    }
}

fn walk(drive: &DriveOutput) -> impl Iterator<Item = Step<'_>> {
    drive.events.iter().filter_map(|event| match event {
        Event::Consulted(id) => Some(Step::Consulted(id)),
        Event::Executed(id) => Some(Step::Executed(id)),
        Event::Lifted(_) | Event::Committed(_) => None,
    })
}

fn commits(drive: &DriveOutput) -> impl Iterator<Item = &Committed> {
    drive.events.iter().filter_map(|event| match event {
        Event::Committed(committed) => Some(committed),
        _ => None,
    })
}

/// Where two sequences first differ, and what each has there.
fn differ<T: PartialEq>(
    mut expected: impl Iterator<Item = T>,
    mut got: impl Iterator<Item = T>,
) -> Option<(Option<T>, Option<T>)> {
    loop {
        match (expected.next(), got.next()) {
            (None, None) => return None,
            (expected, got) if expected == got => {}
            pair => return Some(pair),
        }
    }
}

/// One drive: what stood before it, what the model does, what was reported.
struct Case<'a> {
    drive: &'a Drive,
    before: &'a Window,
    expected: &'a DriveOutput,
    got: &'a DriveOutput,
}

impl Case<'_> {
    /// The clause that decides the first thing in which the report differs.
    fn blame(&self) -> Option<Clause> {
        self.walk()
            .or_else(|| self.lift())
            .or_else(|| self.commits())
            .or_else(|| self.end())
    }

    fn answered(&self, id: &str) -> bool {
        let answered = self.before.results().len();
        self.before
            .calls()
            .iter()
            .take(answered)
            .any(|call| call.id == id)
    }

    /// Whether the drive came with this call parked and unanswered.
    fn parked(&self, id: &str) -> bool {
        self.before.mark().is_some_and(|mark| mark.id == id) && !self.answered(id)
    }

    fn configured(&self) -> bool {
        matches!(self.drive, Drive::Configured { .. })
    }

    fn walk(&self) -> Option<Clause> {
        let (expected, got) = differ(walk(self.expected), walk(self.got))?;
        Some(match (expected, got) {
            (Some(expected), None) => self.missing(expected),
            (_, Some(Step::Consulted(id))) if !self.configured() => {
                if self.parked(id) {
                    Clause::Win10
                } else {
                    Clause::Win02
                }
            }
            (_, Some(Step::Consulted(id))) if self.answered(id) => Clause::Win08,
            (_, Some(Step::Executed(id))) if self.answered(id) => Clause::Win14,
            // it runs later: only the order is wrong
            (Some(expected @ Step::Executed(_)), Some(_))
                if walk(self.got).any(|step| step == expected) =>
            {
                Clause::Win01
            }
            (Some(Step::Executed(id)), Some(_)) => self.kept_back(id),
            (Some(Step::Consulted(_)), Some(Step::Consulted(_))) => Clause::Win01,
            (None, Some(Step::Consulted(_))) => self.past_the_end(),
            (expected, Some(Step::Executed(id))) => self.unlawful_run(expected.is_none(), id),
            (None, None) => return None,
        })
    }

    /// The walk ends where this step should stand.
    fn missing(&self, step: Step<'_>) -> Clause {
        let id = step.id();
        let refused = commits(self.expected)
            .take_while(|committed| committed.id != id)
            .last()
            .is_some_and(|committed| committed.kind == KindWord::Refusal);
        match step {
            Step::Executed(_) if !self.configured() && walk(self.got).next().is_some() => {
                Clause::Win01
            }
            Step::Executed(_) => self.kept_back(id),
            Step::Consulted(_) if self.parked(id) => Clause::Win09,
            Step::Consulted(_) if refused => Clause::Win05,
            Step::Consulted(_) if self.before.faulted() => Clause::Win20,
            Step::Consulted(_) => Clause::Win01,
        }
    }

    /// A call that should run does not.
    fn kept_back(&self, id: &str) -> Clause {
        match (self.parked(id), self.configured()) {
            (true, false) => Clause::Win10,
            (true, true) => Clause::Win09,
            (false, true) => Clause::Win03,
            (false, false) if self.before.faulted() => Clause::Win20,
            (false, false) => Clause::Win02,
        }
    }

    /// The walk goes on where the drive should end.
    fn past_the_end(&self) -> Clause {
        match self.expected.end {
            EndWord::Held => Clause::Win07,
            EndWord::Stopped => Clause::Win16,
            EndWord::Fault => Clause::Win19,
            EndWord::Done => Clause::Win01,
        }
    }

    /// A call runs that should not, or not yet.
    fn unlawful_run(&self, at_end: bool, id: &str) -> Clause {
        let run = Step::Executed(id);
        let Drive::Configured { answers } = self.drive else {
            return if at_end { Clause::Win14 } else { Clause::Win01 };
        };
        let asked = walk(self.got)
            .take_while(|step| *step != run)
            .any(|step| step == Step::Consulted(id));
        match answers.get(id) {
            _ if !asked && self.parked(id) => Clause::Win09,
            _ if !asked && self.before.faulted() => Clause::Win20,
            _ if !asked && at_end => self.past_the_end(),
            _ if !asked => Clause::Win02,
            Some(Answer::Verdict(VerdictOutput::Refuse { .. })) => Clause::Win04,
            Some(Answer::Verdict(VerdictOutput::Hold { .. })) => Clause::Win06,
            Some(Answer::Stopped { .. }) => Clause::Win16,
            Some(Answer::Fault { .. }) => Clause::Win19,
            None | Some(Answer::Verdict(VerdictOutput::Pass {})) if at_end => Clause::Win14,
            None | Some(Answer::Verdict(VerdictOutput::Pass {})) => Clause::Win01,
        }
    }

    /// The mark of a parked call lifts before the call runs.
    fn lift(&self) -> Option<Clause> {
        let id = &self.before.mark()?.id;
        let first = self.got.events.iter().find(|event| match event {
            Event::Lifted(lifted) => lifted == id,
            Event::Executed(executed) => executed == id,
            _ => false,
        });
        matches!(first, Some(Event::Executed(_))).then_some(Clause::Win11)
    }

    fn commits(&self) -> Option<Clause> {
        if let Some((expected, got)) = differ(commits(self.expected), commits(self.got)) {
            return Some(match (expected, got) {
                (_, Some(got)) if self.answered(&got.id) => Clause::Win14,
                (Some(expected), Some(got)) if expected.id == got.id => self.owed(expected),
                (Some(expected), None) => self.owed(expected),
                (_, Some(got)) => self.uncalled_for(got, expected),
                (None, None) => return None,
            });
        }
        let place = |wanted: &dyn Fn(&Event) -> bool| self.got.events.iter().position(wanted);
        let early = commits(self.got).any(|committed| {
            let step = |event: &Event| match (committed.kind, event) {
                (KindWord::Result, Event::Executed(id)) => *id == committed.id,
                (KindWord::Refusal, Event::Consulted(id)) => *id == committed.id,
                _ => false,
            };
            let commit = |event: &Event| *event == Event::Committed(committed.clone());
            matches!((place(&step), place(&commit)), (Some(step), Some(commit)) if commit < step)
        });
        early.then_some(Clause::Win15)
    }

    /// A result is missing, or is another than it should be.
    fn owed(&self, expected: &Committed) -> Clause {
        match expected.kind {
            KindWord::Result => Clause::Win03,
            KindWord::Refusal => Clause::Win04,
            KindWord::Interrupted if self.expected.end == EndWord::Stopped => Clause::Win17,
            KindWord::Interrupted => Clause::Win20,
        }
    }

    /// A result stands where another, or none, should.
    fn uncalled_for(&self, got: &Committed, expected: Option<&Committed>) -> Clause {
        let due: BTreeSet<&str> = commits(self.expected).map(|c| c.id.as_str()).collect();
        let times = commits(self.got)
            .filter(|committed| committed.id == got.id)
            .count();
        match (due.contains(got.id.as_str()), expected) {
            (true, _) if times > 1 => Clause::Win14,
            (true, _) => Clause::Win15,
            (false, _) => match self.expected.end {
                EndWord::Held => Clause::Win07,
                EndWord::Fault => Clause::Win19,
                EndWord::Stopped => Clause::Win17,
                EndWord::Done => Clause::Win14,
            },
        }
    }

    fn end(&self) -> Option<Clause> {
        if self.got.end != self.expected.end {
            return Some(match self.expected.end {
                EndWord::Held => Clause::Win07,
                EndWord::Stopped => Clause::Win16,
                EndWord::Fault => Clause::Win19,
                EndWord::Done => Clause::Win22,
            });
        }
        if self.got.mark == self.expected.mark {
            return None;
        }
        let before = self.before.mark().map(Mark::from);
        let old = self.got.mark.is_some() && self.got.mark == before;
        let stale = self.before.next_call().is_none();
        match self.expected.end {
            // a stop may sweep the mark at once, though it need not
            EndWord::Stopped if self.expected.mark.is_some() && self.got.mark.is_none() => None,
            EndWord::Held if old => Some(Clause::Win13),
            EndWord::Held => Some(Clause::Win06),
            EndWord::Fault if self.expected.mark.is_some() => Some(Clause::Win12),
            EndWord::Done if old && stale => Some(Clause::Win18),
            EndWord::Done if old && !self.configured() => Some(Clause::Win10),
            EndWord::Done if before.is_none() => Some(Clause::Win22),
            _ if old => Some(Clause::Win11),
            _ => Some(Clause::Win06),
        }
    }
}
