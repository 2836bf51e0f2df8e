//! Diffs and arguments in tables, one line for each case that was settled.

mod args;
mod diffs;
mod refused;
