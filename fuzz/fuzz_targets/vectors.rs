//! Any text as a vector file: it loads or is refused, and what is filled in by the model loads.
#![no_main]

use gatespec::conform::vectors::{fill, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let name = "spec/vectors/key/accept/topic.json";
    let _ = load([(name.to_owned(), text.to_owned())].into_iter());
    if let Ok(filled) = fill(name, text) {
        assert_eq!(fill(name, &filled).ok().as_ref(), Some(&filled));
    }
});
