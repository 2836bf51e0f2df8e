//! From what a person asks to a collab's plan, and from its state to its pages. The rules of a run
//! are the kernel's; who is started and read is the hands'.

mod form;
mod pages;
mod plan;
mod roles;

pub use form::Form;
pub use pages::{Texts, impact_lines, pages, sheet, table, texts};
pub use plan::{Around, PlanError, plan};
pub use roles::RoleError;
