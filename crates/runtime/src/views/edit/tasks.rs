//! The tasks of an edited document, compared by id. New ones are taken from anyone; changes of
//! tasks that have begun, their order and their removal only from whoever drives.

use kernel::loops::{Change, Command};
use serde_json::Value;

use super::super::notice::Reason;
use super::alike::{Moved, Sides, alike};
use super::scratch::Scratch;
use super::skill::Desk;
use crate::tasks::{Form, Patch, new_task, patch};

const PATH: &str = "skill_state.develop.tasks";

/// Decides the changed tasks.
pub(super) fn tasks(desk: &mut Desk<'_>, sides: Sides<'_>) {
    if sides.moved() == Moved::Same {
        return;
    }
    let Some(list) = listed(desk, sides.edit) else {
        let reason = if desk.external { Reason::Invalid } else { Reason::EngineDrives };
        return desk.refuse(PATH, reason);
    };
    for (index, task) in list.iter().enumerate() {
        match task["id"].as_str() {
            None => desk.refuse(&format!("{PATH}[{index}]"), Reason::Invalid),
            Some(id) => match by_id(sides.base, id) {
                Some(base) => changed(desk, id, base, task, by_id(sides.now, id)),
                None => added(desk, id, task, sides.now),
            },
        }
    }
    let ids: Vec<&str> = list.iter().filter_map(|task| task["id"].as_str()).collect();
    removed(desk, sides, &ids);
    reordered(desk, sides, &ids);
}

fn listed<'a>(desk: &Desk<'_>, edit: &'a Value) -> Option<&'a [Value]> {
    match edit {
        Value::Array(all) => Some(all),
        // A skill's first state may leave the list out.
        Value::Null if desk.external => Some(&[]),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            None
        }
    }
}

pub(super) fn by_id<'a>(list: &'a Value, id: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|one| one["id"] == id)
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn added(desk: &mut Desk<'_>, id: &str, task: &Value, now: &Value) {
    let path = format!("{PATH}[{id}]");
    let task_id = desk.scratch.task_id(&format!("{id}\n{}", task["description"]));
    if taken(now, id, task, &task_id) {
        return;
    }
    let form = Form {
        description: text(&task["description"]).unwrap_or_default(),
        tool: text(&task["tool"]),
        mode: text(&task["mode"]),
        ..Form::default()
    };
    let Ok(new) = new_task(form, task_id.clone(), &desk.scratch.tools) else {
        return desk.refuse(&path, Reason::Invalid);
    };
    let tried = desk.told.change(desk.scratch, Change::TaskAdded(new));
    let fits = tried.is_ok();
    desk.tried(&path, tried);
    let status = task["status"].as_str().unwrap_or("pending");
    if fits && status != "pending" {
        let status = status_of(task_id, task);
        let tried = desk.told.then(desk.scratch, status);
        desk.tried(&format!("{path}.status"), tried);
    }
}

/// Whether the task is there already: under the id the loop gave it meanwhile, or under the id an
/// earlier look at the same edit gave it.
fn taken(now: &Value, id: &str, task: &Value, task_id: &str) -> bool {
    let same =
        by_id(now, id).is_some_and(|known| alike(&known["description"], &task["description"]));
    let again = now.as_array().into_iter().flatten().any(|one| one["ext"]["task_id"] == task_id);
    same || again
}

fn status_of(id: String, task: &Value) -> Change {
    let files = task["files_changed"].as_array().into_iter().flatten().filter_map(text).collect();
    let status = task["status"].as_str().unwrap_or("pending").to_owned();
    Change::TaskStatus { id, status, files_changed: files }
}

fn changed(desk: &mut Desk<'_>, id: &str, base: &Value, edit: &Value, now: Option<&Value>) {
    let path = format!("{PATH}[{id}]");
    let Some(now) = now else {
        if !alike(base, edit) {
            desk.refuse(&path, Reason::Conflict);
        }
        return;
    };
    let sides = Sides { base, edit, now };
    let mut form = Patch::default();
    for key in ["description", "tool", "mode"] {
        if edited(desk, sides.at(key), now, &format!("{path}.{key}")) {
            let value = Some(text(&edit[key]).unwrap_or_default());
            match key {
                "description" => form.description = value,
                "tool" => form.tool = value,
                _ => form.mode = value,
            }
        }
    }
    if form != Patch::default() {
        let read = patch(form, &desk.scratch.tools);
        let tried = read.map_err(|_| Reason::Invalid).and_then(|patch| {
            desk.told.change(desk.scratch, Change::TaskEdited { id: id.into(), patch })
        });
        desk.tried(&path, tried);
    }
    let moved = desk.may_change(sides.at("status"), &format!("{path}.status"));
    let files = desk.may_change(sides.at("files_changed"), &format!("{path}.files_changed"));
    if moved || files {
        let tried = desk.told.change(desk.scratch, status_of(id.into(), edit));
        desk.tried(&path, tried);
    }
}

/// A field that anyone may change while its task waits.
fn edited(desk: &mut Desk<'_>, sides: Sides<'_>, now: &Value, path: &str) -> bool {
    match sides.moved() {
        Moved::Same => false,
        Moved::Both => {
            desk.refuse(path, Reason::Conflict);
            false
        }
        Moved::Changed if desk.external || now["status"] == "pending" => true,
        Moved::Changed => {
            desk.refuse(path, Reason::EngineDrives);
            false
        }
    }
}

fn removed(desk: &mut Desk<'_>, sides: Sides<'_>, ids: &[&str]) {
    for task in sides.base.as_array().into_iter().flatten() {
        let Some(id) = task["id"].as_str().filter(|id| !ids.contains(id)) else { continue };
        if by_id(sides.now, id).is_none() {
            continue;
        }
        let path = format!("{PATH}[{id}]");
        if !desk.external {
            desk.refuse(&path, Reason::EngineDrives);
            continue;
        }
        let tried = desk.told.command(desk.scratch, Command::RemoveTask { task: id.into() });
        desk.tried(&path, tried);
    }
}

/// Whether tasks that both have stand in another order.
pub(super) fn order_changed(base: &[&str], edit: &[&str]) -> bool {
    let of_both = |all: &[&str], other: &[&str]| -> Vec<String> {
        all.iter().filter(|id| other.contains(id)).map(|id| (*id).to_owned()).collect()
    };
    of_both(base, edit) != of_both(edit, base)
}

fn reordered(desk: &mut Desk<'_>, sides: Sides<'_>, ids: &[&str]) {
    let base: Vec<&str> =
        sides.base.as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect();
    if !order_changed(&base, ids) {
        return;
    }
    if !desk.external {
        return desk.refuse(PATH, Reason::EngineDrives);
    }
    let command = Command::ReorderTasks { tasks: known(desk.scratch, ids) };
    let tried = desk.told.command(desk.scratch, command);
    desk.tried(PATH, tried);
}

/// Those of these tasks that are there.
pub(super) fn known(scratch: &Scratch, ids: &[&str]) -> Vec<String> {
    let body = scratch.body();
    let there = |id: &&&str| body.is_some_and(|body| body.task(id).is_some());
    ids.iter().filter(there).map(|id| (*id).to_owned()).collect()
}
