//! The subcommands, one file each: its arguments and a `run` that answers. A new one adds its line
//! here and its variant in `list.rs`.

mod agent;
mod call;
mod call_says;
mod call_tail;
mod cli_md;
mod completions;
mod config;
mod demo;
mod diff;
mod doctor;
mod engine;
mod explain;
mod graph;
mod help;
mod journal;
mod known;
mod list;
mod log;
pub mod loops;
mod replay;
mod runs;
mod show;
mod trace;
mod watch;
mod workspace;

pub use list::{Cli, run};
pub use workspace::{Answer, ask as ask_trust};
