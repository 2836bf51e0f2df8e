//! Sample states and commands, from which the table of this machine is drawn and checked. They are
//! made up: no session ever uses them.

mod commands;
mod made;
mod outcomes;
mod states;

pub use commands::sample_commands;
pub use made::{NOW, by_engine, by_person, run, setup, typed};
pub use outcomes::outcomes;
pub use states::{lives, sample_states};
