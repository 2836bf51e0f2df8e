//! `active_context.md`, the page of working memory: drawn from plain data, read back, and an edit of
//! it classified. Which state it shows, and whether an edit is taken in, is not decided here.

mod edit;
mod front;
mod head;
mod page;
mod scalar;
mod scratch;
mod show;

pub use edit::{Change, Edits, No, Refused, compare};
pub use head::{Head, KEYS};
pub use page::{Found, GOAL_CHARS_MAX, Page, Task, form, goal, read};
pub use scratch::{added, lines as scratch_lines, merge as merge_scratch};
pub use show::{Around, history_line, show};
