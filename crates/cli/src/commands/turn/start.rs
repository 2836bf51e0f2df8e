//! `turn start` and `turn continue`: from the words of a command line to a form; the engine makes
//! the start of it.

use std::path::PathBuf;

use edge::door::{Ask, TurnSay};
use edge::problem::Place;
use kernel::run::Kind;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::turns::Form;

use super::super::collab::{duration_ms, now, task_text};
use super::super::known;
use super::{check, follow, shown};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// A request.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What is wanted; `-` reads it from standard input.
    #[arg(value_name = "TEXT", required_unless_present = "plan")]
    text: Option<String>,
    /// A plan file.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// What holds whatever the plan says.
    #[arg(long = "constraint", value_name = "TEXT")]
    constraint: Vec<String>,
    /// What it may do.
    #[arg(long, value_name = "MODE", value_parser = ["write", "analysis", "plan"])]
    mode: Option<String>,
    /// The most that may be risked.
    #[arg(long, value_name = "RISK", value_parser = ["low", "medium", "high"])]
    risk_max: Option<String>,
    /// Who plans.
    #[arg(long, value_name = "AGENT")]
    planner: Option<String>,
    /// Who works, in order.
    #[arg(long = "agent", value_name = "AGENT")]
    agent: Vec<String>,
    /// A check of the result.
    #[arg(long, value_name = "COMMAND")]
    verify: Vec<String>,
    /// Which checks.
    #[arg(long, value_name = "MODE", value_parser = ["none", "lint", "test", "build", "custom"])]
    verify_mode: Option<String>,
    /// Repairs at most.
    #[arg(long, value_name = "N")]
    fixes: Option<u32>,
    /// New plans at most.
    #[arg(long, value_name = "N")]
    replans: Option<u32>,
    /// Active time at most.
    #[arg(long, value_name = "DURATION")]
    deadline: Option<String>,
    /// Cost at most.
    #[arg(long, value_name = "USD")]
    budget_usd: Option<String>,
    /// What becomes of the change in git.
    #[arg(long, value_name = "HOW", value_parser = ["off", "message", "commit"])]
    git: Option<String>,
    /// What a step that is given up does to the rest.
    #[arg(long, value_name = "WHAT", value_parser = ["stop", "continue"])]
    on_failure: Option<String>,
    /// Wait for the end, as is done unless said otherwise.
    #[arg(long, overrides_with = "no_wait")]
    wait: bool,
    /// Do not wait for the end.
    #[arg(long, overrides_with = "wait")]
    no_wait: bool,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// Whether the end is waited for, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    No,
    For(People),
}

impl Wait {
    /// As the flags say.
    pub fn of(no_wait: bool, headless: bool) -> Self {
        if no_wait {
            return Self::No;
        }
        Self::For(People::of(headless))
    }
}

/// Starts it, and follows it unless told not to.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let form = Box::new(form(ctx, args)?);
    begin(ctx, TurnSay::Start { form }, Wait::of(args.no_wait && !args.wait, args.headless))
}

/// Goes on from one that is over, as a new turn.
pub fn go_on(ctx: &Ctx, id: &str, wait: Wait) -> Result<Reply, Trouble> {
    let turn = known::run_of(ctx, id, Kind::Turn)?.head.run;
    begin(ctx, TurnSay::Continue { turn }, wait)
}

fn begin(ctx: &Ctx, say: TurnSay, wait: Wait) -> Result<Reply, Trouble> {
    let mut desk = desk::open(ctx)?;
    let id = RandomIds.new_id("turn-", now());
    let trace = desk.trace();
    // A turn that was refused was never made, so it is no place to look at.
    desk.take(&Ask::Turn { run: id.clone(), trace, say })
        .map_err(|trouble| trouble.at(Place::default()))?;
    match wait {
        Wait::No => shown::show(ctx, &id),
        Wait::For(people) => follow::follow(ctx, Some(desk), &id, people),
    }
}

fn form(ctx: &Ctx, args: &Args) -> Result<Form, Trouble> {
    let agents = Some(args.agent.clone()).filter(|names| !names.is_empty());
    let given = check::With::checks(&args.verify, args.verify_mode.as_deref());
    let with = check::With { agents: agents.clone(), given };
    let plan = args.plan.as_deref().map(|path| check::found(ctx, path, &with)).transpose()?;
    let micros = |text: &String| {
        runtime::config::micros(text)
            .ok_or_else(|| trouble::bad_value("--budget-usd", text, &["2.50"]))
    };
    let deadline = args.deadline.as_deref().map(|text| duration_ms("--deadline", text));
    Ok(Form {
        request: args.text.as_deref().map(task_text).transpose()?.unwrap_or_default(),
        constraints: args.constraint.clone(),
        mode: args.mode.clone(),
        plan,
        risk_max: args.risk_max.clone(),
        planner: args.planner.clone(),
        agents,
        verify: args.verify.clone(),
        verify_mode: args.verify_mode.clone(),
        fixes: args.fixes,
        replans: args.replans,
        deadline_ms: deadline.transpose()?,
        budget_micros: args.budget_usd.as_ref().map(micros).transpose()?,
        git: args.git.clone(),
        on_failure: args.on_failure.clone(),
        lang: Some(ctx.lang.tag().to_owned()),
        ..Form::default()
    })
}
