//! The error object, one shape for every door, and the forms it takes there. It is rendered from
//! code and details when it is read; nothing here decides what went wrong.

mod example;
mod forms;
mod object;
mod tidy;

pub use example::example;
pub use forms::{failed, succeeded, terminal, warning, web};
pub use object::{Place, Problem, Raised, Shown};
