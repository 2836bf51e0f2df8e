//! Paths as tools write them, and names that are protected. Spelling only: whether something
//! stands at a path, and what, is found out by the hands.

mod fold;
mod names;
mod pattern;
mod rel;
#[cfg(test)]
mod spellings;

pub use fold::fold;
pub use names::{Class, Classes, Names, Place, is_in_git, written};
pub use rel::{Bad, PART_BYTES_MAX, PATH_BYTES_MAX, Rel};
