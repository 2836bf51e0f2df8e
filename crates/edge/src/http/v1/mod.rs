//! The routes of `/api/v1`: the verbs of the command line, each with the same data as `--json`.

pub(super) mod agents;
pub(super) mod calls;
pub(super) mod checkpoints;
pub(super) mod collabs;
pub(super) mod errors;
pub(super) mod events;
pub(super) mod grants;
pub(super) mod lifecycles;
pub(super) mod loops;
pub(super) mod packages;
pub(super) mod policy;
pub(super) mod questions;
pub(super) mod runs;
pub(super) mod schemas;
pub(super) mod sessions;
pub(super) mod tasks;
pub(super) mod tools;
pub(super) mod traces;
pub(super) mod turns;
pub(super) mod workspace;
