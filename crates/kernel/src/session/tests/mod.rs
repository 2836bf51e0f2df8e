//! What the machine promises: the exclusion matrix, consecutive commands, the reset, refusals, and
//! what holds in every sample.

mod answers;
mod branch;
mod gates;
mod invariants;
mod joined;
mod knowledge;
mod matrix;
mod picked;
mod stories;
mod world;
