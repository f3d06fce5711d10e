//! The law of a tool gate, executable.
//!
//! A *tool gate* stands between a model's tool call and its execution. This crate says what such a
//! gate must do, as a reference model, and checks other implementations against it. In reading
//! order:
//!
//! - [`model`]: **the spec**, pure and total: one file a suite.
//! - [`ops`]: the questions that can be put to a gate, and how an answer is judged.
//! - `laws`: each rule a second time, as a property with a witness.
//! - `generate`: strategies and enumerations of cases.
//! - `mutants`: faulty gates that the suite must catch.
//! - `conform`: the kit: a gate as a process or a value, the runner, the shrinker.
//! - `audit`: recorded gate logs, held to the same clauses.
//! - `report`: what a run says, for people and for programs.
//!
//! The text of the spec is in `spec/`; every rule there has a permanent id, a [`model::Clause`].
//!
//! The model answers at once:
//!
//! ```
//! use gatespec::model::key::plan_key;
//! use gatespec::model::outcome::{Facts, Refusal, SettledFacts, Settlement, mint};
//!
//! // a node of iteration 3, and its Step
//! let key = plan_key(b"node:iter:3:build:step:test").unwrap();
//! assert_eq!((key.iteration, key.node, key.step), (Some(3), &b"build"[..], Some(&b"test"[..])));
//!
//! // a wait that timed out is never an approval: these facts are a defect, and no record
//! let timed_out = Settlement::Refused { reason: Refusal::Timeout };
//! let settled = SettledFacts {
//!     settlement: Some(timed_out),
//!     origin: Some("policy"),
//!     licensed: None,
//! };
//! assert!(mint(&Facts { settled: Some(settled), ..Facts::default() }).is_err());
//! ```

pub mod model;

#[cfg(feature = "audit")]
pub mod audit;
#[cfg(feature = "generate")]
pub mod conform;
#[cfg(feature = "generate")]
pub mod generate;
#[cfg(feature = "generate")]
pub mod laws;
#[cfg(feature = "generate")]
pub mod mutants;
#[cfg(feature = "generate")]
pub mod ops;
#[cfg(feature = "cli")]
pub mod report;
