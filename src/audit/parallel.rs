//! An audit as a whole: chunks are read and parsed by as many threads as there are, and replayed
//! one after the other in the order of the log, by whichever thread is free. So the findings are
//! the same, and in the same order, whatever the number of threads.
//!
//! ```
//! use gatespec::audit::reader::Input;
//! use gatespec::audit::sample::Sample;
//! use gatespec::audit::{Audit, Settings};
//!
//! let lines = Sample::new(1, Sample::WIDTH).take(2_000);
//! let log: String = lines.map(|line| serde_json::to_string(&line).unwrap() + "\n").collect();
//! let audited = |threads| {
//!     let mut settings = Settings::default();
//!     settings.threads = threads;
//!     let log = Input::Memory("log".to_owned(), log.as_bytes().into());
//!     Audit::new(vec![log], settings).run(&mut |_| {})
//! };
//! assert_eq!(audited(1), audited(4));
//! assert_eq!(audited(1).summary.unlawful(), 0);
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::entry::{Entry, Span};
use super::finding::{BadLine, LogNote, Note, shown};
use super::map::Map;
use super::reader::{CHUNK, Chunk, Input, Reader, What};
use super::replay::{Keys, Place, Replay};
use super::scan;
use super::summary::Summary;

/// How an audit is done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// How many threads parse.
    pub threads: usize,
    /// How many calls may be open; beyond it the oldest ends as unknown.
    pub max_open: usize,
    /// The longest line, in bytes.
    pub max_line: usize,
    /// How many bad lines of a file are shown; all are counted.
    pub bad_lines: usize,
    /// How the members and words of the log are read.
    pub map: Option<Map>,
    /// Read the last log on as it grows, until this is raised.
    pub follow: Option<Arc<AtomicBool>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            max_open: 1_000_000,
            max_line: 1024 * 1024,
            bad_lines: 10,
            map: None,
            follow: None,
        }
    }
}

/// Logs to be audited.
pub struct Audit {
    inputs: Vec<Input>,
    settings: Settings,
}

/// What an audit came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audited {
    /// The counts.
    pub summary: Summary,
}

impl Audit {
    /// An audit of these logs, in this order: a trace may go on from one to the next.
    #[must_use]
    pub const fn new(inputs: Vec<Input>, settings: Settings) -> Self {
        Self { inputs, settings }
    }

    /// Reads all of it; what is to be said goes to `say`, in the order of the log.
    pub fn run(self, say: &mut (dyn FnMut(&Note) + Send)) -> Audited {
        let names: Vec<String> = self.inputs.iter().map(Input::name).collect();
        let files = names.len();
        let settings = &self.settings;
        let replay = Replay::new(names, settings.max_open);
        let keys = replay.keys().clone();
        let parser = Parser { keys, settings };
        let reader = Reader::new(self.inputs, settings.max_line, settings.follow.clone());
        let mut stage = Stage {
            replay,
            say,
            next: 0,
            file: FileState::default(),
            bad_lines: settings.bad_lines,
            notes: Vec::new(),
        };
        stage.replay.summary().read.files = files as u64;
        if settings.threads <= 1 || settings.follow.is_some() {
            one(reader, &parser, &mut stage);
        } else {
            many(reader, &parser, &mut stage, settings.threads);
        }
        stage.end()
    }
}

fn one(mut reader: Reader, parser: &Parser<'_>, stage: &mut Stage<'_>) {
    let mut spare = Vec::new();
    let mut parsed = Parsed::default();
    while let Some(mut chunk) = reader.next(spare) {
        parser.parse(&mut chunk, &mut parsed);
        stage.take(&chunk, &parsed);
        spare = recycled(chunk.text);
    }
}

/// A buffer for the next chunk, its bytes as they are.
fn recycled(mut text: Vec<u8>) -> Vec<u8> {
    text.truncate(CHUNK);
    if text.capacity() > 8 * CHUNK {
        text.shrink_to(CHUNK);
    }
    text
}

/// What the threads share beside the stage.
struct Desk {
    reader: Mutex<(Reader, u64)>,
    ready: Mutex<Ready>,
    /// Chunks that were read and are not replayed.
    most: usize,
}

#[derive(Default)]
struct Ready {
    parsed: BTreeMap<u64, (Chunk, Parsed)>,
    spare: Vec<(Vec<u8>, Parsed)>,
    in_flight: usize,
}

fn many(reader: Reader, parser: &Parser<'_>, stage: &mut Stage<'_>, threads: usize) {
    let desk = Desk {
        reader: Mutex::new((reader, 0)),
        ready: Mutex::default(),
        most: 4 * threads,
    };
    let stage = Mutex::new(stage);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(&desk, parser, &stage));
        }
        work(&desk, parser, &stage);
    });
}

/// What every thread does: replay what is due, else parse what is next.
fn work(desk: &Desk, parser: &Parser<'_>, stage: &Mutex<&mut Stage<'_>>) {
    loop {
        if let Ok(mut stage) = stage.try_lock() {
            desk.replay(&mut stage);
        }
        let full = lock(&desk.ready).in_flight >= desk.most;
        if full {
            // whoever has the chunk that is due will bring it
            std::thread::yield_now();
            continue;
        }
        let Some((number, mut chunk, mut parsed)) = desk.read() else {
            break;
        };
        parser.parse(&mut chunk, &mut parsed);
        lock(&desk.ready).parsed.insert(number, (chunk, parsed));
    }
    // the last thread to come here finds all that is left
    desk.replay(&mut lock(stage));
}

impl Desk {
    fn read(&self) -> Option<(u64, Chunk, Parsed)> {
        let (text, parsed) = {
            let mut ready = lock(&self.ready);
            ready.in_flight += 1;
            ready.spare.pop().unwrap_or_default()
        };
        let mut reader = lock(&self.reader);
        let (source, number) = &mut *reader;
        let Some(chunk) = source.next(text) else {
            lock(&self.ready).in_flight -= 1;
            return None;
        };
        *number += 1;
        Some((*number - 1, chunk, parsed))
    }

    fn replay(&self, stage: &mut Stage<'_>) {
        loop {
            let due = lock(&self.ready).parsed.remove(&stage.next);
            let Some((chunk, parsed)) = due else { return };
            stage.take(&chunk, &parsed);
            let mut ready = lock(&self.ready);
            ready.in_flight -= 1;
            ready.spare.push((recycled(chunk.text), parsed));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes entries of lines: what every thread does for itself.
struct Parser<'a> {
    keys: Keys,
    settings: &'a Settings,
}

/// A chunk's lines, parsed.
#[derive(Default)]
struct Parsed {
    items: Vec<Item>,
    lines: u64,
    /// Bad lines that are not among the items: a chunk shows so many only.
    more_bad: u64,
}

enum Item {
    Entry {
        line: u32,
        hash: u64,
        entry: Entry,
    },
    Bad {
        line: u32,
        why: String,
        start: String,
    },
}

impl Parser<'_> {
    fn parse(&self, chunk: &mut Chunk, parsed: &mut Parsed) {
        parsed.items.clear();
        (parsed.lines, parsed.more_bad) = (0, 0);
        let mut bad = 0;
        let mut at = 0;
        let mut number = 0u32;
        while at < chunk.end {
            let rest = chunk.text.get(at..chunk.end).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let mut line = rest.get(..length).unwrap_or_default();
            if let [most @ .., b'\r'] = line {
                line = most;
            }
            let start = u32::try_from(at).unwrap_or(u32::MAX);
            let span = Span {
                start,
                len: u32::try_from(line.len()).unwrap_or(u32::MAX),
            };
            at += length + 1;
            number += 1;
            let read = if line.len() > self.settings.max_line {
                Err(too_long(line.len() as u64))
            } else if line.is_empty() || line.trim_ascii().is_empty() {
                continue;
            } else {
                match &self.settings.map {
                    None => scan::read(&mut chunk.text, span),
                    Some(map) => map.entry(&mut chunk.text, span),
                }
            };
            match read {
                Ok(entry) => {
                    let (session, call) =
                        (entry.session.of(&chunk.text), entry.call.of(&chunk.text));
                    let hash = self.keys.hash(session, call);
                    parsed.items.push(Item::Entry {
                        line: number,
                        hash,
                        entry,
                    });
                }
                Err(why) if bad < self.settings.bad_lines.max(1) => {
                    bad += 1;
                    let start = shown(span.of(&chunk.text));
                    parsed.items.push(Item::Bad {
                        line: number,
                        why,
                        start,
                    });
                }
                Err(_) => parsed.more_bad += 1,
            }
        }
        parsed.lines = number.into();
    }
}

fn too_long(bytes: u64) -> String {
    format!("a line of {bytes} bytes, more than --max-line allows")
}

/// What is known of the file that is being replayed.
#[derive(Default)]
struct FileState {
    lines: u64,
    bytes: u64,
    records: u64,
    bad: u64,
    /// The first bytes that were no record, and why.
    first: Option<(String, String)>,
}

/// The one place where chunks are replayed, in order.
struct Stage<'a> {
    replay: Replay,
    say: &'a mut (dyn FnMut(&Note) + Send),
    /// The number of the chunk that is due.
    next: u64,
    file: FileState,
    bad_lines: usize,
    notes: Vec<Note>,
}

impl Stage<'_> {
    fn take(&mut self, chunk: &Chunk, parsed: &Parsed) {
        self.next += 1;
        self.file.bytes += chunk.end as u64;
        for item in &parsed.items {
            match item {
                Item::Entry { line, hash, entry } => {
                    let line = self.file.lines + u64::from(*line);
                    let place = Place {
                        file: chunk.file,
                        line,
                    };
                    self.file.records += 1;
                    self.replay
                        .take(&chunk.text, entry, *hash, place, &mut self.notes);
                }
                Item::Bad { line, why, start } => {
                    let line = self.file.lines + u64::from(*line);
                    let torn = chunk.what == What::Last;
                    self.bad(chunk.file, line, why.clone(), start.clone(), torn);
                }
            }
        }
        self.file.lines += parsed.lines;
        self.file.bad += parsed.more_bad;
        self.replay.summary().read.bad_lines += parsed.more_bad;
        match &chunk.what {
            What::Lines | What::Last => {}
            What::TooLong(bytes) => {
                self.file.lines += 1;
                self.file.bytes += bytes;
                self.bad(
                    chunk.file,
                    self.file.lines,
                    too_long(*bytes),
                    String::new(),
                    false,
                );
            }
            What::Cut => self.log(
                chunk.file,
                "it became shorter: read from its start again",
                false,
            ),
            What::Unread(why) => {
                self.log(chunk.file, why, true);
                self.close_file();
            }
            What::End => self.end_file(chunk.file),
        }
        self.flush();
    }

    fn bad(&mut self, file: usize, line: u64, why: String, start: String, torn: bool) {
        if self.file.first.is_none() {
            self.file.first = Some((why.clone(), start.clone()));
        }
        let file = self.replay.file(file);
        let note = Note::BadLine(BadLine {
            file,
            line,
            why,
            start,
            torn,
        });
        self.replay.summary().count(&note);
        if torn || self.file.bad < self.bad_lines as u64 {
            self.notes.push(note);
        }
        self.file.bad += u64::from(!torn);
    }

    fn log(&mut self, file: usize, says: &str, unread: bool) {
        let note = Note::Log(LogNote {
            file: self.replay.file(file),
            says: says.to_owned(),
            unread,
        });
        self.replay.summary().count(&note);
        self.notes.push(note);
    }

    /// What is to be said of a file as a whole.
    fn end_file(&mut self, file: usize) {
        let shown = self.bad_lines as u64;
        if self.file.bytes == 0 {
            self.log(file, "it is empty: there is nothing to audit", false);
        } else if self.file.records == 0 {
            let start = self
                .file
                .first
                .as_ref()
                .map_or("", |(_, start)| start.as_str());
            let hint = match start.as_bytes() {
                _ if start.contains('\u{fffd}') => {
                    "; it looks binary: a packed log must end in .gz or .zst"
                }
                [b'{', ..] => "; a log of another shape needs a --map (spec/audit.md)",
                _ => "",
            };
            self.log(
                file,
                &format!("not one line of it is a record{hint}"),
                false,
            );
        } else if self.file.bad > shown {
            let says = format!("{} more lines of it are no records", self.file.bad - shown);
            self.log(file, &says, false);
        }
        self.close_file();
    }

    fn close_file(&mut self) {
        let file = std::mem::take(&mut self.file);
        let read = &mut self.replay.summary().read;
        read.lines += file.lines;
        read.bytes += file.bytes;
    }

    fn flush(&mut self) {
        for note in self.notes.drain(..) {
            (self.say)(&note);
        }
    }

    fn end(mut self) -> Audited {
        self.replay.end(&mut self.notes);
        self.flush();
        Audited {
            summary: std::mem::take(self.replay.summary()),
        }
    }
}

/// Raises the flag that ends a `follow`; for tests and for signals.
pub fn stop(flag: &AtomicBool) {
    flag.store(true, Ordering::Relaxed);
}
