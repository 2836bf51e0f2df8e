//! The rows of the machine, by what is said and by stage. Where a stage leads is in its own file.

mod analyze;
mod answer;
mod closing;
mod design;
mod develop;
mod end;
mod evaluate;
mod join;
mod run;
mod say;
mod shared;
mod told;
mod tool;
mod tweak;

pub(super) use answer::{answer, given};
pub(super) use closing::{ARCHIVE, CHANGELOG, LEFTOVERS, MARKS, SYNC};
pub use closing::{SECURITY, verdict};
pub(super) use end::{cancel, noticed, timeout};
pub(super) use run::{begin, exclusive, run, typed};
pub(super) use say::say;
pub use say::to_open;
pub(super) use shared::misfit;
pub(super) use told::{child_now, told};
pub(super) use tool::{Called, called, closed, opened, settle};
