//! Tasks, as the old routes list, make, change and order them.

use std::sync::Arc;

use kernel::loops::valid_id;
use runtime::tasks::Tools;
use serde_json::{Map, Value, json};

use super::read::{body, fail, find, invalid, task, timestamp};
use crate::door::{LoopSay, TaskForm, TaskFormPatch};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops::{self, Page};

const MODES: [&str; 3] = ["analysis", "write", "review"];

/// A text field: not there, cleared by null, or said.
fn text(fields: &Map<String, Value>, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(other.to_string())
        }
    }
}

fn said_or(fields: &Map<String, Value>, name: &str) -> Result<String, Fail> {
    let said = fields.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    said.map(str::to_owned).ok_or_else(|| invalid(name, format!("{name} is required")))
}

fn known_tool(shop: &Shop, tool: &str) -> Result<(), Fail> {
    let tools = Tools::of(&shop.site.settings()?.settings);
    let names = tools.names();
    if names.contains(&tool) {
        return Ok(());
    }
    Err(invalid("tool", format!("tool must be one of enabled tools: {}", names.join(", "))))
}

fn known_mode(mode: Option<&str>) -> Result<(), Fail> {
    if mode.is_some_and(|mode| MODES.contains(&mode)) {
        return Ok(());
    }
    Err(invalid("mode", format!("mode must be one of: {}", MODES.join(", "))))
}

/// A template that is given has to say something.
fn template(fields: &Map<String, Value>) -> Result<Option<String>, Fail> {
    match fields.get("prompt_template") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(invalid("prompt_template", "prompt_template is required")),
    }
}

fn no_command() -> Fail {
    invalid("command", "command is required for tool bash")
}

fn form(shop: &Shop, fields: &Map<String, Value>) -> Result<TaskForm, Fail> {
    let description = said_or(fields, "description")?;
    let tool = said_or(fields, "tool")?;
    known_tool(shop, &tool)?;
    known_mode(fields.get("mode").and_then(Value::as_str))?;
    let command = text(fields, "command").filter(|line| !line.trim().is_empty());
    let prompt_template = template(fields)?;
    if tool == "bash" && command.is_none() {
        return Err(no_command());
    }
    let on_error = text(fields, "on_error").filter(|word| !word.is_empty());
    let (tool, mode) = (Some(tool), text(fields, "mode"));
    Ok(TaskForm { description, tool, mode, prompt_template, command, on_error })
}

fn patch(shop: &Shop, fields: &Map<String, Value>, now: &Value) -> Result<TaskFormPatch, Fail> {
    let given = |name: &str| fields.contains_key(name);
    let said = |name: &str| given(name).then(|| said_or(fields, name)).transpose();
    let (description, tool) = (said("description")?, said("tool")?);
    if let Some(tool) = &tool {
        known_tool(shop, tool)?;
    }
    if given("mode") {
        known_mode(fields.get("mode").and_then(Value::as_str))?;
    }
    template(fields)?;
    let command = text(fields, "command");
    let then = tool.as_deref().or_else(|| now["tool"].as_str());
    let line = command.as_deref().or_else(|| now["command"].as_str()).unwrap_or_default();
    if then == Some("bash") && line.trim().is_empty() {
        return Err(no_command());
    }
    Ok(TaskFormPatch {
        description,
        tool,
        mode: text(fields, "mode"),
        prompt_template: text(fields, "prompt_template"),
        command,
        on_error: text(fields, "on_error"),
    })
}

fn one(shop: &Shop, id: &str, name: &str) -> Result<Value, Fail> {
    task(&loops::life(&find(shop, id)?)?, name)
}

fn say(shop: &Shop, request: &Request, id: &str, say: LoopSay) -> Result<(), Fail> {
    loops::say(&shop.visit(request), (id, request.expected()?), vec![say])?;
    Ok(())
}

/// `POST /:id/tasks`
pub(in crate::http) fn add(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = find(shop, request.param("id"))?.head.run;
    let task = form(shop, &body(request)?)?;
    say(shop, request, &id, LoopSay::AddTask { task, first: false })?;
    let tasks = loops::tasks(&loops::life(&find(shop, &id)?)?);
    // The number behind the word has three digits only as long as it fits.
    let number = |id: &str| id.rsplit('-').next().and_then(|digits| digits.parse::<u32>().ok());
    let newest = tasks.iter().max_by_key(|task| task["ext"]["id"].as_str().and_then(number));
    Ok(Answer::ok(json!({ "success": true, "data": newest })))
}

/// `GET /:id/tasks`
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = find(shop, request.param("id"))?;
    let tasks = loops::tasks(&loops::life(&known)?);
    Ok(Answer::ok(json!({
        "success": true, "total": tasks.len(), "data": tasks, "loop_id": known.head.run,
        "timestamp": timestamp(),
    })))
}

/// `GET /:id/tasks/:tid`
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = request.param("id");
    let data = one(shop, id, request.param("task"))?;
    Ok(Answer::ok(json!({ "success": true, "data": data, "loop_id": id })))
}

/// `GET /tasks/:tid`: the loop is found by the task.
pub(in crate::http) fn find_task(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    if let Some(id) = request.query("loop_id") {
        let id = loop_id(id)?;
        let data = one(shop, id, request.param("task"))?;
        return Ok(Answer::ok(json!({ "success": true, "data": data, "loop_id": id })));
    }
    let everything = Page { limit: usize::MAX, offset: 0 };
    let name = request.param("task");
    for (life, _) in loops::list(&shop.site, "all", everything)?.loops {
        // Only the long ids are one loop's alone.
        if life.body.tasks.iter().any(|task| task.task_id == name) {
            let data = task(&life, name)?;
            let body = json!({ "success": true, "data": data, "loop_id": life.body.id });
            return Ok(Answer::ok(body));
        }
    }
    let details = json!({ "what": "task", "id": name });
    let raised = crate::site::refused(kernel::errors::Machine::Loop, "no_such", details);
    Err(fail(raised, "Task not found"))
}

fn loop_id(id: &str) -> Result<&str, Fail> {
    if valid_id(id) { Ok(id) } else { Err(fail(loops::bad_id(id), "Invalid loop_id format")) }
}

fn change(
    shop: &Shop,
    request: &Request,
    (id, name): (&str, &str),
    fields: &Map<String, Value>,
) -> Result<Answer, Fail> {
    let now = one(shop, id, name)?;
    let patch = patch(shop, fields, &now)?;
    say(shop, request, id, LoopSay::EditTask { task: name.to_owned(), patch })?;
    Ok(Answer::ok(json!({ "success": true, "data": one(shop, id, name)?, "loop_id": id })))
}

/// `PUT /:id/tasks/:tid`
pub(in crate::http) fn edit(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    find(shop, request.param("id"))?;
    change(shop, request, (request.param("id"), request.param("task")), &body(request)?)
}

/// `PUT /tasks/:tid`
pub(in crate::http) fn edit_found(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let fields = body(request)?;
    let id = fields.get("loop_id").and_then(Value::as_str);
    let id = loop_id(id.ok_or_else(|| invalid("loop_id", "loop_id is required"))?)?;
    change(shop, request, (id, request.param("task")), &fields)
}

fn take_out(shop: &Shop, request: &Request, id: &str) -> Result<Answer, Fail> {
    let name = request.param("task");
    one(shop, id, name)?;
    say(shop, request, id, LoopSay::RemoveTask { task: name.to_owned() })?;
    Ok(Answer::ok(json!({ "success": true, "message": "Task deleted" })))
}

/// `DELETE /:id/tasks/:tid`
pub(in crate::http) fn remove(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    take_out(shop, request, request.param("id"))
}

/// `DELETE /tasks/:tid?loop_id=`
pub(in crate::http) fn remove_found(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = request.query("loop_id").filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| invalid("loop_id", "loop_id query parameter is required"))?;
    take_out(shop, request, loop_id(id)?)
}

/// `PUT /:id/tasks/reorder`
pub(in crate::http) fn reorder(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    const FIELD: &str = "ordered_task_ids";
    let known = find(shop, request.param("id"))?;
    let fields = body(request)?;
    let listed = fields.get(FIELD).and_then(Value::as_array);
    let listed = listed.ok_or_else(|| invalid(FIELD, "ordered_task_ids must be an array"))?;
    if listed.is_empty() {
        return Err(invalid(FIELD, "ordered_task_ids cannot be empty"));
    }
    let life = loops::life(&known)?;
    let mut tasks = Vec::new();
    for one in listed {
        let name = one.as_str().map_or_else(|| one.to_string(), str::to_owned);
        if loops::task(&life, &name).is_err() {
            return Err(invalid(FIELD, format!("Task not found: {name}")));
        }
        tasks.push(name);
    }
    let id = known.head.run;
    say(shop, request, &id, LoopSay::ReorderTasks { tasks })?;
    let data = loops::tasks(&loops::life(&find(shop, &id)?)?);
    Ok(Answer::ok(json!({ "success": true, "data": data })))
}
