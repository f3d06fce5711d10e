//! The promise: a person who uses the command day by day finds their way: a counterexample becomes
//! a vector, every command shows by example what it is for, a case can be run by hand, and Ctrl-C
//! loses nothing.

#![allow(missing_docs, reason = "tests are named by what they promise")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

mod free;
mod help;
#[cfg(target_os = "linux")]
mod interrupt;
mod languages;
mod promote;
mod select;

use std::path::Path;
use std::process::{Command, Output};

const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run_in(folder: &Path, args: &[&str]) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(GATESPEC)
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    Ran {
        code: status.code().unwrap(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}
