//! What no question may depend on, whatever the suite.

use serde_json::Value;

/// Whether all numbers of a value are those that every reader of JSON has: integers within
/// ±(2^53 − 1), or 0.5.
pub(super) fn plain_numbers(value: &Value) -> bool {
    const LARGEST: u64 = (1 << 53) - 1;
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.unsigned_abs() <= LARGEST,
            None => number.as_f64() == Some(0.5),
        },
        Value::Array(items) => items.iter().all(plain_numbers),
        Value::Object(members) => members.values().all(plain_numbers),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
