//! The promise: within a version of the spec no id is dropped, no clause changes its words, and no
//! vector changes its question or its answer.
//!
//! `spec/frozen/<version>.txt` has a line a clause and a line a vector. To add some within a
//! version, or to make a new one, run this test with `GATESPEC_FREEZE=1`: it appends what is new
//! and changes nothing that is there.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use std::collections::BTreeMap;
use std::path::Path;

use gatespec::conform::{SPEC, vectors};
use gatespec::model::Clause;
use gatespec::ops::json;

/// FNV-1a over the texts, each ended by a zero.
fn hash(texts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in texts.iter().flat_map(|text| text.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// What there is now, by kind and id.
fn now() -> BTreeMap<String, String> {
    let mut now = BTreeMap::new();
    for clause in Clause::ALL {
        let words = [clause.text(), clause.provenance().word()];
        now.insert(format!("clause {clause}"), format!("{:016x}", hash(&words)));
    }
    for case in vectors::embedded().unwrap() {
        let (input, output) = (case.op.input(), json(&case.op.expected()));
        let texts = [case.op.name(), input.get(), output.get()];
        now.insert(
            format!("vector {}", case.id),
            format!("{:016x}", hash(&texts)),
        );
    }
    now
}

#[test]
fn nothing_that_is_frozen_changes_or_goes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("spec/frozen/{SPEC}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let frozen: BTreeMap<String, String> = text
        .lines()
        .map(|line| {
            let (what, hash) = line
                .rsplit_once(' ')
                .unwrap_or_else(|| panic!("no line: {line}"));
            (what.to_owned(), hash.to_owned())
        })
        .collect();
    let now = now();
    for (what, hash) in &frozen {
        match now.get(what) {
            None => panic!("{what} is frozen in {SPEC}, and gone"),
            Some(other) => assert_eq!(other, hash, "{what} is frozen in {SPEC}, and differs"),
        }
    }
    if std::env::var_os("GATESPEC_FREEZE").is_some() {
        let lines: String = now
            .iter()
            .map(|(what, hash)| format!("{what} {hash}\n"))
            .collect();
        std::fs::write(&path, lines).unwrap();
        return;
    }
    let new: Vec<&String> = now
        .keys()
        .filter(|what| !frozen.contains_key(*what))
        .collect();
    assert!(
        new.is_empty(),
        "not frozen yet, run with GATESPEC_FREEZE=1: {new:?}"
    );
}
