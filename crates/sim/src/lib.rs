//! The proving ground: a fake world for the real engine, named invariants, crash drivers. Never
//! shipped, and never in the way: it uses what `runtime` and `kernel` offer to everyone.

pub mod campaign;
pub mod dice;
pub mod explore;
pub mod invariants;
pub mod machines;
pub mod random;
pub mod subject;
pub mod world;
