//! The bounds of a run and the arithmetic of its time. All times come in with commands; integer
//! division throughout, so that every door computes the same dues.

/// More would not be read by the person who has to weigh the answers.
pub const PARTICIPANTS_MAX: usize = 8;
/// The longest task: as long as the longest prompt.
pub const TASK_MAX: usize = crate::agent::PROMPT_BYTES_MAX;
/// The shortest total time in which a retry still makes sense.
pub const TIMEOUT_MIN_MS: u64 = 10_000;
/// The longest total time, extensions included.
pub const TIMEOUT_MAX_MS: u64 = 3_600_000;
/// The most retries a participant may have.
pub const RETRIES_MAX: u32 = 3;
/// Launches of one participant in all: the retries, a fresh start, a correction and the first.
pub const LAUNCHES_MAX: u32 = 6;
/// A launch shorter than this is not worth its start.
pub const MIN_ATTEMPT_MS: u64 = 5_000;
/// How long a stop may take: the call's ladder and some time to tell of it.
pub const STOP_BOUND_MS: u64 = 20_000;
/// The least wait before a retry after a failure that a moment may cure.
pub const BACKOFF_MS: u64 = 1_000;
/// How much of an answer a result carries; the rest is read from its file.
pub const RESULT_OUTPUT_MAX: usize = 256 << 10;
/// The longest reason a person may give.
pub const NOTE_MAX: usize = 4 << 10;
/// The longest name of a participant, role or dimension.
pub const NAME_MAX: usize = 32;

/// The shortest launch of a run with this total time.
#[must_use]
pub const fn min_attempt_ms(timeout_ms: u64) -> u64 {
    let tenth = timeout_ms / 10;
    if tenth < MIN_ATTEMPT_MS { tenth } else { MIN_ATTEMPT_MS }
}

/// The longest a launch may take.
#[must_use]
pub const fn attempt_ms(timeout_ms: u64) -> u64 {
    timeout_ms / 2
}
