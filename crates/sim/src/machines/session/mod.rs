//! The session machine as a subject. Its alphabet is that of its samples; a walk begins in each of
//! them, because the way from words to a report is longer than a walk.

mod holds;
mod subject;

pub use subject::{Sessions, everything};
