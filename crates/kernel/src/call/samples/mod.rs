//! Sample states and commands, from which the table of this machine is drawn and checked. They
//! are made up: no run ever uses them.

mod commands;
mod states;

pub use commands::sample_commands;
pub use states::sample_states;

#[cfg(test)]
pub(super) use commands::sample_group;
