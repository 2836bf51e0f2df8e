//! Holding the engine's door open while something is followed, so that the engine stays; and
//! finding or starting it again when it has died. Work that is owed needs an engine, so coming back
//! starts nothing that a person has not asked for.

use std::time::{Duration, Instant};

use edge::door::Ask;

use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::trouble::Trouble;

/// How often the door is tried.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// A wait that no engine can shorten.
const LOST_WAIT: Duration = Duration::from_millis(100);

/// An open door.
pub struct Keep {
    desk: Desk,
    asked: Instant,
}

/// Whether the door was still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// It was.
    Open,
    /// It had closed, and another one is open now.
    Again,
}

impl Keep {
    /// Keeps this one.
    pub fn new(desk: Desk) -> Self {
        Self { desk, asked: Instant::now() }
    }

    /// Tries the door now and then.
    ///
    /// # Errors
    /// Why no engine answers any more.
    pub fn check(&mut self, ctx: &Ctx) -> Result<Door, Trouble> {
        if self.asked.elapsed() < ASK_EVERY {
            return Ok(Door::Open);
        }
        self.asked = Instant::now();
        if self.desk.ask(&Ask::Status).is_ok() {
            return Ok(Door::Open);
        }
        self.desk = desk::steer(ctx)?;
        Ok(Door::Again)
    }

    /// Waits until the engine has drawn what was just seen in the journal: whoever gets an end
    /// from us may read the files of the run next. One that no longer answers draws later.
    pub fn let_draw(&mut self) {
        drop(self.desk.ask(&Ask::Status));
    }

    /// Waits until there is more to see of a run than up to this record, or for a moment.
    pub fn news(&mut self, run: &str, seq: u64) {
        if self.desk.ask(&Ask::News { run: run.to_owned(), seq }).is_err() {
            // Whether there is an engine is for the next check to say.
            std::thread::sleep(LOST_WAIT);
        }
    }

    /// The desk behind it.
    pub const fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }
}
