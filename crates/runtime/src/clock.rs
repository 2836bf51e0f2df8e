//! The engine's clock: the wall clock when the engine starts, then the boot clock. A step of the
//! wall clock in between neither fires a timer early nor arms one again, and sleep counts as time.

use kernel::machine::At;
use rustix::time::{ClockId, clock_gettime};

/// A clock that never goes back within one engine life, nor behind what the journal has seen.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    wall_ms: u64,
    boot_ms: u64,
}

impl Clock {
    /// Starts at the wall clock, or at `seen` if that is later: after a backward step of the clock
    /// between two lives, facts still come in order.
    #[must_use]
    pub fn start(seen: At) -> Self {
        Self { wall_ms: read(ClockId::Realtime).max(seen.0), boot_ms: read(ClockId::Boottime) }
    }

    /// The moment now.
    #[must_use]
    pub fn now(&self) -> At {
        At(self.wall_ms + read(ClockId::Boottime).saturating_sub(self.boot_ms))
    }
}

fn read(id: ClockId) -> u64 {
    let time = clock_gettime(id);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let millis = u64::try_from(time.tv_nsec).unwrap_or(0) / 1_000_000;
    seconds * 1000 + millis
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_behind_the_journal_starts_at_the_journal() {
        let far = At(u64::MAX / 4);
        assert!(Clock::start(far).now() >= far);
        assert!(Clock::start(At(0)).now() > At(1_600_000_000_000));
    }
}
