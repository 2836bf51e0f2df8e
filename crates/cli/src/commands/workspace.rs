//! `workspace status|trust|adopt|map|gc`: where the workspace begins, whose state it holds, and
//! whether its owner trusts it.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use kernel::errors::Machine;
use kernel::policy::Pattern;
use kernel::policy::rules::Held;
use runtime::config::{self, Loosened};
use runtime::policy;
use runtime::workspace::{self, Found, Places, Refusal, Root, Shown, Standing, StateDir, Trust};
use serde_json::{Value, json};

use super::{known, workspace_gc, workspace_map};
use crate::ctx::Ctx;
use crate::desk::{self, Left};
use crate::out::Reply;
use crate::trouble::{self, Trouble};

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
    let (root, places) = (ctx.root()?, ctx.places()?);
    match verb {
        Verb::Map => workspace_map::run(ctx),
        Verb::Gc(args) => workspace_gc::run(ctx, args),
        Verb::Status => status(ctx, &root, &places),
        Verb::Trust => trust(ctx, &root, &places),
        Verb::Adopt => adopt(ctx, &root, &places),
    }
}

fn of(refusal: Refusal) -> Trouble {
    let mut raised = trouble::of_workspace(&refusal);
    if refusal == Refusal::NotForeign {
        raised.allowed = Some(ALLOWED_WHEN_OURS.map(str::to_owned).to_vec());
    }
    raised
}

/// What makes sense where there is nothing foreign.
const ALLOWED_WHEN_OURS: [&str; 2] = ["workspace status", "workspace trust"];

fn status(ctx: &Ctx, root: &Root, places: &Places) -> Result<Reply, Trouble> {
    let found = workspace::look(root, places).map_err(of)?;
    let standing = workspace::standing(root, places).map_err(of)?;
    let lists = Lists::of(&standing, places).map_err(of)?;
    let (state, id, why) = match &found {
        Found::Absent => ("absent", None, None),
        Found::Ours(dir) => ("ours", Some(dir.workspace_id.clone()), None),
        Found::Foreign(why) => ("foreign", None, Some(why.word())),
    };
    let data = json!({
        "root": root.path, "state_dir": state, "why": why, "workspace_id": id,
        "trust": standing.trust.word(), "settings_file": standing.settings.is_some(),
        "socket": id.as_deref().and_then(|id| places.socket(id)),
        "allow_rules": lists.rules, "sandbox_loosened": lists.walls, "named": named(&lists),
    });
    let mut plain = data.clone();
    if let Some(fields) = plain.as_object_mut() {
        fields.retain(|name, _| {
            !["allow_rules", "sandbox_loosened", "named"].contains(&name.as_str())
        });
    }
    let facts = known::facts(ctx, &plain, &["root", "workspace_id", "trust", "state_dir", "why"]);
    let mut lines = vec![facts];
    lines.extend(lists.lines(ctx));
    Ok(Reply::new(data, lines.join("\n")))
}

fn trust(ctx: &Ctx, root: &Root, places: &Places) -> Result<Reply, Trouble> {
    desk::person(ctx, Machine::Workspace, "trust")?;
    let standing = workspace::standing(root, places).map_err(of)?;
    if let Found::Foreign(why) = workspace::look(root, places).map_err(of)? {
        return Err(of(workspace::foreign(root, why)));
    }
    let lists = Lists::of(&standing, places).map_err(of)?;
    let answer = match standing.trust {
        Trust::Trusted => Answer::Yes,
        Trust::Untrusted | Trust::Changed => ask(ctx, root, &standing, &lists),
    };
    if answer == Answer::No {
        let data = json!({ "root": root.path, "trust": standing.trust.word() });
        return Ok(Reply::new(data, ctx.say("ws-not-trusted")));
    }
    let dir = given(ctx, root, places, (&standing, &lists))?;
    let data = json!({
        "root": root.path, "workspace_id": dir.workspace_id, "trust": Trust::Trusted.word(),
        "allow_rules": lists.rules, "sandbox_loosened": lists.walls, "named": named(&lists),
    });
    let path = root.path.display();
    let mut lines = vec![ctx.tell("ws-trusted", &[("path", &path)])];
    lines.extend(lists.lines(ctx));
    Ok(Reply::new(data, lines.join("\n")))
}

/// Records a yes to exactly what [`ask`] lists. An engine holds calls in by the settings it started
/// with: where these become others, one that runs leaves before, and another takes its work up.
///
/// # Errors
/// When the answer cannot be kept, or the engine does not let go.
pub fn given(
    ctx: &Ctx,
    root: &Root,
    places: &Places,
    (standing, lists): (&Standing, &Lists),
) -> Result<StateDir, Trouble> {
    let settings = standing.settings.as_deref();
    let (listed, walls) = (policy::rules_hash(&lists.rules), config::loosened_hash(&lists.walls));
    let same = standing.trust == Trust::Trusted && standing.walls == walls;
    let left = if same { Left::NoEngine } else { desk::leave(ctx)? };
    let dir = workspace::create(root, places).map_err(of)?;
    let shown = Shown { settings, listed: &listed, walls: walls.as_deref() };
    workspace::give(root, &dir, places, shown).map_err(of)?;
    match left {
        Left::Engine => desk::steer(ctx).map(drop)?,
        Left::NoEngine => {}
    }
    Ok(dir)
}

/// What a yes would let pass that the user's own settings do not.
#[derive(Debug)]
pub struct Lists {
    /// Rules by which commands run unasked.
    rules: Vec<Held>,
    /// Settings by which the walls around them stand wider.
    walls: Vec<Loosened>,
    /// Settings that name programs, or hand them the user's variables.
    named: Vec<config::Held>,
}

impl Lists {
    /// Of the settings as they stand.
    ///
    /// # Errors
    /// When the user's own settings cannot be read.
    pub fn of(standing: &Standing, places: &Places) -> Result<Self, Refusal> {
        let settings = standing.settings.as_deref();
        let walls = workspace::loosened(settings, places)?;
        let named = workspace::named(settings, places)?;
        Ok(Self { rules: policy::allowing(settings), walls, named })
    }

    /// One a line, each kind below its heading.
    fn lines(&self, ctx: &Ctx) -> Vec<String> {
        let rules: Vec<String> = self.rules.iter().map(rule).collect();
        let set = |key: &str, value: &config::Value| plain(&format!("{key} = {}", json!(value)));
        let walls = self.walls.iter().map(|one| set(one.key, &one.value)).collect();
        let named = self.named.iter().map(|one| set(&one.key, &one.value)).collect();
        let kinds =
            [("ws-trust-rules", rules), ("ws-trust-walls", walls), ("ws-trust-named", named)];
        let mut lines = Vec::new();
        for (heading, kind) in kinds.into_iter().filter(|(_, kind)| !kind.is_empty()) {
            lines.push(ctx.tell(heading, &[("count", &kind.len())]));
            lines.extend(kind.into_iter().map(|line| format!("  {line}")));
        }
        lines
    }
}

/// What is named, by setting.
fn named(lists: &Lists) -> Value {
    lists.named.iter().map(|one| (one.key.clone(), json!(one.value))).collect()
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
    let _ = writeln!(screen, "{}", ctx.tell("ws-trust-what", &[("path", &path)]));
    if let Some(bytes) = &standing.settings {
        let text = plain(&String::from_utf8_lossy(bytes));
        let _ = writeln!(screen, "--- {}\n{}\n---", workspace::SETTINGS_FILE, text.trim_end());
    }
    for line in lists.lines(ctx) {
        let _ = writeln!(screen, "{line}");
    }
    let _ = write!(screen, "{} ", ctx.say("ws-trust-ask"));
    let _ = screen.flush();
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    let yes = ["y", "yes", "是", "好"].contains(&line.trim().to_lowercase().as_str());
    if read.is_ok() && yes { Answer::Yes } else { Answer::No }
}

fn adopt(ctx: &Ctx, root: &Root, places: &Places) -> Result<Reply, Trouble> {
    desk::person(ctx, Machine::Workspace, "adopt")?;
    let (dir, aside) = workspace::adopt(root, places).map_err(of)?;
    let data: Value =
        json!({ "root": root.path, "workspace_id": dir.workspace_id, "aside": aside });
    let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Reply::new(data, ctx.tell("ws-adopted", &[("path", &name)])))
}
