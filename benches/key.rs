//! Key parsing against a regular expression, winnow, and `split`, on four workloads.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench"
)]

mod common;

use common::Contest;
use gatespec::generate::workload::{self, Keys};
use gatespec::model::key::{MAX_ITERATION, PlanKey, plan_key};
use regex::bytes::Regex;
use winnow::Parser as _;
use winnow::combinator::{alt, eof, opt, preceded, terminated};
use winnow::error::ErrMode;
use winnow::token::{rest, take_till, take_while};

/// What each contestant must have found in a key: its parts enter the sum.
fn sum(parsed: Option<PlanKey<'_>>) -> u64 {
    parsed.map_or(0, |key| {
        let step = key.step.map_or(0, |step| step.len() as u64 + 7);
        1 + key.key.len() as u64 + key.node.len() as u64 + step + key.iteration.unwrap_or(0)
    })
}

/// The grammar as a pattern. What it takes for a number may be too large for one.
fn pattern() -> Regex {
    Regex::new(
        r"(?s-u)\A(?<key>node:(?:iter:(?<n>0|[1-9][0-9]{0,18}):)?(?<node>[^:]+))(?::step:(?<step>.+))?\z",
    )
    .unwrap()
}

fn by_regex<'a>(
    regex: &Regex,
    places: &mut regex::bytes::CaptureLocations,
    subject: &'a [u8],
) -> Option<PlanKey<'a>> {
    regex.captures_read(places, subject)?;
    let part = |group| places.get(group).map(|(from, to)| &subject[from..to]);
    let iteration = match part(2) {
        None => None,
        Some(digits) => {
            let n = digits.iter().try_fold(0u64, |n, digit| {
                n.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
            })?;
            if n > MAX_ITERATION {
                return None;
            }
            Some(n)
        }
    };
    Some(PlanKey {
        key: part(1)?,
        iteration,
        node: part(3)?,
        step: part(4),
    })
}

fn by_winnow(subject: &[u8]) -> Option<PlanKey<'_>> {
    type Error = ErrMode<winnow::error::EmptyError>;
    fn number(input: &mut &[u8]) -> winnow::Result<u64, Error> {
        alt((
            b"0".value(0),
            take_while(1..20, b'0'..=b'9')
                .verify(|digits: &[u8]| digits[0] != b'0')
                .verify_map(|digits: &[u8]| {
                    let n = digits.iter().try_fold(0u64, |n, digit| {
                        n.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
                    })?;
                    (n <= MAX_ITERATION).then_some(n)
                }),
        ))
        .parse_next(input)
    }
    let mut input = subject;
    let mut whole = (
        b"node:",
        opt(preceded(b"iter:", terminated(number, b":"))),
        take_till(1.., b':'),
        opt(preceded(
            b":step:",
            rest.verify(|step: &[u8]| !step.is_empty()),
        )),
        eof::<_, Error>,
    );
    let (_, iteration, node, step, _) = whole.parse_next(&mut input).ok()?;
    let tail = step.map_or(0, |step: &[u8]| step.len() + 6);
    Some(PlanKey {
        key: &subject[..subject.len() - tail],
        iteration,
        node,
        step,
    })
}

/// As one would write it in a hurry: all parts first.
fn by_split(subject: &[u8]) -> Option<PlanKey<'_>> {
    let parts: Vec<&[u8]> = subject.split(|&byte| byte == b':').collect();
    let (&first, mut rest) = parts.split_first()?;
    if first != b"node" {
        return None;
    }
    let mut length = 4;
    let mut iteration = None;
    if let [b"iter", digits, more @ ..] = rest
        && !more.is_empty()
        && let Ok(text) = std::str::from_utf8(digits)
        && !text.starts_with('+')
        && (text == "0" || !text.starts_with('0'))
        && let Ok(n) = text.parse::<u64>()
        && n <= MAX_ITERATION
    {
        iteration = Some(n);
        rest = more;
        length += 6 + digits.len();
    }
    let (&node, rest) = rest.split_first()?;
    if node.is_empty() {
        return None;
    }
    length += 1 + node.len();
    let step = match rest {
        [] => None,
        [b"step", _, ..] => Some(subject.get(length + 6..).filter(|step| !step.is_empty())?),
        _ => return None,
    };
    Some(PlanKey {
        key: &subject[..length],
        iteration,
        node,
        step,
    })
}

fn contest(criterion: &mut criterion::Criterion, name: &str, keys: &Keys) {
    let regex = pattern();
    let mut places = regex.capture_locations();
    let model: u64 = keys
        .iter()
        .map(|key| sum(plan_key(key)))
        .fold(0, u64::wrapping_add);
    for (at, key) in keys.iter().enumerate() {
        let model = plan_key(key);
        let shown = || format!("{at}: {}", key.escape_ascii());
        assert_eq!(by_regex(&regex, &mut places, key), model, "{}", shown());
        assert_eq!(by_winnow(key), model, "{}", shown());
        assert_eq!(by_split(key), model, "{}", shown());
    }
    let all = |parse: &mut dyn FnMut(&[u8]) -> u64| -> u64 {
        let mut all = 0u64;
        for key in keys.iter() {
            all = all.wrapping_add(parse(key));
        }
        assert_eq!(all, model);
        all
    };
    let mut contest = Contest::new(name, keys.len() as u64, "keys")
        .way("gatespec", || {
            let mut all = 0u64;
            for key in keys.iter() {
                all = all.wrapping_add(sum(plan_key(key)));
            }
            all
        })
        .way("winnow", || {
            let mut all = 0u64;
            for key in keys.iter() {
                all = all.wrapping_add(sum(by_winnow(key)));
            }
            all
        })
        .way("split", || {
            let mut all = 0u64;
            for key in keys.iter() {
                all = all.wrapping_add(sum(by_split(key)));
            }
            all
        })
        .way("regex", || {
            all(&mut |key| sum(by_regex(&regex, &mut places, key)))
        });
    if name.contains("long") {
        contest = contest.way("memchr of the whole key", || {
            let mut all = 0u64;
            for key in keys.iter() {
                // no second colon: all of it is looked at
                let from = key.get(5..).unwrap_or_default();
                all = all.wrapping_add(memchr::memchr(b':', from).map_or(1, |at| at as u64));
            }
            all
        });
    }
    contest.run(criterion);
}

fn main() {
    let mut criterion = common::criterion();
    contest(
        &mut criterion,
        "key, 1,000 short",
        &workload::short_keys(1000, 1),
    );
    contest(
        &mut criterion,
        "key, 1,000,000 distinct",
        &workload::short_keys(1_000_000, 2),
    );
    contest(
        &mut criterion,
        "key, long names of 1 KiB",
        &workload::long_names(1000, 3),
    );
    contest(
        &mut criterion,
        "key, near misses",
        &workload::near_misses(10_000, 4),
    );
    criterion.final_summary();
}
