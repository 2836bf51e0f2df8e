//! What an outside edit of a view means: which of its changes become commands, which are refused
//! and why. It reads and writes no file; every command it gives was tried on a copy of the state,
//! so that the machine's own word decides and nothing is promised that it would refuse.

mod alike;
mod document;
mod hypotheses;
mod reported;
mod scratch;
mod skill;
mod task_lines;
mod tasks;
mod told;

pub(super) use document::document;
pub use reported::{NotTold, SkillTold, reported};
pub(super) use scratch::Scratch;
pub(super) use task_lines::task_lines;
pub(super) use told::Outcome;
pub use told::Wish;
