//! Makes recorded facts true. Total: a fact that does not fit changes nothing and never fails.

mod actions;
mod life;
mod reported;
mod steps;

pub(super) use life::apply;
pub use whole::evolve;

mod whole;
