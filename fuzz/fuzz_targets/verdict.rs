//! Any bytes as a control's output: the reader against its laws and a second implementation.
#![no_main]

use gatespec::laws::verdict::LAWS;
use gatespec::mutants::verdict::{Fault, answer};
use gatespec::ops::verdict::{Op, Parse};
use gatespec::ops::{SuiteOp as _, Text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|output: &[u8]| {
    let op = Op::Parse(Parse { output: Text(output.to_vec()) });
    for law in LAWS {
        if let Err(violation) = (law.check)(&op) {
            panic!("{}: {violation}", law.id);
        }
    }
    assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
});
