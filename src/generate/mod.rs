//! Cases: enumerations of finite or bounded spaces, and proptest strategies. One file a suite.
//!
//! Everything is a function of [`Settings`]: the same settings give the same cases in the same
//! order on every machine.
//!
//! ```
//! use gatespec::generate::{Settings, enumerate};
//! use gatespec::model::Suite;
//!
//! let of = |seed| enumerate(Suite::Key, &Settings::seeded(seed)).take(50).collect::<Vec<_>>();
//! assert_eq!(of(1), of(1));
//! assert!(of(1).iter().all(|op| op.suite() == Suite::Key && op.is_asked()));
//! ```

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::string::string_regex;

use crate::model::Suite;
use crate::ops::Op;

pub mod boundary;
pub mod key;
pub mod ledger;
pub mod outcome;
pub mod pass;
pub mod settings;
pub mod verdict;
pub mod window;
pub mod workload;

pub use settings::{Names, Settings};

/// Every case of a suite's bounded space, in an order that goes from small to large.
#[must_use]
pub fn enumerate(suite: Suite, settings: &Settings) -> Box<dyn Iterator<Item = Op> + Send> {
    match suite {
        Suite::Key => Box::new(key::enumerate(settings).map(Op::from)),
        Suite::Verdict => Box::new(verdict::enumerate(settings).map(Op::from)),
        Suite::Window => Box::new(window::enumerate(settings).map(Op::from)),
        Suite::Boundary => Box::new(boundary::enumerate(settings).map(Op::from)),
        Suite::Outcome => Box::new(outcome::enumerate(settings).map(Op::from)),
        Suite::Ledger => Box::new(ledger::enumerate(settings).map(Op::from)),
        Suite::Pass => Box::new(pass::enumerate(settings).map(Op::from)),
    }
}

/// Random cases of a suite.
pub fn strategy(suite: Suite, settings: &Settings) -> BoxedStrategy<Op> {
    match suite {
        Suite::Key => key::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Verdict => verdict::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Window => window::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Boundary => boundary::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Outcome => outcome::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Ledger => ledger::strategy(settings).prop_map(Op::from).boxed(),
        Suite::Pass => pass::strategy(settings).prop_map(Op::from).boxed(),
    }
}

/// Texts of a pattern. A pattern that is used as a strategy itself is read anew for each text.
fn text(pattern: &'static str) -> BoxedStrategy<String> {
    string_regex(pattern).map_or_else(|_| pattern.boxed(), Strategy::boxed)
}
