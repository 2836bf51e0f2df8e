//! Sample states and commands, from which the table, the graph and the list of what is allowed are
//! computed.

mod commands;
mod made;
mod states;

pub use commands::{blocked_by, sample_commands, turn_end};
pub use made::{begin, check, evidence, plan, spec};
pub use states::sample_states;
