//! Our MCP server entered in the settings of another client: where these are, how they read with
//! the entry in them, and writing them so that nothing is lost. Whether it is wanted is asked
//! elsewhere, and nobody's settings are read for anything else.

mod client;
mod file;
mod json;
mod toml;

pub use client::{Client, Entered, Entry, Unfit};
pub use file::{Old, Unwritten, read, write};
