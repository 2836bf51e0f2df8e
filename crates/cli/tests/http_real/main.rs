//! The HTTP door and the MCP server of the real binary, on this machine's own address: every route,
//! every refusal text, live streams, and who may do what.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod calls;
mod client;
mod collabs;
mod compat;
mod ground;
mod guests;
mod kit;
mod lifecycles;
mod live;
mod old_tasks;
mod routes;
mod sessions;
mod signals;
mod speakers;
mod statuses;
mod tools;
#[path = "../reads/turned.rs"]
mod turned;
mod turns;
mod unseen;
