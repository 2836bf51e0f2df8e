//! The table: one file a state, or few where they are short.

mod awaiting;
mod before;
mod executing;
pub(super) mod planning;
mod recovering;
mod results;
mod shared;
mod summarizing;
mod verifying;

pub(super) use awaiting::row as awaiting;
pub(super) use before::{clarifying, context, intake};
pub(super) use executing::row as executing;
pub use recovering::help_hash;
pub(super) use recovering::row as recovering;
pub(super) use summarizing::row as summarizing;
pub(super) use verifying::row as verifying;
