//! What a lifecycle needs of its surroundings: the start that settings fill up, plans read from
//! turns and documents, and the files that remain of a run. It runs nothing.

mod archive;
mod form;
mod lent;
mod plan;

pub use archive::{Record, draw_end, plan_page, write};
pub use form::{Around, Form, FormError, Named, start};
pub use lent::{grant_of, lent};
pub(crate) use plan::{definition, meant};
pub use plan::{digest_of, findings, from_document, from_turn, own_checks, spent_by, timed};
