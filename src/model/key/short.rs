//! The grammar once more, for subjects of up to 64 bytes: the same reading without a loop.
//!
//! Where the obvious reader walks to the next `:`, this one has all of them as bits of a word, and
//! compares eight bytes at a time. What makes short keys slow is not the bytes but that no two
//! have the same shape, so that each walk ends in a branch that is guessed wrong. Tests hold it to
//! [`by_grammar`](super::by_grammar) on every token string and on random bytes.

use super::{PlanKey, by_grammar};

/// The longest subject that is read here.
pub(super) const LONGEST: usize = 64;

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
    if length < 16 {
        let bytes = whole(subject)?;
        return read(subject, |at| {
            bytes.checked_shr(8 * at as u32).unwrap_or(0) as u64
        });
    }
    read(subject, |at| {
        // the last eight bytes hold all words that would reach over the end
        let from = at.min(length - 8);
        word(subject, from)
            .checked_shr(8 * (at - from) as u32)
            .unwrap_or(0)
    })
}

/// Reads by words: the eight bytes from any place on, zero behind the end.
#[inline(always)]
fn read(subject: &[u8], word: impl Fn(usize) -> u64) -> Option<PlanKey<'_>> {
    if word(0) & FIVE != NODE {
        return None;
    }
    let (mut iteration, mut start) = (None, 5);
    if word(5) & FIVE == ITER {
        let digits = colon(word(10));
        if digits == 8 {
            // many digits, or none
            return by_grammar(subject);
        }
        if let Some(n) = number(word(2 + digits), digits) {
            (iteration, start) = (Some(n), 11 + digits);
        }
    }
    let mut end = start;
    loop {
        let (near, far) = (colon(word(end)), colon(word(end + 8)));
        let length = if near < 8 { near } else { 8 + far };
        end += length;
        if length < 16 || end >= subject.len() {
            break;
        }
    }
    let (key, tail) = subject.split_at(end.min(subject.len()));
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

/// The place of the first `:` among eight bytes; 8 when there is none.
#[inline]
const fn colon(word: u64) -> usize {
    let other = word ^ (ONES * b':' as u64);
    // the lowest bit that is set marks the first byte that is zero
    let zero = other.wrapping_sub(ONES) & !other & (ONES << 7);
    zero.trailing_zeros() as usize / 8
}

/// The last `digits` of eight bytes as a number without leading zero.
#[inline]
const fn number(word: u64, digits: usize) -> Option<u64> {
    if digits == 0 {
        return None;
    }
    // the bytes before the digits are made zeros
    let before = 8 * (8 - digits as u32);
    let zeros = match u64::MAX.checked_shl(before) {
        Some(digits) => (word & digits) | ((ONES * b'0' as u64) & !digits),
        None => word,
    };
    let values = zeros ^ (ONES * b'0' as u64);
    // 0 to 9 is what stays below 16 and does not reach it when 6 is added
    let bad = (values | (values & (ONES * 0x0f)).wrapping_add(ONES * 6)) & (ONES * 0xf0);
    let leading = (values >> before) & 0xff == 0 && digits > 1;
    if bad != 0 || leading {
        return None;
    }
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff)
}
