//! Calls as every door reads them and speaks to them: one list, one output, one way to say
//! something, one telling of an end. The forms of an answer are the doors' own.

mod end;
mod output;
mod read;
mod say;
mod undo;
mod wait;

pub use end::{End, REPORT_BYTES_MAX, exit_of, payload, told};
pub(crate) use end::{of_command, of_file};
pub use output::{Part, part};
pub use read::{list, view};
pub use say::{say, verb};
pub use undo::{TookBack, may, plan, planned, refused, state, take_back, taken, took_back};
pub use wait::{Done, asked, undo_of, until_ended};
