//! Every bound of a loop with its reason, and the checks of outside words against them. It decides
//! nothing about states.

use alloc::format;
use alloc::string::String;

use super::command::{NewTask, TaskPatch};
use super::refusal::{Refusal, Wrong};
use super::task::Run;

/// A title is one line of a list.
pub const TITLE_MAX: usize = 100;
/// Characters of a description: a page, not a book, since every view repeats it.
pub const DESCRIPTION_MAX: usize = 10_000;
/// Tasks of one loop; every view redraws all of them.
pub const TASKS_MAX: usize = 500;
/// Tasks that one breakdown may give; more is not a breakdown but noise.
pub const BREAKDOWN_MAX: usize = 20;
/// Hypotheses of one debug round; more than can be told apart by one run.
pub const HYPOTHESES_PER_ROUND: usize = 5;
/// Test results kept in journal and view, failed first; the whole list stays with the call.
pub const RESULTS_KEPT: usize = 200;
/// Entries of `errors[]` kept and shown.
pub const ERRORS_VIEW: usize = 100;
/// Ended actions kept for pages and history.
pub const RECORDS_KEPT: usize = 200;
/// Names of failed tests kept of a validation that another one has replaced.
pub const FAILED_KEPT: usize = 20;
/// Runs whose debug lines can be looked up again.
pub const DEBUG_LOGS_KEPT: usize = 20;
/// Changed paths named per action.
pub const FILES_PER_ACTION: usize = 200;
/// Bytes of an action's summary.
pub const SUMMARY_MAX: usize = 2 * 1024;
/// Bytes of an error message.
pub const ERROR_MAX: usize = 4 * 1024;
/// Bytes of a stack trace.
pub const STACK_MAX: usize = 16 * 1024;
/// Missed seals before the loop says that the tree moves under it.
pub const SEAL_MISSES_MAX: u32 = 2;
/// Validations in a row during which the tree moved, before the loop says so.
pub const TREE_MOVES_MAX: u32 = 2;
/// How often an agent's unusable answer is asked for again.
pub const REASK_MAX: u32 = 1;
/// Characters of a loop id behind `loop-`, so that every view's file name fits a file system.
pub const ID_TAIL_MAX: usize = 128;

/// Endings that would make a loop's file look like another view of another loop.
const ID_ENDINGS: [&str; 4] = [".json", ".tasks", ".progress", ".workers"];

/// Whether an id can name a loop. No accepted id leads outside its directory: there is no
/// separator, no `..`, and no ending that is another view's.
#[must_use]
pub fn valid_id(id: &str) -> bool {
    let Some(tail) = id.strip_prefix("loop-") else { return false };
    let mut bytes = tail.bytes();
    let first = bytes.next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    first
        && tail.len() <= ID_TAIL_MAX
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
        && !tail.contains("..")
        && !ID_ENDINGS.iter().any(|ending| id.ends_with(ending))
}

/// The first `max` bytes, cut at a character's edge.
#[must_use]
pub fn cut(text: &str, max: usize) -> String {
    if text.len() <= max {
        return String::from(text);
    }
    let mut end = max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    String::from(&text[..end])
}

fn bad(field: &str, wrong: Wrong) -> Refusal {
    Refusal::InvalidArgs { field: String::from(field), wrong }
}

/// A loop's title: not blank, at most 100 characters.
pub(super) fn title(text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(bad("title", Wrong::Empty));
    }
    within("title", text, TITLE_MAX)
}

/// A loop's description; an omitted one is the title, so it is never blank.
pub(super) fn description(text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        return Err(bad("description", Wrong::Empty));
    }
    within("description", text, DESCRIPTION_MAX)
}

/// A bound of counted actions.
pub(super) fn max_iterations(value: u32, least: u32, ceiling: u32) -> Result<(), Refusal> {
    if value < least.max(1) || value > ceiling {
        let wrong = Wrong::Range { least: least.max(1), most: ceiling };
        return Err(bad("max_iterations", wrong));
    }
    Ok(())
}

fn within(field: &str, text: &str, max: usize) -> Result<(), Refusal> {
    if text.chars().count() > max {
        return Err(bad(field, Wrong::TooLong { max }));
    }
    Ok(())
}

/// A new task's words.
pub(super) fn new_task(task: &NewTask) -> Result<(), Refusal> {
    description(&task.description)?;
    tool(&task.tool)?;
    template(task.prompt_template.as_deref())?;
    if task.task_id.is_empty() {
        return Err(bad("task_id", Wrong::Empty));
    }
    match (task.tool.as_str(), &task.command, &task.run) {
        ("bash", Some(text), Some(run)) => command(text, run),
        ("bash", None, _) | ("bash", _, None) => Err(bad("command", Wrong::Empty)),
        (_, _, _) => Ok(()),
    }
}

/// A changed task's words.
pub(super) fn patch(patch: &TaskPatch) -> Result<(), Refusal> {
    if let Some(text) = &patch.description {
        description(text)?;
    }
    if let Some(name) = &patch.tool {
        tool(name)?;
    }
    if let Some(text) = &patch.prompt_template {
        template(text.as_deref())?;
    }
    match &patch.command {
        Some(Some((text, run))) => command(text, run),
        Some(None) | None => Ok(()),
    }
}

fn tool(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(bad("tool", Wrong::Empty));
    }
    within("tool", name, TITLE_MAX)
}

fn template(text: Option<&str>) -> Result<(), Refusal> {
    match text {
        Some(text) if text.trim().is_empty() => Err(bad("prompt_template", Wrong::Empty)),
        Some(text) => within("prompt_template", text, DESCRIPTION_MAX),
        None => Ok(()),
    }
}

fn command(text: &str, run: &Run) -> Result<(), Refusal> {
    let empty = match run {
        Run::Argv(words) => words.first().is_none_or(|program| program.is_empty()),
        Run::Script(script) => script.trim().is_empty(),
    };
    if empty || text.trim().is_empty() {
        return Err(bad("command", Wrong::Empty));
    }
    within("command", text, DESCRIPTION_MAX)
}

/// The id of a task that the loop makes itself. The kernel makes no random ids: the eight digits
/// are taken from what makes this task one of a kind.
pub(super) fn own_task_id(loop_id: &str, task: &str, at_ms: u64) -> String {
    let digest = crate::hash::sha256_hex(format!("{loop_id}/{task}").as_bytes());
    format!("task-{at_ms}-{}", &digest[..8])
}
