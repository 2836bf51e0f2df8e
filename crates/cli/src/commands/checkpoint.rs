//! `checkpoint create|list|show|diff|verify` and `rollback`: the tree kept as it is, and brought
//! back. Reading needs no engine; making and rolling back are calls.

use edge::checkpoints::{self, Way};
use edge::door::ToolForm;
use kernel::errors::Exit;
use kernel::rollback::{HeadRule, Plan};
use runtime::checkpoints::{Health, Listed};
use runtime::hands::RollbackArgs;
use runtime::query;
use runtime::tools::Misfit;
use serde_json::{Value, json};

use super::{session, tool};
use crate::ctx::{Ctx, Form};
use crate::live::People;
use crate::live::interrupt;
use crate::live::prompt::{self, Typed};
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::Trouble;

/// Digits of a commit that tell it from the others.
const SHORT: usize = 12;

/// What can be done with checkpoints.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Create {
        #[arg(long, value_name = "TEXT")]
        label: Option<String>,
    },
    List,
    Show {
        #[arg(value_name = "NAME")]
        name: String,
    },
    Diff {
        #[arg(value_name = "NAME")]
        first: String,
        #[arg(value_name = "NAME")]
        second: Option<String>,
    },
    Verify,
}

/// `rollback`
#[derive(Debug, Default, clap::Args)]
pub struct RollbackForm {
    /// The checkpoint to which the session goes back.
    #[arg(
        value_name = "TARGET",
        conflicts_with_all = ["to", "dry_run", "conflicts", "allow_moved_head", "approve"]
    )]
    target: Option<String>,
    #[command(flatten)]
    flags: session::Flags,
    /// The checkpoint; the newest one if none is named.
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Only show what would be done.
    #[arg(long)]
    dry_run: bool,
    /// What is done with content that is not ours: aside, keep.
    #[arg(long, value_name = "HOW")]
    conflicts: Option<String>,
    /// Another commit may be checked out.
    #[arg(long)]
    allow_moved_head: bool,
    /// The hash of the plan that was shown, to carry it out unasked.
    #[arg(long, value_name = "HASH")]
    approve: Option<String>,
}

/// Does it.
///
/// # Errors
/// A checkpoint that is not there or damaged, no git, or that no engine answers.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Create { label } => asked(ctx, "checkpoint", json!({ "label": label })),
        Verb::List => list(ctx),
        Verb::Show { name } => show(ctx, name),
        Verb::Diff { first, second } => diff(ctx, first, second.as_deref()),
        Verb::Verify => verify(ctx),
    }
}

/// One tool as a call; nobody is asked anything about it.
fn asked(ctx: &Ctx, name: &str, args: Value) -> Result<Reply, Trouble> {
    tool::asked(ctx, &ToolForm { name: name.to_owned(), args }, People::Away)
}

fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let all = checkpoints::list(&ctx.site()?)?;
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let text = if rows.is_empty() {
        ctx.say("checkpoint-none")
    } else {
        table::draw(&ctx.heading(["checkpoint", "state", "created", "files", "label"]), &rows)
    };
    Ok(Reply::new(json!(all), text))
}

fn row(listed: &Listed) -> Vec<String> {
    let label = listed.label.clone().unwrap_or_default();
    vec![
        listed.name.clone(),
        health(&listed.state),
        query::at_ms(listed.made_at_ms).to_string(),
        listed.files.to_string(),
        label,
    ]
}

fn health(health: &Health) -> String {
    match health {
        Health::Made => "made".to_owned(),
        Health::Damaged(what) => format!("damaged: {what}"),
    }
}

fn show(ctx: &Ctx, name: &str) -> Result<Reply, Trouble> {
    let data = checkpoints::show(&ctx.site()?, name)?;
    let files = data["files"].as_array().into_iter().flatten();
    let text = files.filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
    Ok(Reply::new(data, text))
}

fn diff(ctx: &Ctx, first: &str, second: Option<&str>) -> Result<Reply, Trouble> {
    let found = checkpoints::diff(&ctx.site()?, first, second)?;
    let lines: Vec<String> = found
        .iter()
        .map(|one| {
            let mark = match (&one.before, &one.after) {
                (None, _) => '+',
                (_, None) => '-',
                (Some(_), Some(_)) => '~',
            };
            format!("{mark} {}", one.path.text())
        })
        .collect();
    let text = if lines.is_empty() { ctx.say("checkpoint-same") } else { lines.join("\n") };
    Ok(Reply::new(json!(found), text))
}

fn verify(ctx: &Ctx) -> Result<Reply, Trouble> {
    let all = checkpoints::keeper(&ctx.site()?)?.verify();
    let all = all.map_err(|error| checkpoints::of(&Misfit::from(&error)))?;
    let damaged = all.iter().any(|(_, health)| *health != Health::Made);
    let rows: Vec<Vec<String>> =
        all.iter().map(|(name, found)| vec![name.clone(), health(found)]).collect();
    let text = table::draw(&ctx.heading(["checkpoint", "state"]), &rows);
    let told = |(name, found): &(String, Health)| json!({ "name": name, "state": found });
    let reply = Reply::new(all.iter().map(told).collect(), text);
    Ok(if damaged { reply.ended(Exit::FAILED, "damaged") } else { reply })
}

/// The session's way back, which asks where to and says so in archive and CHANGELOG; or, where a
/// plan is spoken of, that plan alone.
///
/// # Errors
/// Whatever the session or the plan answers instead.
pub fn rollback(ctx: &Ctx, form: &RollbackForm) -> Result<Reply, Trouble> {
    let by_plan = form.to.is_some() || form.conflicts.is_some() || form.approve.is_some();
    if by_plan || form.dry_run || form.allow_moved_head {
        return by_hash(ctx, form);
    }
    session::rollback(ctx, form.target.as_deref(), &form.flags)
}

/// Plans a rollback, shows it, and carries it out once somebody approves that very plan.
fn by_hash(ctx: &Ctx, form: &RollbackForm) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let keeper = checkpoints::keeper(&site)?;
    let head_rule = if form.allow_moved_head { HeadRule::MayDiffer } else { HeadRule::Same };
    let way = Way { to: form.to.clone(), conflicts: form.conflicts.clone(), head_rule };
    if let Some(hash) = form.approve.as_ref().filter(|_| !form.dry_run) {
        let args = checkpoints::approved(&site, &way, hash, &keeper)?;
        return asked(ctx, "rollback", json!(args));
    }
    let mut args = checkpoints::wanted(&site, &way, &keeper)?;
    let plan = checkpoints::planned(&site, &args, &keeper)?;
    let shown = shown(ctx, &plan);
    // Without anything to do there is nothing to approve either.
    if form.dry_run || plan.actions.is_empty() {
        return Ok(Reply::new(json!(plan), shown));
    }
    if People::here() == People::Away || ctx.form == Form::Json {
        return Ok(Reply::new(json!(plan), shown).ended(Exit::WAITING, "waiting"));
    }
    out::notice(&shown);
    out::notice(&ctx.say("rollback-ask"));
    interrupt::listen();
    if !yes() {
        return Ok(Reply::printed(Exit::CANCELLED));
    }
    args.approved = plan.plan_hash;
    asked(ctx, "rollback", json!(args))
}

/// The way back to a checkpoint, only shown; without a name to the newest one.
///
/// # Errors
/// No such checkpoint, or another commit checked out.
pub fn dry_run(ctx: &Ctx, to: Option<String>) -> Result<Reply, Trouble> {
    let form = RollbackForm { to, dry_run: true, ..RollbackForm::default() };
    by_hash(ctx, &form)
}

/// The way back as a lifecycle asks about it, if it can be drawn now.
pub fn way_back(
    ctx: &Ctx,
    to: &str,
    calls: &[String],
    conflicts: kernel::rollback::Conflicts,
) -> Option<String> {
    let args = RollbackArgs {
        checkpoint: to.to_owned(),
        calls: calls.to_vec(),
        conflicts,
        head_rule: HeadRule::Same,
        approved: String::new(),
    };
    let site = ctx.site().ok()?;
    let plan = checkpoints::planned(&site, &args, &checkpoints::keeper(&site).ok()?).ok()?;
    Some(shown(ctx, &plan))
}

/// Waits for a line; only a plain yes is one.
fn yes() -> bool {
    while !interrupt::asked() {
        match prompt::typed(std::time::Duration::from_millis(200)) {
            Typed::Line(line) => return matches!(line.trim(), "y" | "yes"),
            Typed::End => return false,
            Typed::Nothing => {}
        }
    }
    false
}

fn shown(ctx: &Ctx, plan: &Plan) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows: Vec<Vec<String>> = plan
        .actions
        .iter()
        .map(|planned| {
            let told = json!(planned);
            vec![planned.path.text(), word(&told["action"]), word(&told["how"])]
        })
        .collect();
    let table = if rows.is_empty() {
        ctx.say("rollback-nothing")
    } else {
        table::draw(&ctx.heading(["path", "action", "how"]), &rows)
    };
    let hash: String = plan.plan_hash.chars().take(SHORT).collect();
    let line = ctx.tell("rollback-plan", &[("checkpoint", &plan.checkpoint), ("hash", &hash)]);
    format!("{table}\n\n{line}")
}
