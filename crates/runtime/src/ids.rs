//! Ids that sort by the time they were made: 48 bits of milliseconds, 80 random bits, in
//! Crockford's base 32. It reads no clock; the moment comes from the caller.

use kernel::machine::At;

use crate::engine::Ids;

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Digits of 128 bits in base 32.
const LENGTH: u32 = 26;

/// Random ids of the real world.
#[derive(Debug, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn new_id(&mut self, prefix: &str, now: At) -> String {
        let random = uuid::Uuid::new_v4().as_u128();
        format!("{prefix}{}", sortable(now, random))
    }
}

/// The sortable form of a moment and random bits.
#[must_use]
pub fn sortable(now: At, random: u128) -> String {
    let value = (u128::from(now.0) << 80) | (random & ((1 << 80) - 1));
    (0..LENGTH)
        .rev()
        .map(|place| char::from(DIGITS[usize::try_from((value >> (place * 5)) & 31).unwrap_or(0)]))
        .collect()
}

/// A new loop id: `loop-v2-{UTC time}-{8 hex}`.
#[must_use]
pub fn loop_id(now: At) -> String {
    let ms = i64::try_from(now.0).unwrap_or(i64::MAX);
    let time = jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("loop-v2-{}-{:08x}", time.strftime("%Y%m%dT%H%M%S"), short_random())
}

/// A new id of a task on the control side: `task-{epoch_ms}-{8 hex}`.
#[must_use]
pub fn task_id(now: At) -> String {
    format!("task-{}-{:08x}", now.0, short_random())
}

/// A new trace id: one per accepted chain of commands.
#[must_use]
pub fn trace_id() -> String {
    format!("trace_{}", uuid::Uuid::new_v4().simple())
}

fn short_random() -> u32 {
    uuid::Uuid::new_v4().as_fields().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_sort_later() {
        let early = sortable(At(1_000), u128::MAX);
        let late = sortable(At(1_001), 0);
        assert!(early < late);
        assert_eq!(early.len(), 26);
    }

    #[test]
    fn loop_ids_have_the_seeds_form() {
        let id = loop_id(At(1_769_047_200_000));
        assert!(id.starts_with("loop-v2-20260122T020000-"), "{id}");
        assert_eq!(id.len(), "loop-v2-20260122T020000-1a2b3c4d".len());
    }
}
