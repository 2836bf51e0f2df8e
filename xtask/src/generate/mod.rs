//! The reference pages, drawn from code: nothing in them is written by hand, so nothing in them
//! can be out of date without `gen --check` naming the file.

mod cli;
mod effects;
mod errors;
mod machines;
mod page;
mod refusals;
mod schemas;
mod write;

pub use write::run;
