//! The laws: each rule of the spec a second time, as a property. One file a suite.
//!
//! A [`Law`] is a value: an id, a sentence, the clauses that it states, and a function that holds
//! of every case or says how it is broken. Laws are stated over the model's inputs and outputs,
//! never over its code: where a suite needs an oracle, it is a second reading of the same rules
//! that shares nothing with the model but its types.
//!
//! Every law has a *sometimes* beside its *always*: [`Law::reaches`] says where its premise holds,
//! and the tests fail when no case of the enumeration does.
//!
//! ```
//! use gatespec::laws::{self, key};
//!
//! let law = &key::LAWS[0];
//! assert!((law.reaches)(b"node:x") && (law.check)(b"node:x").is_ok());
//! assert!(laws::all().iter().any(|info| info.id == law.id));
//! ```

use std::fmt;

use crate::model::Clause;

pub mod boundary;
pub mod joint;
pub mod key;
pub mod ledger;
pub mod outcome;
pub mod pass;
pub mod verdict;
pub mod window;

/// A property of every case of type `T`.
pub struct Law<T: ?Sized + 'static> {
    /// A word in snake case that says what holds, such as `parse_then_format_is_identity`.
    pub id: &'static str,
    /// The law as a sentence.
    pub sentence: &'static str,
    /// The clauses that it states again.
    pub clauses: &'static [Clause],
    /// Whether the law's premise holds of a case, so that the law says something about it.
    pub reaches: fn(&T) -> bool,
    /// Whether the law holds of a case.
    pub check: fn(&T) -> Result<(), Violation>,
}

/// How a law is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

/// `Ok` when the condition holds, else the violation that `says` words.
///
/// # Errors
/// When the condition does not hold.
pub fn ensure(holds: bool, says: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds {
        Ok(())
    } else {
        Err(Violation(says()))
    }
}

/// A law without its case type, for the tables that list all of them.
#[derive(Clone, Copy, Debug)]
pub struct LawInfo {
    /// See [`Law::id`].
    pub id: &'static str,
    /// See [`Law::sentence`].
    pub sentence: &'static str,
    /// See [`Law::clauses`].
    pub clauses: &'static [Clause],
}

impl<T: ?Sized> Law<T> {
    /// What the tables list.
    #[must_use]
    pub const fn info(&self) -> LawInfo {
        LawInfo {
            id: self.id,
            sentence: self.sentence,
            clauses: self.clauses,
        }
    }
}

/// Every law, in reading order.
#[must_use]
pub fn all() -> Vec<LawInfo> {
    let mut all = Vec::new();
    all.extend(key::LAWS.iter().map(Law::info));
    all.extend(verdict::LAWS.iter().map(Law::info));
    all.extend(window::LAWS.iter().map(Law::info));
    all.extend(boundary::LAWS.iter().map(Law::info));
    all.extend(boundary::CHANGED.iter().map(Law::info));
    all.extend(joint::INVARIANTS.iter().map(joint::Invariant::info));
    all.extend(outcome::LAWS.iter().map(Law::info));
    all.extend(ledger::LAWS.iter().map(Law::info));
    all.extend(pass::LAWS.iter().map(Law::info));
    all
}
