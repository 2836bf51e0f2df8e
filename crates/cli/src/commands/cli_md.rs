//! `__cli-md`: the whole command tree as markdown, for the generated reference. Hidden, because it
//! is for the build and not for people.

use std::fmt::Write as _;

use clap::Command;

use crate::ctx::Ctx;
use crate::help;
use crate::out::Reply;

/// Draws the reference.
pub fn run(ctx: &Ctx) -> Reply {
    let mut tree = help::tree(ctx.lang);
    tree.build();
    let mut page = String::new();
    section(&mut page, &mut tree, "loopwright", 1);
    Reply::page(page)
}

/// Headings deeper than this are no easier to find.
const DEPTH_MAX: usize = 6;

fn section(page: &mut String, command: &mut Command, path: &str, depth: usize) {
    let marks = "#".repeat(depth.min(DEPTH_MAX));
    let help = command.render_help().to_string();
    let _ = write!(page, "{marks} `{path}`\n\n```text\n{}\n```\n\n", help.trim_end());
    let names: Vec<String> = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in names {
        let sub = command.find_subcommand_mut(&name).expect("the name was just listed");
        section(page, sub, &format!("{path} {name}"), depth + 1);
    }
}
