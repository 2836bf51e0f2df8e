//! The hands: engine loop, calls, shim, views. The only room that spawns, writes and sleeps.
pub mod checks;
pub mod tree;
pub mod view_file;
