//! Loops from the command line to real processes and back: the real binary, its engine, its shims,
//! each test in a workspace of its own.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod asks;
mod crash;
mod ends;
mod forms;
mod granted;
mod held;
mod kit;
mod lists;
mod people;
mod questions;
mod rebuild;
mod reports;
mod seat;
mod skill;
mod steers;
mod terminal;
