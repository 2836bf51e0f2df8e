//! The user's files through one handle: nothing is opened that does not lie beneath the root, and
//! the check and the use are the same descriptor. Also the tools that only read. It writes
//! nothing.

mod args;
mod beneath;
mod desk;
mod facts;
mod fault;
mod glob;
mod lines;
pub mod list;
pub mod map;
mod parent;
pub mod read;
mod root;
pub mod search;
mod symbols;
#[cfg(test)]
mod tests;
mod tools;
mod walk;

pub use desk::{Desk, SEARCHED_BYTES_MAX, Secrets, TEXT_BYTES_MAX};
pub use facts::{Facts, HardLinks, Kind, OnlyRead};
pub use fault::Fault;
pub use lines::{BINARY_LOOK_BYTES, Eol};
pub use parent::Parent;
pub use root::{Opened, Root};
pub use tools::Tool;
pub(crate) use walk::always_ignored;
