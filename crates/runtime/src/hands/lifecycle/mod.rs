//! What the hands do for lifecycles: acts that are no runs, and reading what children left. Each
//! ends as one command to the lifecycle; what it means there is the machine's to say.

mod acted;
mod evidence;
mod jobs;
mod left;

pub(super) use jobs::{act, read};
