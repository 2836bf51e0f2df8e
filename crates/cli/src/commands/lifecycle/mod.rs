//! `lifecycle`: one requirement from plan to archive. Starting and following it, what a person says
//! to it, and what can be read of it; the run itself is the engine's.

mod amend;
mod feed;
mod follow;
mod lines;
mod page;
mod reads;
mod rollback;
mod says;
mod start;
mod verbs;
mod which;

pub use follow::watch;
pub use reads::status;
pub use verbs::{Verb, run};
