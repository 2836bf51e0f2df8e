//! `checkpoint create|list|show|diff|verify` and `rollback`: the tree kept as it is, and brought
//! back. Reading needs no engine; making and rolling back are calls.

use edge::door::ToolForm;
use journal::Journal as _;
use kernel::errors::Exit;
use kernel::rollback::{HeadRule, Plan};
use kernel::run::Kind;
use runtime::checkpoints::{Ground, Health, Keeper, Keeping, Listed};
use runtime::config;
use runtime::engine::Ids as _;
use runtime::hands::RollbackArgs;
use runtime::ids::RandomIds;
use runtime::query;
use runtime::rollback::gather;
use runtime::tools::Misfit;
use runtime::workspace::DIR_NAME;
use serde_json::{Value, json};

use super::collab::now;
use super::{known, tool};
use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
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

/// A misfit as it is told.
pub fn of(misfit: &Misfit) -> Trouble {
    Trouble::new(misfit.code, misfit.details.clone())
}

/// The keeper of this workspace, as its settings say.
///
/// # Errors
/// When this can be no workspace, its state is not ours, or its settings are wrong.
pub fn keeper(ctx: &Ctx) -> Result<Keeper, Trouble> {
    // Checkpoints that came with a clone are read no more than anything else of its state.
    ctx.state_dir()?;
    let root = ctx.root()?.path;
    let keeping = Keeping::of(&ctx.settings()?.settings);
    Ok(Keeper::of_workspace(&root, &root.join(DIR_NAME), &keeping))
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
    let rows: Vec<Vec<String>> =
        all.iter().map(|(name, found)| vec![name.clone(), health(found)]).collect();
    let text = table::draw(&ctx.heading(["checkpoint", "state"]), &rows);
    let told = |(name, found): &(String, Health)| json!({ "name": name, "state": found });
    let reply = Reply::new(all.iter().map(told).collect(), text);
    Ok(if damaged { reply.ended(Exit::FAILED, "damaged") } else { reply })
}

/// Plans a rollback, shows it, and carries it out once somebody approves that very plan.
///
/// # Errors
/// No such checkpoint, another commit checked out, a plan that changed, or that no engine answers.
pub fn rollback(ctx: &Ctx, form: &RollbackForm) -> Result<Reply, Trouble> {
    let keeper = keeper(ctx)?;
    let mut args = wanted(ctx, form, &keeper)?;
    let plan = planned(ctx, &args, &keeper)?;
    let shown = shown(ctx, &plan);
    // Without anything to do there is nothing to approve either.
    if form.dry_run || (plan.actions.is_empty() && form.approve.is_none()) {
        return Ok(Reply::new(json!(plan), shown));
    }
    args.approved = match &form.approve {
        Some(hash) => hash.clone(),
        None => {
            if People::here() == People::Away || ctx.form == Form::Json {
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
    asked(ctx, "rollback", json!(args))
}

/// The way back to a checkpoint, only shown; without a name to the newest one.
///
/// # Errors
/// No such checkpoint, or another commit checked out.
pub fn dry_run(ctx: &Ctx, to: Option<String>) -> Result<Reply, Trouble> {
    let form =
        RollbackForm { to, dry_run: true, conflicts: None, allow_moved_head: false, approve: None };
    rollback(ctx, &form)
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
    let plan = planned(ctx, &args, &keeper(ctx).ok()?).ok()?;
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

fn wanted(ctx: &Ctx, form: &RollbackForm, keeper: &Keeper) -> Result<RollbackArgs, Trouble> {
    let conflicts = match &form.conflicts {
        None => ctx.settings()?.settings.rollback.conflicts,
        Some(word) => config::conflicts(word)
            .ok_or_else(|| trouble::bad_value("--conflicts", word, &["aside", "keep"]))?,
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

fn planned(ctx: &Ctx, args: &RollbackArgs, keeper: &Keeper) -> Result<Plan, Trouble> {
    let root = ctx.root()?.path;
    let calls = root.join(DIR_NAME).join("calls");
    let wanted = args.wanted(&RandomIds.new_id("rb-", now()), &calls);
    let ground = Ground::open(&root).map_err(|why| desk::io(".", &why))?;
    let gathered = gather(keeper, &ground, &wanted).map_err(|why| of(&Misfit::from(&why)))?;
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
