//! The fates of a suite: the kinds of answer that there are, for the statistics of a run.
//!
//! A generator that never leads to one of them is idle there, whatever clauses its cases rest on.

use std::collections::BTreeSet;

use super::{Op, Output, key, outcome, verdict, window};
use crate::model::Suite;

impl Op {
    /// The fates of a suite.
    #[must_use]
    pub const fn fates(suite: Suite) -> &'static [&'static str] {
        match suite {
            Suite::Key => KEY,
            Suite::Verdict => VERDICT,
            Suite::Window => WINDOW,
            Suite::Outcome => OUTCOME,
            _ => &[],
        }
    }
}

impl Output {
    /// The fates that the answer tells of: one, or several where it tells of several steps.
    #[must_use]
    pub fn fates(&self) -> BTreeSet<&'static str> {
        match self {
            Self::Key(output) => [of_key(output)].into(),
            Self::Verdict(output) => [of_verdict(output)].into(),
            Self::Window(output) => of_window(output),
            Self::Outcome(output) => [of_outcome(output)].into(),
            #[allow(unreachable_patterns, reason = "a suite may come before its fates")]
            _ => BTreeSet::new(),
        }
    }
}

const KEY: &[&str] = &[
    "a node",
    "a Step",
    "no plan key",
    "a node key",
    "no node key",
    "a name",
    "no name",
    "an instance is made",
    "an instance is taken apart",
    "its own base",
    "live",
    "not live",
];

fn of_key(output: &key::Output) -> &'static str {
    use key::Output as O;
    match output {
        O::PlanKey(got) => match &got.plan_key {
            Some(parts) if parts.step.is_some() => "a Step",
            Some(_) => "a node",
            None => "no plan key",
        },
        O::IsNodeKey(got) if got.is_node_key => "a node key",
        O::IsNodeKey(_) => "no node key",
        O::NodeName(got) if got.node_name.is_some() => "a name",
        O::NodeName(_) => "no name",
        O::Instance(_) => "an instance is made",
        O::Base(got) if got.instance => "an instance is taken apart",
        O::Base(_) => "its own base",
        O::LiveId(got) if got.live => "live",
        O::LiveId(_) => "not live",
    }
}

const VERDICT: &[&str] = &[
    "a pass is read",
    "a refusal is read",
    "a hold is read",
    "no verdict is read",
    "a request",
    "proceed",
    "refuse",
    "hold",
    "stopped",
    "fault",
    "a refusal is told",
];

fn of_verdict(output: &verdict::Output) -> &'static str {
    use verdict::{Output as O, ParseOutput, SeamOutput, VerdictOutput};
    match output {
        O::Parse(ParseOutput::Verdict(VerdictOutput::Pass {})) => "a pass is read",
        O::Parse(ParseOutput::Verdict(VerdictOutput::Refuse { .. })) => "a refusal is read",
        O::Parse(ParseOutput::Verdict(VerdictOutput::Hold { .. })) => "a hold is read",
        O::Parse(ParseOutput::Fault { .. }) => "no verdict is read",
        O::Request(_) => "a request",
        O::Seam(SeamOutput::Proceed { .. }) => "proceed",
        O::Seam(SeamOutput::Refuse { .. }) => "refuse",
        O::Seam(SeamOutput::Hold { .. }) => "hold",
        O::Seam(SeamOutput::Stopped { .. }) => "stopped",
        O::Seam(SeamOutput::Fault { .. }) => "fault",
        O::Refusal(_) => "a refusal is told",
    }
}

const WINDOW: &[&str] = &[
    "a drive is done",
    "a drive is held",
    "a drive is stopped",
    "a drive ends in a fault",
    "a call runs",
    "a result commits",
    "a refusal commits",
    "an interruption commits",
    "a mark lifts",
];

fn of_window(output: &window::Output) -> BTreeSet<&'static str> {
    use window::{EndWord, Event, KindWord};
    let ends = output.drives.iter().map(|drive| match drive.end {
        EndWord::Done => "a drive is done",
        EndWord::Held => "a drive is held",
        EndWord::Stopped => "a drive is stopped",
        EndWord::Fault => "a drive ends in a fault",
    });
    let events = output.drives.iter().flat_map(|drive| &drive.events);
    let events = events.filter_map(|event| match event {
        Event::Consulted(_) => None,
        Event::Executed(_) => Some("a call runs"),
        Event::Lifted(_) => Some("a mark lifts"),
        Event::Committed(committed) => Some(match committed.kind {
            KindWord::Result => "a result commits",
            KindWord::Refusal => "a refusal commits",
            KindWord::Interrupted => "an interruption commits",
        }),
    });
    ends.chain(events).collect()
}

const OUTCOME: &[&str] = &["allow", "deny", "deny by a veto", "defect"];

fn of_outcome(output: &outcome::Output) -> &'static str {
    use crate::model::outcome::Settlement;
    match output {
        outcome::Output::Defect { .. } => "defect",
        outcome::Output::Record { record } => match (record.denied_by, record.settlement) {
            (None, _) => "allow",
            (Some(_), Some(Settlement::Approved { .. })) => "deny by a veto",
            (Some(_), _) => "deny",
        },
    }
}
