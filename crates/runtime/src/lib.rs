//! The hands: engine loop, calls, shim, views. The only room that spawns, writes and sleeps.
pub mod checks;
#[path = "ids_for_views.rs"]
mod ids;
pub mod redact;
pub mod shim;
pub mod tasks;
pub mod tree;
pub mod view_file;
pub mod views;
pub mod words;
