//! Rollback, carried out: gathers what a plan is drawn from, and does what a plan says, one path
//! at a time, so that it can be cut off anywhere and run again. What is planned is decided in the
//! kernel; the user's git is never touched.

mod aside;
mod gather;
mod place;
mod plan_file;
mod report;
mod run;
mod undo;

pub(crate) use aside::Aside;
pub use gather::{Call, Gathered, Refused, Wanted, gather, rollback_id};
pub(crate) use plan_file::{Begun, begun};
pub use report::{FailedAt, KeptPath, Phase, Report, State};
pub use run::{Run, run};
pub(crate) use undo::{Before, undo_record};
