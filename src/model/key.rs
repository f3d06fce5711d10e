//! The subject grammar: what a gate's settlements are filed under (`spec/key.md`).
//!
//! ```abnf
//! plan-key  = "node:" [ "iter:" n ":" ] node [ ":step:" step ]
//! n         = "0" / ( %x31-39 *DIGIT )      ; at most 9223372036854775807
//! node      = 1*( %x00-39 / %x3B-FF )       ; any byte but ":"
//! step      = 1*( %x00-FF )                 ; any byte, ":" too
//! ```
//!
//! The grammar is read left to right and each part takes the first reading that fits: `iter:n:` is
//! an iteration wherever it can be one ([`Clause::Key05`]). All functions work on bytes, allocate
//! nothing unless they make a new subject, and are total.
//!
//! [`Clause::Key05`]: super::Clause::Key05

mod short;

use memchr::memchr;

/// The largest iteration number: 2^63 − 1 (KEY-03).
pub const MAX_ITERATION: u64 = i64::MAX as u64;

/// What turns a node key into the subject of its escalation instance (KEY-11).
pub const NODE_SUFFIX: &str = ":taint";

/// What turns a tool call's id into the subject of its escalation instance (KEY-12).
pub const SUFFIX: &str = "#taint";

const NODE: &[u8] = b"node:";
const ITER: &[u8] = b"iter:";
const STEP: &[u8] = b":step:";

/// A parsed plan key, borrowed from the subject (KEY-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanKey<'a> {
    /// The node's key: the subject up to the end of the node name.
    pub key: &'a [u8],
    /// The iteration, for a node inside a loop.
    pub iteration: Option<u64>,
    /// The node name.
    pub node: &'a [u8],
    /// The Step's name, for a Step that the node's body runs.
    pub step: Option<&'a [u8]>,
}

/// Reads a plan key, or `None` for any other name (KEY-01 to KEY-08).
///
/// This is the one parser: every other function here is defined by it.
///
/// ```
/// use gatespec::model::key::plan_key;
///
/// let parsed = plan_key(b"node:iter:3:x:step:a:step:b").unwrap();
/// assert_eq!(parsed.key, b"node:iter:3:x");
/// assert_eq!(parsed.iteration, Some(3));
/// assert_eq!(parsed.node, b"x");
/// assert_eq!(parsed.step, Some(&b"a:step:b"[..]));
///
/// assert_eq!(plan_key(b"node:iter:03:x"), None);
/// ```
#[must_use]
#[inline]
pub fn plan_key(subject: &[u8]) -> Option<PlanKey<'_>> {
    if subject.len() <= short::LONGEST {
        short::plan_key(subject)
    } else {
        by_grammar(subject)
    }
}

/// Reads a plan key as the grammar is written: [`plan_key`] for subjects of any length.
///
/// The short ones are read another way for speed; both give the same for every subject.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn by_grammar(subject: &[u8]) -> Option<PlanKey<'_>> {
    let body = subject.strip_prefix(NODE)?;
    let (iteration, rest) = match iteration(body) {
        Some((n, rest)) => (Some(n), rest),
        None => (None, body),
    };
    let (node, tail) = rest.split_at(memchr(b':', rest).unwrap_or(rest.len()));
    if node.is_empty() {
        return None;
    }
    let step = match tail {
        [] => None,
        _ => Some(tail.strip_prefix(STEP).filter(|step| !step.is_empty())?),
    };
    let (key, _) = subject.split_at(subject.len() - tail.len());
    Some(PlanKey {
        key,
        iteration,
        node,
        step,
    })
}

/// Reads `iter:n:`, and gives the number and what follows (KEY-02 to KEY-05).
fn iteration(body: &[u8]) -> Option<(u64, &[u8])> {
    let rest = body.strip_prefix(ITER)?;
    let (digits, rest) = rest.split_at(memchr(b':', rest)?);
    Some((number(digits)?, rest.strip_prefix(b":")?))
}

/// Reads a decimal number as it is written without leading zero, up to [`MAX_ITERATION`].
fn number(digits: &[u8]) -> Option<u64> {
    match digits {
        [] | [b'0', _, ..] => None,
        _ => digits
            .iter()
            .try_fold(0u64, |n, &digit| {
                let value = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
                n.checked_mul(10)?.checked_add(value)
            })
            .filter(|&n| n <= MAX_ITERATION),
    }
}

/// Whether the subject is the key of a node, not of a Step (KEY-09).
#[must_use]
pub fn is_node_key(subject: &[u8]) -> bool {
    node_name(subject).is_some()
}

/// The name of the node that a node key belongs to (KEY-10).
#[must_use]
pub fn node_name(subject: &[u8]) -> Option<&[u8]> {
    plan_key(subject)
        .filter(|key| key.step.is_none())
        .map(|key| key.node)
}

/// The subject of the escalation instance of a node, if `key` is a node key (KEY-11).
#[must_use]
pub fn node_instance(key: &[u8]) -> Option<Vec<u8>> {
    is_node_key(key).then(|| [key, NODE_SUFFIX.as_bytes()].concat())
}

/// The subject of the escalation instance of a tool call, for every id (KEY-12).
#[must_use]
pub fn id(call: &[u8]) -> Vec<u8> {
    [call, SUFFIX.as_bytes()].concat()
}

/// The call or node that a subject belongs to, and whether it is an instance (KEY-13 to KEY-17).
///
/// ```
/// use gatespec::model::key::base;
///
/// assert_eq!(base(b"node:x:taint"), (&b"node:x"[..], true));
/// assert_eq!(base(b"node:iter:3:taint"), (&b"node:iter:3:taint"[..], false));
/// assert_eq!(base(b"call_7#taint"), (&b"call_7"[..], true));
/// ```
#[must_use]
pub fn base(subject: &[u8]) -> (&[u8], bool) {
    let before = if subject.starts_with(NODE) {
        match plan_key(subject) {
            Some(_) => None,
            None => subject
                .strip_suffix(NODE_SUFFIX.as_bytes())
                .filter(|key| is_node_key(key)),
        }
    } else {
        subject.strip_suffix(SUFFIX.as_bytes())
    };
    before.map_or((subject, false), |base| (base, true))
}

/// Whether a live turn may choose this tool-use id (KEY-18).
///
/// An empty id passes here; an implementation may refuse it.
#[must_use]
pub fn is_live_id(id: &[u8]) -> bool {
    !id.contains(&b'#') && !id.starts_with(NODE)
}
