//! Any line as a record of a log: the fast reader takes nothing that the shapes refuse, and reads
//! what it takes as they do.
#![no_main]

use gatespec::audit::entry::Span;
use gatespec::audit::scan::{read_by_shape, scan};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') {
        return;
    }
    let mut text = line.to_vec();
    let Ok(len) = u32::try_from(text.len()) else { return };
    let at = Span { start: 0, len };
    let fast = scan(&text, at);
    let slow = read_by_shape(&mut text, at);
    if let Some(fast) = fast {
        assert_eq!(Ok(fast), slow, "{}", String::from_utf8_lossy(line));
    }
});
