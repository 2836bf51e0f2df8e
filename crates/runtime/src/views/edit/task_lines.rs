//! An edit of `{id}.tasks.jsonl`, compared by `task_id`. A line that can't be read refuses only
//! itself; and while one can't be read, no task counts as removed, for it may be that one.

use kernel::loops::{Command, Place};
use serde_json::Value;

use super::super::notice::{Owner, Reason};
use super::alike::{Moved, Sides};
use super::scratch::Scratch;
use super::tasks::{known, order_changed};
use super::told::{Outcome, Told};
use crate::tasks::{Form, Patch, new_task, patch};

/// Fields that an author may change.
const FIELDS: [&str; 6] = ["description", "tool", "mode", "prompt_template", "command", "on_error"];

/// One line that is an object, and its number.
struct Row {
    line: usize,
    value: Value,
}

/// Decides an edit of the task lines.
pub(in super::super) fn task_lines(
    base: &str,
    edit: &str,
    now: &str,
    scratch: &mut Scratch,
) -> Outcome {
    let mut outcome = Outcome::default();
    let (base, _) = rows(base);
    let (mut edit, bad) = rows(edit);
    let (now, _) = rows(now);
    if edit.is_empty() && !base.is_empty() {
        return Outcome::whole("$", Reason::Invalid, Owner::Control);
    }
    for line in &bad {
        refuse(&mut outcome, scratch, &format!("line {line}"), Reason::Invalid);
    }
    edit = without_repeats(edit, scratch, &mut outcome);
    let mut told = Told::new(None);
    for row in &edit {
        let path = format!("line {}", row.line);
        let tried = match find(&base, id_of(row)) {
            Some(base) => changed(base, row, find(&now, id_of(row)), scratch, &mut told),
            None => added(row, scratch, &mut told),
        };
        if let Err((field, reason)) = tried {
            refuse(&mut outcome, scratch, &format!("{path}{field}"), reason);
        }
    }
    if bad.is_empty() {
        removed(&base, &edit, &now, scratch, &mut told, &mut outcome);
    }
    reordered(&base, &edit, scratch, &mut told, &mut outcome);
    outcome.wishes = told.wishes();
    outcome
}

fn refuse(outcome: &mut Outcome, scratch: &Scratch, path: &str, reason: Reason) {
    let command = format!("loopwright loop task list {}", scratch.id());
    outcome.refuse(path, reason, Owner::Control, command);
}

/// The lines that are objects, and the numbers of those that are not. Empty lines are nothing.
fn rows(text: &str) -> (Vec<Row>, Vec<usize>) {
    let (mut rows, mut bad) = (Vec::new(), Vec::new());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() => rows.push(Row { line: index + 1, value }),
            Ok(_) | Err(_) => bad.push(index + 1),
        }
    }
    (rows, bad)
}

fn id_of(row: &Row) -> &str {
    row.value["task_id"].as_str().unwrap_or_default()
}

fn find<'a>(rows: &'a [Row], id: &str) -> Option<&'a Value> {
    rows.iter().find(|row| !id.is_empty() && id_of(row) == id).map(|row| &row.value)
}

fn without_repeats(edit: Vec<Row>, scratch: &Scratch, outcome: &mut Outcome) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::new();
    for row in edit {
        if find(&kept, id_of(&row)).is_some() {
            refuse(outcome, scratch, &format!("line {}", row.line), Reason::Invalid);
        } else {
            kept.push(row);
        }
    }
    kept
}

/// A path below the line, and why not.
type Tried = Result<(), (String, Reason)>;

fn whole(reason: Reason) -> (String, Reason) {
    (String::new(), reason)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn added(row: &Row, scratch: &mut Scratch, told: &mut Told) -> Tried {
    let form: Form =
        serde_json::from_value(row.value.clone()).map_err(|_| whole(Reason::Invalid))?;
    let id = match id_of(row) {
        "" => scratch.task_id(&row.value.to_string()),
        given => given.to_owned(),
    };
    // The same edit, looked at again after a crash.
    if scratch.body().is_some_and(|body| body.task(&id).is_some()) {
        return Ok(());
    }
    let task = new_task(form, id, &scratch.tools)
        .map_err(|error| (format!(".{}", error.field), Reason::Invalid))?;
    told.command(scratch, Command::AddTask { task, place: Place::Last }).map_err(whole)
}

fn changed(
    base: &Value,
    row: &Row,
    now: Option<&Value>,
    scratch: &mut Scratch,
    told: &mut Told,
) -> Tried {
    let edit = &row.value;
    let mut form = Patch::default();
    for key in FIELDS {
        let now = now.map_or(&Value::Null, |now| &now[key]);
        match (Sides { base: &base[key], edit: &edit[key], now }).moved() {
            Moved::Same => {}
            Moved::Both => return Err((format!(".{key}"), Reason::Conflict)),
            Moved::Changed => {
                let value = Some(text(&edit[key]).unwrap_or_default());
                match key {
                    "description" => form.description = value,
                    "tool" => form.tool = value,
                    "mode" => form.mode = value,
                    "prompt_template" => form.prompt_template = value,
                    "command" => form.command = value,
                    _ => form.on_error = value,
                }
            }
        }
    }
    if form == Patch::default() {
        return Ok(());
    }
    if now.is_none() {
        return Err(whole(Reason::Conflict));
    }
    let patch = patch(form, &scratch.tools)
        .map_err(|error| (format!(".{}", error.field), Reason::Invalid))?;
    let task = id_of(row).to_owned();
    told.command(scratch, Command::EditTask { task, patch }).map_err(whole)
}

fn removed(
    base: &[Row],
    edit: &[Row],
    now: &[Row],
    scratch: &mut Scratch,
    told: &mut Told,
    outcome: &mut Outcome,
) {
    for row in base {
        let id = id_of(row);
        if find(edit, id).is_some() || find(now, id).is_none() {
            continue;
        }
        let tried = told.command(scratch, Command::RemoveTask { task: id.to_owned() });
        if let Err(reason) = tried {
            refuse(outcome, scratch, id, reason);
        }
    }
}

/// The order of lines counts; if it is as it was, the numbers do.
fn reordered(
    base: &[Row],
    edit: &[Row],
    scratch: &mut Scratch,
    told: &mut Told,
    outcome: &mut Outcome,
) {
    let ids = |rows: &'_ [Row]| -> Vec<String> { rows.iter().map(|r| id_of(r).into()).collect() };
    let (was, mut is) = (ids(base), ids(edit));
    if !order_changed(&refs(&was), &refs(&is)) {
        let mut sorted: Vec<&Row> = edit.iter().collect();
        sorted.sort_by_key(|row| row.value["order"].as_u64().unwrap_or(u64::MAX));
        is = sorted.into_iter().map(|row| id_of(row).to_owned()).collect();
    }
    if !order_changed(&refs(&was), &refs(&is)) {
        return;
    }
    let tasks = known(scratch, &refs(&is));
    if let Err(reason) = told.command(scratch, Command::ReorderTasks { tasks }) {
        refuse(outcome, scratch, "order", reason);
    }
}

fn refs(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}
