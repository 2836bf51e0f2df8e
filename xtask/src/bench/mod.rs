//! Speed, as ratios against the raw limit or a peer in the same run. Never a test: a busy machine is
//! slow, not wrong.

pub mod journal;
pub mod raw;
