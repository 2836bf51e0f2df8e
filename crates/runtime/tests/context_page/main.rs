//! `active_context.md` on a real disk: drawn from states of the machine, edited by others, taken in
//! or kept and told. No engine runs; what edits ask for is said to the machine here.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod edits;
mod storm;
mod world;
