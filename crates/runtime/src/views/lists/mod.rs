//! `tasks.md` of packages that are being run: a view of the driver's tasks, drawn by edits of its
//! own spans so that the author's text stays. A mark that somebody changes is a claim; anything
//! else that is changed is set aside and told.

mod edit;
mod keeper;

pub use keeper::{Driver, List, Lists};
