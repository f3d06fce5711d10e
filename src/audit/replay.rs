//! The open calls of a log, and the model at work on each.
//!
//! ```
//! use gatespec::audit::replay::Replay;
//!
//! // where a call of a conversation is kept differs from run to run: no log is written against it
//! let one = Replay::new(vec!["a.log".to_owned()], 10);
//! assert_eq!(one.keys().hash(b"s", b"c"), one.keys().hash(b"s", b"c"));
//! assert_ne!(one.keys().hash(b"s", b"c"), one.keys().hash(b"sc", b""));
//! assert_eq!(one.file(0), "a.log");
//! ```

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, Hasher as _};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::entry::{Body, Entry, Exit, InLine, Step, THIS_CALL};
use super::finding::{Finding, Note, Unknown, Why};
use super::judge::{self, Because, Touch, Trail, Wrong};
use super::summary::Summary;
use crate::model::Clause;
use crate::model::ledger::{Event, Ledger, Settled};
use crate::model::outcome::Decision;

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of its file.
    pub file: usize,
    /// The line, counted from 1.
    pub line: u64,
}

/// Replays a log's records in their order.
pub struct Replay {
    /// The places of open traces in `traces`, by session and call.
    table: HashTable<u32>,
    traces: Vec<Trace>,
    free: Vec<u32>,
    /// Open traces, the oldest first; those that have ended since are skipped.
    order: VecDeque<(u32, u64)>,
    opened: u64,
    max_open: usize,
    keys: Keys,
    files: Vec<String>,
    summary: Summary,
}

/// The hash of a call: keyed, so that no log can be written against it.
#[derive(Clone, Debug, Default)]
pub struct Keys(RandomState);

impl Keys {
    /// The hash of a call in a session.
    #[inline]
    #[must_use]
    pub fn hash(&self, session: &[u8], call: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(session);
        hasher.write(call);
        hasher.finish()
    }
}

/// One open trace. Its buffers are used again by the next.
struct Trace {
    /// The session and the call, one behind the other.
    key: Vec<u8>,
    session: usize,
    hash: u64,
    /// The how manieth trace it is; 0 when the place is free.
    number: u64,
    start: Place,
    next: u64,
    unknown: Option<Why>,
    unlawful: bool,
    ledger: Ledger<InLine>,
    /// The origin of what is settled.
    origin: Vec<u8>,
    trail: Trail,
}

impl Trace {
    const fn new(start: Place) -> Self {
        Self {
            key: Vec::new(),
            session: 0,
            hash: 0,
            number: 0,
            start,
            next: 0,
            unknown: None,
            unlawful: false,
            ledger: Ledger::new(THIS_CALL),
            origin: Vec::new(),
            trail: Trail::new(start.line),
        }
    }

    #[inline]
    fn is(&self, session: &[u8], call: &[u8]) -> bool {
        self.key.split_at_checked(self.session) == Some((session, call))
    }
}

impl Replay {
    /// A replay with nothing open. `files` are the names that places are numbered by.
    #[must_use]
    pub fn new(files: Vec<String>, max_open: usize) -> Self {
        let most = u32::MAX as usize / 2;
        Self {
            table: HashTable::new(),
            traces: Vec::new(),
            free: Vec::new(),
            order: VecDeque::new(),
            opened: 0,
            max_open: max_open.clamp(1, most),
            keys: Keys::default(),
            files,
            summary: Summary::default(),
        }
    }

    /// The hash that [`take`](Self::take) wants.
    #[must_use]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The name of a file.
    #[must_use]
    pub fn file(&self, number: usize) -> String {
        self.files.get(number).cloned().unwrap_or_default()
    }

    /// The counts so far.
    pub const fn summary(&mut self) -> &mut Summary {
        &mut self.summary
    }

    /// Takes the next record; what is to be said of it goes to `notes`.
    #[inline]
    pub fn take(
        &mut self,
        text: &[u8],
        entry: &Entry,
        hash: u64,
        place: Place,
        notes: &mut Vec<Note>,
    ) {
        match &entry.body {
            Body::Outcome(record) => {
                let wrong = judge::alone(record);
                match wrong {
                    None => self.summary.outcomes.lawful += 1,
                    Some(wrong) => {
                        self.summary.outcomes.unlawful += 1;
                        let story =
                            vec![format!("let a pass end as {}", judge::told(record, text))];
                        let key = Key::of(entry, text, hash);
                        self.found(key, place, wrong, story, notes);
                    }
                }
            }
            Body::Event(step) => {
                self.summary.read.events += 1;
                self.event(Key::of(entry, text, hash), step, text, place, notes);
            }
            Body::Exit(exit) => self.exit(Key::of(entry, text, hash), exit, text, place, notes),
        }
    }

    /// Ends the log: every trace that is open has no exit.
    pub fn end(&mut self, notes: &mut Vec<Note>) {
        while let Some((slot, number)) = self.order.pop_front() {
            if self
                .traces
                .get(slot as usize)
                .is_some_and(|trace| trace.number == number)
            {
                self.close(slot, Some(Why::NoExit), notes);
            }
        }
    }

    fn event(
        &mut self,
        key: Key<'_>,
        step: &Step,
        text: &[u8],
        place: Place,
        notes: &mut Vec<Note>,
    ) {
        let slot = self.slot(&key, step.seq, place, notes);
        let Some(trace) = self.traces.get_mut(slot as usize) else {
            return;
        };
        if trace.next != step.seq && trace.unknown.is_none() {
            let first = trace.next == 0;
            trace.unknown = Some(if first { Why::BeganBefore } else { Why::Gap });
        }
        trace.next = step.seq.saturating_add(1);
        if trace.unknown.is_some() {
            return;
        }
        let before = trace.ledger.settled().map(Settled::settlement);
        let because = Because {
            clause: trace.ledger.deciding(&step.event),
            line: place.line,
        };
        let returned = trace.ledger.step(&step.event);
        let touch = trace.trail.follow(&step.event, &returned, because, before);
        if touch == Touch::Settles {
            let number = trace
                .ledger
                .settled()
                .map_or(0, |settled| *settled.origin());
            let origin = step
                .origins
                .get(usize::from(number))
                .copied()
                .unwrap_or_default();
            trace.origin.clear();
            trace.origin.extend_from_slice(origin.of(text));
        }
        let Some(claim) = &step.returned else { return };
        if judge::as_claimed(&returned, step.round.of(text), claim, text) {
            return;
        }
        trace.unlawful = true;
        let story = vec![
            format!("let the ledger of the call hold {}", judge::ended(before)),
            format!(
                "then {} {}",
                event_name(&step.event),
                judge::gave(&returned)
            ),
        ];
        let wrong = Wrong {
            clauses: vec![because.clause],
            however: vec![format!(
                "the log says that it gave {}",
                judge::claimed(claim, text)
            )],
        };
        self.found(key, place, wrong, story, notes);
    }

    fn exit(
        &mut self,
        key: Key<'_>,
        exit: &Exit,
        text: &[u8],
        place: Place,
        notes: &mut Vec<Note>,
    ) {
        let slot = self.slot(&key, exit.seq, place, notes);
        let Some(trace) = self.traces.get_mut(slot as usize) else {
            return;
        };
        if trace.next != exit.seq && trace.unknown.is_none() {
            let first = trace.next == 0;
            trace.unknown = Some(if first { Why::BeganBefore } else { Why::Gap });
        }
        let alone = judge::alone(&exit.record);
        let beside = if trace.unknown.is_some() {
            None
        } else {
            trace.ended(exit, text, place)
        };
        let wrong = match (alone, beside) {
            (None, None) => None,
            (Some(wrong), None) | (None, Some(wrong)) => Some(wrong),
            (Some(mut wrong), Some(beside)) => {
                wrong.clauses.extend(beside.clauses);
                wrong.however.extend(beside.however);
                Some(wrong)
            }
        };
        if let Some(wrong) = wrong {
            trace.unlawful = true;
            let story = trace.story(exit, text);
            self.found(key, place, wrong, story, notes);
        }
        self.close(slot, None, notes);
    }

    /// The place of a call's trace, opened if it is not open or starts anew.
    #[inline]
    fn slot(&mut self, key: &Key<'_>, seq: u64, place: Place, notes: &mut Vec<Note>) -> u32 {
        let traces = &self.traces;
        let same = |&slot: &u32| {
            traces
                .get(slot as usize)
                .is_some_and(|trace| trace.is(key.session, key.call))
        };
        if let Some(&slot) = self.table.find(key.hash, same) {
            if seq != 0 {
                return slot;
            }
            self.close(slot, Some(Why::NoExit), notes);
        }
        self.open(key, place, notes)
    }

    fn open(&mut self, key: &Key<'_>, place: Place, notes: &mut Vec<Note>) -> u32 {
        while self.table.len() >= self.max_open {
            let Some((slot, number)) = self.order.pop_front() else {
                break;
            };
            if self
                .traces
                .get(slot as usize)
                .is_some_and(|trace| trace.number == number)
            {
                self.close(slot, Some(Why::Evicted), notes);
            }
        }
        if self.order.len() > 1024 + 2 * self.table.len() {
            let traces = &self.traces;
            self.order.retain(|&(slot, number)| {
                traces
                    .get(slot as usize)
                    .is_some_and(|trace| trace.number == number)
            });
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.traces.push(Trace::new(place));
            // `max_open` keeps the places countable
            u32::try_from(self.traces.len() - 1).unwrap_or(u32::MAX)
        });
        self.opened += 1;
        if let Some(trace) = self.traces.get_mut(slot as usize) {
            trace.key.clear();
            trace.key.extend_from_slice(key.session);
            trace.key.extend_from_slice(key.call);
            trace.session = key.session.len();
            trace.hash = key.hash;
            trace.number = self.opened;
            trace.start = place;
            trace.next = 0;
            trace.unknown = None;
            trace.unlawful = false;
            trace.ledger = Ledger::new(THIS_CALL);
            trace.trail = Trail::new(place.line);
        }
        self.order.push_back((slot, self.opened));
        let traces = &self.traces;
        let rehash = |&slot: &u32| traces.get(slot as usize).map_or(0, |trace| trace.hash);
        self.table.insert_unique(key.hash, slot, rehash);
        slot
    }

    /// Ends a trace with its verdict: by its exit, or for want of one.
    fn close(&mut self, slot: u32, without: Option<Why>, notes: &mut Vec<Note>) {
        let Some(trace) = self.traces.get_mut(slot as usize) else {
            return;
        };
        if let Ok(place) = self.table.find_entry(trace.hash, |&open| open == slot) {
            place.remove();
        }
        trace.number = 0;
        self.free.push(slot);
        let why = trace.unknown.or(without);
        match why {
            _ if trace.unlawful => self.summary.traces.unlawful += 1,
            None => self.summary.traces.lawful += 1,
            Some(why) => {
                let (session, call) = trace.key.split_at(trace.session.min(trace.key.len()));
                let note = Note::Unknown(Unknown {
                    file: self
                        .files
                        .get(trace.start.file)
                        .cloned()
                        .unwrap_or_default(),
                    line: trace.start.line,
                    session: named(session),
                    call: String::from_utf8_lossy(call).into_owned(),
                    why,
                });
                self.summary.count(&note);
                notes.push(note);
            }
        }
    }

    /// A finding goes to the notes.
    #[cold]
    fn found(
        &mut self,
        key: Key<'_>,
        place: Place,
        wrong: Wrong,
        mut story: Vec<String>,
        notes: &mut Vec<Note>,
    ) {
        let mut clauses = wrong.clauses.into_iter();
        let Some(clause) = clauses.next() else { return };
        let mut also = Vec::new();
        for other in clauses {
            if other != clause && !also.contains(&other) {
                also.push(other);
            }
        }
        story.push(format!("however {}", wrong.however.join("; ")));
        let note = Note::Finding(Finding {
            file: self.file(place.file),
            line: place.line,
            session: named(key.session),
            call: String::from_utf8_lossy(key.call).into_owned(),
            clause,
            text: clause.text().to_owned(),
            also,
            story,
        });
        self.summary.count(&note);
        notes.push(note);
    }
}

impl Trace {
    /// What the record at the exit breaks, the bytes that ran being known.
    fn ended(&mut self, exit: &Exit, text: &[u8], place: Place) -> Option<Wrong> {
        if let (Some(runs), Decision::Allow) = (exit.runs, exit.record.decision) {
            let event = Event::KeepForBytes { runs };
            let before = self.ledger.settled().map(Settled::settlement);
            let because = Because {
                clause: self.ledger.deciding(&event),
                line: place.line,
            };
            let returned = self.ledger.step(&event);
            self.trail.follow(&event, &returned, because, before);
        }
        judge::at_exit(
            &exit.record,
            text,
            self.ledger.settled(),
            &self.origin,
            &self.trail,
        )
    }

    fn story(&self, exit: &Exit, text: &[u8]) -> Vec<String> {
        let mut story = Vec::new();
        if self.unknown.is_none() {
            let Trail { why, not, last } = self.trail;
            let held = self.ledger.settled().map(Settled::settlement);
            let (clause, line) = (why.clause, why.line);
            story.push(match held {
                Some(_) => format!(
                    "let {} of an ask by `{}` be settled at line {line} ({clause})",
                    judge::ended(held),
                    super::finding::shown(&self.origin)
                ),
                None if clause == Clause::Led01 => "let nothing be settled".to_owned(),
                None => format!("let nothing be settled after line {line} ({clause})"),
            });
            if let Some((settlement, because)) = not {
                story.push(format!(
                    "then {} is not what is settled, since line {} ({})",
                    judge::ended(Some(settlement)),
                    because.line,
                    because.clause
                ));
            }
            if let Some((gate, because)) = last {
                let gate = match gate {
                    judge::Gate::Allow => "an allow".to_owned(),
                    judge::Gate::Ask => "an ask".to_owned(),
                    judge::Gate::Deny(layer) => format!("a deny by `{layer}`"),
                    judge::Gate::Fault => "a loud fault".to_owned(),
                };
                story.push(format!(
                    "then the pass goes on with {gate} from line {}",
                    because.line
                ));
            }
        }
        story.push(format!(
            "then the call exits with {}",
            judge::told(&exit.record, text)
        ));
        story
    }
}

/// Names a trace.
struct Key<'a> {
    session: &'a [u8],
    call: &'a [u8],
    hash: u64,
}

impl<'a> Key<'a> {
    #[inline]
    fn of(entry: &Entry, text: &'a [u8], hash: u64) -> Self {
        Self {
            session: entry.session.of(text),
            call: entry.call.of(text),
            hash,
        }
    }
}

fn named(session: &[u8]) -> Option<String> {
    (!session.is_empty()).then(|| String::from_utf8_lossy(session).into_owned())
}

const fn event_name(event: &Event<InLine>) -> &'static str {
    match event {
        Event::Set { .. } => "`set`",
        Event::Resolved { .. } => "`resolved`",
        Event::Decision { .. } => "`decision`",
        Event::Supersede => "`supersede`",
        Event::KeepForBytes { .. } => "`keepForBytes`",
        Event::CauseOf { .. } => "`causeOf`",
        Event::ClassifierRoundOf { .. } => "`classifierRoundOf`",
    }
}
