//! The lifecycle machine as a subject. Its alphabet is that of its samples; a walk begins in each
//! of them, because the way from a requirement to its record is longer than a walk.

mod holds;
mod subject;

pub use subject::{Lifecycles, Past, everything};
