//! `loop run` and `loop create`: a new loop with its tasks, in one batch. If any part is refused,
//! nothing of it stays.

use edge::door::{LoopSay, TaskForm};
use edge::loops;
use kernel::errors::Class;
use kernel::loops::{TITLE_MAX, valid_id};
use serde_json::json;

use super::forms::{self, TaskArgs};
use super::said::{self, over};
use super::show;
use super::start::{self, Going};
use super::verbs::{FollowFlags, ModeFlags};
use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::live::People;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// `loop run`
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// What is to be done.
    #[arg(value_name = "TASK", conflicts_with = "loop_id")]
    pub task_text: Option<String>,
    #[command(flatten)]
    mode: ModeFlags,
    #[arg(long, value_name = "N", conflicts_with = "loop_id")]
    max_iterations: Option<u32>,
    #[command(flatten)]
    tasks: TaskArgs,
    /// A loop that is there already.
    #[arg(long, value_name = "LOOP")]
    loop_id: Option<String>,
    #[command(flatten)]
    follow: FollowFlags,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// `loop create`
#[derive(Debug, clap::Args)]
pub struct CreateArgs {
    #[arg(long, value_name = "TEXT")]
    title: String,
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    #[command(flatten)]
    tasks: TaskArgs,
}

/// Makes a loop, or takes one that is there; starts it and follows it.
///
/// # Errors
/// Neither a task nor a loop, a refusal, or that no engine answers.
pub fn run(ctx: &Ctx, args: &RunArgs) -> Result<Reply, Trouble> {
    let going = Going { mode: args.mode.word(), external: false, runner: None };
    match (&args.task_text, &args.loop_id) {
        (None, None) => Err(trouble::class(
            Class::InvalidArgs,
            json!({ "kind": "missing_task", "path": "TASK", "expected": ["TASK", "--loop-id"] }),
        )),
        (_, Some(id)) => {
            let known = said::find(ctx, id)?;
            let tasks = forms::forms(ctx, &args.tasks)?;
            let mut lines = start::pending(&known)?;
            lines.extend(tasks.iter().filter_map(|task| task.command.clone()));
            start::list(ctx, &lines)?;
            let says = adding(tasks).chain([going.say(ctx)]).collect();
            let mut desk = desk::open(ctx)?;
            over(&mut desk, &known.head.run, says)?;
            follow(ctx, args, desk, &known.head.run)
        }
        (Some(text), None) => {
            not_a_loop(ctx, text)?;
            let create = LoopSay::Create {
                title: text.chars().take(TITLE_MAX).collect(),
                description: Some(text.clone()),
                max_iterations: args.max_iterations,
            };
            let tasks = forms::forms(ctx, &args.tasks)?;
            let lines: Vec<String> = tasks.iter().filter_map(|t| t.command.clone()).collect();
            let mut desk = desk::open(ctx)?;
            start::list(ctx, &lines)?;
            let says = std::iter::once(create).chain(adding(tasks)).chain([going.say(ctx)]);
            let id = loops::make(&mut desk, says.collect())?;
            follow(ctx, args, desk, &id)
        }
    }
}

/// Whoever names a loop means that one: it is no description of another.
fn not_a_loop(ctx: &Ctx, text: &str) -> Result<(), Trouble> {
    if !valid_id(text) || said::find(ctx, text).is_err() {
        return Ok(());
    }
    let details = json!({ "kind": "known_loop", "path": "TASK", "asked": text,
        "expected": ["--loop-id"] });
    Err(trouble::class(Class::InvalidArgs, details))
}

fn follow(ctx: &Ctx, args: &RunArgs, desk: Desk, id: &str) -> Result<Reply, Trouble> {
    if args.follow.away() {
        return show::brief(ctx, id);
    }
    start::after(ctx, desk, id, People::of(args.headless))
}

/// Makes a loop and answers with it.
///
/// # Errors
/// A refusal, or that no engine answers.
pub fn create(ctx: &Ctx, args: &CreateArgs) -> Result<Reply, Trouble> {
    let create = LoopSay::Create {
        title: args.title.clone(),
        description: args.description.clone(),
        max_iterations: args.max_iterations,
    };
    let tasks = forms::forms(ctx, &args.tasks)?;
    let says = std::iter::once(create).chain(adding(tasks)).collect();
    let id = loops::make(&mut desk::open(ctx)?, says)?;
    show::brief(ctx, &id)
}

fn adding(tasks: Vec<TaskForm>) -> impl Iterator<Item = LoopSay> {
    tasks.into_iter().map(|task| LoopSay::AddTask { task, first: false })
}
