//! The fates of a suite: the kinds of answer that there are, for the statistics of a run.
//!
//! A generator that never leads to one of them is idle there, whatever clauses its cases rest on.

use std::collections::BTreeSet;

use super::{Op, Output, boundary, key, ledger, outcome, pass, verdict, window};
use crate::model::Suite;

impl Op {
    /// The fates of a suite.
    #[must_use]
    pub const fn fates(suite: Suite) -> &'static [&'static str] {
        match suite {
            Suite::Key => KEY,
            Suite::Verdict => VERDICT,
            Suite::Window => WINDOW,
            Suite::Boundary => BOUNDARY,
            Suite::Outcome => OUTCOME,
            Suite::Ledger => LEDGER,
            Suite::Pass => PASS,
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
            Self::Boundary(output) => of_boundary(output),
            Self::Outcome(output) => [of_outcome(output)].into(),
            Self::Ledger(output) => of_ledger(output),
            Self::Pass(output) => of_pass(output),
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

const BOUNDARY: &[&str] = &[
    "the words are listed",
    "an envelope is made",
    "it descends",
    "it does not descend",
    "a call passes",
    "a call holds",
    "a call is refused",
    "an answer is taken",
    "an act is refused",
    "a floor stands",
    "no floor stands",
    "a policy is taken",
];

fn of_boundary(output: &boundary::Output) -> BTreeSet<&'static str> {
    use boundary::Output as O;
    match output {
        O::Verdicts(_) => ["the words are listed"].into(),
        O::Envelope(_) => ["an envelope is made"].into(),
        O::Descends(got) if got.descends => ["it descends"].into(),
        O::Descends(_) => ["it does not descend"].into(),
        O::Run(got) => got.events.iter().map(of_event).collect(),
        O::Joint(got) => got.events.iter().flat_map(of_joint_event).collect(),
    }
}

fn of_event(event: &boundary::EventOutput) -> &'static str {
    use boundary::EventOutput as E;
    match event {
        E::Ruled(ruled) => of_ruling(ruled.ruling),
        E::Receipt(got) => of_receipt(&got.receipt),
        E::Refused(_) => "an act is refused",
        E::Taken(_) => "a policy is taken",
    }
}

fn of_joint_event(event: &boundary::JointEventOutput) -> Vec<&'static str> {
    use boundary::JointEventOutput as E;
    match event {
        E::Driven(driven) => driven
            .ruled
            .iter()
            .map(|call| of_ruling(call.ruling))
            .collect(),
        E::Receipt(got) => vec![of_receipt(&got.receipt)],
        E::Refused(_) => vec!["an act is refused"],
    }
}

const fn of_ruling(ruling: crate::model::boundary::Verdict) -> &'static str {
    use crate::model::boundary::Verdict;
    match ruling {
        Verdict::Pass => "a call passes",
        Verdict::Hold => "a call holds",
        Verdict::Refuse => "a call is refused",
    }
}

const fn of_receipt(receipt: &boundary::ReceiptBody) -> &'static str {
    use boundary::ReceiptBody;
    match receipt {
        ReceiptBody::Answered(_) => "an answer is taken",
        ReceiptBody::Floor(floor) if floor.floored => "a floor stands",
        ReceiptBody::Floor(_) => "no floor stands",
    }
}

const LEDGER: &[&str] = &[
    "allow",
    "deny",
    "ask",
    "loud fault",
    "a yes is settled",
    "a refusal is settled",
    "nothing is settled",
    "a cause is read",
    "a round is read",
    "one digest",
    "two digests",
];

fn of_ledger(output: &ledger::Output) -> BTreeSet<&'static str> {
    use crate::model::ledger::Verdict;
    use crate::model::outcome::Settlement;
    let steps = match output {
        ledger::Output::Digest(got) if got.same => return ["one digest"].into(),
        ledger::Output::Digest(_) => return ["two digests"].into(),
        ledger::Output::Trace(got) => &got.steps,
    };
    let mut fates = BTreeSet::new();
    for step in steps {
        fates.extend(step.decision.map(|decision| match decision {
            Verdict::Allow => "allow",
            Verdict::Deny => "deny",
            Verdict::Ask => "ask",
        }));
        fates.extend(step.fault.then_some("loud fault"));
        fates.extend(step.cause.map(|_| "a cause is read"));
        fates.extend(step.round.as_ref().map(|_| "a round is read"));
        fates.insert(
            match step.settled.as_ref().map(|settled| settled.settlement) {
                None => "nothing is settled",
                Some(Settlement::Approved { .. }) => "a yes is settled",
                Some(Settlement::Refused { .. }) => "a refusal is settled",
            },
        );
    }
    fates
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

const PASS: &[&str] = &[
    "allow",
    "allow with a yes",
    "allow by the mode",
    "deny",
    "deny by a veto",
    "deny by a refused ask",
    "a park fails",
    "suspended",
    "defect",
    "the observer is told",
];

fn of_pass(output: &pass::Output) -> BTreeSet<&'static str> {
    use crate::model::outcome::{Layer, Settlement};
    use crate::model::pass::Verdict;
    let outcome = output.outcome.as_ref();
    let yes = outcome.is_some_and(|of| matches!(of.settlement, Some(Settlement::Approved { .. })));
    let released = outcome.is_some_and(|of| of.released.is_some());
    let asked = outcome.is_some_and(|of| of.denied_by == Some(Layer::AskResolution));
    let mut fates = BTreeSet::new();
    fates.insert(match output.result {
        Verdict::Allow if yes => "allow with a yes",
        Verdict::Allow if released => "allow by the mode",
        Verdict::Allow => "allow",
        Verdict::Deny if yes => "deny by a veto",
        Verdict::Deny if asked => "deny by a refused ask",
        Verdict::Deny => "deny",
        Verdict::Suspended => "suspended",
        Verdict::Defect => "defect",
    });
    fates.extend(output.park_failed.then_some("a park fails"));
    fates.extend((!output.observer.is_empty()).then_some("the observer is told"));
    fates
}
