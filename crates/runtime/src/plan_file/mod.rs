//! Plans that people write themselves, in TOML or JSON: read whole, or refused with the line and
//! the reason. No model is needed for any of it, and nothing is run from here.

mod fault;
mod load;
mod places;

pub use fault::{PlanFileError, Problem};
pub use load::{PLAN_BYTES_MAX, PlanFile, bad_args, load, load_patch, read_copy, read_patch};
