//! The agents' adapters: a request becomes a process, and that process's bytes become facts. What
//! an agent is asked, and what follows from its answer, is decided elsewhere.

pub mod classify;
pub mod config;
pub mod detect;
pub mod enter;
pub mod env;
mod exits;
pub mod fold;
pub mod prompt;
pub mod read;
pub mod render;
pub mod report;
pub mod reset;
pub mod schema;
pub mod script;
pub mod session;
pub mod sessions;
mod shape;
pub mod status;
pub mod stream;
pub mod strict;
pub mod structured;
