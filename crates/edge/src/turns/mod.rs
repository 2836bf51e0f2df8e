//! Turns as every door reads them and speaks to them: forms from JSON, plans looked at, words bound
//! to what is shown. Pages for people are the command line's own.

mod call;
mod check;
mod form;
mod read;
mod say;

pub use call::{Called, call};
pub use check::{Checked, With, bad_plan, checked, checked_json, found};
pub use form::{patch, starting};
pub use read::{Seen, context, list, log, not_yet, plan, show, summary, summed};
pub use say::{answering, confirming, patching, said, start, verb, widens};
