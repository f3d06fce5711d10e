//! The command, run as a person runs it.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) const GATESPEC: &str = env!("CARGO_BIN_EXE_gatespec");

pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Ran {
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
