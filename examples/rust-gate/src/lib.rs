//! The subject grammar of a gate that is written in Rust, and checked in its own tests.

/// A plan key, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// The node's key.
    pub key: &'a [u8],
    /// The iteration, as it is written.
    pub iteration: Option<&'a [u8]>,
    /// The node name.
    pub node: &'a [u8],
    /// The Step's name.
    pub step: Option<&'a [u8]>,
}

/// Reads a plan key (KEY-01 to KEY-08).
#[must_use]
pub fn parse(subject: &[u8]) -> Option<Key<'_>> {
    let body = subject.strip_prefix(b"node:")?;
    let (iteration, rest) = match split(body) {
        (b"iter", Some(rest)) => match split(rest) {
            (n, Some(after)) if is_number(n) => (Some(n), after),
            _ => (None, body),
        },
        _ => (None, body),
    };
    let (node, tail) = split(rest);
    let step = match tail {
        None => None,
        Some(tail) => Some(tail.strip_prefix(b"step:").filter(|step| !step.is_empty())?),
    };
    let tail = tail.map_or(0, |tail| tail.len() + 1);
    let key = &subject[..subject.len() - tail];
    (!node.is_empty()).then_some(Key { key, iteration, node, step })
}

/// What is before the first `:`, and what is behind it, if there is one.
fn split(bytes: &[u8]) -> (&[u8], Option<&[u8]>) {
    match bytes.iter().position(|&byte| byte == b':') {
        Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
        None => (bytes, None),
    }
}

/// A number as it is printed, up to 2^63 - 1 (KEY-02, KEY-03).
fn is_number(digits: &[u8]) -> bool {
    const LARGEST: &[u8] = b"9223372036854775807";
    let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let short = digits.len() < LARGEST.len() || (digits.len() == LARGEST.len() && digits <= LARGEST);
    plain && short && (digits == b"0" || digits[0] != b'0')
}

/// The subject of a node's escalation instance (KEY-11).
#[must_use]
pub fn node_instance(key: &[u8]) -> Vec<u8> {
    [key, b":taint"].concat()
}

/// The subject of a call's escalation instance (KEY-12).
#[must_use]
pub fn call_instance(id: &[u8]) -> Vec<u8> {
    [id, b"#taint"].concat()
}

/// The node name of a node key (KEY-10).
#[must_use]
pub fn node_name(subject: &[u8]) -> Option<&[u8]> {
    parse(subject).filter(|key| key.step.is_none()).map(|key| key.node)
}

/// What a subject belongs to, and whether it is an instance (KEY-13 to KEY-17).
#[must_use]
pub fn base(subject: &[u8]) -> (&[u8], bool) {
    let before = if subject.starts_with(b"node:") {
        let key = subject.strip_suffix(b":taint").filter(|key| node_name(key).is_some());
        key.filter(|_| parse(subject).is_none())
    } else {
        subject.strip_suffix(b"#taint")
    };
    before.map_or((subject, false), |base| (base, true))
}

/// Whether a live turn may choose this id (KEY-18).
#[must_use]
pub fn is_live_id(id: &[u8]) -> bool {
    !id.contains(&b'#') && !id.starts_with(b"node:")
}
