//! From what a person asks to a collab's plan, and from its state to its pages. The rules of a run
//! are the kernel's; who is started and read is the hands'.

mod form;
mod log;
mod pages;
mod plan;
mod roles;
mod silence;

pub use form::Form;
pub use log::Log;
pub use pages::{Glance, Texts, impact_lines, pages, sheet, table, texts};
pub use plan::{Around, PlanError, plan};
pub use roles::RoleError;
pub use silence::{Silence, silences};
