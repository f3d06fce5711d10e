//! The promise: the model keeps every law, over enumerations and over random cases, and no law
//! holds for want of a case that it speaks of.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a law that is broken ends the test with its name"
)]

mod boundary;
mod joint;
mod key;
mod ledger;
mod outcome;
mod pass;
mod strength;
mod verdict;
mod window;

use gatespec::laws::Law;

/// Checks every law on every case, and that each law is reached by one.
fn hold<T: ?Sized + std::fmt::Debug>(
    laws: &[Law<T>],
    cases: impl Iterator<Item: std::borrow::Borrow<T>>,
) -> u64 {
    use std::borrow::Borrow as _;
    let mut reached = vec![false; laws.len()];
    let mut count = 0;
    for case in cases {
        let case = case.borrow();
        count += 1;
        for (law, reached) in laws.iter().zip(&mut reached) {
            *reached = *reached || (law.reaches)(case);
            if let Err(violation) = (law.check)(case) {
                panic!("{} is broken by {case:?}: {violation}", law.id);
            }
        }
    }
    for (law, reached) in laws.iter().zip(reached) {
        assert!(
            reached,
            "{} is vacuous: no case reaches its premise",
            law.id
        );
    }
    count
}

/// Checks every law on one random case, inside a proptest.
fn hold_of<T: ?Sized>(
    laws: &[Law<T>],
    case: &T,
) -> Result<(), proptest::test_runner::TestCaseError> {
    for law in laws {
        (law.check)(case).map_err(|violation| {
            proptest::test_runner::TestCaseError::fail(format!("{}: {violation}", law.id))
        })?;
    }
    Ok(())
}
