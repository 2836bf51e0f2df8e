//! `loop rebuild` and `loop migrate`: a loop's files drawn anew from the journal, and loops taken
//! in that the journal does not know: what a lost journal left, and what lies in the older place.
//! Sources are read and never written.

use std::path::Path;

use edge::door::{Ask, LoopSay};
use kernel::errors::{Class, Machine};
use kernel::loops::{valid_id, view};
use runtime::views::{self, Lacks, Why};
use serde_json::{Value, json};

use super::{said, show};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

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
    // No id leads anywhere but to files of loops.
    if !valid_id(&args.id) {
        return Err(edge::loops::bad_id(&args.id));
    }
    let dir = ctx.state_dir()?.map(|dir| dir.path);
    let document = dir.as_deref().and_then(|dir| views::left(dir, &args.id));
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
    let lacks = views::lacks(&document);
    let errors = view::check(&document);
    let source = format!(".loop/{}", args.id);
    take_in(ctx, &args.id, document, source, Why::Rebuilt)?;
    let mut reply = show::brief(ctx, &args.id)?;
    reply.data["rebuilt"] =
        json!({ "defaulted": lacks.defaulted, "raised": lacks.raised, "errors": errors });
    reply.text = [vec![reply.text], told(ctx, &lacks, &errors)].concat().join("\n");
    Ok(reply)
}

/// What people are told of a document that does not say everything rightly.
fn told(ctx: &Ctx, lacks: &Lacks, errors: &[String]) -> Vec<String> {
    let line = |key: &str, fields: &[String]| {
        (!fields.is_empty())
            .then(|| format!("  {}", ctx.tell(key, &[("fields", &fields.join(", "))])))
    };
    line("lc-defaulted", &lacks.defaulted)
        .into_iter()
        .chain(line("lc-raised", &lacks.raised))
        .chain(line("lc-inconsistent", errors))
        .collect()
}

fn none(id: &str) -> Trouble {
    trouble::refused(Machine::Loop, "no_such", json!({ "what": "loop", "id": id }))
}

fn take_in(ctx: &Ctx, id: &str, document: Value, source: String, why: Why) -> Result<(), Trouble> {
    let say = LoopSay::Import { document: Box::new(document), source, why };
    said::over(&mut desk::open(ctx)?, id, vec![say]).map(drop)
}

/// Takes in loops of the older place.
///
/// # Errors
/// An id that is not there, or what the engine refuses.
pub fn migrate(ctx: &Ctx, args: &MigrateArgs) -> Result<Reply, Trouble> {
    let there = views::old(&ctx.root()?.path);
    let known = known(ctx)?;
    for id in &args.ids {
        if !there.iter().any(|old| old.id == *id) {
            return Err(none(id));
        }
    }
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for old in there.iter().filter(|old| args.all || args.ids.contains(&old.id)) {
        let lacks = old.document.as_ref().map(views::lacks).unwrap_or_default();
        let errors = old.document.as_ref().map(view::check).unwrap_or_default();
        let mut refused = None;
        let outcome = match &old.document {
            _ if known.contains(&old.id) => "known",
            None => "unread",
            Some(_) if args.dry_run => "would",
            Some(document) => {
                let bytes = std::fs::read(&old.path).map_err(|why| io(&old.path, &why))?;
                let place = old.path.display().to_string();
                let source = format!("{place} sha256:{}", kernel::hash::sha256_hex(&bytes));
                match take_in(ctx, &old.id, document.clone(), source, Why::Migrated) {
                    Ok(()) => "taken",
                    // One that does not fit is no reason to leave the others.
                    Err(trouble) if args.all && unfit(&trouble) => {
                        refused = Some(trouble);
                        "refused"
                    }
                    Err(trouble) => return Err(trouble),
                }
            }
        };
        lines.push(ctx.tell(&format!("lc-migrate-{outcome}"), &[("id", &old.id)]));
        lines.extend(refused.as_ref().map(|why| out::told(ctx.lang, &ctx.asked, why)));
        if ["taken", "would"].contains(&outcome) {
            lines.extend(told(ctx, &lacks, &errors));
        }
        let file = old.path.display().to_string();
        let mut row = json!({ "loop_id": old.id, "file": file, "outcome": outcome,
            "defaulted": lacks.defaulted, "raised": lacks.raised, "errors": errors });
        if let Some(why) = &refused {
            row["code"] = json!(why.code.to_string());
        }
        rows.push(row);
    }
    let text = if lines.is_empty() { ctx.say("lc-no-old") } else { lines.join("\n") };
    Ok(Reply::new(json!({ "loops": rows }), text))
}

/// Whether the loop itself is what stands in the way.
fn unfit(trouble: &Trouble) -> bool {
    matches!(trouble.code.class(), Class::Refused | Class::Conflict | Class::InvalidArgs)
}

fn io(path: &Path, why: &std::io::Error) -> Trouble {
    desk::io(&path.display().to_string(), why)
}

fn known(ctx: &Ctx) -> Result<Vec<String>, Trouble> {
    let Some((_, journal)) = ctx.journal()? else { return Ok(Vec::new()) };
    Ok(edge::loops::all(&journal)?.into_iter().map(|head| head.run).collect())
}
