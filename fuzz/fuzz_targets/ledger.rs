//! Bytes as a trace, a letter of the alphabet each: the state machine against the declarative
//! reading of the whole trace and the other laws.
#![no_main]

use std::sync::OnceLock;

use gatespec::generate::Settings;
use gatespec::generate::ledger::Words;
use gatespec::laws::ledger::{LAWS, numbered};
use gatespec::ops::ledger::Event;
use libfuzzer_sys::fuzz_target;

static WORDS: OnceLock<(Words, Vec<Event>)> = OnceLock::new();

fuzz_target!(|letters: &[u8]| {
    let (words, alphabet) = WORDS.get_or_init(|| {
        let words = Words::of(&Settings::default(), 0);
        let alphabet = words.alphabet();
        (words, alphabet)
    });
    let letters = letters.get(..64).unwrap_or(letters);
    let events = letters.iter().map(|&at| alphabet[usize::from(at) % alphabet.len()].clone());
    let trace = numbered(&words.trace(events.collect()));
    for law in LAWS {
        if let Err(violation) = (law.check)(&trace[..]) {
            panic!("{}: {violation}", law.id);
        }
    }
});
