//! The proving ground: a fake world for the real engine, named invariants, crash drivers. Never
//! shipped, and never in the way: it uses what `runtime` and `kernel` offer to everyone.

pub mod campaign;
pub mod dice;
pub mod invariants;
pub mod real;
pub mod world;
