//! `loop rebuild` and `loop migrate`: a loop's files drawn anew from the journal, and loops taken
//! in that the journal does not know: what a lost journal left, and what lies in the older place.
//! Sources are read and never written.

use std::path::{Path, PathBuf};

use edge::door::{Ask, LoopSay};
use kernel::errors::Machine;
use runtime::views::{self, View, Why};
use serde_json::{Value, json};

use super::{said, show};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// The older place, below the work tree.
const OLD_PLACE: &str = ".workflow/.loop";
/// No document comes near this size.
const DOCUMENT_BYTES_MAX: u64 = 4 << 20;

/// `loop rebuild`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// From what is left of its files, where the journal is lost.
    #[arg(long)]
    from_progress: bool,
    /// Its title, if no file says it.
    #[arg(long, value_name = "TEXT", requires = "from_progress")]
    title: Option<String>,
    /// What it is about, if no file says it.
    #[arg(long, value_name = "TEXT", requires = "from_progress")]
    description: Option<String>,
    /// Its bound, if no file says it.
    #[arg(long, value_name = "N", requires = "from_progress")]
    max_iterations: Option<u32>,
}

/// `loop migrate`
#[derive(Debug, clap::Args)]
pub struct MigrateArgs {
    /// The loops.
    #[arg(value_name = "LOOP", required_unless_present = "all")]
    ids: Vec<String>,
    /// Every one that lies there.
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// Only say what would be taken in.
    #[arg(long)]
    dry_run: bool,
}

/// Draws a loop's files anew, or takes in what is left of them.
///
/// # Errors
/// An unknown loop, files that cannot be read, or what the engine refuses.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    if args.from_progress {
        return from_progress(ctx, args);
    }
    let known = said::find(ctx, &args.id)?;
    let mut desk = desk::open(ctx)?;
    desk.ask(&Ask::Redraw { run: known.head.run.clone() })?;
    show::brief(ctx, &known.head.run)
}

fn from_progress(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let dir = ctx.state_dir()?.map(|dir| dir.path);
    let document = dir.as_deref().and_then(|dir| left(dir, &args.id));
    let mut document = document.ok_or_else(|| none(&args.id))?;
    let given = [
        ("title", args.title.clone().map(Value::from)),
        ("description", args.description.clone().map(Value::from)),
        ("max_iterations", args.max_iterations.map(Value::from)),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            document[name] = value;
        }
    }
    let source = format!(".loop/{}", args.id);
    take_in(ctx, &args.id, document, source, Why::Rebuilt)?;
    show::brief(ctx, &args.id)
}

fn none(id: &str) -> Trouble {
    trouble::refused(Machine::Loop, "no_such", json!({ "what": "loop", "id": id }))
}

/// The document of a loop, or as much of it as its other files tell.
fn left(dir: &Path, id: &str) -> Option<Value> {
    if let Some(document) = read(&View::Json.path(dir, id)) {
        return Some(document);
    }
    let mut document = json!({ "loop_id": id });
    let mut any = false;
    let pages = [(View::Develop, "develop"), (View::Debug, "debug"), (View::Validate, "validate")];
    for (view, name) in pages {
        let Ok(text) = std::fs::read_to_string(view.path(dir, id)) else { continue };
        any = true;
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        for (field, label) in [("created_at", "Started"), ("description", "Task")] {
            if let Some(value) = field_of(&text, label) {
                document[field] = Value::from(value);
            }
        }
        if let Some(part) = comment(&text, name) {
            document["skill_state"][name] = part;
        }
    }
    if let Ok(text) = std::fs::read_to_string(View::Tasks.path(dir, id)) {
        any = true;
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let tasks: Vec<Value> = lines.map(of_line).collect();
        if document["skill_state"]["develop"]["tasks"].is_null() {
            document["skill_state"]["develop"]["tasks"] = Value::from(tasks);
        }
    }
    any.then_some(document)
}

/// A line of the task file in the form of the document.
fn of_line(mut line: Value) -> Value {
    for (name, value) in
        [("id", line["ext"]["id"].clone()), ("status", line["ext"]["status"].clone())]
    {
        line[name] = value;
    }
    line
}

fn field_of(text: &str, label: &str) -> Option<String> {
    let prefix = format!("**{label}**:");
    text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|rest| rest.trim().to_owned())
}

/// The part of the document that the last line of a page carries.
fn comment(text: &str, name: &str) -> Option<Value> {
    let prefix = format!("<!-- loopwright:{name} ");
    let line = text.lines().rev().find(|line| line.starts_with(&prefix))?;
    serde_json::from_str(line.strip_prefix(&prefix)?.strip_suffix(" -->")?).ok()
}

fn read(path: &Path) -> Option<Value> {
    let meta = std::fs::metadata(path).ok().filter(|meta| meta.len() <= DOCUMENT_BYTES_MAX)?;
    let bytes = meta.is_file().then(|| std::fs::read(path).ok()).flatten()?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice::<Value>(bytes).ok().filter(Value::is_object)
}

fn take_in(ctx: &Ctx, id: &str, document: Value, source: String, why: Why) -> Result<(), Trouble> {
    let say = LoopSay::Import { document: Box::new(document), source, why };
    said::over(&mut desk::open(ctx)?, id, vec![say]).map(drop)
}

/// One loop in the older place.
struct Old {
    id: String,
    path: PathBuf,
    document: Value,
}

/// Takes in loops of the older place.
///
/// # Errors
/// An id that is not there, or what the engine refuses.
pub fn migrate(ctx: &Ctx, args: &MigrateArgs) -> Result<Reply, Trouble> {
    let there = old(&ctx.root()?.path.join(OLD_PLACE));
    let known = known(ctx)?;
    for id in &args.ids {
        if !there.iter().any(|old| old.id == *id) {
            return Err(none(id));
        }
    }
    let mut rows = Vec::new();
    for old in there.iter().filter(|old| args.all || args.ids.contains(&old.id)) {
        let outcome = if known.contains(&old.id) {
            "known"
        } else if args.dry_run {
            "would"
        } else {
            let bytes = std::fs::read(&old.path).map_err(|why| io(&old.path, &why))?;
            let place = old.path.display().to_string();
            let source = format!("{place} sha256:{}", kernel::hash::sha256_hex(&bytes));
            take_in(ctx, &old.id, old.document.clone(), source, Why::Migrated)?;
            "taken"
        };
        let file = old.path.display().to_string();
        rows.push(json!({ "loop_id": old.id, "file": file, "outcome": outcome }));
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let key = format!("lc-migrate-{}", row["outcome"].as_str().unwrap_or_default());
            ctx.tell(&key, &[("id", &row["loop_id"].as_str().unwrap_or_default())])
        })
        .collect();
    let text = if lines.is_empty() { ctx.say("lc-no-old") } else { lines.join("\n") };
    Ok(Reply::new(json!({ "loops": rows }), text))
}

fn io(path: &Path, why: &std::io::Error) -> Trouble {
    desk::io(&path.display().to_string(), why)
}

fn known(ctx: &Ctx) -> Result<Vec<String>, Trouble> {
    let Some((_, journal)) = ctx.journal()? else { return Ok(Vec::new()) };
    Ok(said::all(&journal)?.into_iter().map(|head| head.run).collect())
}

/// The loops of the older place, by id. What is no loop is passed over.
fn old(place: &Path) -> Vec<Old> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut all: Vec<Old> = entries
        .filter_map(|entry| {
            let path = entry.path().join("state.json");
            let document = read(&path)?;
            let name = entry.file_name().into_string().ok()?;
            Some(Old { id: views::found_id(&document, &name)?, path, document })
        })
        .collect();
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}
