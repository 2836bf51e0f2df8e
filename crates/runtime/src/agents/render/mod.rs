//! From a request to a command line, one file for each kind. Pure: nothing is looked up on disk
//! and nothing is started.

mod claude;
mod codex;
mod command;
mod flags;
mod gemini;
mod launch;
mod qwen;
mod script;
mod server;
mod wrapper;

pub use flags::{Flag, Flags, Need, flags};
pub use launch::{Launch, Place, RenderError, Sandbox, Stdin, render};
pub use wrapper::BIN as WRAPPER_BIN;

#[cfg(test)]
mod tests;
