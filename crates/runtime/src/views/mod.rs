//! The files that show a loop to people and outside skills. They are drawn from state and never are
//! state: an edit made outside is noticed, judged against what its author may own, and becomes a
//! command or is set aside with a notice. The host draws after every durable batch.
//!
//! What keeps edits safe: a view is only ever exchanged, what was displaced keeps a name on disk
//! until its commands are durable or its bytes lie in `refused/`, and an edit that is looked at a
//! second time after a crash asks for nothing twice.

mod blocks;
pub mod context;
pub(crate) mod debug_lines;
mod drawing;
mod due;
mod edit;
mod found;
mod keeper;
mod known;
mod lists;
mod moment;
mod names;
mod notice;
mod pages;
mod pending;
mod remove;
mod sealed;
#[cfg(target_os = "linux")]
mod watch;
mod word;

pub(crate) use blocks::Shared;
pub use context::{Contexts, PageLine, PageTold, last_session_end, local_minute};
pub use drawing::{Around, all as draw_all};
pub use due::REDRAW_MS;
pub use edit::{NotTold, SkillTold, Wish, reported};
pub use found::{Beside, Found, Lacks, Old, Why, found, lacks, left, modern, old};
pub use keeper::{Seen, Views};
pub use lists::{Driver, List, Lists};
pub(crate) use names::debug_log;
pub use names::{View, owner_of};
pub use notice::{
    LINES_MAX, Line, NOTICES_KEPT, Notice, Owner, Reason, Silent, Tried, all_notices, keep_notice,
    notices,
};
pub use remove::remove;
pub use sealed::{Page, Room, Sealed};
#[cfg(target_os = "linux")]
pub use watch::{Watch, watch};
pub use word::Word;
