//! The subcommands, one file each: its arguments and a `run` that answers. A new one adds its line
//! here and its variant in `list.rs`.

mod agent;
mod agent_run;
mod answer;
mod call;
mod call_says;
mod call_tail;
mod checkpoint;
mod cli_md;
mod collab;
mod completions;
mod config;
mod demo;
mod diff;
mod doctor;
mod doctor_live;
pub mod drive;
mod drive_zhi;
mod engine;
mod explain;
mod grant;
mod graph;
mod held;
mod help;
mod journal;
mod known;
mod list;
mod log;
pub mod loops;
mod policy;
mod questions;
mod replay;
mod runs;
mod show;
mod tool;
mod tool_ran;
mod trace;
mod usage;
mod verify;
mod waited;
mod watch;
mod workspace;
mod workspace_gc;
mod workspace_map;

pub use list::{Cli, run};
pub use workspace::{Answer, Lists, ask as ask_trust, given as give_trust};
