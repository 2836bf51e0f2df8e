//! The agents' adapters: a request becomes a process, and that process's bytes become facts. What
//! an agent is asked, and what follows from its answer, is decided elsewhere.

pub mod classify;
mod exits;
pub mod fold;
pub mod read;
pub mod report;
pub mod reset;
pub mod schema;
pub mod session;
pub mod status;
pub mod stream;
pub mod strict;
pub mod structured;
