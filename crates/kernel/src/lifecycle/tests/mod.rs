//! Tests of the lifecycle's rules.

mod cells;
mod invariants;
mod kept;
mod progress;
mod queue;
mod sealing;
mod seed;
mod stories;
mod ways;
mod world;
