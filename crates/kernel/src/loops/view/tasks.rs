//! The control side's task lines: the same list as in the document, one object a line.

use alloc::string::String;

use serde::Serialize;

use super::super::state::Life;
use super::super::task::Task;
use super::time::rfc3339;

#[derive(Serialize)]
struct Line<'a> {
    task_id: &'a str,
    description: &'a str,
    tool: &'a str,
    mode: &'static str,
    prompt_template: &'a str,
    order: usize,
    created_at: String,
    updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_error: Option<&'static str>,
    ext: Ext<'a>,
}

#[derive(Serialize)]
struct Ext<'a> {
    id: &'a str,
    status: &'static str,
}

/// The bytes of `.loop/{id}.tasks.jsonl`, by order, LF after each line.
#[must_use]
pub fn tasks_jsonl(life: &Life) -> String {
    let mut text = String::new();
    for (order, task) in life.body.tasks.iter().enumerate() {
        text.push_str(&serde_json::to_string(&line(order, task)).unwrap_or_default());
        text.push('\n');
    }
    text
}

fn line(order: usize, task: &Task) -> Line<'_> {
    Line {
        task_id: &task.task_id,
        description: &task.description,
        tool: &task.tool,
        mode: task.mode.word(),
        prompt_template: task.prompt_template.as_deref().unwrap_or(&task.description),
        order,
        created_at: rfc3339(task.created_at),
        updated_at: rfc3339(task.updated_at),
        command: task.command.as_deref(),
        on_error: task.on_error.map(|on_error| on_error.word()),
        ext: Ext { id: &task.id, status: task.status.word() },
    }
}
