//! Speed, as ratios against the raw limit or a peer in the same run. Never a test: a busy machine
//! is slow, not wrong.

mod checkpoint;
mod collab;
mod goals;
mod ground;
mod journal;
mod loops;
mod raw;
mod run;
mod search;
mod turns;

pub use run::run;
