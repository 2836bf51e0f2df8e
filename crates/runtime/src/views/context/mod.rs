//! `active_context.md`, the page of working memory of lifecycles: drawn after each durable batch,
//! and an edit of it taken in as claims and notes, or set aside and told. It is never trusted as
//! state, and never silently overwritten.

mod judged;
mod keeper;
mod pending;
mod told;

pub(super) use judged::{Copy, Outcome};
pub use keeper::{Contexts, LOOK_MS, PAGE, Place, Seen, last_session_end, local_minute};
pub use told::{PageLine, PageTold};
