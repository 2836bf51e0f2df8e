//! Sample states and commands, from which the table of this machine is drawn and checked. They are
//! made up: no run ever uses them.

mod commands;
mod made;
mod states;

pub use commands::sample_commands;
pub use made::{answered, failed, member, plan, session};
pub use states::sample_states;
