//! The digest of a work tree: which files it holds, what is in them, and what changed between two
//! looks. It reads the tree and nothing else: no git process runs, no link is followed, no byte
//! of the user's is copied.
//!
//! A [`Mark`] is one look. Its digest is the SHA-256 of its serialised form, so a mark kept on
//! disk proves itself, and the mark taken before a call can be found again by its digest alone.

mod cache;
mod git_index;
mod hash;
mod head;
mod look;
mod mark;
mod read;
mod rules;
mod scope;
pub mod store;
mod walk;

pub use cache::Cache;
pub(crate) use cache::{Stamp, now_ns};
pub use hash::Hash;
pub use head::{Head, head};
pub use look::{Seen, look};
pub use mark::{Change, Content, Entry, Kind, Mark, NotCovered, Why};
pub(crate) use rules::{Node, Rules, top, tracks};
pub use scope::{Scope, Secrets};
pub use walk::{DEPTH_MAX, Error, FILES_MAX, take};
