//! Commands taken apart: what runs inside what, with which flags, on which paths. It parses; it
//! never searches a command for substrings, and it judges nothing.

mod flags;
mod git;
mod inline;
mod operands;
mod sed;
mod segment;
mod shell;
mod unwrap;

pub use flags::{Flags, base_name, flags};
pub use git::writes as git_writes;
pub use operands::{operands, spellings};
pub use segment::{
    Bomb, NEST_MAX, Opaque, Parsed, Role, SEGMENTS_MAX, Segment, of_argv, of_script,
};
pub use shell::is_shell;
