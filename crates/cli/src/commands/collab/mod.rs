//! `collab`: one question to several agents. Starting and following it, what a person says to it,
//! and what can be read of it; the run itself is the engine's.

mod follow;
mod says;
mod shown;
mod start;
mod verbs;

pub use start::{duration_ms, file_text, now, task_text};
pub use verbs::{Verb, run};
