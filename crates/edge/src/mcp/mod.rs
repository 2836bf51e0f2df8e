//! MCP servers on standard streams: the tools of an agent's own call, and runs, calls and the
//! workspace for any client.
//! They decide nothing.

mod inner;
mod loops;
mod runs;
mod wire;
mod work;

pub use inner::Inner;
pub use loops::Loops;
pub use wire::{NotCalled, Offer, Told, serve};
pub(crate) use work::{LOOKS, look};
