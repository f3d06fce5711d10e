//! The kit: puts cases to a gate, judges its answers, and makes what fails small.
//!
//! A gate is a [`Subject`]: a process that speaks the protocol ([`Adapter`]) or a value in this
//! process ([`InProcess`]). The reference, the mutants and a stranger's gate all go through the
//! same [`check`].
//!
//! ```
//! use gatespec::conform::{InProcess, Outcome, Plan, check};
//! use gatespec::model::Suite;
//!
//! let mut plan = Plan::new(7).unwrap();
//! (plan.generated, plan.enumerated) = (100, Some(100));
//! plan.selection.suites = [Suite::Key].into();
//! let checked = check(&mut InProcess::reference(), &plan, &Default::default(), &mut |_| {});
//! assert_eq!(checked.outcome, Outcome::Conforms);
//! ```

pub mod adapter;
pub mod baseline;
pub mod bench;
pub mod case;
pub mod control;
pub mod free;
pub mod fuzz;
pub mod implement;
pub mod kept;
pub mod parallel;
pub mod plan;
pub mod process;
pub mod promote;
pub mod runner;
pub mod serve;
pub mod shrink;
pub mod strength;
pub mod subject;
pub mod tally;
pub mod trace;
pub mod vectors;

pub use adapter::Adapter;
pub use case::{Case, Depth, Kind, Verdict};
pub use plan::{Plan, Selection};
pub use runner::{Check, Finding, Outcome, check};
pub use subject::{Answer, Hello, InProcess, Stopped, Subject};

/// The version of the spec that this crate states and checks.
pub const SPEC: &str = "1.0";

/// The version of the adapter protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// The op that gives its input back: what it costs is the adapter and the pipe.
pub const ECHO: &str = "echo";
