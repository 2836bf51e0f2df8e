//! The tools of the engine's own, as calls use them: their arguments kept out of the record, and
//! the parts in which they act. What each does to a file is written where files are.

mod bounds;
mod changing;
mod declared;
mod fits;
mod judged;
mod kept;
mod marks;
mod reading;
mod running;
mod schemas;
mod undoing;

pub use bounds::{Bounds, Limits};
pub use changing::{act, prepare, prepare_undo};
pub use declared::declared;
pub use fits::{Misfit, check};
pub use judged::judged;
pub(crate) use judged::{act as act_of, alone};
pub use kept::{keep, keep_env, load, load_env};
pub(crate) use marks::drawn_back;
pub use marks::{Changed, Drawn, Trees, changes, drawn};
pub use reading::read;
pub use running::{Wanted, command};
pub use undoing::{Taken, Would, would_undo};
