//! The promise: the kit's own parts do what they say, each by itself and in this process. What a
//! run selects, counts and comes to, what is made small and kept, and what of it all is the same
//! every time. `cargo mutants` puts each line of `src/conform/` to these tests.

#![allow(missing_docs, reason = "tests are named by what they promise")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where it fails"
)]

mod baseline;
mod bench;
mod fake;
mod free;
mod fuzz;
mod implement;
mod kept;
mod parallel;
mod plan;
mod runner;
mod shrink;
mod strength;
mod trace;
mod vectors;
mod wire;
