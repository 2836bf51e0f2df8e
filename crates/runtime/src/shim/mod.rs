//! The shim: the small process that stands between the engine and what it runs, and everything
//! the engine needs to prepare, launch, watch, probe and stop one. The engine never has an agent
//! or a command as its own child. What a call means and when it may start is decided elsewhere:
//! nothing here reads the journal.
//!
//! Who does what, in order:
//! - the engine: [`launch::prepare`], then (once the start is durable) [`launch::launch`];
//! - the shim: [`run::main`], from the lock and the token to `exit.json`;
//! - the engine: [`watch::Watcher`] while it runs, [`stop::stop`] to end it, and [`look::look`]
//!   to learn what became of it, after any crash of either side.

mod child;
pub mod clock;
mod collect;
pub mod durable;
pub mod files;
pub mod identity;
pub mod launch;
pub mod look;
mod os;
pub mod procfs;
pub mod run;
pub mod speaker;
mod spool;
pub mod stop;
mod tend;
pub mod token;
pub(crate) mod tree;
pub mod watch;
