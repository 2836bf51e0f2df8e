//! The world's side of policy: rules out of the settings, facts about programs, words for people.
//! Judging itself is the kernel's.

mod judge;
mod look;
mod program;
mod say;
mod standing;

pub use judge::{Flow, Judge, Judged};
pub use look::{Word, allowing, looking, rules_hash};
pub use program::Programs;
pub(crate) use program::stamp;
pub use say::{reason, risk};
pub use standing::Standing;
