//! What a command answers when it cannot do what was asked: a code and facts. Sentences are made
//! where it is printed.

pub use edge::problem::Raised as Trouble;
pub use edge::site::{bad_value, class, of_faults, of_query, of_workspace, refused, unknown_lang};
