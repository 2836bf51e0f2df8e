//! The engine's clock: the wall clock when the first engine of a boot starts, then the boot clock.
//! A step of the wall clock in between neither fires a timer early nor arms one again, and sleep
//! counts as time. It is no calendar: while timers are armed it keeps to the time they were armed
//! by, also in the next engine's life.

use std::path::Path;

use kernel::machine::At;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::shim::{durable, identity};

/// The file beside the journal in which an engine leaves its clock to the next of the same boot.
const FILE: &str = "clock";
/// Far more than it holds.
const FILE_BYTES_MAX: u64 = 4096;

/// A clock that never goes back within one engine life, nor behind what the journal has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    wall_ms: u64,
    boot_ms: u64,
}

/// Whether timers were armed by an earlier engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Armed {
    /// Some were: they go by its clock.
    Some,
    /// None was: the wall clock may be believed anew.
    None,
}

/// A clock as it is left to the next engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Left {
    boot_id: String,
    #[serde(flatten)]
    clock: Clock,
}

impl Clock {
    /// Starts at the wall clock, or at `seen` if that is later: after a backward step of the clock
    /// between two lives, facts still come in order.
    #[must_use]
    pub fn start(seen: At) -> Self {
        let now = Self { wall_ms: read(ClockId::Realtime), boot_ms: read(ClockId::Boottime) };
        now.not_before(seen, now.boot_ms)
    }

    /// The clock of an engine: that of the last one, if it ran in this boot and armed timers that
    /// have not fired, else a new one; left to the next in the journal's directory. One that cannot
    /// be left or found costs no more than this: timers then go by the wall clock.
    #[must_use]
    pub fn of_engine(journal_dir: &Path, seen: At, armed: Armed) -> Self {
        let Ok(boot_id) = identity::boot_id() else { return Self::start(seen) };
        let found = durable::read_head(&journal_dir.join(FILE), FILE_BYTES_MAX).ok();
        let left: Option<Left> = found.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let clock = match left.filter(|left| armed == Armed::Some && left.boot_id == boot_id) {
            Some(left) => left.clock.not_before(seen, read(ClockId::Boottime)),
            None => Self::start(seen),
        };
        if let Ok(bytes) = serde_json::to_vec(&Left { boot_id, clock }) {
            let _ = durable::show(journal_dir, FILE, &bytes);
        }
        clock
    }

    /// The same, or as much later that it is not before `seen` now.
    const fn not_before(self, seen: At, boot_ms: u64) -> Self {
        let behind = seen.0.saturating_sub(self.at(boot_ms).0);
        Self { wall_ms: self.wall_ms.saturating_add(behind), ..self }
    }

    const fn at(&self, boot_ms: u64) -> At {
        At(self.wall_ms.saturating_add(boot_ms.saturating_sub(self.boot_ms)))
    }

    /// The moment now.
    #[must_use]
    pub fn now(&self) -> At {
        self.at(read(ClockId::Boottime))
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

    /// An hour, far more than a test takes.
    const HOUR: u64 = 3_600_000;

    #[test]
    fn armed_timers_go_by_the_boot_clock_over_two_lives() {
        let boot_id = identity::boot_id().unwrap();
        let wall = Clock::start(At(0)).now().0;
        let early = |at: At| at.0 < wall - HOUR / 2;
        // The last engine's wall clock was an hour behind what it says now.
        let clock = Clock { wall_ms: wall - HOUR, boot_ms: read(ClockId::Boottime) };
        let table = [
            ("armed, same boot", boot_id.clone(), Armed::Some, 0, true),
            ("armed, but the journal is further", boot_id.clone(), Armed::Some, wall, false),
            ("armed, another boot", format!("{boot_id}x"), Armed::Some, 0, false),
            ("nothing armed", boot_id, Armed::None, 0, false),
        ];
        for (name, boot_id, armed, seen, by_boot) in table {
            let dir = tempfile::tempdir().unwrap();
            let left = serde_json::to_vec(&Left { boot_id, clock }).unwrap();
            std::fs::write(dir.path().join(FILE), left).unwrap();
            let next = Clock::of_engine(dir.path(), At(seen), armed);
            assert_eq!(early(next.now()), by_boot, "{name}");
            assert!(next.now() >= At(seen), "{name}");
            let third = Clock::of_engine(dir.path(), At(seen), Armed::Some);
            assert_eq!(third, next, "{name}: and so on");
        }
    }

    #[test]
    fn a_damaged_clock_is_no_clock() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE), "{").unwrap();
        let clock = Clock::of_engine(dir.path(), At(0), Armed::Some);
        assert!(clock.now() > At(1_600_000_000_000));
    }
}
