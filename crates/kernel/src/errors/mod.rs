//! The one taxonomy of what goes wrong: classes, numbered codes, refusal words, exit codes and
//! HTTP statuses. It holds names and numbers only; sentences are rendered elsewhere by name.

mod class;
mod code;
mod exit;
mod kind;
mod nearest;
mod number;
mod reason;

pub use class::{Class, Retry};
pub use code::{Code, Unknown, names};
pub use exit::{Exit, of_result, strongest};
pub use kind::kinds;
pub use nearest::{NEAREST_MAX, nearest};
pub use number::{Number, first_shown};
pub use reason::{Machine, REASONS, Reason, Scope};
