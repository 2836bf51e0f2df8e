//! The hands: engine loop, calls, shim, views. The only room that spawns, writes and sleeps.

pub mod config;
pub mod query;
pub mod redact;
pub mod shim;
pub mod trace;
pub mod tree;
pub mod words;
pub mod workspace;
