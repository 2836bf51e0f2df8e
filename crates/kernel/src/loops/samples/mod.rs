//! One state a column of the table and commands with data that fits a state: the drawn table, the
//! list of what is allowed and the tests walk them. They are examples, not rules.

mod commands;
mod states;

pub use commands::sample_commands;
pub use states::{sample_check, sample_settings, sample_states};
