//! Policy: what may be done unasked, what a person is asked, what is never done. Pure functions
//! from a request and what is known to a verdict; it reads no file and asks nobody itself.

pub mod argv;
pub mod glob;
pub mod spelled;
mod start;
mod verdict;

pub use start::{Backing, judge_agent, judge_at_start};
pub use verdict::{Granted, Trust, Verdict, Word};
