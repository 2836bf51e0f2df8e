//! The progress pages: what was developed, debugged and validated, for people to read. Headings are
//! fixed English because tools look for them; sentences are the catalogue's. A page is a pure
//! function of state and language, and its last line carries its part of the document.

mod changes;
mod debug;
mod develop;
mod sheet;
mod summary;
mod validate;

pub(super) use changes::changes;
pub(super) use debug::debug;
pub(super) use develop::develop;
pub(super) use summary::summary;
pub(super) use validate::validate;
