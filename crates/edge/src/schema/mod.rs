//! JSON Schemas of what leaves the house: the loop's file, a call, an error, a turn's models. They
//! describe; the types they describe live elsewhere, and nothing is checked against them at run
//! time.

mod call;
mod error;
mod list;
mod loop_state;
mod turn;
mod usage;

pub use list::{all, find, named, names};
