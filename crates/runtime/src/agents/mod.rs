//! The backends: how a request becomes a process, and where its program is. Reading what it prints
//! is a part of its own; nothing here starts a call.

pub mod config;
pub mod detect;
pub mod env;
pub mod prompt;
pub mod render;
