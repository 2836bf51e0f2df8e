//! The subcommands, one file each: its arguments and a `run` that answers. A new one adds its line
//! here and its variant in `list.rs`.

mod cli_md;
mod completions;
mod explain;
mod help;
mod list;

pub use list::{Cli, run};
