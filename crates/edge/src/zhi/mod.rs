//! Asking a person through somebody else's MCP server: one tool call that waits until the person
//! has answered. It only asks; what an answer means is read elsewhere, and no progress is told.

mod client;

pub use client::{Failure, Request, ask};
