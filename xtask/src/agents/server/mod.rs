//! A model provider on loopback that answers by a script: just as much HTTP and just as much of
//! four providers' protocols as the CLIs need. It judges nothing; it keeps what it was sent.

mod chat;
mod dialect;
mod gemini;
mod http;
mod listen;
mod messages;
mod responses;
mod scenario;
mod talk;

pub use listen::{Seen, Server};
pub use scenario::{MADE, PLANS, SHELL, STARTED, answer, tools};
#[cfg(test)]
pub use talk::Task;
pub use talk::{HEADER, Said};
