//! Reading, shared by the writer and by readers. SQLite does not notice a flipped bit: so each
//! row is checked against its hash, and the number and order of rows against the totals.

mod records;
mod runs;
mod snapshots;
mod verify;
mod view;

pub(super) use records::{from, run};
pub(super) use runs::{News, check_mark, epoch, ledger, news, totals};
pub(super) use snapshots::snapshot;
pub(super) use verify::verify;
pub(super) use view::{View, at_once};
