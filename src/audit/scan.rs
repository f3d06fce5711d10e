//! The fast reader of ordinary lines: a scanner over bytes that makes the [`Entry`] as it goes.
//!
//! It accepts less than the shapes of [`record`](super::record) do, and nothing that they do not:
//! an escape, a byte outside printable ASCII, a `null`, a doubled or unknown member, a number that
//! is not plain, and it gives up. Then [`read`] asks serde, which alone says that a line is a bad
//! one. A differential test holds the two together.
//!
//! ```
//! use gatespec::audit::entry::Span;
//! use gatespec::audit::scan::{by_shape, scan};
//!
//! let place = |text: &[u8]| Span { start: 0, len: text.len() as u32 };
//! let plain = br#"{"kind":"outcome","call":"c","record":{"decision":"allow"}}"#;
//! assert!(scan(plain, place(plain)).is_some());
//! // the same line in another spelling: left to the shapes
//! let escaped = br#"{"kind":"outcome","call":"\u0063","record":{"decision":"allow"}}"#;
//! assert!(scan(escaped, place(escaped)).is_none());
//! assert_eq!(by_shape(escaped).unwrap(), by_shape(plain).unwrap());
//! ```

mod members;

use serde::de::Error as _;
use wide::u8x16;

use members::{Attested, EventWord, Members, Resolved};

use super::entry::{Body, Claim, Entry, Exit, Span};
use super::map::Strict;
use super::record::{Digest, Line};
use crate::model::ledger::Verdict;
use crate::model::outcome::{Approver, Cause, Decision, Layer, Record, Refusal, Settlement};

/// Reads the line that lies in `text` at `at`; words that are not spelt there as they are get put
/// behind `text`.
///
/// # Errors
/// When the line is no record: what is wrong with it.
#[inline]
pub fn read(text: &mut Vec<u8>, at: Span) -> Result<Entry, String> {
    match scan(text, at) {
        Some(entry) => Ok(entry),
        None => read_by_shape(text, at),
    }
}

/// Reads a line by the published shapes alone.
///
/// # Errors
/// When the line is no record: what is wrong with it.
#[cold]
pub fn read_by_shape(text: &mut Vec<u8>, at: Span) -> Result<Entry, String> {
    let line = by_shape(at.of(text)).map_err(|error| error.to_string())?;
    Entry::of(&line, text).map_err(str::to_owned)
}

/// The line as its published shape.
///
/// # Errors
/// When it has none.
pub fn by_shape(line: &[u8]) -> Result<Line, serde_json::Error> {
    let read: Line = serde_json::from_slice(line)?;
    // serde takes an array for an object, its members in order; the shapes have arrays of classes
    // only
    let arrays = line.iter().filter(|&&byte| byte == b'[').count();
    if arrays > classes(&read) {
        let strict: Strict = serde_json::from_slice(line)?;
        if strict.arrays() > classes(&read) {
            return Err(serde_json::Error::custom(
                "an array in the place of an object",
            ));
        }
    }
    Ok(read)
}

/// How many arrays the line's shape holds.
fn classes(line: &Line) -> usize {
    use super::record::Event;
    match line {
        Line::Event(line) => match &line.event {
            Event::Resolved { resolution, .. } => 1 + usize::from(resolution.record.is_some()),
            Event::Decision { record, .. } => usize::from(record.is_some()),
            _ => 0,
        },
        Line::Outcome(_) | Line::Exit(_) => 0,
    }
}

/// Reads a line of an ordinary log, or gives up.
#[must_use]
pub fn scan(text: &[u8], at: Span) -> Option<Entry> {
    let line = at.of(text);
    if !plain(line) {
        return None;
    }
    let mut cursor = Cursor {
        rest: line,
        end: at.start as usize + line.len(),
    };
    let entry = cursor.line(text)?;
    cursor.space();
    (cursor.rest.is_empty() && entry.fits()).then_some(entry)
}

/// Whether all bytes are printable ASCII and none is `\`.
#[inline]
fn plain(line: &[u8]) -> bool {
    let odd = |byte: u8| (byte.wrapping_sub(b' ') > b'~' - b' ') | (byte == b'\\');
    let (blocks, rest) = line.as_chunks::<32>();
    let mut doubt = false;
    for block in blocks {
        doubt |= block.iter().fold(false, |doubt, &byte| doubt | odd(byte));
    }
    !rest.iter().fold(doubt, |doubt, &byte| doubt | odd(byte))
}

/// 64 lower-case hexadecimal digits as the bytes that they spell.
#[must_use]
#[inline]
pub fn hex(text: &[u8]) -> Option<[u8; 32]> {
    const ONES: u64 = u64::MAX / 255;
    let text: &[u8; 64] = text.try_into().ok()?;
    let mut bytes = [0u8; 32];
    let mut bad = 0;
    // eight digits at a time, the first in the lowest byte
    let digits = text
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word));
    for (part, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(digits) {
        let letter = (word >> 6) & ONES;
        let value = (word & (ONES * 0x0f)) + letter * 9;
        // a digit is 0x30 and more, a letter 0x60 and more
        bad |= (word & (ONES * 0xf0)) ^ (ONES * 0x30 + letter * 0x30);
        // a letter is worth ten and more, a digit less, and neither more than 15
        bad |= (((value + ONES * 6) >> 4) & ONES) ^ letter;
        bad |= value & (ONES * 0x10);
        let pairs = (value << 4 | value >> 8) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
        *part = ((fours | fours >> 16) as u32).to_le_bytes();
    }
    (bad == 0).then_some(bytes)
}

/// What is left of the line.
struct Cursor<'a> {
    rest: &'a [u8],
    /// Where the line ends in the text.
    end: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn space(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> Option<()> {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Some(())
            }
            _ => None,
        }
    }

    /// A string without escapes.
    #[inline(always)]
    fn string(&mut self) -> Option<&'a [u8]> {
        self.eat(b'"')?;
        let (string, rest) = self.rest.split_at_checked(quote(self.rest)?)?;
        self.rest = rest;
        self.eat(b'"')?;
        Some(string)
    }

    /// A string as its place.
    #[inline(always)]
    fn span(&mut self) -> Option<Span> {
        let string = self.string()?;
        let start = self.end - self.rest.len() - 1 - string.len();
        Some(Span {
            start: u32::try_from(start).ok()?,
            len: u32::try_from(string.len()).ok()?,
        })
    }

    /// An object: `member` reads the value of each name.
    #[inline]
    fn object(&mut self, mut member: impl FnMut(&mut Self, &[u8]) -> Option<()>) -> Option<()> {
        self.eat(b'{')?;
        self.space();
        if self.eat(b'}').is_some() {
            return Some(());
        }
        loop {
            let name = self.string()?;
            self.space();
            self.eat(b':')?;
            self.space();
            member(self, name)?;
            self.space();
            match self.rest {
                [b',', rest @ ..] => {
                    self.rest = rest;
                    self.space();
                }
                [b'}', rest @ ..] => {
                    self.rest = rest;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    fn number(&mut self) -> Option<u64> {
        let digits = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.rest.split_at_checked(digits)?;
        if matches!(digits, [] | [b'0', _, ..]) || digits.len() > 18 {
            return None;
        }
        self.rest = rest;
        Some(
            digits
                .iter()
                .fold(0, |n, digit| n * 10 + u64::from(digit - b'0')),
        )
    }

    fn truth(&mut self) -> Option<bool> {
        let (word, value) = if self.rest.starts_with(b"t") {
            (&b"true"[..], true)
        } else {
            (&b"false"[..], false)
        };
        self.rest = self.rest.strip_prefix(word)?;
        Some(value)
    }

    #[inline]
    fn digest(&mut self) -> Option<[u8; 32]> {
        let text = self.string()?;
        Some(Digest::of_text(text).0)
    }

    fn line(&mut self, text: &[u8]) -> Option<Entry> {
        let mut kind = None;
        let (mut session, mut call, mut at, mut tool) = (None, None, None, None);
        let (mut seq, mut record, mut runs, mut returned) = (None, None, None, None);
        let mut event = Members::default();
        self.object(|cursor, name| match name {
            b"kind" => put(&mut kind, cursor.string()?),
            b"call" => put(&mut call, cursor.span()?),
            b"seq" => put(&mut seq, cursor.number()?),
            b"session" => put(&mut session, cursor.span()?),
            b"at" => put(&mut at, cursor.string()?),
            b"tool" => put(&mut tool, cursor.string()?),
            b"event" => cursor.event(&mut event),
            b"record" => put(&mut record, cursor.record()?),
            b"returned" => put(&mut returned, cursor.claim()?),
            b"runs" => put(&mut runs, cursor.digest()?),
            _ => None,
        })?;
        let call = call?;
        let body = match (kind?, seq, event.event, record, returned, runs) {
            (b"outcome", None, None, Some(record), None, None) => Body::Outcome(record),
            (b"event", Some(seq), Some(word), None, returned, None) => {
                Body::Event(event.step(word, text, call, seq, returned)?)
            }
            (b"exit", Some(seq), None, Some(record), None, runs) => {
                Body::Exit(Exit { seq, runs, record })
            }
            _ => return None,
        };
        Some(Entry {
            session: session.unwrap_or_default(),
            call,
            body,
        })
    }

    fn record(&mut self) -> Option<Record<Span>> {
        let (mut decision, mut denied_by, mut cause, mut settlement) = (None, None, None, None);
        let (mut origin, mut classifier, mut released, mut mode_refusal) = (None, None, None, None);
        self.object(|cursor, name| match name {
            b"decision" => put(&mut decision, decision_of(cursor.string()?)?),
            b"deniedBy" => put(&mut denied_by, layer_of(cursor.string()?)?),
            b"cause" => put(&mut cause, cause_of(cursor.string()?)?),
            b"settlement" => put(&mut settlement, cursor.settlement()?),
            b"origin" => put(&mut origin, cursor.span()?),
            b"classifier" => put(&mut classifier, cursor.span()?),
            b"released" => put(&mut released, cursor.span()?),
            b"modeRefusal" => put(&mut mode_refusal, cursor.span()?),
            _ => None,
        })?;
        let decision = decision?;
        Some(Record {
            decision,
            denied_by,
            cause,
            settlement,
            origin,
            classifier,
            released,
            mode_refusal,
        })
    }

    fn settlement(&mut self) -> Option<Settlement> {
        let (mut kind, mut by, mut reason) = (None, None, None);
        self.object(|cursor, name| match name {
            b"kind" => put(&mut kind, cursor.string()?),
            b"by" => put(&mut by, approver_of(cursor.string()?)?),
            b"reason" => put(&mut reason, refusal_of(cursor.string()?)?),
            _ => None,
        })?;
        match (kind?, by, reason) {
            (b"approved", Some(by), None) => Some(Settlement::Approved { by }),
            (b"refused", None, Some(reason)) => Some(Settlement::Refused { reason }),
            _ => None,
        }
    }

    fn claim(&mut self) -> Option<Claim> {
        let (mut decision, mut denied_by, mut fault) = (None, None, None);
        let (mut cause, mut round) = (None, None);
        self.object(|cursor, name| match name {
            b"decision" => put(&mut decision, verdict_of(cursor.string()?)?),
            b"deniedBy" => put(&mut denied_by, layer_of(cursor.string()?)?),
            b"fault" => put(&mut fault, cursor.truth()?),
            b"cause" => put(&mut cause, cause_of(cursor.string()?)?),
            b"round" => put(&mut round, cursor.span()?),
            _ => None,
        })?;
        Some(Claim {
            decision,
            denied_by,
            fault: fault.unwrap_or_default(),
            cause,
            round,
        })
    }

    /// An event, which fills `all`: a second one of a line finds it filled.
    fn event(&mut self, all: &mut Members) -> Option<()> {
        all.event.is_none().then_some(())?;
        self.object(|cursor, name| match name {
            b"event" => put(&mut all.event, EventWord::of(cursor.string()?)?),
            b"decision" => put(&mut all.decision, verdict_of(cursor.string()?)?),
            b"record" => put(&mut all.record, cursor.attestation()?),
            b"runs" => put(&mut all.runs, cursor.digest()?),
            b"resolution" => put(&mut all.resolution, cursor.resolution()?),
            b"asked" => put(&mut all.asked, cursor.asked()?),
            b"request" => put(&mut all.request, cursor.digest()?),
            b"reason" => put(&mut all.reason, refusal_of(cursor.string()?)?),
            b"origin" => put(&mut all.origin, cursor.span()?),
            b"classified" => put(&mut all.classified, cursor.classified()?),
            _ => None,
        })?;
        all.event.map(drop)
    }

    fn attestation(&mut self) -> Option<Attested> {
        let (mut call, mut origin, mut classes) = (None, None, None);
        let (mut digest, mut settlement) = (None, None);
        self.object(|cursor, name| match name {
            b"call" => put(&mut call, cursor.span()?),
            b"origin" => put(&mut origin, cursor.span()?),
            b"classes" => put(&mut classes, cursor.classes()?),
            b"digest" => put(&mut digest, cursor.digest()?),
            b"settlement" => put(&mut settlement, cursor.settlement()?),
            _ => None,
        })?;
        Some(Attested {
            call: call?,
            origin: origin?,
            classes: classes?,
            digest: digest?,
            settlement: settlement?,
        })
    }

    fn resolution(&mut self) -> Option<Resolved> {
        let (mut decision, mut record, mut edited, mut retired) = (None, None, None, None);
        self.object(|cursor, name| match name {
            b"decision" => put(&mut decision, decision_of(cursor.string()?)?),
            b"record" => put(&mut record, cursor.attestation()?),
            b"edited" => put(&mut edited, cursor.digest()?),
            b"settlement" => put(&mut retired, cursor.truth()?),
            _ => None,
        })?;
        Some(Resolved {
            decision: decision?,
            record,
            edited,
            retired: retired.unwrap_or_default(),
        })
    }

    fn asked(&mut self) -> Option<(Span, Span, bool)> {
        let (mut origin, mut classes, mut real) = (None, None, None);
        self.object(|cursor, name| match name {
            b"origin" => put(&mut origin, cursor.span()?),
            b"classes" => put(&mut classes, cursor.classes()?),
            b"realApproval" => put(&mut real, cursor.truth()?),
            _ => None,
        })?;
        Some((origin?, classes?, real.unwrap_or_default()))
    }

    /// A list of strings, as the place of all of it.
    fn classes(&mut self) -> Option<Span> {
        let start = self.end - self.rest.len();
        self.eat(b'[')?;
        self.space();
        if self.eat(b']').is_none() {
            loop {
                self.string()?;
                self.space();
                if self.eat(b']').is_some() {
                    break;
                }
                self.eat(b',')?;
                self.space();
            }
        }
        Some(Span {
            start: u32::try_from(start).ok()?,
            len: u32::try_from(self.end - self.rest.len() - start).ok()?,
        })
    }

    fn classified(&mut self) -> Option<(Span, Option<Cause>, Option<Span>)> {
        let (mut call, mut cause, mut round) = (None, None, None);
        self.object(|cursor, name| match name {
            b"call" => put(&mut call, cursor.span()?),
            b"cause" => put(&mut cause, cause_of(cursor.string()?)?),
            b"round" => put(&mut round, cursor.span()?),
            _ => None,
        })?;
        Some((call?, cause, round))
    }
}

/// Where the next `"` is.
#[inline]
fn quote(text: &[u8]) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<16>();
    for (at, block) in blocks.iter().enumerate() {
        let quotes = u8x16::new(*block).simd_eq(u8x16::splat(b'"')).to_bitmask();
        if quotes != 0 {
            return Some(at * 16 + quotes.trailing_zeros() as usize);
        }
    }
    let at = rest.iter().position(|&byte| byte == b'"')?;
    Some(text.len() - rest.len() + at)
}

/// Fills a place once.
#[inline]
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// A reader of a closed set of words.
macro_rules! word {
    ($name:ident $kind:ident { $($variant:ident $word:literal)* }) => {
        #[inline]
        fn $name(word: &[u8]) -> Option<$kind> {
            Some(match word {
                $($word => $kind::$variant,)*
                _ => return None,
            })
        }
    };
}

word! { decision_of Decision { Allow b"allow" Deny b"deny" } }
word! { verdict_of Verdict { Allow b"allow" Deny b"deny" Ask b"ask" } }
word! { approver_of Approver { Person b"person" Delegate b"delegate" } }
word! { cause_of Cause { Unavailable b"unavailable" ParseError b"parse_error" } }
word! { refusal_of Refusal {
    Declined b"declined" Timeout b"timeout" Cancelled b"cancelled" Unavailable b"unavailable"
    ApproverContract b"approver_contract" UnshownContent b"unshown_content"
} }
word! { layer_of Layer {
    Policy b"policy" AskResolution b"ask_resolution" Org b"org" Hook b"hook" Mode b"mode"
    Classifier b"classifier" Engine b"engine" Compliance b"compliance" PlanMode b"plan_mode"
    WriteProtection b"write_protection" HookRescreen b"hook_rescreen" EditCap b"edit_cap"
} }
