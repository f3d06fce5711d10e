//! The reference model: the spec as pure, total functions, one file a suite.
//!
//! Nothing here does I/O, keeps a clock or draws a random number, and nothing here can panic on
//! what it is given. A reader who wants to know what the law says reads these files beside
//! `spec/`, where the chapter of the same name states each clause in prose.
//!
//! ```
//! use gatespec::model::{Clause, Provenance, Suite};
//!
//! let clause = Clause::from_id("KEY-02").unwrap();
//! assert_eq!(clause.suite(), Suite::Key);
//! assert_eq!(clause.provenance(), Provenance::Seed);
//! ```

pub mod boundary;
pub mod clause;
#[cfg(feature = "digest")]
pub mod digest;
pub mod joint;
pub mod key;
pub mod ledger;
pub mod outcome;
pub mod pass;
pub mod verdict;
pub mod window;
mod words;

pub use clause::{Clause, Profile, Provenance, Suite};
