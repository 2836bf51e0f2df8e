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

    /// The desk behind it.
    pub const fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }
}
