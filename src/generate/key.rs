//! Keys: all token strings up to a bound, valid keys, near misses and byte noise.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use gatespec::generate::key::{TOKENS, subjects};
//!
//! let all: BTreeSet<Vec<u8>> = subjects(2).collect();
//! assert!(all.contains(&b"node:"[..]) && all.len() > TOKENS.len());
//! ```

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Settings, text};
use crate::ops::key::Op;

/// The tokens whose strings are enumerated: the grammar's words, its delimiters, and the least
/// that fills a place.
pub const TOKENS: [&str; 10] = [
    "node", "iter", "step", "taint", ":", "#", "0", "03", "3", "x",
];

/// Iteration numbers at the edges of what one can be.
pub const EDGES: [&str; 5] = [
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "+3",
];

/// Names that only a parser that trims or folds reads otherwise.
const ODD: [&str; 6] = [
    " node:x",
    "node:x ",
    "node:x\n",
    "NODE:x",
    "node:X",
    "node:x:Step:s",
];

/// Every question about every distinct token string of up to [`Settings::key_tokens`] tokens, about
/// every one that is as long behind `node:iter:`, and about the edges of iteration numbers.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    let tokens = settings.key_tokens;
    let behind = |tail: Vec<u8>| [b"node:iter:".as_slice(), &tail].concat();
    let edges = EDGES.iter().flat_map(|n| {
        ["x", "x:step:s", "x:taint"].map(|rest| format!("node:iter:{n}:{rest}").into_bytes())
    });
    // too long for the shallow settings, and what a parser that goes back would take
    let back = (tokens < 6).then(|| b"node:iter:3:step:x".to_vec());
    subjects(tokens)
        .chain(edges)
        .chain(back)
        .chain(ODD.map(|odd| odd.as_bytes().to_vec()))
        // the shorter ones are among the first
        .chain(strings(tokens.saturating_sub(3)..=tokens.saturating_sub(1)).map(behind))
        .flat_map(|subject| Op::all(&subject))
}

/// Every token string of up to `tokens` tokens once, the shortest first.
///
/// `0` and `3` make `03`, so a string that two token strings spell is given for the first alone:
/// the one that spells it with the token `03`.
pub fn subjects(tokens: usize) -> impl Iterator<Item = Vec<u8>> + Send {
    strings(0..=tokens)
}

/// The same, of lengths between two bounds.
fn strings(lengths: std::ops::RangeInclusive<usize>) -> impl Iterator<Item = Vec<u8>> + Send {
    lengths.flat_map(|length| {
        let count = 10u64.pow(u32::try_from(length).unwrap_or(u32::MAX));
        (0..count).filter_map(move |index| spell(index, length))
    })
}

/// The token string whose tokens are the decimal digits of `index`.
fn spell(index: u64, length: usize) -> Option<Vec<u8>> {
    let mut subject = Vec::with_capacity(length * 5);
    let mut before = "";
    for place in (0..length).rev() {
        let digit = index / 10u64.pow(u32::try_from(place).ok()?) % 10;
        let token = TOKENS.get(usize::try_from(digit).ok()?)?;
        if before == "0" && *token == "3" {
            return None;
        }
        subject.extend_from_slice(token.as_bytes());
        before = token;
    }
    Some(subject)
}

/// Random questions: valid keys, keys one edit away from valid, instances, and noise.
pub fn strategy(settings: &Settings) -> impl Strategy<Value = Op> + use<> {
    let bytes = settings.key_part_bytes;
    let subject = prop_oneof![
        4 => valid(bytes),
        4 => near(bytes),
        3 => instance(bytes),
        1 => vec(any::<u8>(), 0..bytes),
    ];
    (subject, any::<prop::sample::Index>()).prop_map(|(subject, pick)| {
        let all: Vec<Op> = Op::all(&subject).collect();
        pick.get(&all).clone()
    })
}

/// A plan key.
fn valid(bytes: usize) -> impl Strategy<Value = Vec<u8>> {
    let iteration = prop_oneof![2 => Just(None), 3 => number().prop_map(Some)];
    let step = prop_oneof![1 => Just(None), 1 => step(bytes).prop_map(Some)];
    (iteration, name(bytes), step).prop_map(|(iteration, node, step)| {
        let mut key = b"node:".to_vec();
        if let Some(n) = iteration {
            key.extend_from_slice(format!("iter:{n}:").as_bytes());
        }
        key.extend_from_slice(&node);
        if let Some(step) = step {
            key.extend_from_slice(b":step:");
            key.extend_from_slice(&step);
        }
        key
    })
}

/// Iteration numbers, thick around every edge of the grammar.
fn number() -> impl Strategy<Value = String> {
    let edge = 1u128 << 63;
    prop_oneof![
        4 => (0u64..20).prop_map(|n| n.to_string()),
        2 => any::<u64>().prop_map(|n| n.to_string()),
        2 => (edge - 3..edge + 3).prop_map(|n| n.to_string()),
        1 => (edge * 2 - 2..edge * 2 + 2).prop_map(|n| n.to_string()),
        1 => (0u64..20).prop_map(|n| format!("0{n}")),
        1 => (0u64..20).prop_map(|n| format!("+{n}")),
        1 => (0u64..20).prop_map(|n| format!("-{n}")),
        1 => Just("٣".to_owned()),
        1 => Just("1e3".to_owned()),
    ]
}

/// Node names: the grammar's own words, then anything without `:`.
fn name(bytes: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(vec!["iter", "step", "taint", "node", "x", "X", " x", "x#taint", "é", "3"])
            .prop_map(|name| name.as_bytes().to_vec()),
        2 => vec(any::<u8>().prop_map(|b| if b == b':' { b'#' } else { b }), 1..bytes),
        1 => text("[a-z]{1,8}").prop_map(String::into_bytes),
    ]
}

/// Step names: anything, `:` and the grammar's own tails too.
fn step(bytes: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(vec!["a", "a:step:b", "taint", "y:taint", ":", "step:x", "iter:3:x"])
            .prop_map(|name| name.as_bytes().to_vec()),
        2 => vec(any::<u8>(), 1..bytes),
    ]
}

/// A valid key with one byte dropped, doubled, or changed, or one token put in.
fn near(bytes: usize) -> impl Strategy<Value = Vec<u8>> {
    let edit = prop_oneof![
        Just(Vec::new()),
        prop::sample::select(TOKENS.to_vec()).prop_map(|token| token.as_bytes().to_vec()),
        any::<u8>().prop_map(|byte| vec![byte]),
    ];
    (valid(bytes), any::<prop::sample::Index>(), 0usize..2, edit).prop_map(
        |(mut key, at, cut, edit)| {
            let at = at.index(key.len());
            let end = (at + cut).min(key.len());
            key.splice(at..end, edit);
            key
        },
    )
}

/// An instance of a key, of a call, or of what only looks like one.
fn instance(bytes: usize) -> impl Strategy<Value = Vec<u8>> {
    let of = prop_oneof![
        2 => valid(bytes),
        1 => near(bytes),
        2 => "call_[a-z0-9]{1,6}".prop_map(String::into_bytes),
        1 => Just(b"Node:x".to_vec()),
    ];
    let suffix = prop::sample::select(vec![
        ":taint",
        "#taint",
        ":Taint",
        "#taint ",
        ":taint:taint",
    ]);
    (of, suffix).prop_map(|(mut of, suffix)| {
        of.extend_from_slice(suffix.as_bytes());
        of
    })
}
