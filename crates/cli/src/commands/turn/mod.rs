//! `turn`: one request taken to a verified change. Starting and following it, what a person says to
//! it, and what can be read of it; the run itself is the engine's.

mod ask;
mod check;
mod feed;
mod follow;
mod lines;
mod page;
mod says;
mod shown;
mod start;
mod verbs;

pub use follow::watch;
pub use page::question_lines;
pub use verbs::{Verb, run};
