//! The plan document: a list of tasks in Markdown that people, packages and plan turns write. Read
//! with the line of everything, checked as a whole, and drawn with its four sections. What a plan
//! is bound to, and who approves it, is not known here.

mod draw;
mod fields;
mod outline;
mod read;
mod sections;
mod task_line;
mod valid;

pub use draw::{Labels, draw};
pub use outline::{Doubt, Item, Outline, Problem, Warning, Wrong};
pub use read::read;
pub use valid::problems;
