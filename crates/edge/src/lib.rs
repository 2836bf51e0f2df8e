//! The doors: the engine's socket and the outside's JSON. Decides nothing.

pub mod agents;
pub mod asked;
pub mod calls;
pub mod checkpoints;
pub mod collabs;
pub mod door;
pub mod draw;
pub mod explain;
pub mod grants;
pub mod http;
pub mod lifecycles;
pub mod loops;
pub mod mcp;
pub mod news;
pub mod packages;
pub mod policy;
pub mod problem;
pub mod report;
pub mod schema;
pub mod sessions;
pub mod site;
pub mod traces;
pub mod turns;
pub mod workspace;
pub mod zhi;
