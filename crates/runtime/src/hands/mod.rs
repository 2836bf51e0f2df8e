//! The hands: they carry out what the engine says is owed, and report each end as a command. One
//! list of jobs, one place that matches on it. They decide nothing and never see the engine.

mod agent;
mod answer;
mod arranged;
mod commits;
mod exited;
mod gate;
mod held;
mod inquiry;
mod lifecycle;
mod listen;
mod pool;
mod prepare;
mod report;
mod saved;
mod session;
mod start;
mod tool;
mod turn;
mod unmarked;
mod witness;
mod work;

pub use pool::{Hands, HandsPlan};
pub use saved::RollbackArgs;
pub use tool::FAILED as TOOL_FAILED;
