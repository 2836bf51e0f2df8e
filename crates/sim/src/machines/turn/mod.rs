//! The turn machine as a subject. Its alphabet is that of its samples; a walk begins in each of
//! them, because the way from the first words to a repair is longer than a walk.

mod holds;
mod subject;

pub use subject::{Past, Turns, everything};
