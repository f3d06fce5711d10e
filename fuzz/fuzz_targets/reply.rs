//! Any line as an adapter's: the hello and the answers are read without a panic, and an answer that
//! conforms is one that the model would give or that the law leaves open.
#![no_main]

use std::sync::OnceLock;

use gatespec::conform::{Case, adapter, vectors};
use libfuzzer_sys::fuzz_target;

static CASES: OnceLock<Vec<Case>> = OnceLock::new();

fuzz_target!(|data: &[u8]| {
    let cases = CASES.get_or_init(|| vectors::embedded().expect("the vectors load"));
    let Some((pick, line)) = data.split_first_chunk::<2>() else { return };
    let Ok(line) = std::str::from_utf8(line) else { return };
    let _ = adapter::read_hello(line);
    let case = &cases[usize::from(u16::from_le_bytes(*pick)) % cases.len()];
    let _ = case.judge(&adapter::read_answer(&case.op, line));
});
