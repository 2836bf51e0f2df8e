//! `workspace status|trust|adopt|map|gc`: where the workspace begins, whose state it holds, and
//! whether its owner trusts it.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;

use edge::workspace::Lists;
use kernel::policy::Pattern;
use kernel::policy::rules::Held;
use runtime::config;
use runtime::workspace::{self, Root, Standing, Trust};
use serde_json::json;

use super::{known, workspace_gc, workspace_map};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What to do.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
pub enum Verb {
    /// How it stands.
    Status,
    /// Trust it.
    Trust,
    /// Move foreign state aside and begin anew.
    Adopt,
    /// Its most central files.
    Map,
    /// Take back disk space of runs that ended long ago.
    Gc(workspace_gc::Args),
}

/// Does it.
///
/// # Errors
/// A directory that cannot be a workspace, foreign state, or a speaker who is no person.
pub fn run(ctx: &Ctx, verb: Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Map => workspace_map::run(ctx),
        Verb::Gc(args) => workspace_gc::run(ctx, args),
        Verb::Status => status(ctx),
        Verb::Trust => trust(ctx),
        Verb::Adopt => adopt(ctx),
    }
}

fn status(ctx: &Ctx) -> Result<Reply, Trouble> {
    let (data, lists) = edge::workspace::status(&ctx.site()?)?;
    let mut plain = data.clone();
    if let Some(fields) = plain.as_object_mut() {
        fields.retain(|name, _| {
            !["allow_rules", "sandbox_loosened", "named"].contains(&name.as_str())
        });
    }
    let facts = known::facts(ctx, &plain, &["root", "workspace_id", "trust", "state_dir", "why"]);
    let mut lines = vec![facts];
    lines.extend(listed(ctx, &lists));
    Ok(Reply::new(data, lines.join("\n")))
}

fn trust(ctx: &Ctx) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let visit = desk::visit(ctx, &site);
    let (standing, lists) = edge::workspace::before_trust(&visit)?;
    let answer = match standing.trust {
        Trust::Trusted => Answer::Yes,
        Trust::Untrusted | Trust::Changed => ask(ctx, &site.root, &standing, &lists),
    };
    if answer == Answer::No {
        let data = json!({ "root": site.root.path, "trust": standing.trust.word() });
        return Ok(Reply::new(data, ctx.say("ws-not-trusted")));
    }
    let data = edge::workspace::give(&visit, (&standing, &lists))?;
    let path = site.root.path.display();
    let mut lines = vec![ctx.tell("ws-trusted", &[("path", &path)])];
    lines.extend(listed(ctx, &lists));
    Ok(Reply::new(data, lines.join("\n")))
}

/// What a yes would let pass, one a line, each kind below its heading.
fn listed(ctx: &Ctx, lists: &Lists) -> Vec<String> {
    let rules: Vec<String> = lists.rules.iter().map(rule).collect();
    let set = |key: &str, value: &config::Value| plain(&format!("{key} = {}", json!(value)));
    let walls = lists.walls.iter().map(|one| set(one.key, &one.value)).collect();
    let named = lists.named.iter().map(|one| set(&one.key, &one.value)).collect();
    let kinds = [("ws-trust-rules", rules), ("ws-trust-walls", walls), ("ws-trust-named", named)];
    let mut lines = Vec::new();
    for (heading, kind) in kinds.into_iter().filter(|(_, kind)| !kind.is_empty()) {
        lines.push(ctx.tell(heading, &[("count", &kind.len())]));
        lines.extend(kind.into_iter().map(|line| format!("  {line}")));
    }
    lines
}

/// A rule in a line: its name, its tool, and what it matches.
fn rule(held: &Held) -> String {
    let rule = &held.rule;
    let word = |pattern: &Pattern| match pattern {
        Pattern::Word(word) => word.clone(),
        Pattern::OneOf(all) => format!("[{}]", all.join("|")),
    };
    let words: Vec<String> = rule.argv.iter().map(word).chain(rule.paths.clone()).collect();
    plain(&format!("{}: {} {}", rule.id, rule.tool.name(), words.join(" ")))
}

/// Control characters could hide a line from the person who decides.
fn plain(text: &str) -> String {
    let visible = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars().map(|c| if visible(c) { c } else { '\u{fffd}' }).collect()
}

#[derive(PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
}

/// On a terminal the person sees what would be trusted and is asked; elsewhere having typed the
/// command is the answer.
pub fn ask(ctx: &Ctx, root: &Root, standing: &Standing, lists: &Lists) -> Answer {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Answer::Yes;
    }
    let mut screen = io::stderr().lock();
    let path = root.path.display();
    let what = if standing.settings.is_some() { "ws-trust-what" } else { "ws-trust-bare" };
    let _ = writeln!(screen, "{}", ctx.tell(what, &[("path", &path)]));
    if let Some(bytes) = &standing.settings {
        let text = plain(&String::from_utf8_lossy(bytes));
        let _ = writeln!(screen, "--- {}\n{}\n---", workspace::SETTINGS_FILE, text.trim_end());
    }
    for line in listed(ctx, lists) {
        let _ = writeln!(screen, "{line}");
    }
    let _ = write!(screen, "{} ", ctx.say("ws-trust-ask"));
    let _ = screen.flush();
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    let yes = ["y", "yes", "是", "好"].contains(&line.trim().to_lowercase().as_str());
    if read.is_ok() && yes { Answer::Yes } else { Answer::No }
}

fn adopt(ctx: &Ctx) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let data = edge::workspace::adopt(&desk::visit(ctx, &site))?;
    let aside = PathBuf::from(data["aside"].as_str().unwrap_or_default());
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Reply::new(data, ctx.tell("ws-adopted", &[("path", &name)])))
}
