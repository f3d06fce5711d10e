//! The grammar once more, for subjects of up to 63 bytes: the same reading without a loop.
//!
//! Where the obvious reader walks to the next `:`, this one has all of them as bits of a word, and
//! compares eight bytes at a time. What makes short keys slow is not the bytes but that no two
//! have the same shape, so that each walk ends in a branch that is guessed wrong. Tests hold it to
//! [`by_grammar`](super::by_grammar) on every token string and on random bytes.

use wide::u8x16;

use super::{PlanKey, by_grammar};

/// The longest subject that is read here: a bit a byte, and one behind the end.
pub(super) const LONGEST: usize = 63;

const NODE: u64 = u64::from_le_bytes(*b"node:\0\0\0");
const ITER: u64 = u64::from_le_bytes(*b"iter:\0\0\0");
const STEP: u64 = u64::from_le_bytes(*b":step:\0\0");

const FIVE: u64 = (1 << 40) - 1;
const SIX: u64 = (1 << 48) - 1;
const ONES: u64 = u64::MAX / 255;

/// Reads a plan key of up to [`LONGEST`] bytes.
#[inline]
pub(super) fn plan_key(subject: &[u8]) -> Option<PlanKey<'_>> {
    let length = subject.len();
    let (Some(first), Some(last)) = (subject.first_chunk::<16>(), subject.last_chunk::<16>())
    else {
        let bytes = whole(subject).filter(|&bytes| is_node(bytes as u64))?;
        let colons = colons(&bytes.to_le_bytes());
        return read(subject, colons, |at| (bytes >> (8 * at % 128)) as u64);
    };
    if !is_node(word(first, 0)) {
        return None;
    }
    let mut all = colons(first) | colons(last) << (length - 16);
    if length > 32 {
        let (_, second) = subject.split_first_chunk::<16>()?;
        let (third, _) = subject.split_last_chunk::<16>()?;
        let (second, third) = (second.first_chunk()?, third.last_chunk()?);
        all |= colons(second) << 16 | colons(third) << (length - 32);
    }
    read(subject, all, |at| {
        // the last eight bytes hold all words that would reach over the end
        let from = at.min(length - 8);
        word(subject, from) >> (8 * (at - from) % 64)
    })
}

/// Whether eight bytes begin with `node:`.
#[inline]
const fn is_node(word: u64) -> bool {
    word & FIVE == NODE
}

/// Reads what follows `node:` by the places of every `:`, a bit each, and by words: the eight bytes
/// from any place on before the end, zero behind it.
#[inline(always)]
fn read(subject: &[u8], colons: u64, word: impl Fn(usize) -> u64) -> Option<PlanKey<'_>> {
    let (mut iteration, mut start) = (None, 5);
    if word(5) & FIVE == ITER {
        let digits = (colons >> 10).trailing_zeros() as usize;
        if !(1..=8).contains(&digits) {
            // many digits, none, or no end of them
            return by_grammar(subject);
        }
        if let Some(n) = number(word(10), digits) {
            (iteration, start) = (Some(n), 11 + digits);
        }
    }
    // a part ends at a `:` or with the subject
    let ends = colons | 1 << subject.len();
    let end = start + (ends >> start).trailing_zeros() as usize;
    let (key, tail) = subject.split_at_checked(end)?;
    let node = key.get(start..).filter(|node| !node.is_empty())?;
    let step = if tail.is_empty() {
        None
    } else {
        Some(
            tail.get(6..)
                .filter(|step| word(end) & SIX == STEP && !step.is_empty())?,
        )
    };
    Some(PlanKey {
        key,
        iteration,
        node,
        step,
    })
}

/// The places of every `:` among 16 bytes, a bit each.
#[inline]
fn colons(bytes: &[u8; 16]) -> u64 {
    let equal = u8x16::new(*bytes).simd_eq(u8x16::splat(b':'));
    u64::from(equal.to_bitmask())
}

/// Up to 16 bytes, the first the lowest, zero behind the end.
#[inline]
fn whole(subject: &[u8]) -> Option<u128> {
    let length = subject.len();
    if let (Some(first), Some(last)) = (subject.first_chunk::<8>(), subject.last_chunk::<8>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return Some(u128::from(first) | u128::from(last) << (8 * (length - 8)));
    }
    // the least plan key has 6 bytes
    let (first, last) = (subject.first_chunk::<4>()?, subject.last_chunk::<4>()?);
    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
    Some(u128::from(first) | u128::from(last) << (8 * (length - 4)))
}

/// The eight bytes at a place.
#[inline]
fn word(subject: &[u8], at: usize) -> u64 {
    let bytes = subject.get(at..).and_then(<[u8]>::first_chunk::<8>);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// The first `digits` of eight bytes, one to eight, as a number without leading zero.
#[inline]
const fn number(word: u64, digits: usize) -> Option<u64> {
    // what follows the digits is shifted out, and zeros come before them
    let before = (64 - 8 * digits as u32) % 64;
    let values = (word << before) ^ ((ONES * b'0' as u64) << before);
    // 0 to 9 is what stays below 16 and does not reach it when 6 is added
    let bad = (values | values.wrapping_add(ONES * 6)) & (ONES * 0xf0);
    let leading = (values >> before) & 0xff == 0 && digits > 1;
    if bad != 0 || leading {
        return None;
    }
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}
