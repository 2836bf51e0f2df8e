//! Changes of files, cut off and repeated at every step, raced, undone. Real files in a real
//! directory; only the moment of the cut is made up.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod cases;
mod cuts;
mod preflight;
mod process;
mod races;
mod undo;
mod world;
