//! What a call may touch, and the walls that hold it to that: Landlock for files, seccomp for
//! system calls, a mount namespace for the names inside the work tree that nobody may write. The
//! engine draws the plan and measures what this machine can hold; the walls themselves go up in
//! the shim's child, between fork and exec. Whether a call may run at all is not decided here.
//!
//! Who does what, in order:
//! - the engine, once: [`walls::Walls::measure`], which has a child try all that a plan forbids;
//! - the engine, per call: [`places::plan`], written into the call's request;
//! - the shim's child: [`enforce::carve`] before it enters its directory, [`enforce::wall`] last;
//! - the engine, where names cannot be carved out: [`detected`], before and after.

pub mod canary;
mod carve;
pub mod detected;
pub(crate) mod enforce;
mod filter;
pub mod level;
pub mod names;
pub mod places;
pub mod plan;
pub mod probe;
mod put_back;
pub mod standing;
mod syscall;
mod wall;
pub mod walls;

pub use level::{Carve, Level, Network};
pub use plan::{Grant, May, Plan};
pub use walls::{Walls, Wanted};
