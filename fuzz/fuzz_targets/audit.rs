//! Any line as a record of a log: the fast reader takes nothing that the shapes refuse, and reads
//! what it takes as they do.
#![no_main]

use gatespec::audit::entry::Span;
use gatespec::audit::scan::{read_by_shape, scan};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/scan/told.rs"]
mod told;
use told::told;

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') {
        return;
    }
    let mut text = line.to_vec();
    let Ok(len) = u32::try_from(text.len()) else { return };
    let at = Span { start: 0, len };
    let Some(fast) = scan(&text, at) else { return };
    // the two put words in different places: what counts is what stands there
    let fast = told(&fast, &text);
    let shaped = read_by_shape(&mut text, at).map(|entry| told(&entry, &text));
    assert_eq!(Ok(fast), shaped, "{}", String::from_utf8_lossy(line));
});
