//! One state a column and one command of each kind, for the drawn table and for `allowed`.

use super::command::Command;
use super::state::State;
use crate::machine::Said;
use alloc::vec::Vec;

/// Commands.
#[must_use]
pub fn sample_commands(_state: &State) -> Vec<(&'static str, Said<Command>)> {
    Vec::new()
}
