//! Making a failing case small, through the gate itself.
//!
//! ```
//! use gatespec::conform::shrink::{Failing, shrink};
//! use gatespec::conform::{Answer, Case, Depth, Hello, InProcess};
//! use gatespec::ops::{Op, key};
//!
//! // a gate that breaks at every subject with a `#`
//! let answer = |op: &Op| match op.input().get().contains('#') {
//!     true => Answer::Error("a hash".to_owned()),
//!     false => Answer::Output(op.expected()),
//! };
//! let mut gate = InProcess::new(Hello::reference(), answer);
//! let op = Op::from(key::Op::all(b"node:a#b:step:c").next().unwrap());
//! let case = Case { id: "mine".to_owned(), depth: Depth::Generated, op };
//! let failing = Failing::of(case, Answer::Error("a hash".to_owned())).unwrap();
//! let (small, ended) = shrink(&mut gate, &Hello::reference(), failing, &Default::default());
//! assert_eq!(small.case.op.input().get(), r##"{"subject":"#"}"##);
//! assert!(ended.is_ok());
//! ```

use super::{Answer, Case, Hello, Kind, Stopped, Subject, Verdict};
use crate::model::Clause;

/// How many cases the search for a smaller one may put to a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShrinkLimits {
    /// For a case that was answered.
    pub answered: usize,
    /// For a case that kills the adapter or breaks the protocol: each costs a restart.
    pub crashing: usize,
    /// For a case that hangs: each costs a time-out.
    pub hanging: usize,
    /// How many are under way at once.
    pub batch: usize,
}

impl Default for ShrinkLimits {
    fn default() -> Self {
        Self {
            answered: 20_000,
            crashing: 24,
            hanging: 2,
            batch: 32,
        }
    }
}

impl ShrinkLimits {
    const fn of(&self, kind: Kind) -> usize {
        match kind {
            Kind::Diverged | Kind::Malformed | Kind::Errored => self.answered,
            Kind::Crashed | Kind::Protocol => self.crashing,
            Kind::TimedOut => self.hanging,
        }
    }
}

/// A failing case, and what came back for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failing {
    /// The case.
    pub case: Case,
    /// What came back.
    pub answer: Answer,
    /// In which way it failed.
    pub kind: Kind,
    /// The clauses that it breaks, the one to name first.
    pub clauses: Vec<Clause>,
}

impl Failing {
    /// The failure of this case with this answer, if it is one.
    #[must_use]
    pub fn of(case: Case, answer: Answer) -> Option<Self> {
        match case.judge(&answer) {
            Verdict::Failed { kind, clauses } => Some(Self {
                case,
                answer,
                kind,
                clauses,
            }),
            Verdict::Passed | Verdict::Unsupported(_) => None,
        }
    }

    /// Whether another failure is the same one: it fails in the same way, and an answer breaks the
    /// same clause first. A case that gets no answer breaks whatever it would have tested.
    fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind
            && (self.kind != Kind::Diverged || self.clauses.first() == other.clauses.first())
    }
}

/// Goes down from a failing case, a step at a time, as long as a smaller one fails in the same way.
///
/// # Errors
/// When the gate can be asked no more: the smallest case so far comes with the reason.
pub fn shrink(
    subject: &mut dyn Subject,
    hello: &Hello,
    start: Failing,
    limits: &ShrinkLimits,
) -> (Failing, Result<(), Stopped>) {
    let mut smallest = start;
    let mut left = limits.of(smallest.kind);
    loop {
        let mut candidates = smallest.case.op.smaller();
        candidates.retain(|op| op.is_asked() && hello.has(&op.needs()).is_ok());
        let mut found = None;
        for batch in candidates.chunks(limits.batch.max(1)) {
            let batch = batch.get(..left.min(batch.len())).unwrap_or_default();
            left -= batch.len();
            match first_failing(subject, batch, &smallest) {
                (Some(failing), Ok(())) => {
                    found = Some(failing);
                    break;
                }
                (None, Ok(())) => {}
                (failing, Err(stopped)) => return (failing.unwrap_or(smallest), Err(stopped)),
            }
        }
        match found {
            Some(failing) => smallest = failing,
            None => return (smallest, Ok(())),
        }
        if left == 0 {
            return (smallest, Ok(()));
        }
    }
}

/// Runs a batch of candidates; the first, in their order, that fails as `like` does.
fn first_failing(
    subject: &mut dyn Subject,
    batch: &[crate::ops::Op],
    like: &Failing,
) -> (Option<Failing>, Result<(), Stopped>) {
    let mut cases = batch.iter().enumerate().map(|(at, op)| Case {
        id: at.to_string(),
        depth: like.case.depth,
        op: op.clone(),
    });
    let mut first: Option<(usize, Failing)> = None;
    let stopped = subject.run(&mut cases, &mut |mut case, answer| {
        let at = case.id.parse().unwrap_or(usize::MAX);
        case.id.clone_from(&like.case.id);
        if first.as_ref().is_none_or(|(best, _)| at < *best)
            && let Some(failing) = Failing::of(case, answer)
            && failing.is_same(like)
        {
            first = Some((at, failing));
        }
    });
    (first.map(|(_, failing)| failing), stopped)
}
