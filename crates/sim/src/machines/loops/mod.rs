//! The loop machine as a subject. Its whole space is too large for one walk, so it is walked in
//! scenes, each with its own small alphabet.

pub mod autos;
mod canon;
mod ends;
mod holds;
mod scene;
mod subject;

pub use scene::{Begins, SCENES, Scene, Words};
pub use subject::{Loops, everything};
