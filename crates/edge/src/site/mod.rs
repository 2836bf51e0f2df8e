//! One workspace as every door finds it: its files, settings and journal, and the way to its
//! engine. It says nothing to the engine and shows nothing.

mod desk;
mod place;
mod raise;
mod runs;

pub use desk::{Desk, Left, Visit, of_refusal, own_speaker};
pub use place::{Known, Site, env};
pub use raise::{
    bad_value, class, io, of_faults, of_query, of_settings, of_workspace, refused, unknown_lang,
};
pub use runs::{all_of, run, run_of, state};
