//! Turns, collabs, lifecycles, sessions and packages as tools for MCP clients, a file each.

mod collabs;
mod lifecycles;
mod packages;
mod sessions;
mod set;
mod turns;

#[cfg(test)]
pub(super) use set::all;
pub(super) use set::{Caller, offered, set_of};
