//! Rollback as a pure plan: what stood at the checkpoint, what our last change left, what stands
//! there now, and what is therefore done. It touches nothing, and a path that no fact speaks of
//! is never in a plan.

mod action;
mod content;
mod path;
mod plan;
mod rows;

pub use action::{Action, Kept, Planned, Reason};
pub use content::{Base, Content, How, Kind, Now};
pub use path::RawPath;
pub use plan::{Conflicts, Fact, HeadRule, Heads, Moved, NotCovered, Plan, Scene, plan};
