//! The kit.

#[cfg(unix)]
pub mod process;
