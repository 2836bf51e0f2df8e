//! Lifecycles as every door reads them and speaks to them. Pages for people are the command line's
//! own.

mod amend;
mod pointer;
mod read;
mod say;

pub use amend::amending;
pub use pointer::{next, pointer, state};
pub use read::{Seen, context, errors, evidence, list, page, rollback_plan, show, tasks};
pub use say::{Updated, added, command, confirming, said, start, starting, update, updating};
