//! Lines out of a stream, never more than a bound of them in memory, and the id at their head.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::fault::{Offence, excerpt};

/// What is read at once, at most.
const CHUNK: usize = 256 * 1024;

/// Bytes as they arrive, given out as lines.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    bytes: Vec<u8>,
    start: usize,
    scanned: usize,
    end: usize,
}

/// A line is longer than it may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

impl Inbox {
    /// Room for the next bytes: never empty.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
            // a long line's room is not kept for short ones
            if self.bytes.len() > 4 * CHUNK {
                self.bytes = Vec::new();
            }
        } else if self.bytes.len() - self.end < CHUNK / 4 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.scanned -= self.start;
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < CHUNK / 4 {
            let grown = (self.bytes.len() + self.bytes.len() / 2).max(CHUNK);
            self.bytes.resize(grown, 0);
        }
        let to = self.bytes.len().min(self.end + CHUNK);
        self.bytes.get_mut(self.end..to).unwrap_or_default()
    }

    /// Takes over the first `count` bytes of [`room`](Self::room).
    pub(super) fn filled(&mut self, count: usize) {
        self.end = self.bytes.len().min(self.end + count);
    }

    /// The next whole line, without its line feed.
    pub(super) fn line(&mut self, bound: usize) -> Result<Option<&[u8]>, TooLong> {
        let fresh = self.bytes.get(self.scanned..self.end).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\n', fresh) else {
            self.scanned = self.end;
            return if self.end - self.start > bound {
                Err(TooLong)
            } else {
                Ok(None)
            };
        };
        let (from, to) = (self.start, self.scanned + length);
        if to - from > bound {
            return Err(TooLong);
        }
        self.start = to + 1;
        self.scanned = to + 1;
        Ok(self.bytes.get(from..to))
    }

    /// What has arrived of a line that has not ended.
    pub(super) fn half(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }
}

/// The end of a stream, up to twice a bound while it runs.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    cut: bool,
}

impl Tail {
    /// Appends, and forgets what is too old.
    pub(super) fn push(&mut self, bytes: &[u8], bound: usize) {
        let kept = bytes
            .get(bytes.len().saturating_sub(bound)..)
            .unwrap_or_default();
        if self.bytes.len() + kept.len() > 2 * bound {
            self.cut_to(bound.saturating_sub(kept.len()));
        }
        self.cut |= kept.len() < bytes.len();
        self.bytes.extend_from_slice(kept);
    }

    /// The last `bound` bytes as text; a mark stands for what is left out.
    pub(super) fn text(mut self, bound: usize) -> String {
        self.cut_to(bound);
        let text = String::from_utf8_lossy(&self.bytes);
        if self.cut {
            format!("…{text}")
        } else {
            text.into_owned()
        }
    }

    fn cut_to(&mut self, bound: usize) {
        let old = self.bytes.len().saturating_sub(bound);
        self.cut |= old > 0;
        self.bytes.drain(..old);
    }
}

/// The id of an answer.
///
/// A line that starts `{"id":"41",` is read no further: whoever reads the rest finds what is wrong
/// there. Any other line is read whole.
pub(super) fn id(line: &str) -> Result<u64, Offence> {
    match head(line.as_bytes()) {
        Some(id) => Ok(id),
        None => read_id(line),
    }
}

/// The id of a line that has it in front, the usual way.
fn head(line: &[u8]) -> Option<u64> {
    let rest = line.trim_ascii_start().strip_prefix(b"{")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"\"id\"")?;
    let rest = rest.trim_ascii_start().strip_prefix(b":")?;
    let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
    let (digits, rest) = rest.split_at_checked(rest.iter().position(|&byte| byte == b'"')?)?;
    let rest = rest.strip_prefix(b"\"")?.trim_ascii_start();
    rest.starts_with(b",").then(|| number(digits)).flatten()
}

/// A number, spelt as it was sent.
fn number(digits: &[u8]) -> Option<u64> {
    match digits {
        [] | [b'0', _, ..] => None,
        _ => digits.iter().try_fold(0_u64, |n, &digit| {
            let value = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
            n.checked_mul(10)?.checked_add(value)
        }),
    }
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

fn read_id(line: &str) -> Result<u64, Offence> {
    let bad = |why: String| Offence::NotAnAnswer {
        line: excerpt(line.as_bytes()),
        why,
    };
    if line.trim().is_empty() {
        return Err(bad("an empty line".to_owned()));
    }
    if !line.trim_start().starts_with('{') {
        return Err(bad("not a JSON object".to_owned()));
    }
    let head: Head<'_> = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
    let id = head
        .id
        .and_then(|id| serde_json::from_str::<Cow<'_, str>>(id.get()).ok());
    let id = id.ok_or_else(|| Offence::NoId {
        line: excerpt(line.as_bytes()),
    })?;
    number(id.as_bytes()).ok_or_else(|| Offence::UnknownId {
        id: excerpt(id.as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(inbox: &mut Inbox, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = inbox.room();
            let count = room.len().min(rest.len());
            room[..count].copy_from_slice(&rest[..count]);
            inbox.filled(count);
            rest = &rest[count..];
        }
    }

    #[test]
    fn lines_come_out_whole_however_they_arrive() {
        for size in 1..9 {
            let mut inbox = Inbox::default();
            let mut got = Vec::new();
            for part in b"one\n\nthree\nfo".chunks(size) {
                feed(&mut inbox, part);
                while let Some(line) = inbox.line(5).unwrap() {
                    got.push(line.to_vec());
                }
            }
            assert_eq!(got, [&b"one"[..], b"", b"three"]);
            assert_eq!(inbox.half(), b"fo");
        }
    }

    #[test]
    fn a_line_may_be_as_long_as_the_bound_and_no_longer() {
        let mut inbox = Inbox::default();
        feed(&mut inbox, b"12345\n123456\n");
        assert_eq!(inbox.line(5), Ok(Some(&b"12345"[..])));
        assert_eq!(inbox.line(5), Err(TooLong));
        let mut inbox = Inbox::default();
        feed(&mut inbox, b"123456");
        assert_eq!(inbox.line(5), Err(TooLong), "found before the line ends");
    }

    #[test]
    fn a_long_line_grows_the_inbox_and_a_short_one_shrinks_it() {
        let mut inbox = Inbox::default();
        let long = vec![b'x'; 9 * CHUNK];
        feed(&mut inbox, &long);
        feed(&mut inbox, b"\n");
        assert_eq!(inbox.line(16 * CHUNK).unwrap().unwrap().len(), long.len());
        feed(&mut inbox, b"y\n");
        assert_eq!(inbox.line(16 * CHUNK), Ok(Some(&b"y"[..])));
        assert!(inbox.bytes.len() <= CHUNK);
    }

    #[test]
    fn room_is_made_where_there_is_some_before_there_is_more() {
        const ENOUGH: usize = CHUNK / 4;
        // what it has, from where to where; what it has then, and how much can be read
        for ((len, start, end), (then, now, room)) in [
            ((0, 0, 0), (CHUNK, (0, 0), CHUNK)),
            // all is read: from the start again, and a long line's room goes
            ((CHUNK, 9, 9), (CHUNK, (0, 0), CHUNK)),
            ((4 * CHUNK, 9, 9), (4 * CHUNK, (0, 0), CHUNK)),
            ((4 * CHUNK + 1, 9, 9), (CHUNK, (0, 0), CHUNK)),
            // enough is left behind: nothing moves
            (
                (CHUNK, 9, CHUNK - ENOUGH),
                (CHUNK, (9, CHUNK - ENOUGH), ENOUGH),
            ),
            ((4 * CHUNK, 9, CHUNK), (4 * CHUNK, (9, CHUNK), CHUNK)),
            // too little is: what is there moves to the front
            (
                (CHUNK, ENOUGH, CHUNK - ENOUGH + 1),
                (CHUNK, (0, CHUNK - 2 * ENOUGH + 1), 2 * ENOUGH - 1),
            ),
            // and when that is not enough, there is half as much again
            (
                (CHUNK, 1, CHUNK - ENOUGH + 1),
                (CHUNK, (0, CHUNK - ENOUGH), ENOUGH),
            ),
            (
                (CHUNK, 1, CHUNK - ENOUGH + 2),
                (CHUNK + CHUNK / 2, (0, CHUNK - ENOUGH + 1), 3 * ENOUGH - 1),
            ),
        ] {
            let bytes: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
            let mut inbox = Inbox {
                bytes,
                start,
                scanned: end,
                end,
            };
            let half = inbox.half().to_vec();
            assert_eq!(inbox.room().len(), room, "{len} {start} {end}");
            assert_eq!((inbox.bytes.len(), (inbox.start, inbox.end)), (then, now));
            assert_eq!((inbox.scanned, inbox.half()), (inbox.end, half.as_slice()));
        }
    }

    #[test]
    fn the_tail_keeps_the_end_and_says_that_it_was_cut() {
        let mut tail = Tail::default();
        for part in ["abc", "def", "ghij", "k"] {
            tail.push(part.as_bytes(), 4);
            assert!(tail.bytes.len() <= 8);
        }
        assert_eq!(tail.text(4), "…hijk");
        // what is old goes when there is twice as much as is kept
        let mut tail = Tail::default();
        let lengths = [60, 60, 80, 60].map(|count| {
            tail.push(&vec![b'x'; count], 100);
            tail.bytes.len()
        });
        assert_eq!(lengths, [60, 120, 200, 100]);
        let mut tail = Tail::default();
        tail.push(b"0123456789", 4);
        assert_eq!(tail.text(4), "…6789");
        let mut tail = Tail::default();
        tail.push(b"0123", 4);
        assert_eq!(tail.text(4), "0123");
    }

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        for line in [
            r#"{"id":"41","output":{}}"#,
            r#" { "id" : "41" , "output": 1 }"#,
            r#"{"output":{"id":"7"},"id":"41"}"#,
            r#"{"id":"\u0034\u0031","x":1}"#,
            r#"{"id":"41"}"#,
        ] {
            assert_eq!(id(line), Ok(41), "{line}");
        }
        // a line with the id in front is read no further
        assert_eq!(id(r#"{"id":"41",and no JSON"#), Ok(41));
        assert_eq!(id(r#"{"id":"0","x":1}"#), Ok(0));
        assert_eq!(id(r#"{"id":"18446744073709551615","x":1}"#), Ok(u64::MAX));
    }

    #[test]
    fn what_is_no_answer_is_named() {
        let unknown = |id: &str| Offence::UnknownId { id: id.to_owned() };
        assert_eq!(id(r#"{"id":"041","x":1}"#), Err(unknown("041")));
        assert_eq!(id(r#"{"id":"","x":1}"#), Err(unknown("")));
        assert_eq!(
            id(r#"{"id":"18446744073709551616","x":1}"#),
            Err(unknown("18446744073709551616"))
        );
        for line in [
            r#"{"id":41,"x":1}"#,
            r#"{"output":1}"#,
            r#"{"id":null}"#,
            "{}",
        ] {
            assert_eq!(
                id(line),
                Err(Offence::NoId {
                    line: line.to_owned()
                })
            );
        }
        for line in [
            "",
            " ",
            "hi",
            "[\"41\"]",
            "{",
            r#"{"id":"1"} x"#,
            r#"{"a":1,"id":"1","id":"2"}"#,
        ] {
            assert!(
                matches!(id(line), Err(Offence::NotAnAnswer { .. })),
                "{line}"
            );
        }
    }
}
