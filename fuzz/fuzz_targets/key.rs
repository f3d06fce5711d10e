//! Any bytes as a subject: the parser against the enumerator of all derivations and the other laws.
#![no_main]

use gatespec::laws::key::LAWS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|subject: &[u8]| {
    // the enumerator takes the square of a subject's length
    let subject = subject.get(..512).unwrap_or(subject);
    for law in LAWS {
        if let Err(violation) = (law.check)(subject) {
            panic!("{}: {violation}", law.id);
        }
    }
});
