//! What a turn says and reads: the words a planner is given and how its answer is read, the control
//! object of an agent, the pages that people read. Only text; nothing is run from here.

mod form;
pub mod gate;
mod pages;
mod planner;
mod said;
pub mod store;

pub use form::{Around, Form, FormError, Named, start};
pub use pages::{asked, plan_sheet, summary_sheet};
pub use planner::{Brief, Replan, prompt};
pub use said::{Closed, closing, planned};
