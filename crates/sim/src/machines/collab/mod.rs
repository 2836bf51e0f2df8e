//! The collab machine as a subject. Its rules look at the clock, so a walk has one: nothing takes
//! time but what a deadline waits for. It is walked in scenes, each with its own small alphabet.

mod holds;
mod scene;
mod subject;

pub use scene::{End, SCENES, Scene, Words};
pub use subject::{Collabs, Past, everything};
