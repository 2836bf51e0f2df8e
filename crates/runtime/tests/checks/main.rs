//! Checks: found in trees, and their output read. Captures of the real runners, output made to
//! mislead, and mutations of both. No process is started here.

mod bench;
mod captures;
mod coverage;
mod detect;
#[path = "../agent_streams/dice.rs"]
mod dice;
mod events;
mod fuzz;
mod parsers;
mod tap;
