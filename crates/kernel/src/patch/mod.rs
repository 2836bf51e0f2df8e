//! Patches: what a search and replace or a unified diff makes of files, byte for byte, or every
//! reason why it does not fit. It reads no file and writes none; whoever calls it says what
//! stands at a path and does with the answer what has to be recorded first.

mod apply;
mod args;
mod change;
mod diff;
mod find;
mod header;
mod hunk;
mod lines;
mod name;
mod nearest;
mod place;
mod replace;
mod schema;
mod write;

pub use apply::{apply, edited};
pub use args::{
    ApplyPatch, BadArgs, Body, Delete, Edit, EolWanted, ExecutableWanted, Mode, Patch, Write,
};
pub use change::{Action, Change, Conflict, Content, Executable, Invalid, Kind, Refused, Why};
pub use diff::{Diff, FileDiff, Op, PATCH_BYTES_MAX, PATCH_FILES_MAX, parse};
pub use hunk::Hunk;
pub use lines::{BOM, Eol, changed_lines, eol, split_bom};
pub use replace::{LINES_TOLD_MAX, Replaced, replace};
pub use schema::{APPLY_PATCH_SCHEMA, DELETE_SCHEMA, WRITE_SCHEMA};
pub use write::{WRITE_BYTES_MAX, written};

#[cfg(test)]
mod tests;
