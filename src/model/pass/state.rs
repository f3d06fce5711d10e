//! The cells of a pass: what its stations read and write.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::super::Clause;
use super::super::ledger::{Ledger, Vocabulary};
use super::super::outcome::{Cause, Layer};
use super::choice::{Choice, Readings};
use super::script::{Input, Question, Script};
use super::trace::{Did, Stands, Station, Step};

/// What a ledger calls things inside a pass: borrowed from the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Words<'a>(PhantomData<&'a ()>);

impl<'a> Vocabulary for Words<'a> {
    type Call = &'a str;
    type Origin = &'a str;
    type Classes = BTreeSet<&'a str>;
    type Digest = Bytes<'a>;
    type Round = &'a str;
}

/// The bytes of an input. What a digest is to the ledger: equal exactly when the inputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes<'a>(pub(super) &'a Input);

impl PartialOrd for Bytes<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bytes<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.to_string().cmp(&other.0.to_string())
    }
}

/// How a pass ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With what stands: an allow or a deny.
    Exit,
    /// With a parked call.
    Suspended,
    /// With a fault of the gate's own.
    Defect,
}

/// Whether a pass goes on to its next station.
pub(super) type Flow = ControlFlow<Ending>;

/// A station: a function over the cells.
pub(super) type Act = for<'a> fn(&mut Pass<'a>) -> Flow;

/// How far a standing ask is out of the reach of what decides by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mandate {
    /// No arm clears it; a live decider may (PASS-19).
    LiveDecider(Clause),
    /// A person alone answers it (PASS-17, PASS-20).
    Person(Clause),
}

/// The cells of one pass.
pub(super) struct Pass<'a> {
    /// What each seat answers.
    pub(super) script: &'a Script,
    readings: &'a Readings,
    /// The input as it stands: the model's, then each rewrite's and edit's.
    pub(super) input: &'a Input,
    /// The standing verdict.
    pub(super) stands: Stands,
    /// The question of the standing ask.
    pub(super) question: Option<&'a Question>,
    /// What was settled.
    pub(super) ledger: Ledger<Words<'a>>,
    /// The hook's ask about the input in question.
    pub(super) hook_question: Option<&'a Question>,
    /// The hook answered its own allow to the call.
    pub(super) hook_allows: bool,
    /// The policy rewrote the input after the hook saw it.
    pub(super) policy_rewrote: bool,
    /// What keeps the standing ask from being cleared.
    pub(super) mandate: Option<Mandate>,
    /// Write protection matched the call.
    pub(super) write_protected: bool,
    /// The read boundary declined to judge.
    pub(super) boundary_declined: bool,
    /// The cause of the classifier round behind a deny.
    pub(super) cause: Option<Cause>,
    /// The classifier round that ran.
    pub(super) round: Option<&'a str>,
    /// How the mode released the ask.
    pub(super) released: Option<&'a str>,
    /// How the mode refused it.
    pub(super) mode_refusal: Option<&'a str>,
    /// A park was tried and failed.
    pub(super) park_failed: bool,
    /// How often the hook was asked, the policy, write protection and the resolver.
    pub(super) asked: Asked,
    /// Every step so far.
    pub(super) trace: Vec<Step<'a>>,
}

/// How often each seat that answers a list was asked.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub(super) screening: usize,
    pub(super) policy: usize,
    pub(super) protection: usize,
    pub(super) resolver: usize,
}

impl<'a> Pass<'a> {
    pub(super) fn new(script: &'a Script, readings: &'a Readings) -> Self {
        Self {
            script,
            readings,
            input: &script.args,
            stands: Stands::Allow,
            question: None,
            ledger: Ledger::new(script.call.as_str()),
            hook_question: None,
            hook_allows: false,
            policy_rewrote: false,
            mandate: None,
            write_protected: false,
            boundary_declined: false,
            cause: None,
            round: None,
            released: None,
            mode_refusal: None,
            park_failed: false,
            asked: Asked::default(),
            trace: Vec::with_capacity(16),
        }
    }

    /// Whether this gate takes the other reading of an open choice.
    pub(super) fn reads(&self, choice: Choice) -> bool {
        !self.readings.is_empty() && self.readings.contains(&choice)
    }

    /// Whether an ask stands.
    pub(super) const fn asks(&self) -> bool {
        matches!(self.stands, Stands::Ask(_))
    }

    /// Writes a step down.
    pub(super) fn step(&mut self, station: Station, did: Did, said: &'static str, clause: Clause) {
        let (input, stands) = (self.input, self.stands);
        self.trace.push(Step {
            station,
            input,
            said,
            stands,
            did,
            clause,
        });
    }

    /// A seat was asked, said this, and nothing changed by it.
    pub(super) fn heard(&mut self, station: Station, said: &'static str, clause: Clause) -> Flow {
        self.step(station, Did::Asked, said, clause);
        Flow::Continue(())
    }

    /// A seat was asked, and by what it said the call may run.
    pub(super) fn allow(&mut self, station: Station, said: &'static str, clause: Clause) -> Flow {
        self.stands = Stands::Allow;
        self.question = None;
        self.heard(station, said, clause)
    }

    /// A seat was asked, and what it said is the end of the pass (PASS-14).
    pub(super) fn deny(
        &mut self,
        station: Station,
        said: &'static str,
        layer: Layer,
        clause: Clause,
    ) -> Flow {
        self.stands = Stands::Deny(layer);
        self.step(station, Did::Asked, said, clause);
        Flow::Break(Ending::Exit)
    }

    /// A station puts a question: over a surviving allow alone (PASS-22).
    pub(super) fn put(
        &mut self,
        station: Station,
        said: &'static str,
        question: &'a Question,
        clause: Clause,
    ) -> Flow {
        if self.stands != Stands::Allow {
            return self.heard(station, said, Clause::Pass22);
        }
        self.stands = Stands::Ask(station);
        self.question = Some(question);
        self.heard(station, said, clause)
    }

    /// The input is another from here on.
    pub(super) fn rewrite(&mut self, station: Station, rewrite: Option<&'a Input>, clause: Clause) {
        if let Some(rewrite) = rewrite {
            self.input = rewrite;
            self.step(station, Did::Rewrote, "rewrites", clause);
        }
    }

    /// The standing ask is out of reach at least this far.
    pub(super) fn mandate(&mut self, station: Station, mandate: Mandate) {
        let (Mandate::LiveDecider(clause) | Mandate::Person(clause)) = mandate;
        if self
            .mandate
            .is_none_or(|standing| !standing.reaches(mandate))
        {
            self.mandate = Some(mandate);
        }
        self.step(station, Did::Noted, "mandates", clause);
    }

    /// Whether a person alone may answer the standing ask.
    pub(super) const fn person_only(&self) -> Option<Clause> {
        match self.mandate {
            Some(Mandate::Person(clause)) => Some(clause),
            Some(Mandate::LiveDecider(_)) | None => None,
        }
    }
}

impl Mandate {
    /// Whether this is at least as far out of reach as another.
    const fn reaches(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Person(_), _) | (_, Self::LiveDecider(_))
        )
    }
}
