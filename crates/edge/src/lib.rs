//! The doors: the engine's socket and the outside's JSON. Decides nothing.

pub mod collabs;
pub mod door;
pub mod draw;
pub mod explain;
pub mod http;
pub mod loops;
pub mod mcp;
pub mod problem;
pub mod report;
pub mod runs;
pub mod schema;
pub mod site;
pub mod turns;
pub mod zhi;
