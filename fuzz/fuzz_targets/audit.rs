//! Any line as a record of a log: the fast reader takes nothing that the shapes refuse, and reads
//! what it takes as they do.
#![no_main]

use gatespec::audit::entry::Span;
use gatespec::audit::scan::{read_by_shape, scan};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

#[path = "../../tests/scan/told.rs"]
mod told;
use told::told;

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') {
        return;
    }
    let mut text = line.to_vec();
    let Ok(len) = u32::try_from(text.len()) else {
        return;
    };
    let at = Span { start: 0, len };
    let Some(fast) = scan(&text, at) else { return };
    // the two put words in different places: what counts is what stands there
    let fast = told(&fast, &text);
    let shaped = read_by_shape(&mut text, at).map(|entry| told(&entry, &text));
    assert_eq!(Ok(fast), shaped, "{}", String::from_utf8_lossy(line));
});

// bytes alone seldom leave a line nearly right: half of the time its tokens are changed
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let Some(line) = data
        .get(..size)
        .filter(|line| seed % 2 == 0 && !line.is_empty())
    else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut tokens: Vec<Vec<u8>> = tokens(line);
    let mut state = u64::from(seed) << 16 | 1;
    let mut draw = |below: usize| {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below
    };
    let (one, other) = (draw(tokens.len()), draw(tokens.len()));
    let run = one..(one + 1 + draw(8)).min(tokens.len());
    match draw(5) {
        0 => tokens.swap(one, other),
        1 => tokens[one] = tokens[other].clone(),
        // a member or an item twice, or not at all
        2 => {
            let again = tokens[run].to_vec();
            tokens.splice(other..other, again);
        }
        3 => drop(tokens.drain(run)),
        _ => {
            let at = draw(tokens[one].len());
            let byte = tokens[one][at];
            tokens[one].insert(at, byte);
        }
    }
    let line = tokens.concat();
    let size = line.len().min(max_size);
    data[..size].copy_from_slice(&line[..size]);
    size
});

/// A line in pieces: strings, words and numbers, and every other byte alone.
fn tokens(line: &[u8]) -> Vec<Vec<u8>> {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.first() {
        let length = match first {
            b'"' => 2 + rest[1..].iter().take_while(|&&byte| byte != b'"').count(),
            byte if word(byte) => rest.iter().take_while(|byte| word(byte)).count(),
            _ => 1,
        };
        let (token, left) = rest.split_at(length.min(rest.len()));
        tokens.push(token.to_vec());
        rest = left;
    }
    tokens
}
