//! The three clocks and the hard deadline. The boot clock decides within a boot, because the
//! wall clock can be set; silence is measured by a clock that stands still while the machine
//! sleeps, because nobody can speak then.

use rustix::time::{ClockId, Timespec};

use super::files::Request;

/// A deadline is looked at no less often than this, whatever the clocks do.
pub const LOOK_EVERY_MS: u64 = 30_000;

fn read_ms(id: ClockId) -> u64 {
    let now = rustix::time::clock_gettime(id);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds * 1000 + u64::try_from(now.tv_nsec).unwrap_or(0) / 1_000_000
}

/// Milliseconds since 1970.
pub fn wall_ms() -> u64 {
    read_ms(ClockId::Realtime)
}

/// Milliseconds since boot, sleep included.
pub fn boot_ms() -> u64 {
    read_ms(ClockId::Boottime)
}

/// Milliseconds awake.
pub fn awake_ms() -> u64 {
    read_ms(ClockId::Monotonic)
}

/// Now, as records write it.
pub fn rfc3339() -> String {
    jiff::Timestamp::now().to_string()
}

/// A timeout as `poll` wants it.
pub fn timespec(ms: u64) -> Timespec {
    let seconds = i64::try_from(ms / 1000).unwrap_or(i64::MAX);
    Timespec { tv_sec: seconds, tv_nsec: i64::try_from(ms % 1000).unwrap_or(0) * 1_000_000 }
}

/// The hard deadline of one start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// By the boot clock of this boot.
    Boot(u64),
    /// By the wall clock: the request was written in another boot, or names none.
    Wall(u64),
}

impl Deadline {
    /// The request's deadline, as it counts in this boot.
    pub fn of(request: &Request, boot_id: &str) -> Self {
        match request.deadline_boot_ms {
            Some(ms) if request.boot_id.as_deref() == Some(boot_id) => Self::Boot(ms),
            Some(_) | None => Self::Wall(request.deadline_wall_ms),
        }
    }

    /// What is left; 0 when it has passed.
    pub fn left_ms(self) -> u64 {
        match self {
            Self::Boot(at) => at.saturating_sub(boot_ms()),
            Self::Wall(at) => at.saturating_sub(wall_ms()),
        }
    }
}
