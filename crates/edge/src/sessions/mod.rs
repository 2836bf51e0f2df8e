//! Sessions as every door reads them and speaks to them. Replies for people are the command line's
//! own.

mod read;
mod say;

pub use read::{holders, key, list, report, status};
pub use say::{Words, cancel, input, run};
