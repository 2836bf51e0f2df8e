//! The `lifecycle` machine: carries one requirement from a plan to the archive, one turn a task,
//! with evidence instead of words. It runs nothing and reads no clock. The table is drawn from
//! `decide` by `cargo xtask gen`.

mod bounds;
mod check;
mod command;
pub mod document;
mod event;
mod names;
mod phase;
mod plan;
mod refusal;
mod setup;
mod state;
mod task;
pub mod view;

pub use bounds::*;
pub use check::*;
pub use command::*;
pub use event::*;
pub use names::{DERIVED, STATES, TRIGGERS};
pub use plan::*;
pub use refusal::{NotNow, Refusal};
pub use setup::*;
pub use state::*;
pub use task::*;
