//! The scripted agent: a real process that speaks, acts and misbehaves by a file, for tests and
//! the demo. It talks like our own drivers or like one of the agent CLIs (its dialect). It is no
//! simulation inside the engine: whoever launches it can't tell it from an agent.
//!
//! - [`scenario`]: the file, refused with line and reason when it is wrong;
//! - [`drive`]: the process, from its arguments to its exit code.

mod act;
mod acting;
mod args;
mod dialect;
pub mod drive;
mod effects;
mod fault;
mod fields;
mod memory;
mod misbehave;
mod object;
mod parse;
mod play;
pub mod scenario;
mod speaking;
pub mod step;
pub mod text;
mod voice;

pub use dialect::Tongue;
pub use fault::{Problem, ScenarioError};
