//! Changing the user's files, in the parts a call has: prepared with every old byte saved, acted
//! one file at a time, probed by what stands there, undone from the saved bytes. It asks nobody
//! and records nothing in the journal; whoever calls it does both, in between.

mod act;
mod content;
mod inverse;
mod kinds;
mod manifest;
mod marked;
mod plan;
mod prepare;
mod probe;
mod problem;
mod revert;
mod steps;
mod sweep;
mod tools;
mod turn;
mod undo;
mod wanted;

pub use act::{Acted, NotActed, Pass, act};
pub use content::{Content, Kind};
pub(crate) use inverse::hunks;
pub use manifest::{Entry, Manifest, Record, Side};
pub use marked::{Left, Level, Marked, Saves, unchanged};
pub use plan::{Force, Plan, Planned, Saved, Source, Undoes, plan};
pub use prepare::prepare;
pub use probe::{Probed, probe};
pub use problem::{NotOurs, Problem};
pub use revert::{Holds, Standing};
pub use steps::Steps;
pub use tools::{FileResult, Known, Work, apply_patch, delete, read_now, touched, write};
pub use turn::Swap;
pub use undo::prepare_undo;
pub use wanted::{Goal, Removal, Wanted};
