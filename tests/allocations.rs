//! The promise: the key parser, the ledger's loop and the fast reader of logs allocate nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it fails"
)]

use gatespec::audit::entry::Span;
use gatespec::audit::sample::Sample;
use gatespec::audit::scan;
use gatespec::generate::workload;
use gatespec::model::key;
use gatespec::model::ledger::{Ledger, Numbered};

/// How many allocations the work makes.
fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn the_counter_counts() {
    let made = allocations(|| {
        std::hint::black_box(vec![1u8; 100]);
    });
    assert_eq!(made, 1);
}

#[test]
fn the_key_parser_allocates_nothing() {
    for keys in [
        workload::short_keys(2000, 1),
        workload::long_names(20, 1),
        workload::near_misses(2000, 1),
    ] {
        let made = allocations(|| {
            for key in keys.iter() {
                std::hint::black_box(key::plan_key(key));
                std::hint::black_box(key::base(key));
                std::hint::black_box(key::node_name(key));
                std::hint::black_box(key::is_live_id(key));
            }
        });
        assert_eq!(made, 0);
    }
}

#[test]
fn the_ledger_allocates_nothing() {
    let events = workload::events(10_000, 3);
    let made = allocations(|| {
        let mut ledger = Ledger::<Numbered>::new(0);
        for event in &events {
            std::hint::black_box(ledger.deciding(event));
            std::hint::black_box(ledger.step(event));
        }
        std::hint::black_box(ledger.settled());
    });
    assert_eq!(made, 0);
}

#[test]
fn the_fast_reader_allocates_nothing() {
    let lines: Vec<Vec<u8>> = Sample::new(1, 8)
        .take(2000)
        .map(|line| serde_json::to_vec(&line).unwrap())
        .collect();
    let made = allocations(|| {
        for line in &lines {
            let at = Span {
                start: 0,
                len: u32::try_from(line.len()).unwrap(),
            };
            assert!(scan::scan(line, at).is_some());
        }
    });
    assert_eq!(made, 0);
}
