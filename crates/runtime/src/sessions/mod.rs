//! Sessions beyond the machine: which one belongs to a branch, what a unit is started with, and the
//! page that shows where a session stands.

mod asked;
mod form;
mod left;
mod let_by;
mod page;
mod spoken;

pub use asked::{about, finding};
pub use form::{Around, Form, id_of, key_of, setup};
pub use left::left;
pub use let_by::{knowledge, risks, waived};
pub use page::{Beside, beside, child, fill_config, named, page, view};
pub use spoken::{lang_of, meant};
