//! The routes of `/api/v1`: the verbs of the command line, each with the same data as `--json`.

pub(super) mod collabs;
pub(super) mod errors;
pub(super) mod events;
pub(super) mod loops;
pub(super) mod runs;
pub(super) mod schemas;
pub(super) mod tasks;
pub(super) mod turns;
