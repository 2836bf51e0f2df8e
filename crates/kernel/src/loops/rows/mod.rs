//! One function a column of the table: what each command does in one kind of state.

mod acting;
mod choosing;
mod closing;
mod completed;
mod created;
mod failed;
mod held;
mod lent;
mod paused;
mod shared;

pub(super) use acting::acting;
pub(super) use choosing::choosing;
pub(super) use closing::closing;
pub(super) use completed::completed;
pub(super) use created::created;
pub(super) use failed::failed;
pub(super) use held::held;
pub(super) use lent::lent;
pub(super) use paused::paused;
