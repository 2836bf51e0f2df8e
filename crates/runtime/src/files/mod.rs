//! The user's files through one handle: nothing is opened that does not lie beneath the root, and
//! the check and the use are the same descriptor. It writes nothing.

mod beneath;
mod facts;
mod fault;
mod parent;
mod root;

pub use facts::{Facts, HardLinks, Kind, OnlyRead};
pub use fault::Fault;
pub use parent::Parent;
pub use root::{Opened, Root};
