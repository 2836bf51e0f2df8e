//! Tasks as they come from the command line and from a file, in the form the door takes. A file's
//! broken line is named and left out; the file is never changed.

use std::path::{Path, PathBuf};

use edge::door::TaskForm;
use edge::problem;
use kernel::errors::Class;
use kernel::machine::At;
use runtime::clock::Clock;
use runtime::tasks::{self, LineError, Tools};
use serde_json::json;

use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};
use crate::{desk, out};

/// Tasks given with a new loop.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct TaskArgs {
    /// A command line that is a task.
    #[arg(long = "task", value_name = "COMMAND LINE")]
    pub task: Vec<String>,
    /// A file of tasks, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub tasks: Option<PathBuf>,
}

/// The tasks of a file, then those of the command line.
///
/// # Errors
/// A file that cannot be read or holds no task.
pub fn forms(ctx: &Ctx, args: &TaskArgs) -> Result<Vec<TaskForm>, Trouble> {
    let mut all = match &args.tasks {
        Some(file) => of_file(ctx, file)?,
        None => Vec::new(),
    };
    all.extend(args.task.iter().map(|line| of_line(line)));
    Ok(all)
}

/// A command line as a task: its description is the line itself.
pub fn of_line(line: &str) -> TaskForm {
    TaskForm {
        description: line.to_owned(),
        tool: Some("bash".to_owned()),
        command: Some(line.to_owned()),
        ..TaskForm::default()
    }
}

fn of_file(ctx: &Ctx, file: &Path) -> Result<Vec<TaskForm>, Trouble> {
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|why| desk::io(&name, &why))?;
    let tools = Tools::of(&ctx.settings()?.settings);
    let now = Clock::start(At(0)).now();
    let text = String::from_utf8_lossy(&bytes);
    let (tasks, broken) = tasks::read_jsonl(&text, &tools, now);
    let warn = |text: &str| out::notice(&problem::warning(ctx.lang, "E_INVALID_ARGS", text));
    for line in &broken {
        warn(&told(ctx, &name, line));
    }
    for (line, field) in tasks::unknown_fields(&text) {
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("file", &name), ("line", &line), ("field", &field)];
        warn(&ctx.tell("lc-unknown-field", &args));
    }
    if tasks.is_empty() {
        let details = json!({ "kind": "no_tasks", "path": name });
        return Err(trouble::class(Class::InvalidArgs, details));
    }
    let form = |task: kernel::loops::NewTask| TaskForm {
        description: task.description,
        tool: Some(task.tool),
        mode: Some(task.mode.word().to_owned()),
        prompt_template: task.prompt_template,
        command: task.command,
        on_error: task.on_error.map(|what| what.word().to_owned()),
    };
    Ok(tasks.into_iter().map(form).collect())
}

fn told(ctx: &Ctx, file: &str, broken: &LineError) -> String {
    ctx.tell(
        "lc-broken-line",
        &[
            ("file", &file),
            ("line", &broken.line),
            ("field", &broken.field),
            ("expected", &broken.expected),
        ],
    )
}
