//! A verdict's reader written by hand, character by character, and where it can go wrong.

use super::{Fault, Fault as F};
use crate::ops::verdict::VerdictOutput;

/// A JSON value, as far as a verdict needs it.
enum Value {
    Text(String),
    Null,
    Other(String),
}

/// Reads an output, or says that it is none.
pub(super) fn read(fault: Fault, output: &[u8]) -> Option<VerdictOutput> {
    let lossy = String::from_utf8_lossy(output);
    if fault == F::BadBytesReplaced || fault == F::Unread {
        return verdict(fault, &lossy);
    }
    std::str::from_utf8(output)
        .ok()
        .and_then(|text| verdict(fault, text))
}

fn verdict(fault: Fault, text: &str) -> Option<VerdictOutput> {
    let found = strict(fault, text);
    let word = || {
        ["refuse", "hold", "pass"]
            .into_iter()
            .find(|word| text.contains(word))
    };
    match fault {
        F::Unread => match word()? {
            "refuse" => Some(VerdictOutput::Refuse {
                reason: text.to_owned(),
            }),
            "hold" => Some(VerdictOutput::Hold {
                reason: text.to_owned(),
            }),
            _ => Some(VerdictOutput::Pass {}),
        },
        F::EmptyIsPass if text.trim().is_empty() => Some(VerdictOutput::Pass {}),
        _ => found,
    }
}

fn strict(fault: Fault, text: &str) -> Option<VerdictOutput> {
    let text = match fault {
        F::NoSpaceAround => text,
        F::UnicodeSpace => text.trim(),
        F::MarkSkipped => text.trim_start_matches('\u{feff}'),
        F::BannerSkipped => text.get(text.find('{')?..)?,
        F::ListTaken => text.trim_start_matches('[').trim_end_matches(']'),
        _ => text,
    };
    let mut reader = Reader { fault, rest: text };
    if fault != F::NoSpaceAround {
        reader.space();
    }
    let members = reader.object()?;
    if fault != F::NoSpaceAround {
        reader.space();
    }
    if !reader.rest.is_empty() && fault != F::TailIgnored {
        return None;
    }
    judged(fault, members)
}

/// Whether the reader takes this for the member's name.
fn is(fault: Fault, name: &str, wanted: &str) -> bool {
    name == wanted || fault == F::FoldsNames && name.eq_ignore_ascii_case(wanted)
}

fn judged(fault: Fault, members: Vec<(String, String, Value)>) -> Option<VerdictOutput> {
    let mut verdict: Option<Value> = None;
    let mut reason: Option<Value> = None;
    let mut spelt: Vec<String> = Vec::new();
    for (raw, name, value) in members {
        let again = match fault {
            F::DoubledBySpelling => spelt.contains(&raw),
            _ if is(fault, &name, "verdict") => verdict.is_some(),
            _ => name == "reason" && reason.is_some(),
        };
        spelt.push(raw);
        let slot = match name.as_str() {
            name if is(fault, name, "verdict") => &mut verdict,
            "reason" => &mut reason,
            _ if fault == F::UnknownIgnored => continue,
            _ => return None,
        };
        match (again, fault) {
            (true, F::FirstWins) => {}
            (true, F::EqualDoubles) if same(slot.as_ref(), &value) => {}
            (false, _) | (true, F::LastWins | F::DoubledBySpelling) => *slot = Some(value),
            (true, _) => return None,
        }
    }
    let word = match verdict {
        Some(Value::Text(word)) => word,
        Some(Value::Other(word)) if fault == F::NotTextIsPass && word == "true" => {
            "pass".to_owned()
        }
        None if fault == F::MissingIsPass => "pass".to_owned(),
        _ => return None,
    };
    let word = if fault == F::FoldsCase {
        word.to_lowercase()
    } else {
        word
    };
    let reason = match reason {
        None => None,
        Some(Value::Text(reason)) => Some(reason),
        Some(Value::Other(reason)) if fault == F::ReasonMadeText => Some(reason),
        Some(_) if fault == F::ReasonIgnoredBesidePass && word == "pass" => None,
        Some(Value::Null) if fault == F::NullIsPass && word == "pass" => None,
        Some(Value::Other(_) | Value::Null) => return None,
    };
    finished(fault, &word, reason)
}

/// Whether a doubled member says the same again.
fn same(slot: Option<&Value>, value: &Value) -> bool {
    matches!((slot, value), (Some(Value::Text(one)), Value::Text(other)) if one == other)
}

fn finished(fault: Fault, word: &str, reason: Option<String>) -> Option<VerdictOutput> {
    let kept = |reason: String| match fault {
        F::ReasonTrimmed => reason.trim().to_owned(),
        F::ReasonCut => reason.chars().take(8).collect(),
        F::ReasonFolded => reason.replace('\n', " "),
        _ => reason,
    };
    let reason = match reason {
        None if fault == F::NoReasonNeeded => Some(String::new()),
        Some(reason) if fault == F::EmptyIsNoReason && reason.is_empty() && word != "pass" => None,
        reason => reason.map(kept),
    };
    match (word, reason) {
        ("pass", None) => Some(VerdictOutput::Pass {}),
        ("pass", _) if matches!(fault, F::NoReasonNeeded | F::ReasonIgnoredBesidePass) => {
            Some(VerdictOutput::Pass {})
        }
        ("refuse", Some(reason)) => Some(VerdictOutput::Refuse { reason }),
        ("hold", Some(reason)) => Some(VerdictOutput::Hold { reason }),
        ("pass" | "refuse" | "hold", _) => None,
        _ if fault == F::UnknownIsPass => Some(VerdictOutput::Pass {}),
        _ => None,
    }
}

struct Reader<'a> {
    fault: Fault,
    rest: &'a str,
}

impl Reader<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn eat(&mut self, token: char) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix(token)?;
        Some(())
    }

    fn object(&mut self) -> Option<Vec<(String, String, Value)>> {
        let mut members = Vec::new();
        if self.fault == F::NoSpaceAround {
            self.rest = self.rest.strip_prefix('{')?;
        } else {
            self.eat('{')?;
        }
        if self.eat('}').is_some() {
            return Some(members);
        }
        loop {
            self.space();
            let before = self.rest;
            let name = self.string()?;
            let spelt = before.len() - self.rest.len();
            let raw = before.get(..spelt)?.to_owned();
            let name = if self.fault == F::NamesRaw {
                raw.trim_matches('"').to_owned()
            } else {
                name
            };
            self.eat(':')?;
            members.push((raw, name, self.value()?));
            if self.eat('}').is_some() {
                return Some(members);
            }
            self.eat(',')?;
            if self.fault == F::CommaAtEnd && self.eat('}').is_some() {
                return Some(members);
            }
        }
    }

    fn value(&mut self) -> Option<Value> {
        self.space();
        if self.rest.starts_with('"') {
            return self.string().map(Value::Text);
        }
        if self.rest.starts_with(['{', '[']) {
            return self.nested();
        }
        let end = self
            .rest
            .find([',', '}', ' ', '\t', '\n', '\r'])
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        match word {
            "null" => Some(Value::Null),
            "true" | "false" => Some(Value::Other(word.to_owned())),
            // every number is an offence wherever it stands
            _ if word.parse::<f64>().is_ok() => Some(Value::Other(word.to_owned())),
            _ => None,
        }
    }

    /// Skips a nested value: brackets are counted, for nothing in it can make it a verdict.
    fn nested(&mut self) -> Option<Value> {
        let mut depth = 0usize;
        loop {
            self.space();
            let first = self.rest.chars().next()?;
            match first {
                '"' => {
                    self.string()?;
                    continue;
                }
                '{' | '[' => depth += 1,
                '}' | ']' => depth -= 1,
                _ => {}
            }
            self.rest = self.rest.get(first.len_utf8()..)?;
            if depth == 0 {
                return Some(Value::Other(String::new()));
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix('"')?;
        let mut text = String::new();
        let mut units: Vec<u16> = Vec::new();
        loop {
            let next = self.rest.chars().next()?;
            self.rest = self.rest.get(next.len_utf8()..)?;
            let unit = if next == '\\' { self.escape()? } else { None };
            if let Some(unit) = unit {
                units.push(unit);
                continue;
            }
            let pending = std::mem::take(&mut units);
            if self.fault == F::HalvesReplaced {
                text.push_str(&String::from_utf16_lossy(&pending));
            } else {
                text.push_str(&String::from_utf16(&pending).ok()?);
            }
            match next {
                '"' => return Some(text),
                '\\' => text.push(self.short()?),
                '\0'..='\x1f' if self.fault != F::RawControls => return None,
                next => text.push(next),
            }
        }
    }

    /// After a `\`: the unit of `\uXXXX`, or `None` where a short escape follows.
    fn escape(&mut self) -> Option<Option<u16>> {
        let Some(rest) = self.rest.strip_prefix('u') else {
            return Some(None);
        };
        let (digits, rest) = rest.split_at_checked(4)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.rest = rest;
        u16::from_str_radix(digits, 16).ok().map(Some)
    }

    fn short(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = self.rest.get(letter.len_utf8()..)?;
        Some(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            _ if self.fault == F::AnyEscape => letter,
            _ => return None,
        })
    }
}
