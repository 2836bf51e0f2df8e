//! Which run an id means, for every door that reads runs of one machine. What is read of it is the
//! machine's own module's business.

mod find;

pub use find::{all, named, of_kind};
