//! The shim as it really is: the built binary, real processes, real kills. Each test runs calls
//! of its own in a directory of its own, and ends by proving that nothing of them lives. Nothing
//! here measures speed; waiting is polling with a generous limit.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod crash;
mod ends;
mod flood;
mod kit;
mod probe;
mod reuse;
mod semantic;
mod stops;
mod tries;
mod walls;
mod watching;
