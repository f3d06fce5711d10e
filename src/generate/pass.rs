//! Scripts of a pass: each seat's answers alone and beside the others', and random scripts.
//!
//! ```
//! use gatespec::generate::{Settings, pass};
//! use gatespec::model::pass::{Verdict, run};
//!
//! let mut settings = Settings::default();
//! (settings.pass_wide, settings.pass_deep) = (1, 1);
//! let scripts: Vec<_> = pass::scripts(&settings).collect();
//! for result in [Verdict::Allow, Verdict::Deny] {
//!     assert!(scripts.iter().any(|script| run(script).result == result), "{result}");
//! }
//! ```

mod axes;
mod random;

use std::collections::BTreeSet;

use super::Settings;
use crate::model::pass::Script;
use crate::ops::pass::Op;

pub use axes::{Axis, axes};
pub use random::strategy;

/// Every script in which up to [`Settings::pass_wide`] seats speak, and those of the chief answers
/// in which up to [`Settings::pass_deep`] do.
pub fn enumerate(settings: &Settings) -> impl Iterator<Item = Op> + Send + use<> {
    scripts(settings).map(Op::of)
}

/// The scripts of [`enumerate`], the plainest first.
pub fn scripts(settings: &Settings) -> impl Iterator<Item = Script> + Send + use<> {
    let (wide, deep) = (settings.pass_wide, settings.pass_deep);
    let all = axes(settings.names());
    let plain = axes::plain(settings.names());
    let chief: Vec<Axis> = all.iter().map(Axis::chief).collect();
    let narrow = (wide + 1..=deep).flat_map({
        let plain = plain.clone();
        move |seats| beside(plain.clone(), chief.clone(), seats)
    });
    (0..=wide)
        .flat_map(move |seats| beside(plain.clone(), all.clone(), seats))
        .chain(narrow)
}

/// Every script in which just `seats` of the axes depart from the plain one.
fn beside(plain: Script, axes: Vec<Axis>, seats: usize) -> Box<dyn Iterator<Item = Script> + Send> {
    if seats == 0 {
        return Box::new(std::iter::once(plain));
    }
    let mut rest = axes;
    if rest.len() < seats {
        return Box::new(std::iter::empty());
    }
    let first = rest.remove(0);
    let without = beside(plain.clone(), rest.clone(), seats);
    let with = first.answers.into_iter().flat_map(move |answer| {
        let mut script = plain.clone();
        (answer.set)(&mut script);
        beside(script, rest.clone(), seats - 1)
    });
    Box::new(with.chain(without))
}

/// How many distinct scripts there are among these, by their text.
#[must_use]
pub fn distinct(scripts: impl Iterator<Item = Script>) -> usize {
    let texts: BTreeSet<String> = scripts
        .filter_map(|script| serde_json::to_string(&script).ok())
        .collect();
    texts.len()
}
