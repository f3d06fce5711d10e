//! Faulty passes.

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
