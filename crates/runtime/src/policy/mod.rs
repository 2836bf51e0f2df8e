//! The world's side of policy: rules out of the settings, facts about programs, words for people.
//! Judging itself is the kernel's.

mod program;
mod say;
mod standing;

pub use program::program;
pub use say::{reason, risk};
pub use standing::{Standing, names};
