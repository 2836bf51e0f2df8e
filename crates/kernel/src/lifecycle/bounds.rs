//! Every bound of a lifecycle, with its reason. Settings that a person may change are in `setup`.

/// Tasks of one plan: more than this is several requirements.
pub const TASKS_MAX: usize = 200;
/// Tries at one revision of a plan before only other words can help.
pub const PLAN_ATTEMPTS_MAX: u32 = 3;
/// What is kept of a task's summary.
pub const TASK_SUMMARY_BYTES_MAX: usize = 4 * 1024;
/// What is kept of the draft pad.
pub const SCRATCH_BYTES_MAX: usize = 64 * 1024;
/// A context file that is longer is not read.
pub const CONTEXT_FILE_BYTES_MAX: usize = 1024 * 1024;
/// A plan document that is longer is not read.
pub const PRD_BYTES_MAX: usize = 1024 * 1024;
/// Lines of history in the context file.
pub const HISTORY_LINES: usize = 5;
/// Error anchors that a failure is known by.
pub const ANCHORS_MAX: usize = 10;
/// Lines of output that a failure without anchors is known by.
pub const TAIL_LINES: usize = 20;
/// The most that `fix.limit` can say.
pub const FIX_LIMIT_CEILING: u32 = 10;
/// Letters of a task id.
pub const TASK_ID_MAX: usize = 64;
/// Levels of a dotted task id.
pub const DOTTED_LEVELS_MAX: usize = 3;
/// Rounds in which checks went stale under each other before the tree counts as moving.
pub const STALE_ROUNDS_MAX: u32 = 3;
/// Notes that are kept.
pub const NOTES_MAX: usize = 200;
/// Waits before the archive is tried again; the last one is for ever.
pub const ARCHIVE_WAITS_MS: [u64; 4] = [1_000, 5_000, 30_000, 300_000];

/// The beginning of a text that fits into so many bytes, cut between letters.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Whether a task may have this id. Ids are compared whole.
#[must_use]
pub fn valid_task_id(id: &str) -> bool {
    let mut letters = id.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphanumeric());
    first
        && id.len() <= TASK_ID_MAX
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
