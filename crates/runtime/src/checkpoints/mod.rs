//! Checkpoints and marks: the user's tree as commits in a bare repository of ours. Git is only a
//! store: it gets bytes over a pipe and gives them back; it never opens a file of the user's, and
//! the user's own repository is read by nobody here but by our own parser.

mod asked;
mod changes;
mod error;
mod feed;
mod gc;
mod git;
mod ground;
mod info;
mod keeper;
mod kept;
mod names;
mod objects;
mod quota;
mod repo;
mod shown;
mod snapshot;
mod steps;

pub use asked::{Ask, Keeping, Made, Marked, Need, Setup, Start};
pub(crate) use changes::pure;
pub use changes::{Changes, FileChange, Named, Told, changed, of_call, proven, record};
pub use error::{Error, NO_GIT};
pub use gc::{
    CallFact, Collected, Gc, KeepDays, Kept, Part, Standing, What, WhyKept, collect, is_older, look,
};
pub use git::{Git, Missing, VERSION_MIN, has_git};
pub use ground::Ground;
pub use info::{Info, NOT_COVERED_SHOWN_MAX};
pub use keeper::Keeper;
pub(crate) use keeper::{enough, go};
pub use names::{Time, is_name};
pub use objects::{Id, Reader};
pub use repo::Lock;
pub use shown::{Difference, Health, Listed, is_made};
pub use snapshot::{Node, Snapshot};
pub use steps::{Always, Go, Steps, StopAfter, Until, UntilTold};
