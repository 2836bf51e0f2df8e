//! The scripted agent as it really is: the built binary, real processes, real effects. Nothing here
//! measures speed; waiting is polling with a generous limit.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod acts;
mod data;
mod dialects;
mod kit;
mod misbehaves;
mod refuses;
mod resumes;
mod stands_in;
