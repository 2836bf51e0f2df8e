//! What a run was asked, did, checked, changed and left open, drawn from its records: facts first,
//! then a page of them in markdown or HTML. It reads; it starts and changes nothing.

mod facts;
mod html;
mod md;
mod own;
mod parts;

pub use facts::report;
pub use html::html;
pub use md::md;
pub use parts::{CallLine, Change, Check, Line, Moment, Part, Report};
