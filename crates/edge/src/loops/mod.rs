//! Loops as every door reads them and speaks to them: one document, one list, one way to say
//! something. The forms of an answer and the words of an error are the doors' own.

mod fields;
mod find;
mod lens;
mod printed;
mod read;
mod report;
mod say;
mod signal;
mod verbs;
mod wait;

pub use fields::Fields;
pub use find::{all, bad_id, exact, plain_id};
pub use lens::{Lens, Seen, StepEnd};
pub use printed::{LOG_LINES_USUAL, logs, stats};
pub use read::{
    Listed, PAGE_MAX, PAGE_USUAL, Page, STATUSES, document, history, life, list, row, task, tasks,
    waiting,
};
pub use report::told;
pub use say::{delete, make, over, say};
pub use signal::signal;
pub use verbs::{adding, binds, creating, editing, editing_task, no_hash, verb};
pub use wait::{Asker, Wait};
