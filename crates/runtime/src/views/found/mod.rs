//! Loops that the journal does not know: their documents, what is left of their files, and what
//! lies in older places. Everything here reads; whether a loop may be taken in is the machine's
//! business.

mod document;
mod left;
mod old;
mod pages;
mod work;

pub use document::{Beside, Found, Lacks, Why, found, lacks, modern};
pub use left::left;
pub use old::{Old, old};
