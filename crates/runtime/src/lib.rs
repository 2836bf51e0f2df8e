//! The hands: engine loop, calls, shim, views. The only room that spawns, writes and sleeps.
pub mod agents;
pub mod ask;
pub mod checks;
pub mod child_env;
pub mod clock;
pub mod collab;
pub mod config;
pub mod engine;
pub mod hands;
pub mod host;
pub mod ids;
mod io_kind;
pub mod query;
pub mod redact;
pub mod sandbox;
pub mod shim;
pub mod tasks;
pub mod trace;
pub mod tree;
pub mod view_file;
pub mod views;
pub mod words;
pub mod workspace;

pub use io_kind::io_kind;
