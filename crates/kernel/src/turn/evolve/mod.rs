//! Makes recorded facts true. Total: a fact that does not fit changes nothing and never fails.

mod doing;
mod ending;
mod life;
mod plans;

pub(super) use life::apply;
pub use life::evolve;
