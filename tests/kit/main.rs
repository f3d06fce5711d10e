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

#[path = "../common/command.rs"]
mod command;
mod free;
mod help;
#[cfg(target_os = "linux")]
mod interrupt;
mod languages;
mod promote;
mod select;
#[path = "../common/toolchain.rs"]
mod toolchain;

use command::{GATESPEC, Ran, run_in};
