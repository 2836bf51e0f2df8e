//! States and commands for the table, for what is allowed, and for walks. Data that fits, so that
//! whatever a state accepts is accepted. Not a test: the table in the docs is drawn from these.

mod commands;
mod made;
mod own;
mod states;

pub use commands::sample_commands;
pub use made::{agent_judged, drafted, facts, judged_plan, next_answer, start};
pub(super) use own::of_plan;
pub use states::sample_states;
