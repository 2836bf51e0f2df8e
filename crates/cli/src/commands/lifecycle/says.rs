//! What a person says to a lifecycle, bound to what it shows now and answered with the run as it
//! stands then.

use edge::asked::CONFIRM;
use edge::door::LifecycleSay;
use journal::Journal as _;
use kernel::lifecycle::{Life, Phase, Plan, Scope};
use kernel::run::Kind;
use runtime::lifecycles;
use runtime::query;

use super::super::collab::duration_ms;
use super::super::known;
use super::feed::Feed;
use super::verbs::{Named, Reach, Steer};
use super::{follow, reads, which};
use crate::asked::{self, Say};
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::live::People;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// Whether the end is waited for.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Go {
    /// Wait for the end.
    #[arg(long)]
    pub wait: bool,
    /// Ask nothing on the terminal.
    #[arg(long)]
    pub headless: bool,
}

/// Help for a blocked run.
#[derive(Debug, clap::Args)]
pub struct FixArgs {
    #[command(flatten)]
    steer: Steer,
    /// What to do.
    #[arg(short, long, value_name = "TEXT", required_unless_present = "fixed")]
    message: Option<String>,
    /// It is fixed.
    #[arg(long, conflicts_with = "message")]
    fixed: bool,
    /// Turns that may be spent besides.
    #[arg(long, value_name = "N")]
    add_turns: Option<u32>,
    /// Time that may be spent besides.
    #[arg(long, value_name = "DURATION")]
    add_wall: Option<String>,
    /// Money that may be spent besides.
    #[arg(long, value_name = "USD")]
    add_cost_usd: Option<String>,
    /// The definition of a check that is accepted.
    #[arg(long, value_name = "HASH")]
    accept_definition: Option<String>,
}

/// Says it to the run that is meant.
pub fn say(ctx: &Ctx, steer: &Steer, say: LifecycleSay) -> Result<Reply, Trouble> {
    let run = which::run(ctx, steer.run.as_deref())?.head.run;
    said(ctx, &run, say, steer.go)
}

/// Says it, then shows or follows the run.
pub fn said(ctx: &Ctx, run: &str, say: LifecycleSay, go: Go) -> Result<Reply, Trouble> {
    let say = Say::Lifecycle(say);
    let told = Feed::read(known::run_of(ctx, run, Kind::Lifecycle)?)?.folded().seq;
    let mut desk = asked::desk_for(ctx, &say)?;
    asked::send(&mut desk, run, say)?;
    after(ctx, desk, (run, told), go)
}

/// The run as it stands, or as it ends; its story is told from where it was when it was spoken to.
pub fn after(ctx: &Ctx, desk: Desk, (run, told): (&str, u64), go: Go) -> Result<Reply, Trouble> {
    if go.wait {
        let known = known::run_of(ctx, run, Kind::Lifecycle)?;
        return follow::follow(ctx, Some(desk), (known, told), People::of(go.headless));
    }
    reads::status(ctx, Some(run))
}

/// Says yes to exactly the plan that is shown. A yes to an older one is none.
pub fn confirm(ctx: &Ctx, question: Option<&str>, scope: Reach, go: Go) -> Result<Reply, Trouble> {
    let (named, slot) = match question.and_then(|id| id.split_once('/')) {
        Some((run, slot)) => (Some(run), Some(slot.to_owned())),
        None => (question, None),
    };
    let feed = Feed::read(which::run(ctx, named)?)?;
    let run = feed.known.head.run.clone();
    let open = query::of_run(&run, &feed.folded().state);
    let shown = open.iter().find(|open| open.question.kind == CONFIRM);
    let now = shown.map(|open| open.slot.clone()).unwrap_or_default();
    let hash = shown.and_then(|open| open.question.hash.clone()).unwrap_or_default();
    let scope = match scope {
        Reach::Plan => Scope::Plan,
        Reach::Session => Scope::Session,
    };
    let question = slot.unwrap_or(now);
    let say = Say::Lifecycle(LifecycleSay::Confirm { question, hash, scope });
    let mut desk = asked::desk_for(ctx, &say)?;
    asked::send(&mut desk, &run, say)?;
    if let Some(Phase::Confirming(now)) = feed.state().life().map(|life| &life.phase) {
        granted(ctx, &feed, &now.plan)?;
    }
    after(ctx, desk, (&run, feed.folded().seq), go)
}

/// Tells of the grant that a yes gave for longer than its run.
fn granted(ctx: &Ctx, feed: &Feed, plan: &Plan) -> Result<(), Trouble> {
    let id = lifecycles::grant_of(&feed.known.head.run, plan.revision);
    let given = feed.known.journal.head(&id).map_err(|fault| trouble::of_query(&fault.into()))?;
    let (Some(_), Some(path)) = (given, &plan.path) else { return Ok(()) };
    let from = match path.strip_suffix("/tasks.md") {
        Some(package) => format!("--package {package}"),
        None => format!("--prd {path}"),
    };
    out::notice(&ctx.tell("lifecycle-granted", &[("id", &id), ("from", &from)]));
    Ok(())
}

/// Ends it by the command that its state has for that, and says which.
pub fn cancel(ctx: &Ctx, steer: &Steer) -> Result<Reply, Trouble> {
    let feed = Feed::read(which::run(ctx, steer.run.as_deref())?)?;
    let works = |life: &Life| match &life.phase {
        Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) => true,
        Phase::Idle(_) | Phase::Planning(_) | Phase::Confirming(_) | Phase::Archiving(_) => false,
    };
    let (say, word) = match feed.state().life().is_some_and(works) {
        true => (LifecycleSay::Abort { reason: None }, "USER_ABORT"),
        false => (LifecycleSay::Cancel, "USER_CANCEL"),
    };
    let run = feed.known.head.run;
    out::notice(&ctx.tell("lifecycle-cancels", &[("id", &run), ("command", &word)]));
    said(ctx, &run, say, steer.go)
}

/// Holds it.
pub fn pause(ctx: &Ctx, named: &Named, now: bool) -> Result<Reply, Trouble> {
    let steer = Steer { run: named.run.clone(), go: Go { wait: false, headless: false } };
    say(ctx, &steer, LifecycleSay::Pause { now })
}

/// Gives advice, or says that it is fixed.
pub fn fix(ctx: &Ctx, args: &FixArgs) -> Result<Reply, Trouble> {
    let wall = args.add_wall.as_deref().map(|text| duration_ms("--add-wall", text)).transpose()?;
    let micros = |text: &String| {
        runtime::config::micros(text)
            .ok_or_else(|| trouble::bad_value("--add-cost-usd", text, &["2.50"]))
    };
    let cost = args.add_cost_usd.as_ref().map(micros).transpose()?;
    let add_budget = edge::lifecycles::added(args.add_turns, wall, cost);
    let say_it = LifecycleSay::Fix {
        text: args.message.clone(),
        add_budget,
        accept_definition: args.accept_definition.clone(),
    };
    say(ctx, &args.steer, say_it)
}

/// Says how a task stands: a claim, which the engine checks.
pub fn update(
    ctx: &Ctx,
    steer: &Steer,
    (task, status): (&str, &str),
    summary: Option<String>,
) -> Result<Reply, Trouble> {
    say(ctx, steer, edge::lifecycles::update(task.to_owned(), status, summary)?)
}
