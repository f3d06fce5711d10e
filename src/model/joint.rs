//! Window under boundary: the windows of several agents, with the boundary as the control that
//! each of them consults (`spec/boundary.md`, *Window under boundary*).
//!
//! A drive walks an agent's window and has each call ruled when it comes to it; an act arrives
//! between two drives. The mark is one thing with two readers: the window parks its call by it,
//! and an answer finds the call by it.
//!
//! ```
//! use gatespec::model::boundary::{Act, Call, Effect, Policy, Seat, Verdict};
//! use gatespec::model::joint::{Control, Joint};
//! use gatespec::model::window::End;
//!
//! let pass = Verdict::Pass;
//! let policy = Policy { read: pass, write: pass, destructive: pass, secret: pass };
//! let seat = Seat::new("w", "p");
//! let call = Call { id: "c".into(), tool: "sh".into(), effect: Effect::Write };
//! let mut joint = Joint::new(policy, [(seat.clone(), vec![call])]);
//! joint.act(&Act::Revoke(seat.clone())).unwrap();
//! assert_eq!(joint.drive(&seat, Control::Rules).unwrap().drive.end, End::Held);
//! joint.act(&Act::answer(seat.clone(), pass)).unwrap();
//! assert_eq!(joint.drive(&seat, Control::Rules).unwrap().drive.end, End::Done);
//! ```

use std::collections::BTreeMap;

use super::boundary::Verdict;
use super::boundary::{Act, Boundary, Call, Envelope, Policy, Receipt, Refusal, Ruling, Seat};
use super::verdict::{Fault, Gate};
use super::window::{self, AfterFault, Window};

/// An agent that has emitted one step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Agent {
    calls: Vec<Call>,
    window: Window,
}

impl Agent {
    /// The calls of the step.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The step's window.
    #[must_use]
    pub const fn window(&self) -> &Window {
        &self.window
    }

    /// The call that is held: the one that the mark names, unless it has its result and the mark
    /// is stale (WIN-18).
    #[must_use]
    pub fn held(&self) -> Option<&Call> {
        let mark = self.window.mark()?;
        let next = self.window.next_call()?;
        let call = self.calls.iter().find(|call| call.id == mark.id)?;
        (next.id == mark.id).then_some(call)
    }
}

/// What becomes of the control in a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Control {
    /// It rules every call.
    Rules,
    /// The harness is stopped while the control rules the first call that the drive comes to.
    Stopped,
    /// The control fails at the first call that the drive comes to.
    Fails,
}

/// What a drive did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driven {
    /// In the window.
    pub drive: window::Drive,
    /// At the boundary: each call that was ruled, in order.
    pub rulings: Vec<(String, Ruling)>,
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// An act arrives.
    Act(Envelope),
    /// An agent's conversation is driven.
    Drive(Seat, Control),
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of an act.
    Acted(Result<Receipt, Refusal>),
    /// Of a drive; nothing where there is no such agent.
    Driven(Option<Driven>),
}

/// The windows of several agents under one boundary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Joint {
    boundary: Boundary,
    agents: BTreeMap<Seat, Agent>,
}

impl Joint {
    /// Agents that have each just emitted a step.
    #[must_use]
    pub fn new(policy: Policy, steps: impl IntoIterator<Item = (Seat, Vec<Call>)>) -> Self {
        let agents = steps.into_iter().map(|(seat, calls)| {
            let plain = |call: &Call| window::Call {
                id: call.id.clone(),
                tool: call.tool.clone(),
            };
            let window = Window::new(calls.iter().map(plain).collect());
            (seat, Agent { calls, window })
        });
        Self {
            boundary: Boundary::new(policy),
            agents: agents.collect(),
        }
    }

    /// Lets one thing happen.
    pub fn step(&mut self, event: &Event) -> Outcome {
        match event {
            Event::Act(envelope) => Outcome::Acted(self.boundary.take(envelope)),
            Event::Drive(seat, control) => Outcome::Driven(self.drive(seat, *control)),
        }
    }

    /// Takes an act.
    ///
    /// # Errors
    /// As [`Boundary::act`].
    pub fn act(&mut self, act: &Act) -> Result<Receipt, Refusal> {
        self.boundary.act(act)
    }

    /// Drives an agent's window once, each call ruled when the walk comes to it (BND-35).
    pub fn drive(&mut self, seat: &Seat, control: Control) -> Option<Driven> {
        let Self { boundary, agents } = self;
        let agent = agents.get_mut(seat)?;
        let Agent { calls, window } = agent;
        let mut rulings = Vec::new();
        let mut first = true;
        let mut seam = |asked: &window::Call| {
            match (control, std::mem::take(&mut first)) {
                (Control::Stopped, true) => return Gate::Stopped,
                (Control::Fails, true) => return Gate::Fault(Fault::TimedOut),
                _ => {}
            }
            let Some(call) = calls.iter().find(|call| call.id == asked.id) else {
                return Gate::Fault(Fault::TimedOut); // no call of this step: nothing runs
            };
            let ruling = boundary.consult(seat, call);
            let gate = gate(&ruling);
            rulings.push((call.id.clone(), ruling));
            gate
        };
        let drive = window.drive(Some(&mut seam), AfterFault::Adjudicate);
        if agent.held().is_none() {
            self.boundary.sweep(seat);
        }
        Some(Driven { drive, rulings })
    }

    /// The boundary.
    #[must_use]
    pub const fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// An agent.
    #[must_use]
    pub fn agent(&self, seat: &Seat) -> Option<&Agent> {
        self.agents.get(seat)
    }

    /// Every agent.
    pub fn agents(&self) -> impl Iterator<Item = (&Seat, &Agent)> {
        self.agents.iter()
    }
}

/// What a ruling is at the seam.
fn gate(ruling: &Ruling) -> Gate {
    let reason = || ruling.verdict.word().to_owned();
    match ruling.verdict {
        Verdict::Pass => Gate::Proceed,
        Verdict::Refuse => Gate::Refuse { reason: reason() },
        Verdict::Hold => Gate::Hold { reason: reason() },
    }
}
