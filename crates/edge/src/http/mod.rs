//! The HTTP door: requests in, answers and live objects out. It is a client of the workspace's
//! engine like every other door, decides nothing, and does all its work in blocking threads; only
//! the connections themselves are waited for asynchronously.

mod again;
mod answer;
mod before;
mod compat;
mod events;
mod guard;
mod peer;
mod request;
mod routes;
mod server;
mod shop;
mod tail;
mod token;
mod v1;
mod wire;

pub use peer::Remote;
pub use server::{Plan, serve};
pub use token::Token;
