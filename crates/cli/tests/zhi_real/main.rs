//! The port to a person's own window against a real MCP server, each a process of its own: our
//! shim, our driver, the server. The server is this test program, started once more.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod ends;
mod kit;
mod lives;
mod server;
