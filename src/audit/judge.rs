//! Which clause a record or a trace breaks, and what happened.
//!
//! ```
//! use gatespec::audit::Line;
//! use gatespec::audit::entry::{Body, Entry};
//! use gatespec::audit::judge::alone;
//! use gatespec::model::Clause;
//!
//! let line = r#"{"kind":"outcome","call":"c","record":{"decision":"deny"}}"#;
//! let line: Line = serde_json::from_str(line).unwrap();
//! let Ok(Entry { body: Body::Outcome(record), .. }) = Entry::of(&line, &mut Vec::new()) else {
//!     panic!("it is an outcome");
//! };
//! assert_eq!(alone(&record).unwrap().clauses, [Clause::I2]);
//! ```

use super::entry::{Claim, InLine, Span};
use crate::model::Clause;
use crate::model::ledger::{Event, Returned, Settled, Verdict};
use crate::model::outcome::{Decision, Facts, Layer, Record, SettledFacts, Settlement, mint};

/// What is wrong: the clauses, the one to name first, and the story's last line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// The clauses that are broken.
    pub clauses: Vec<Clause>,
    /// What the record says, and must not.
    pub however: Vec<String>,
}

impl Wrong {
    fn add(&mut self, clauses: &[Clause], however: impl Into<String>) {
        for &clause in clauses {
            if !self.clauses.contains(&clause) {
                self.clauses.push(clause);
            }
        }
        self.however.push(however.into());
    }
}

/// Where and by which clause something came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Because {
    /// The clause.
    pub clause: Clause,
    /// The line.
    pub line: u64,
}

/// What a pass goes on with after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// An allow.
    Allow,
    /// An ask.
    Ask,
    /// A deny by this layer.
    Deny(Layer),
    /// A loud fault.
    Fault,
}

/// What is remembered of a trace beside its ledger: why things stand as they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail {
    /// Why what is settled is settled, or why nothing is.
    pub why: Because,
    /// The last settlement that is not what the ledger holds, and why it is not.
    pub not: Option<(Settlement, Because)>,
    /// What the pass last went on with, since the last supersede.
    pub last: Option<(Gate, Because)>,
}

impl Trail {
    /// The start of a trace.
    #[must_use]
    pub const fn new(line: u64) -> Self {
        Self {
            why: Because {
                clause: Clause::Led01,
                line,
            },
            not: None,
            last: None,
        }
    }

    /// Follows one step of the machine.
    pub fn follow(
        &mut self,
        event: &Event<InLine>,
        returned: &Returned<InLine>,
        because: Because,
        before: Option<Settlement>,
    ) -> Touch {
        let touch = Touch::of(event, returned, because.clause);
        let record = match event {
            Event::Resolved { resolution, .. } => resolution.record.as_ref(),
            Event::Decision { record, .. } => record.as_ref(),
            _ => None,
        };
        let uncounted = record
            .filter(|_| !counts(because.clause))
            .map(|record| (record.settlement, because));
        match touch {
            Touch::Settles => {
                let replaced = before.map(|old| {
                    (
                        old,
                        Because {
                            clause: Clause::Led02,
                            ..because
                        },
                    )
                });
                self.not = uncounted.or(replaced).or(self.not);
                self.why = because;
            }
            Touch::Clears => {
                self.not = before.map(|old| (old, because)).or(self.not);
                self.why = because;
            }
            Touch::Leaves => {
                self.not = uncounted.or(self.not);
                let spoke = matches!(event, Event::Resolved { .. } | Event::Decision { .. });
                if before.is_none() && spoke {
                    self.why = because;
                }
            }
        }
        let gate = match returned {
            Returned::Allow => Some(Gate::Allow),
            Returned::Ask => Some(Gate::Ask),
            Returned::Deny(layer) => Some(Gate::Deny(*layer)),
            Returned::Fault => Some(Gate::Fault),
            Returned::Nothing | Returned::Cause(_) | Returned::Round(_) => None,
        };
        match (gate, event) {
            (Some(gate), _) => self.last = Some((gate, because)),
            (None, Event::Supersede) => self.last = None,
            (None, _) => {}
        }
        touch
    }
}

/// Whether a record that this clause decided about was taken as what it says.
const fn counts(clause: Clause) -> bool {
    matches!(
        clause,
        Clause::Led09 | Clause::Led10 | Clause::Led17 | Clause::Led18 | Clause::Led19
    )
}

/// What an event does to what is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It settles.
    Settles,
    /// It leaves nothing settled.
    Clears,
    /// It leaves what is settled.
    Leaves,
}

impl Touch {
    fn of(event: &Event<InLine>, returned: &Returned<InLine>, clause: Clause) -> Self {
        let settles = match event {
            Event::Set { .. } => true,
            Event::Resolved { .. } => {
                matches!(returned, Returned::Deny(_)) || clause == Clause::Led10
            }
            Event::Decision { .. } => {
                matches!(clause, Clause::Led17 | Clause::Led18 | Clause::Led19)
            }
            _ => false,
        };
        match clause {
            _ if settles => Self::Settles,
            Clause::Led22 | Clause::Led23 => Self::Clears,
            _ => Self::Leaves,
        }
    }
}

/// What a record breaks by itself.
#[must_use]
pub fn alone(record: &Record<Span>) -> Option<Wrong> {
    let settled = SettledFacts {
        settlement: record.settlement,
        origin: record.origin.map(|_| ()),
        licensed: None,
    };
    let facts = Facts {
        denied_by: record.denied_by,
        cause: record.cause,
        settled: Some(settled),
        classifier: record.classifier.map(|_| ()),
        released: record.released.map(|_| ()),
        mode_refusal: record.mode_refusal.map(|_| ()),
    };
    let minted = mint(&facts);
    let named = record.denied_by.is_some() == (record.decision == Decision::Deny);
    if minted.is_ok() && named {
        return None;
    }
    let mut wrong = Wrong::default();
    if !named {
        let says = match record.denied_by {
            Some(layer) => format!("it is an allow, and names `{layer}` as who refused"),
            None => "it is a deny, and nobody is named who refused".to_owned(),
        };
        wrong.add(&[Clause::I2], says);
    }
    for defect in minted.err().iter().flat_map(|defects| defects.iter()) {
        wrong.add(&[defect.clause()], format!("it holds {defect}"));
    }
    Some(wrong)
}

/// What the record at an exit breaks, beside a ledger that held `settled`, of an ask with `origin`.
#[must_use]
pub fn at_exit(
    record: &Record<Span>,
    text: &[u8],
    settled: Option<&Settled<InLine>>,
    origin: &[u8],
    trail: &Trail,
) -> Option<Wrong> {
    let held = settled.map(Settled::settlement);
    let word = record.origin.map(|span| span.of(text));
    let same_origin = held.is_none() || record.settlement.is_none() || word == Some(origin);
    let goes_on = goes_on(record, trail.last);
    if held == record.settlement && same_origin && goes_on.is_none() {
        return None;
    }
    let mut wrong = Wrong::default();
    if held != record.settlement {
        let not = trail
            .not
            .filter(|(settlement, _)| record.settlement == Some(*settlement));
        let why = not.map_or(trail.why, |(_, because)| because).clause;
        let clauses = match (held, record.decision) {
            _ if not.is_some() => vec![why, trail.why.clause],
            (Some(Settlement::Refused { .. }), _) => vec![Clause::I4, why],
            (Some(_), Decision::Deny) if record.settlement.is_none() => vec![Clause::I3, why],
            _ => vec![why],
        };
        wrong.add(
            &clauses,
            format!("its record carries {}", ended(record.settlement)),
        );
        if matches!(held, Some(Settlement::Refused { .. })) {
            wrong.add(
                &[Clause::I4],
                "a refusal is that refusal, whatever else is claimed",
            );
        }
    }
    if held == record.settlement && !same_origin {
        let word = String::from_utf8_lossy(word.unwrap_or_default()).into_owned();
        wrong.add(
            &[Clause::I1, trail.why.clause],
            format!("its record has the origin `{word}`"),
        );
    }
    if let Some((clause, however)) = goes_on {
        wrong.add(&[clause], however);
    }
    Some(wrong)
}

/// Whether the record ends the pass as it was last left to go on.
fn goes_on(record: &Record<Span>, last: Option<(Gate, Because)>) -> Option<(Clause, String)> {
    let (gate, because) = last?;
    match (gate, record.decision) {
        (Gate::Deny(layer), Decision::Deny) if record.denied_by != Some(layer) => {
            let named = record
                .denied_by
                .map_or("nobody".to_owned(), |by| format!("`{by}`"));
            Some((
                because.clause,
                format!("its record names {named} as who refused"),
            ))
        }
        (Gate::Deny(_), Decision::Allow) => {
            Some((because.clause, "its record is an allow".to_owned()))
        }
        (Gate::Fault, Decision::Allow) => Some((
            because.clause,
            "after a loud fault its record is an allow".to_owned(),
        )),
        _ => None,
    }
}

/// Whether what a log says that a ledger gave back is what the model gives back.
#[must_use]
pub fn as_claimed(returned: &Returned<InLine>, round: &[u8], claim: &Claim, text: &[u8]) -> bool {
    let mut model = Claim::default();
    let mut read = None;
    match returned {
        Returned::Nothing => {}
        Returned::Allow => model.decision = Some(Verdict::Allow),
        Returned::Ask => model.decision = Some(Verdict::Ask),
        Returned::Deny(layer) => {
            model.decision = Some(Verdict::Deny);
            model.denied_by = Some(*layer);
        }
        Returned::Fault => model.fault = true,
        Returned::Cause(cause) => model.cause = *cause,
        Returned::Round(number) => read = number.map(|_| round),
    }
    let claimed = claim.round.map(|span| span.of(text));
    Claim {
        round: None,
        ..*claim
    } == model
        && claimed == read
}

/// What the model gave back, in words.
#[must_use]
pub fn gave(returned: &Returned<InLine>) -> String {
    match returned {
        Returned::Nothing => "gives nothing back".to_owned(),
        Returned::Allow => "goes on with an allow".to_owned(),
        Returned::Ask => "goes on with an ask".to_owned(),
        Returned::Deny(layer) => format!("goes on with a deny by `{layer}`"),
        Returned::Fault => "is a loud fault".to_owned(),
        Returned::Cause(Some(cause)) => format!("reads the cause `{cause}`"),
        Returned::Cause(None) => "reads no cause".to_owned(),
        Returned::Round(Some(_)) => "reads the round that was recorded".to_owned(),
        Returned::Round(None) => "reads no round".to_owned(),
    }
}

/// What a log says that a ledger gave back, in words.
#[must_use]
pub fn claimed(claim: &Claim, text: &[u8]) -> String {
    let mut parts = Vec::new();
    match (claim.decision, claim.denied_by) {
        (Some(decision), Some(by)) => parts.push(format!("a {decision} by `{by}`")),
        (Some(decision), None) => parts.push(format!("`{decision}` by nobody")),
        (None, Some(by)) => parts.push(format!("who refused, `{by}`, and no decision")),
        (None, None) => {}
    }
    if claim.fault {
        parts.push("a fault".to_owned());
    }
    if let Some(cause) = claim.cause {
        parts.push(format!("the cause `{cause}`"));
    }
    if let Some(round) = claim.round {
        parts.push(format!(
            "the round `{}`",
            super::finding::shown(round.of(text))
        ));
    }
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(", ")
    }
}

/// A settlement in words.
#[must_use]
pub fn ended(settlement: Option<Settlement>) -> String {
    match settlement {
        Some(Settlement::Approved { by }) => format!("a yes by a `{by}`"),
        Some(Settlement::Refused { reason }) => format!("a refusal, `{reason}`"),
        None => "no settlement".to_owned(),
    }
}

/// A record in words.
#[must_use]
pub fn told(record: &Record<Span>, text: &[u8]) -> String {
    let mut says = match (record.decision, record.denied_by) {
        (Decision::Allow, None) => "an allow".to_owned(),
        (Decision::Allow, Some(by)) => format!("an allow that names `{by}`"),
        (Decision::Deny, Some(by)) => format!("a deny by `{by}`"),
        (Decision::Deny, None) => "a deny by nobody".to_owned(),
    };
    if record.settlement.is_some() {
        says.push_str(&format!(", with {}", ended(record.settlement)));
    }
    if let Some(origin) = record.origin {
        says.push_str(&format!(
            ", of an ask by `{}`",
            super::finding::shown(origin.of(text))
        ));
    }
    let members = [
        (record.cause.map(|cause| cause.to_string()), "the cause"),
        (word(record.classifier, text), "the classification"),
        (word(record.released, text), "the release"),
        (word(record.mode_refusal, text), "the mode's refusal"),
    ];
    for (word, what) in members {
        if let Some(word) = word {
            says.push_str(&format!(", {what} `{word}`"));
        }
    }
    says
}

fn word(span: Option<Span>, text: &[u8]) -> Option<String> {
    span.map(|span| super::finding::shown(span.of(text)))
}
