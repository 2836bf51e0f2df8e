//! The table, one file a state (the two final ones share a file). Every command is written out.

pub mod allowed;
pub mod asked;
pub mod ended;
pub mod fresh;
pub mod settled;
pub mod started;
pub mod undoing;
pub mod unknown;
