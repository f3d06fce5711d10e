//! The model's own digest of the bytes that a call runs with: SHA-256 over RFC 8785 canonical JSON.
//!
//! A gate has a digest of its own and the cases never name one: what matters to the ledger is only
//! that two inputs have the same digest exactly when they are the same input (LED-27).

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The canonical bytes of a JSON value (RFC 8785): members sorted, numbers and strings in their one
/// spelling, no white space.
///
/// # Errors
/// When the value has no canonical form: a number that is not finite, or a name that is no string.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

/// The digest of a JSON value.
///
/// # Errors
/// When the value has no canonical form.
pub fn digest<T: Serialize>(value: &T) -> Result<[u8; 32], serde_json::Error> {
    Ok(Sha256::digest(canonical(value)?).into())
}
