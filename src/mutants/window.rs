//! Faulty windows.
//!
//! ```
//! use gatespec::generate::{Settings, window};
//! use gatespec::mutants::window::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//!
//! for op in window::enumerate(&Settings::default()).take(200) {
//!     assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
//! }
//! ```

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::ops::verdict::VerdictOutput;
use crate::ops::window::{
    Answer, Call, Committed, Drive, DriveOutput, EndWord, Event, KindWord, Mark, Op, Output, Run,
};

macro_rules! mutants {
    ($($fault:ident $clause:ident [$($class:ident)*] $id:literal $sentence:literal;)*) => {
        /// Where this harness can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            /// Nowhere: it must agree with the model.
            Nowhere,
            /// It settles what a fault left unanswered: the other conforming way.
            SettlesAfterFault,
            /// It commits at the end of a drive what the drive answered: conforming.
            CommitsAtTheEnd,
            /// It sweeps the mark when it is stopped: conforming.
            SweepsAtTheStop,
            /// It refuses to run a repeated id: conforming.
            DropsRepeats,
            $(#[doc = $sentence] $fault,)*
        }

        /// The faulty windows.
        pub const MUTANTS: &[Mutant] = &[$(Mutant {
            id: $id,
            sentence: $sentence,
            clause: Clause::$clause,
            classes: &[$(FaultClass::$class),*],
            answer: |op| run!(op, Window, |op| answer(Fault::$fault, op)),
        }),*];
    };
}

mutants! {
    WalksBackwards Win01 [] "window/walks_backwards" "The calls are walked from the last to the first.";
    AsksAhead Win01 [] "window/asks_ahead" "The control is consulted about the next call before this one has run.";
    OneCallADrive Win01 [OverRefuses] "window/one_call_a_drive" "A drive ends after the first call that it ran.";
    NeverAsks Win02 [FailsOpen NotEnforced] "window/never_asks" "The control is never consulted.";
    RunsFirst Win02 [NotEnforced] "window/runs_first" "A call runs while its control is being consulted.";
    OnePassForAll Win02 [TooWide] "window/one_pass_for_all" "A pass of one call lets all calls after it run.";
    AsksWithoutControl Win02 [] "window/asks_without_control" "With the control removed it is still consulted.";
    PassIsNotRun Win03 [OverRefuses] "window/pass_is_not_run" "A passed call is settled without running.";
    PassHasNoResult Win03 [Misrecorded] "window/pass_has_no_result" "What a call gave is not committed.";
    ResultIsError Win03 [Misrecorded] "window/result_is_error" "What a call gave is committed as an error.";
    RefusedRuns Win04 [NotEnforced] "window/refused_runs" "A refused call runs.";
    RefusalNotCommitted Win04 [Misrecorded] "window/refusal_not_committed" "A refused call gets no result.";
    RefusalNoError Win04 [Misrecorded] "window/refusal_no_error" "A refusal is not marked an error.";
    RefusalAsResult Win04 [Misrecorded] "window/refusal_as_result" "A refusal is committed as what the call gave.";
    RefusalEnds Win05 [OverRefuses] "window/refusal_ends" "A refusal ends the walk.";
    HeldRuns Win06 [NotEnforced] "window/held_runs" "A held call runs, and is parked after that.";
    NoMark Win06 [] "window/no_mark" "A hold writes no mark.";
    MarkNamesNoTool Win06 [] "window/mark_names_no_tool" "The mark names the call's id for its tool.";
    HoldGoesOn Win07 [NotEnforced TooWide] "window/hold_goes_on" "The walk goes on past a held call.";
    HoldAsksOn Win07 [] "window/hold_asks_on" "The control is consulted about the call past a held one.";
    HoldCommits Win07 [Misrecorded] "window/hold_commits" "A held call is given an error result.";
    HoldIsDone Win07 [Misrecorded] "window/hold_is_done" "A drive with a held call is reported as done.";
    AsksAgain Win08 [SpentTwice] "window/asks_again" "The control is consulted again about a call that has its result.";
    HeldNotAsked Win09 [FailsOpen Stale] "window/held_not_asked" "The next drive runs the held call without consulting.";
    HeldForGood Win09 [OverRefuses] "window/held_for_good" "A held call is never adjudicated again.";
    PassDoesNotRelease Win09 [OverRefuses] "window/pass_does_not_release" "A pass of a parked call leaves it parked.";
    RemovedStaysParked Win10 [OverRefuses] "window/removed_stays_parked" "With the control removed the held call stays parked.";
    LiftsAfterRun Win11 [SpentTwice] "window/lifts_after_run" "The mark lifts after its call ran.";
    NeverLifts Win11 [Stale] "window/never_lifts" "The mark of a released call stays.";
    RefusalKeepsMark Win11 [Stale] "window/refusal_keeps_mark" "The mark of a call that is refused stays.";
    FaultLifts Win12 [FailsOpen] "window/fault_lifts" "A fault lifts the mark.";
    OldReason Win13 [Stale] "window/old_reason" "A call that is held again keeps its first reason.";
    RunsAgain Win14 [SpentTwice] "window/runs_again" "A drive after a hold runs the calls before it again.";
    CommitsAgain Win14 [SpentTwice] "window/commits_again" "A drive after a hold commits the results before it again.";
    CommitsTwice Win14 [SpentTwice] "window/commits_twice" "A result is committed twice.";
    CommitsFirst Win15 [Misrecorded] "window/commits_first" "A result is committed before its call ran.";
    CommitsReversed Win15 [Misrecorded] "window/commits_reversed" "The results of a drive are committed last first.";
    StopGoesOn Win16 [NotEnforced] "window/stop_goes_on" "The walk goes on after a stop.";
    StoppedRuns Win16 [FailsOpen] "window/stopped_runs" "The call whose control was stopped runs.";
    StopIsFault Win16 [Misrecorded] "window/stop_is_fault" "A stopped drive is reported as a fault.";
    StopSettlesNothing Win17 [] "window/stop_settles_nothing" "The calls that a stop left unanswered stay so.";
    StopSettlesOne Win17 [] "window/stop_settles_one" "A stop settles the stopped call alone.";
    StopAsRefusal Win17 [Misrecorded] "window/stop_as_refusal" "A stop settles calls as refused.";
    StaleMarkStays Win18 [Stale] "window/stale_mark_stays" "A mark whose call a stop settled is never swept.";
    FaultRuns Win19 [FailsOpen] "window/fault_runs" "A call whose control failed runs.";
    FaultGoesOn Win19 [FailsOpen] "window/fault_goes_on" "The walk goes on past a fault.";
    FaultCommits Win19 [Misrecorded] "window/fault_commits" "A call whose control failed is given a refusal.";
    FaultIsDone Win19 [Misrecorded] "window/fault_is_done" "A drive that ended in a fault is reported as done.";
    RunsAfterFault Win20 [FailsOpen] "window/runs_after_fault" "The drive after a fault runs the calls without consulting.";
    StuckAfterFault Win20 [OverRefuses] "window/stuck_after_fault" "After a fault the unanswered calls are left as they are.";
    SettlesOneAfterFault Win20 [] "window/settles_one_after_fault" "After a fault one call is settled and the rest are left.";
    OnePassForTwins Win21 [Identity TooWide] "window/one_pass_for_twins" "A pass of an id lets another call with that id run.";
    RunsTwins Win21 [Identity FailsOpen] "window/runs_twins" "A call whose id was refused before runs unasked.";
    DoneIsHeld Win22 [Misrecorded] "window/done_is_held" "A drive that answered every call is reported as held.";
}

use Fault as F;

/// What the faulty harness keeps between two drives.
struct Harness<'a> {
    fault: Fault,
    calls: &'a [Call],
    settled: Vec<bool>,
    mark: Option<Mark>,
    crashed: bool,
}

/// What it does in one drive.
#[derive(Default)]
struct Log {
    events: Vec<Event>,
    late: Vec<Event>,
}

/// How a call's turn ends.
enum Turn {
    Next,
    End(EndWord),
}

impl Harness<'_> {
    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn drive(&mut self, drive: &Drive) -> DriveOutput {
        let mut log = Log::default();
        let crashed = std::mem::take(&mut self.crashed);
        let resumed = self.settled.contains(&true) && self.mark.is_some();
        if resumed && self.has(F::RunsAgain) {
            log.events
                .extend(self.done().map(|call| Event::Executed(call.id.clone())));
        }
        if resumed && self.has(F::CommitsAgain) {
            let again = self
                .done()
                .map(|call| committed(call, KindWord::Result, false));
            log.events.extend(again.collect::<Vec<_>>());
        }
        if crashed && self.has(F::StuckAfterFault) {
            return self.closed(log, EndWord::Fault);
        }
        if crashed && matches!(self.fault, F::SettlesAfterFault | F::SettlesOneAfterFault) {
            self.settle(
                &mut log,
                KindWord::Interrupted,
                self.has(F::SettlesOneAfterFault),
            );
            return self.closed(log, EndWord::Done);
        }
        let mut order: Vec<usize> = (0..self.calls.len()).collect();
        if self.has(F::WalksBackwards) {
            order.reverse();
        }
        let parked = self.mark.is_some() && self.settled.contains(&false);
        if !parked && !self.has(F::StaleMarkStays) {
            self.lift(&mut log);
        }
        let mut end = EndWord::Done;
        let mut free = crashed && self.has(F::RunsAfterFault);
        for at in order {
            match self.turn(drive, at, &mut log, &mut free) {
                Turn::Next => {}
                Turn::End(how) => {
                    end = how;
                    break;
                }
            }
        }
        self.closed(log, end)
    }

    fn done(&self) -> impl Iterator<Item = &Call> {
        self.calls
            .iter()
            .zip(&self.settled)
            .filter_map(|(call, done)| done.then_some(call))
    }

    fn closed(&mut self, log: Log, end: EndWord) -> DriveOutput {
        let Log {
            mut events,
            mut late,
        } = log;
        if self.has(F::CommitsReversed) {
            late.reverse();
        }
        events.append(&mut late);
        let end = match (end, self.fault) {
            (EndWord::Held, F::HoldIsDone) | (EndWord::Fault, F::FaultIsDone) => EndWord::Done,
            (EndWord::Stopped, F::StopIsFault) => EndWord::Fault,
            (EndWord::Done, F::DoneIsHeld) => EndWord::Held,
            (end, _) => end,
        };
        DriveOutput {
            events,
            end,
            mark: self.mark.clone(),
        }
    }

    /// One call's turn in a drive.
    fn turn(&mut self, drive: &Drive, at: usize, log: &mut Log, free: &mut bool) -> Turn {
        let Some(call) = self.calls.get(at) else {
            return Turn::Next;
        };
        let twin = self.calls.iter().take(at).any(|other| other.id == call.id);
        if self.settled.get(at) == Some(&true) {
            if self.has(F::AsksAgain) && matches!(drive, Drive::Configured { .. }) {
                log.events.push(Event::Consulted(call.id.clone()));
            }
            return Turn::Next;
        }
        if twin && self.has(F::DropsRepeats) {
            self.commit(at, KindWord::Interrupted, true, log);
            return Turn::Next;
        }
        let marked = self.mark.as_ref().is_some_and(|mark| mark.id == call.id);
        let Drive::Configured { answers } = drive else {
            if marked && self.has(F::RemovedStaysParked) {
                return Turn::End(EndWord::Held);
            }
            if self.has(F::AsksWithoutControl) {
                log.events.push(Event::Consulted(call.id.clone()));
            }
            return self.passes(at, log);
        };
        if marked && self.has(F::HeldForGood) {
            return Turn::End(EndWord::Held);
        }
        let unasked = self.has(F::NeverAsks)
            || marked && self.has(F::HeldNotAsked)
            || twin && matches!(self.fault, F::OnePassForTwins | F::RunsTwins)
            || *free;
        if unasked {
            return self.passes(at, log);
        }
        if self.has(F::RunsFirst) {
            log.events.push(Event::Executed(call.id.clone()));
        }
        log.events.push(Event::Consulted(call.id.clone()));
        self.answered(answers.get(&call.id), at, log, free)
    }

    fn answered(
        &mut self,
        answer: Option<&Answer>,
        at: usize,
        log: &mut Log,
        free: &mut bool,
    ) -> Turn {
        let marked = self.mark.is_some();
        match answer {
            None | Some(Answer::Verdict(VerdictOutput::Pass {})) => {
                *free = self.has(F::OnePassForAll) && !self.twins();
                if self.has(F::AsksAhead) {
                    let next = self.calls.get(at + 1);
                    log.events
                        .extend(next.map(|next| Event::Consulted(next.id.clone())));
                }
                if self.has(F::PassIsNotRun) {
                    self.commit(at, KindWord::Interrupted, true, log);
                    return Turn::Next;
                }
                if marked && self.has(F::PassDoesNotRelease) {
                    return Turn::End(EndWord::Held);
                }
                self.passes(at, log)
            }
            Some(Answer::Verdict(VerdictOutput::Refuse { .. })) => self.refused(at, log),
            Some(Answer::Verdict(VerdictOutput::Hold { reason })) => self.held(at, reason, log),
            Some(Answer::Stopped { .. }) => self.stopped(at, log),
            Some(Answer::Fault { .. }) => self.failed(at, log),
        }
    }

    fn twins(&self) -> bool {
        let again = |(at, call): (usize, &Call)| {
            self.calls.iter().take(at).any(|other| other.id == call.id)
        };
        self.calls.iter().enumerate().any(again)
    }

    fn passes(&mut self, at: usize, log: &mut Log) -> Turn {
        let early = !matches!(self.fault, F::LiftsAfterRun | F::NeverLifts);
        if early {
            self.lift(log);
        }
        match self.fault {
            F::PassHasNoResult => {
                self.run(at, log);
                self.close(at);
            }
            F::CommitsFirst => {
                self.commit(at, KindWord::Result, false, log);
                self.run(at, log);
            }
            _ => {
                self.run(at, log);
                self.commit(at, KindWord::Result, self.has(F::ResultIsError), log);
            }
        }
        if self.has(F::LiftsAfterRun) {
            self.lift(log);
        }
        let more = self.settled.contains(&false);
        if more && self.has(F::OneCallADrive) {
            Turn::End(EndWord::Done)
        } else {
            Turn::Next
        }
    }

    fn refused(&mut self, at: usize, log: &mut Log) -> Turn {
        if !self.has(F::RefusalKeepsMark) {
            self.lift(log);
        }
        match self.fault {
            F::RefusedRuns => self.run(at, log),
            F::RefusalNotCommitted => {
                self.close(at);
                return Turn::Next;
            }
            _ => {}
        }
        let kind = if self.has(F::RefusalAsResult) {
            KindWord::Result
        } else {
            KindWord::Refusal
        };
        self.commit(at, kind, !self.has(F::RefusalNoError), log);
        if self.has(F::RefusalEnds) {
            Turn::End(EndWord::Done)
        } else {
            Turn::Next
        }
    }

    fn held(&mut self, at: usize, reason: &str, log: &mut Log) -> Turn {
        let Some(call) = self.calls.get(at) else {
            return Turn::Next;
        };
        let tool = if self.has(F::MarkNamesNoTool) {
            &call.id
        } else {
            &call.tool
        };
        let mark = Mark {
            id: call.id.clone(),
            tool: tool.clone(),
            reason: reason.to_owned(),
        };
        let kept = self.has(F::NoMark) || self.has(F::OldReason) && self.mark.is_some();
        if !kept {
            self.mark = Some(mark);
        }
        match self.fault {
            F::HeldRuns => self.run(at, log),
            F::HoldCommits => self.commit(at, KindWord::Refusal, true, log),
            F::HoldGoesOn => return Turn::Next,
            F::HoldAsksOn => {
                let next = self.calls.get(at + 1);
                log.events
                    .extend(next.map(|next| Event::Consulted(next.id.clone())));
            }
            _ => {}
        }
        Turn::End(EndWord::Held)
    }

    fn stopped(&mut self, at: usize, log: &mut Log) -> Turn {
        match self.fault {
            F::StopSettlesNothing => return Turn::End(EndWord::Stopped),
            F::StoppedRuns => self.run(at, log),
            F::StopGoesOn => {
                self.commit(at, KindWord::Interrupted, true, log);
                return Turn::Next;
            }
            F::SweepsAtTheStop => self.mark = None,
            _ => {}
        }
        let kind = if self.has(F::StopAsRefusal) {
            KindWord::Refusal
        } else {
            KindWord::Interrupted
        };
        self.settle(log, kind, self.has(F::StopSettlesOne));
        Turn::End(EndWord::Stopped)
    }

    fn failed(&mut self, at: usize, log: &mut Log) -> Turn {
        match self.fault {
            F::FaultRuns => self.run(at, log),
            F::FaultCommits => self.commit(at, KindWord::Refusal, true, log),
            F::FaultGoesOn => return Turn::Next,
            F::FaultLifts => self.lift(log),
            _ => {}
        }
        self.crashed = self.mark.is_none();
        Turn::End(EndWord::Fault)
    }

    fn lift(&mut self, log: &mut Log) {
        log.events
            .extend(self.mark.take().map(|mark| Event::Lifted(mark.id)));
    }

    fn run(&self, at: usize, log: &mut Log) {
        if self.has(F::RunsFirst)
            && log
                .events
                .iter()
                .any(|event| matches!(event, Event::Consulted(_)))
        {
            return;
        }
        log.events.extend(
            self.calls
                .get(at)
                .map(|call| Event::Executed(call.id.clone())),
        );
    }

    fn close(&mut self, at: usize) {
        if let Some(settled) = self.settled.get_mut(at) {
            *settled = true;
        }
    }

    fn commit(&mut self, at: usize, kind: KindWord, is_error: bool, log: &mut Log) {
        self.close(at);
        let late = matches!(self.fault, F::CommitsAtTheEnd | F::CommitsReversed);
        let events = if late { &mut log.late } else { &mut log.events };
        let times = if self.has(F::CommitsTwice) { 2 } else { 1 };
        for call in self.calls.get(at).into_iter().cycle().take(times) {
            events.push(committed(call, kind, is_error));
        }
    }

    /// Settles every call that is not, or only the first of them.
    fn settle(&mut self, log: &mut Log, kind: KindWord, one: bool) {
        let open = self
            .settled
            .iter()
            .enumerate()
            .filter_map(|(at, done)| (!done).then_some(at));
        let most = if one { 1 } else { usize::MAX };
        for at in open.take(most).collect::<Vec<_>>() {
            self.commit(at, kind, true, log);
        }
    }
}

fn committed(call: &Call, kind: KindWord, is_error: bool) -> Event {
    Event::Committed(Committed {
        id: call.id.clone(),
        kind,
        is_error,
    })
}

/// The answer of a harness with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    let Op::Run(Run { calls, drives }) = op;
    let settled = vec![false; calls.len()];
    let mut harness = Harness {
        fault,
        calls,
        settled,
        mark: None,
        crashed: false,
    };
    Output {
        drives: drives.iter().map(|drive| harness.drive(drive)).collect(),
    }
}
