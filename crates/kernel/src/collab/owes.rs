//! What the world still owes a run: its gate, its calls, its timers, its question. Stopping a call
//! is no more than not owing it.

use alloc::string::String;
use alloc::vec::Vec;

use super::state::State;
use crate::owed::Owed;

/// A launch whose end the run still waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The slot of its call.
    pub slot: String,
    /// The participant.
    pub p: String,
    /// The launch.
    pub launch: u32,
}

/// What the world still owes.
#[must_use]
pub fn owed(_state: &State) -> Vec<Owed> {
    Vec::new()
}

impl State {
    /// Every launch whose end is still waited for: owed, running or being stopped. One that is no
    /// longer owed and has no call is told of as `Stopped`.
    #[must_use]
    pub fn awaited(&self) -> Vec<Awaited> {
        Vec::new()
    }
}
