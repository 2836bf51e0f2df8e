//! `loop task`: the one task list of a loop. A task's command line is granted by the person who
//! types it here while the loop runs, and is told so.

use edge::door::{LoopSay, TaskForm, TaskFormPatch};
use kernel::loops::Run;
use runtime::tasks;
use serde_json::{Value, json};

use super::forms;
use super::said::{find, over};
use super::show;
use crate::commands::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;
use crate::{desk, table};

/// A task's fields, as flags.
#[derive(Debug, Clone, clap::Args)]
pub struct Fields {
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    #[arg(long, value_name = "COMMAND LINE")]
    command: Option<String>,
    #[arg(long, value_name = "WHAT")]
    on_error: Option<String>,
}

/// What to do with tasks.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    Add {
        #[arg(value_name = "LOOP")]
        id: String,
        #[arg(value_name = "TEXT", required_unless_present = "command")]
        description: Option<String>,
        #[command(flatten)]
        fields: Fields,
        #[arg(long)]
        first: bool,
    },
    List {
        #[arg(value_name = "LOOP")]
        id: String,
    },
    Edit {
        #[arg(value_name = "LOOP")]
        id: String,
        #[arg(value_name = "TASK")]
        task: String,
        #[arg(long, value_name = "TEXT", required_unless_present_any =
              ["tool", "mode", "prompt", "command", "on_error"])]
        description: Option<String>,
        #[command(flatten)]
        fields: Fields,
    },
    Rm {
        #[arg(value_name = "LOOP")]
        id: String,
        #[arg(value_name = "TASK")]
        task: String,
    },
    Reorder {
        #[arg(value_name = "LOOP")]
        id: String,
        #[arg(value_name = "TASK", required = true)]
        tasks: Vec<String>,
    },
    Requeue {
        #[arg(value_name = "LOOP")]
        id: String,
        #[arg(value_name = "TASK")]
        task: String,
    },
}

/// Does it.
///
/// # Errors
/// An unknown loop or task, a refusal, or that no engine answers.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Add { id, description, fields, first } => {
            add(ctx, id, description.as_deref(), fields, *first)
        }
        Verb::List { id } => list(ctx, id),
        Verb::Edit { id, task, description, fields } => {
            let patch = TaskFormPatch {
                description: description.clone(),
                tool: fields.tool.clone(),
                mode: fields.mode.clone(),
                prompt_template: fields.prompt.clone(),
                command: fields.command.clone(),
                on_error: fields.on_error.clone(),
            };
            change(ctx, id, LoopSay::EditTask { task: task.clone(), patch })
        }
        Verb::Rm { id, task } => change(ctx, id, LoopSay::RemoveTask { task: task.clone() }),
        Verb::Reorder { id, tasks } => {
            change(ctx, id, LoopSay::ReorderTasks { tasks: tasks.clone() })
        }
        Verb::Requeue { id, task } => change(ctx, id, LoopSay::RequeueTask { task: task.clone() }),
    }
}

fn add(
    ctx: &Ctx,
    id: &str,
    description: Option<&str>,
    fields: &Fields,
    first: bool,
) -> Result<Reply, Trouble> {
    let task = match (description, &fields.command) {
        (None, Some(line)) => {
            TaskForm { on_error: fields.on_error.clone(), ..forms::of_line(line) }
        }
        (description, command) => TaskForm {
            description: description.unwrap_or_default().to_owned(),
            tool: fields.tool.clone(),
            mode: fields.mode.clone(),
            prompt_template: fields.prompt.clone(),
            command: command.clone(),
            on_error: fields.on_error.clone(),
        },
    };
    let line = task.command.clone();
    let mut reply = change(ctx, id, LoopSay::AddTask { task, first })?;
    if let Some(line) = line.filter(|line| matches!(tasks::split_command(line), Ok(Run::Argv(_)))) {
        let granted = ctx.tell("lc-grant-task", &[("command", &line)]);
        reply.text = format!("{}\n  {granted}\n{}", ctx.say("lc-grants"), reply.text);
    }
    Ok(reply)
}

fn change(ctx: &Ctx, id: &str, command: LoopSay) -> Result<Reply, Trouble> {
    let known = find(ctx, id)?;
    let says = vec![command];
    over(&mut desk::for_says(ctx, &says)?, &known.head.run, says)?;
    list(ctx, &known.head.run)
}

/// The tasks by order.
fn list(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let known = find(ctx, id)?;
    let life = show::life(&known)?;
    let tasks = edge::loops::tasks(&life);
    let data = json!({ "loop_id": known.head.run, "tasks": tasks, "total": tasks.len() });
    known::redacted(ctx, &data, |data| {
        let all = data["tasks"].as_array().into_iter().flatten();
        let rows: Vec<Vec<String>> = all.map(cells).collect();
        if rows.is_empty() {
            return ctx.say("lc-no-tasks");
        }
        table::draw(&ctx.heading(["task", "tool", "status", "description"]), &rows)
    })
}

fn cells(task: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let what = if task["command"].is_null() { &task["description"] } else { &task["command"] };
    vec![text(&task["ext"]["id"]), text(&task["tool"]), text(&task["ext"]["status"]), text(what)]
}
