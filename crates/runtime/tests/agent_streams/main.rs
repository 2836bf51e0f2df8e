//! What agents print, read as a whole: recorded streams of the real programs, made ones for what
//! they did not happen to do, and mutations of both. No process is started here.

#![expect(clippy::unwrap_used, reason = "what a test cannot make is a failed test")]

mod bench;
mod dice;
mod fuzz;
mod golden;
mod invariants;
mod live;
mod rows;
