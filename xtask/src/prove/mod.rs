//! Long proofs: what the tests show in seconds, shown for hours, and what needs the real binary.
//! One file a proof; a new one adds a line to the list.

mod engine;
mod explore;
mod list;
mod progress;
mod random;

pub use list::run;
