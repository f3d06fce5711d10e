//! Faulty passes.
//!
//! ```
//! use gatespec::generate::{Settings, pass};
//! use gatespec::mutants::pass::{Fault, answer};
//! use gatespec::ops::SuiteOp;
//!
//! for op in pass::enumerate(&Settings::default()).take(200) {
//!     assert!(op.judge(&answer(Fault::Nowhere, &op)).is_empty());
//! }
//! ```

mod faults;
mod gate;

use super::{FaultClass, Mutant, run};
use crate::model::Clause;
use crate::ops::pass::{Op, Output};

pub use faults::{Fault, MUTANTS};

/// The answer of a gate with this fault.
#[must_use]
pub fn answer(fault: Fault, op: &Op) -> Output {
    gate::pass(fault, op.script())
}
