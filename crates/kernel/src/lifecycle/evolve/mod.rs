//! Makes recorded facts true. Total: a recorded fact is never refused, and one that does not fit
//! changes nothing.

mod apply;
mod moves;
mod plans;
mod tasks;

pub(super) use apply::apply;
pub use apply::evolve;
