//! Our patches against `git apply`: the same bytes on every diff that both accept, and never laxer.
//! Diffs are made by seed and then damaged; git judges many of them at once.

mod compare;
mod gits;
mod hunks;
mod made;

pub use compare::{Told, compare};
