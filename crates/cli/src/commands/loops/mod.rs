//! `loop`: one piece of work, developed and validated until it is done. One file per group of
//! verbs; each says something to the engine or reads the journal.

mod check;
mod forms;
mod history;
mod list;
mod make;
pub mod page;
mod printed;
mod rebuild;
mod report;
pub mod said;
pub mod show;
mod signal;
mod start;
mod steer;
mod stray;
mod task;
mod verbs;

pub use verbs::{Verb, run};
