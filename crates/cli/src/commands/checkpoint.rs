//! `checkpoint create|list|show|diff|verify` and `rollback`: the tree kept as it is, and brought
//! back. Reading needs no engine; making and rolling back are calls.

use std::io::IsTerminal as _;
use std::path::Path;

use edge::door::{Ask, ToolForm};
use journal::Journal as _;
use kernel::errors::Exit;
use kernel::rollback::{Conflicts, HeadRule, Plan};
use kernel::run::Kind;
use runtime::checkpoints::{Git, Ground, Health, Keeper, Listed, Setup};
use runtime::engine::Ids as _;
use runtime::hands::RollbackArgs;
use runtime::ids::RandomIds;
use runtime::rollback::gather;
use runtime::tools::Misfit;
use runtime::{query, tree};
use serde_json::{Value, json};

use super::collab::now;
use super::known;
use super::tool::told;
use super::waited::waited;
use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::live::prompt::{self, Typed};
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

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
#[derive(Debug, clap::Args)]
pub struct RollbackForm {
    /// The checkpoint; the newest one if none is named.
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Only show what would be done.
    #[arg(long)]
    dry_run: bool,
    /// What is done with content that is not ours: aside, keep.
    #[arg(long, value_name = "HOW", default_value = "aside")]
    conflicts: String,
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
        Verb::Create { label } => asked(ctx, "checkpoint", &json!({ "label": label })),
        Verb::List => list(ctx),
        Verb::Show { name } => show(ctx, name),
        Verb::Diff { first, second } => diff(ctx, first, second.as_deref()),
        Verb::Verify => verify(ctx),
    }
}

/// One tool as a call, waited for.
fn asked(ctx: &Ctx, name: &str, args: &Value) -> Result<Reply, Trouble> {
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let form = ToolForm { name: name.to_owned(), args: args.clone() };
    let asking = |run, trace| Ask::Tool { run, trace, form: form.clone() };
    match waited(ctx, &mut keep, &asking, false)? {
        Some(done) => told(ctx, &done),
        None => Ok(Reply::printed(Exit::CANCELLED)),
    }
}

fn of(misfit: &Misfit) -> Trouble {
    Trouble::new(misfit.code, misfit.details.clone())
}

fn keeper(ctx: &Ctx) -> Result<Keeper, Trouble> {
    let root = ctx.root()?.path;
    let settings = ctx.settings()?.settings;
    let loop_dir = root.join(runtime::workspace::DIR_NAME);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let git = Git::find(None, &path, &root);
    let setup = Setup {
        root,
        loop_dir,
        scope: tree::Scope::default(),
        disk_floor_bytes: settings.run.disk_floor_bytes,
    };
    Ok(Keeper::new(setup, git))
}

fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let all = keeper(ctx)?.list().map_err(|error| of(&Misfit::from(&error)))?;
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let text = if rows.is_empty() {
        ctx.say("checkpoint-none")
    } else {
        table::draw(&ctx.heading(["checkpoint", "state", "created", "files", "label"]), &rows)
    };
    Ok(Reply::new(json!(all), text))
}

fn row(listed: &Listed) -> Vec<String> {
    let state = match &listed.state {
        Health::Made => "made".to_owned(),
        Health::Damaged(what) => format!("damaged: {what}"),
    };
    let label = listed.label.clone().unwrap_or_default();
    vec![
        listed.name.clone(),
        state,
        query::at_ms(listed.made_at_ms).to_string(),
        listed.files.to_string(),
        label,
    ]
}

fn show(ctx: &Ctx, name: &str) -> Result<Reply, Trouble> {
    let found = keeper(ctx)?.show(name).map_err(|error| of(&Misfit::from(&error)))?;
    let files: Vec<String> = found.files.keys().map(|path| path.text()).collect();
    let text = files.join("\n");
    let data = json!({
        "name": name, "commit": found.commit.to_string(), "tree": found.tree.to_string(),
        "info": found.info, "files": files,
    });
    Ok(Reply::new(data, text))
}

fn diff(ctx: &Ctx, first: &str, second: Option<&str>) -> Result<Reply, Trouble> {
    let mut keeper = keeper(ctx)?;
    let found = match second {
        Some(second) => keeper.diff(first, second),
        None => keeper.diff_now(first),
    };
    let found = found.map_err(|error| of(&Misfit::from(&error)))?;
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
    let all = keeper(ctx)?.verify().map_err(|error| of(&Misfit::from(&error)))?;
    let damaged = all.iter().any(|(_, health)| *health != Health::Made);
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|(name, health)| match health {
            Health::Made => vec![name.clone(), "made".to_owned()],
            Health::Damaged(what) => vec![name.clone(), format!("damaged: {what}")],
        })
        .collect();
    let text = table::draw(&ctx.heading(["checkpoint", "state"]), &rows);
    let reply = Reply::new(json!(all), text);
    Ok(if damaged { reply.ended(Exit::FAILED, "damaged") } else { reply })
}

/// Plans a rollback, shows it, and carries it out once somebody approves that very plan.
///
/// # Errors
/// No such checkpoint, another commit checked out, a plan that changed, or that no engine answers.
pub fn rollback(ctx: &Ctx, form: &RollbackForm) -> Result<Reply, Trouble> {
    let mut args = wanted(ctx, form)?;
    let plan = planned(ctx, &args)?;
    let shown = shown(ctx, &plan);
    if form.dry_run {
        return Ok(Reply::new(json!(plan), shown));
    }
    args.approved = match &form.approve {
        Some(hash) => hash.clone(),
        None => {
            if !std::io::stdin().is_terminal() || ctx.form == Form::Json {
                return Ok(Reply::new(json!(plan), shown).ended(Exit::WAITING, "waiting"));
            }
            out::notice(&shown);
            out::notice(&ctx.say("rollback-ask"));
            interrupt::listen();
            if !yes() {
                return Ok(Reply::printed(Exit::CANCELLED));
            }
            plan.plan_hash.clone()
        }
    };
    asked(ctx, "rollback", &json!(args))
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

fn wanted(ctx: &Ctx, form: &RollbackForm) -> Result<RollbackArgs, Trouble> {
    let keeper = keeper(ctx)?;
    let conflicts = match form.conflicts.as_str() {
        "aside" => Conflicts::Aside,
        "keep" => Conflicts::Keep,
        other => return Err(trouble::bad_value("--conflicts", other, &["aside", "keep"])),
    };
    let checkpoint = match &form.to {
        Some(name) => name.clone(),
        None => {
            let all = keeper.list().map_err(|error| of(&Misfit::from(&error)))?;
            all.last().map(|newest| newest.name.clone()).unwrap_or_default()
        }
    };
    let base = keeper.show(&checkpoint).map_err(|error| of(&Misfit::from(&error)))?;
    let rule = if form.allow_moved_head { HeadRule::MayDiffer } else { HeadRule::Same };
    Ok(RollbackArgs {
        checkpoint,
        calls: after(ctx, &base.info.call)?,
        conflicts,
        head_rule: rule,
        approved: String::new(),
    })
}

/// The calls that began after this one, oldest first.
fn after(ctx: &Ctx, call: &str) -> Result<Vec<String>, Trouble> {
    let known = known::run_of(ctx, call, Kind::Call)?;
    let heads = known.journal.heads().map_err(|fault| trouble::of_query(&fault.into()))?;
    let later = heads.iter().skip_while(|head| head.run != known.head.run).skip(1);
    let calls = later.filter(|head| head.machine == Kind::Call.name());
    Ok(calls.map(|head| head.run.clone()).collect())
}

fn planned(ctx: &Ctx, args: &RollbackArgs) -> Result<Plan, Trouble> {
    let root = ctx.root()?.path;
    let calls = root.join(runtime::workspace::DIR_NAME).join("calls");
    let wanted = args.wanted(&RandomIds.new_id("rb-", now()), Path::new(&calls));
    let ground = Ground::open(&root).map_err(|why| desk::io(".", &why))?;
    let keeper = keeper(ctx)?;
    let gathered = gather(&keeper, &ground, &wanted).map_err(|why| of(&Misfit::from(&why)))?;
    Ok(gathered.plan)
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
