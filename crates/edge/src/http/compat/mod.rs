//! The routes of `/api/loops/v2`, as older clients know them: their shapes, their texts. What they
//! do is what the routes of `/api/v1` do.

pub(super) mod loops;
mod read;
pub(super) mod tasks;
