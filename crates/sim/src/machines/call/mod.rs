//! The call machine as a subject: small enough to be walked to its last state.

mod holds;
mod subject;

pub use subject::{Calls, Past, everything};
pub(super) use subject::{broken, words};
