//! Steps toward smaller parts of a question: bytes, names and JSON values.
//!
//! ```
//! use gatespec::ops::shrink::{bytes, name};
//!
//! assert_eq!(bytes(b"ab"), [&b""[..], b"b", b"a"]);
//! assert_eq!(name("call-3f9a02").as_deref(), Some("c"));
//! assert_eq!(name("c"), None);
//! ```

use serde_json::Value;

/// The bytes with a piece left out: halves first, then ever smaller pieces, down to one byte.
///
/// Of long bytes only the larger pieces are tried, so that one step has a bounded number of
/// candidates; repeated steps get to the small pieces.
#[must_use]
pub fn bytes(bytes: &[u8]) -> Vec<Vec<u8>> {
    const MOST: usize = 256;
    let mut all = Vec::new();
    let mut piece = bytes.len();
    while piece > 0 && bytes.len() / piece <= MOST {
        for start in (0..bytes.len()).step_by(piece) {
            let end = (start + piece).min(bytes.len());
            let (head, rest) = bytes.split_at(start);
            let (_, tail) = rest.split_at(end - start);
            all.push([head, tail].concat());
        }
        piece /= 2;
    }
    all
}

/// The name cut to its first letter, unless it is that already.
#[must_use]
pub fn name(name: &str) -> Option<String> {
    let first = name.chars().next()?;
    (name.chars().nth(1).is_some()).then(|| first.to_string())
}

/// The value with a part left out: `null` first, then each child alone, then a child less or
/// smaller.
#[must_use]
pub fn value(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Null => return all,
        Value::Array(items) => {
            all.push(Value::Null);
            all.extend(items.iter().cloned());
            for (at, item) in items.iter().enumerate() {
                let with = |put: Option<Value>| {
                    let (head, rest) = items.split_at(at);
                    let tail = rest.iter().skip(1);
                    Value::Array(
                        head.iter()
                            .cloned()
                            .chain(put)
                            .chain(tail.cloned())
                            .collect(),
                    )
                };
                all.push(with(None));
                all.extend(self::value(item).into_iter().map(|item| with(Some(item))));
            }
        }
        Value::Object(members) => {
            all.push(Value::Null);
            all.extend(members.values().cloned());
            for (name, member) in members {
                let mut less = members.clone();
                less.remove(name);
                all.push(Value::Object(less));
                for member in self::value(member) {
                    let mut less = members.clone();
                    less.insert(name.clone(), member);
                    all.push(Value::Object(less));
                }
            }
        }
        Value::String(text) => {
            all.push(Value::Null);
            all.extend(name(text).map(Value::String));
        }
        Value::Bool(_) | Value::Number(_) => all.push(Value::Null),
    }
    all
}
