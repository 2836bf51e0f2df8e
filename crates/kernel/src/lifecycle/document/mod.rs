//! The documents of a lifecycle as text: the page of working memory, the plan, the archive. Each is
//! drawn from plain data and read back strictly; what an edit of one means is classified here, and
//! decided by the machine. Nothing here is state, and nothing here touches a file.

pub mod archive;
pub mod context;
mod mark;
pub mod plan;
mod text;

pub use mark::{Legend, Mark, Odd, WORDS, read_mark, status_word};
pub use text::{Broken, Ending, Form, Unread};

#[cfg(test)]
mod tests;

use super::task::Status;
