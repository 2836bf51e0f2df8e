//! One function a column of the table. Every command is written out in every column.

mod archiving;
mod auto_fix;
mod blocked;
mod confirming;
mod executing;
mod idle;
mod planning;
mod rolling;
pub(super) mod shared;

pub(super) use archiving::archiving;
pub(super) use auto_fix::auto_fix;
pub(super) use blocked::blocked;
pub(super) use confirming::confirming;
pub(super) use executing::executing;
pub(super) use idle::{ended, fresh, never};
pub(super) use planning::planning;
pub(super) use rolling::rolling;
