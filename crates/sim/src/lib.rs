//! The proving ground: a fake world for the real engine, named invariants, crash drivers. Never
//! shipped, and never in the way: it uses what `runtime` and `kernel` offer to everyone.

pub mod campaign;
pub mod crowd;
pub mod dice;
mod evidence;
pub mod explore;
mod ground;
pub mod invariants;
pub mod lifecycles;
pub mod machines;
pub mod marks;
pub mod packages;
pub mod patches;
pub mod random;
pub mod real;
mod room;
pub mod story;
pub mod subject;
pub mod turns;
pub mod world;
