//! Packages and the knowledge base on disk: where their root is, what is read there, and how an
//! operation of several steps becomes one change that is prepared, carried out and undone like any
//! other. The texts themselves are the kernel's.

mod archiving;
mod arranged;
mod carry;
mod checked;
mod commit;
mod creating;
mod facts;
mod found;
mod initing;
mod listed;
mod moment;
mod operation;
mod place;
mod refusal;
mod shelf;
mod small;
#[cfg(test)]
mod tests;
mod upgrading;

pub use archiving::archive_name;
pub(crate) use carry::{Bound, REPORT, act, prepare};
pub use checked::{AllChecked, KbStatus, check, check_all, check_kb, kb_status};
pub use commit::{CommitGround, CommitPlan, CommitSet, CommitWish, commit_plan};
pub use facts::{facts, has_source};
pub use found::{Found, find};
pub use listed::{Listed, Shown, list, show};
pub use moment::Moment;
pub(crate) use operation::touched;
pub use operation::{InitHow, MarkOf, Operation, Wish};
pub use place::KbRoot;
pub use refusal::Refusal;
pub(crate) use small::package_hash;
pub use upgrading::{UpgradePlan, upgrade_plan};
