//! A line as the replay takes it: words as places in the text, digests as bytes, and the event in a
//! vocabulary of numbers on which the model's ledger runs without an allocation.
//!
//! ```
//! use gatespec::audit::Line;
//! use gatespec::audit::entry::Entry;
//!
//! let line = r#"{"kind":"outcome","call":"c1","record":{"decision":"allow"}}"#;
//! let line: Line = serde_json::from_str(line).unwrap();
//! let mut text = Vec::new();
//! let entry = Entry::of(&line, &mut text).unwrap();
//! assert_eq!(entry.call.of(&text), b"c1");
//! ```

use super::record::{self, LONGEST_WORD, Line};
use crate::model::ledger::{
    Asked, Attestation, Classified, Event, Resolution, Verdict, Vocabulary,
};
use crate::model::outcome::{Cause, Layer, Record};

/// A place in the text that a line was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Where it starts.
    pub start: u32,
    /// How long it is.
    pub len: u32,
}

impl Span {
    /// The bytes there.
    #[inline]
    #[must_use]
    pub fn of(self, text: &[u8]) -> &[u8] {
        let start = self.start as usize;
        text.get(start..start + self.len as usize)
            .unwrap_or_default()
    }

    fn push(text: &mut Vec<u8>, word: &str) -> Self {
        let start = u32::try_from(text.len()).unwrap_or(u32::MAX);
        text.extend_from_slice(word.as_bytes());
        Self {
            start,
            len: u32::try_from(word.len()).unwrap_or(u32::MAX),
        }
    }
}

/// The vocabulary of one line: words are numbers that mean something beside its [`Entry`] only.
///
/// Nothing is lost by it: a ledger compares a record with its own call, and origins and classes
/// within one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InLine {}

impl Vocabulary for InLine {
    type Call = u8;
    type Origin = u8;
    type Classes = u8;
    type Digest = [u8; 32];
    type Round = u8;
}

/// The number of the line's own call; any other call is [`OTHER_CALL`].
pub const THIS_CALL: u8 = 0;

/// The number of every call but the line's own.
pub const OTHER_CALL: u8 = 1;

/// A line that is a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The conversation; empty when none is named.
    pub session: Span,
    /// The call.
    pub call: Span,
    /// What it says.
    pub body: Body,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The minted record of a pass, by itself.
    Outcome(Record<Span>),
    /// An event of a call's ledger.
    Event(Step),
    /// The end of a call's trace.
    Exit(Exit),
}

/// An event of a call's ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place in the trace.
    pub seq: u64,
    /// The event.
    pub event: Event<InLine>,
    /// What its origin numbers mean.
    pub origins: [Span; 2],
    /// The classifier's round that it carries.
    pub round: Span,
    /// What the ledger gave back, where the log says it.
    pub returned: Option<Claim>,
}

/// What a log says that a ledger gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// What the gate goes on with.
    pub decision: Option<Verdict>,
    /// Who refused.
    pub denied_by: Option<Layer>,
    /// A loud fault.
    pub fault: bool,
    /// The cause that was read.
    pub cause: Option<Cause>,
    /// The round that was read.
    pub round: Option<Span>,
}

/// The end of a call's trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The number of events before.
    pub seq: u64,
    /// The digest of the bytes that ran.
    pub runs: Option<[u8; 32]>,
    /// The minted record.
    pub record: Record<Span>,
}

/// A word that an audit would have to remember and that is too long for it.
pub(super) const TOO_LONG: &str = "a `call`, `session`, `origin` or `round` of more than 256 bytes";

impl Entry {
    /// The entry of a line; its words are put behind `text`.
    ///
    /// # Errors
    /// When a word that is remembered is longer than [`LONGEST_WORD`].
    pub fn of(line: &Line, text: &mut Vec<u8>) -> Result<Self, &'static str> {
        let (session, call) = match line {
            Line::Outcome(line) => (&line.session, &line.call),
            Line::Event(line) => (&line.session, &line.call),
            Line::Exit(line) => (&line.session, &line.call),
        };
        let entry = Self {
            session: Span::push(text, session.as_deref().unwrap_or_default()),
            call: Span::push(text, call),
            body: match line {
                Line::Outcome(line) => Body::Outcome(placed(&line.record, text)),
                Line::Event(line) => Body::Event(step(line, text)),
                Line::Exit(line) => Body::Exit(Exit {
                    seq: line.seq,
                    runs: line.runs.map(|digest| digest.0),
                    record: placed(&line.record, text),
                }),
            },
        };
        if entry.fits() {
            Ok(entry)
        } else {
            Err(TOO_LONG)
        }
    }

    /// Whether every word that is remembered is short enough for it.
    pub(super) fn fits(&self) -> bool {
        let longest = match &self.body {
            Body::Outcome(_) | Body::Exit(_) => 0,
            Body::Event(step) => {
                let [one, other] = step.origins;
                one.len.max(other.len).max(step.round.len)
            }
        };
        self.session.len.max(self.call.len).max(longest) as usize <= LONGEST_WORD
    }
}

fn placed(record: &Record, text: &mut Vec<u8>) -> Record<Span> {
    let mut place = |word: &Option<String>| word.as_ref().map(|word| Span::push(text, word));
    Record {
        decision: record.decision,
        denied_by: record.denied_by,
        cause: record.cause,
        settlement: record.settlement,
        origin: place(&record.origin),
        classifier: place(&record.classifier),
        released: place(&record.released),
        mode_refusal: place(&record.mode_refusal),
    }
}

fn step(line: &record::EventLine, text: &mut Vec<u8>) -> Step {
    let mut origins = [Span::default(); 2];
    let mut round = Span::default();
    let this = line.call.as_str();
    let mut origin = |at: usize, word: &str| {
        if let Some(place) = origins.get_mut(at) {
            *place = Span::push(text, word);
        }
    };
    let event = match &line.event {
        record::Event::Set {
            reason,
            origin: word,
        } => {
            origin(0, word);
            Event::Set {
                reason: *reason,
                origin: 0,
            }
        }
        record::Event::Resolved {
            resolution,
            asked,
            request,
        } => {
            origin(0, &asked.origin);
            let record = resolution.record.as_ref().map(|record| {
                let other = record.origin != asked.origin;
                if other {
                    origin(1, &record.origin);
                }
                let classes = u8::from(!same_set(&record.classes, &asked.classes));
                attestation(record, this, u8::from(other), classes)
            });
            Event::Resolved {
                resolution: Resolution {
                    decision: resolution.decision,
                    record,
                    edited: resolution.edited.map(|digest| digest.0),
                    retired: resolution.settlement,
                },
                asked: Asked {
                    origin: 0,
                    classes: 0,
                    real_approval: asked.real_approval,
                },
                request: request.0,
            }
        }
        record::Event::Decision {
            decision,
            record,
            runs,
        } => {
            let record = record.as_ref().map(|record| {
                origin(0, &record.origin);
                attestation(record, this, 0, 0)
            });
            Event::Decision {
                decision: *decision,
                record,
                runs: runs.0,
            }
        }
        record::Event::Supersede {} => Event::Supersede,
        record::Event::KeepForBytes { runs } => Event::KeepForBytes { runs: runs.0 },
        record::Event::CauseOf(reading) => Event::CauseOf {
            decision: reading.decision,
            classified: classified(reading, this, &mut round, text),
        },
        record::Event::ClassifierRoundOf(reading) => Event::ClassifierRoundOf {
            decision: reading.decision,
            classified: classified(reading, this, &mut round, text),
        },
    };
    let returned = line.returned.as_ref().map(|claim| Claim {
        decision: claim.decision,
        denied_by: claim.denied_by,
        fault: claim.fault,
        cause: claim.cause,
        round: claim.round.as_ref().map(|word| Span::push(text, word)),
    });
    Step {
        seq: line.seq,
        event,
        origins,
        round,
        returned,
    }
}

fn attestation(
    record: &record::Attestation,
    this: &str,
    origin: u8,
    classes: u8,
) -> Attestation<InLine> {
    Attestation {
        call: u8::from(record.call != this),
        origin,
        classes,
        digest: record.digest.0,
        settlement: record.settlement,
    }
}

fn classified(
    reading: &record::Reading,
    this: &str,
    round: &mut Span,
    text: &mut Vec<u8>,
) -> Option<Classified<InLine>> {
    reading.classified.as_ref().map(|classified| Classified {
        call: u8::from(classified.call != this),
        cause: classified.cause,
        round: classified.round.as_ref().map(|word| {
            *round = Span::push(text, word);
            0
        }),
    })
}

/// Whether two lists hold the same words, order and doubles apart.
fn same_set(one: &[String], other: &[String]) -> bool {
    use std::collections::BTreeSet;
    one.iter().collect::<BTreeSet<_>>() == other.iter().collect::<BTreeSet<_>>()
}
