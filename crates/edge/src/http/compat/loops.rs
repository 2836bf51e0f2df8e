//! Loops, as the old routes make, list, change and steer them.

use std::sync::Arc;

use kernel::errors::Machine;
use kernel::loops::{Life, State, allowed, view};
use kernel::machine::By;
use serde_json::{Map, Value, json};

use super::read::{body, fail, find, invalid, of_state, timestamp, unless_not_now, with_document};
use crate::door::{LabelForm, LoopSay};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::http::v1::loops::{lines_of, page};
use crate::loops::{self, PAGE_MAX, STATUSES};
use crate::problem::Raised;
use crate::site::refused;

const NO_TITLE: &str = "title is required and must be non-empty";
const NO_BOUND: &str = "max_iterations must be a positive number";

fn ceiling(shop: &Shop) -> Result<u64, Raised> {
    Ok(shop.site.settings()?.settings.loops.max_iterations_ceiling)
}

/// A bound that can be one.
fn bound(shop: &Shop, fields: &Map<String, Value>) -> Result<Option<u32>, Fail> {
    let Some(value) = fields.get("max_iterations") else { return Ok(None) };
    let most = ceiling(shop)?;
    let whole = value.as_u64().filter(|number| (1..=most).contains(number));
    let whole = whole.and_then(|number| u32::try_from(number).ok());
    whole.map(Some).ok_or_else(|| invalid("max_iterations", NO_BOUND))
}

fn description(fields: &Map<String, Value>) -> Result<Option<String>, Fail> {
    match fields.get("description") {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(invalid("description", "description must be a string")),
    }
}

/// `POST /`
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let fields = body(request)?;
    let title = fields.get("title").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let title = title.ok_or_else(|| invalid("title", NO_TITLE))?.to_owned();
    let description = description(&fields)?;
    let max_iterations = bound(shop, &fields)?;
    let create = LoopSay::Create { title, description, max_iterations };
    let id = loops::make(&mut shop.visit(request).open()?, vec![create])?;
    with_document(shop, request, (&id, None))
}

/// `GET /`
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let status = request.query("status").unwrap_or("all");
    if !STATUSES.contains(&status) {
        return Err(invalid("status", format!("Invalid status: {status}")));
    }
    let page = page(request).map_err(|raised| {
        if raised.details["field"] == "limit" {
            return fail(raised, format!("limit must be 1..{PAGE_MAX}"));
        }
        raised.into()
    })?;
    let listed = loops::list(&shop.site, status, page)?;
    let data: Vec<Value> = listed.loops.iter().map(|(life, seq)| view::draw(life, *seq)).collect();
    Ok(Answer::ok(json!({
        "success": true, "data": data, "total": listed.total, "limit": page.limit,
        "offset": page.offset, "hasMore": listed.more, "timestamp": timestamp(),
    })))
}

/// `GET /:id`
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    with_document(shop, request, (request.param("id"), None))
}

/// `DELETE /:id`
pub(in crate::http) fn delete(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = find(shop, request.param("id"))?.head.run;
    let said = loops::say(&shop.visit(request), (&id, request.expected()?), vec![LoopSay::Delete]);
    let running = |_: &str| "Cannot delete running loop. Stop it first.".to_owned();
    said.map_err(|raised| unless_not_now(raised, running))?;
    Ok(Answer::ok(json!({ "success": true, "message": "Loop deleted" })))
}

/// `PUT /:id`
pub(in crate::http) fn edit(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = find(shop, request.param("id"))?.head.run;
    let fields = body(request)?;
    let title = match fields.get("title") {
        None => None,
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
        Some(_) => return Err(invalid("title", "title must be a non-empty string")),
    };
    let edit = LoopSay::Edit {
        title,
        description: description(&fields)?,
        max_iterations: bound(shop, &fields)?,
        labels: labels(&fields)?,
    };
    let said = loops::say(&shop.visit(request), (&id, request.expected()?), vec![edit]);
    said.map_err(|raised| {
        if raised.details["field"] == "max_iterations" {
            let least = raised.details["least"].clone();
            let text = format!("max_iterations must be at least current_iteration ({least})");
            return fail(raised, text);
        }
        unless_not_now(raised, |status| format!("Cannot update loop with status: {status}"))
    })?;
    with_document(shop, request, (&id, None))
}

/// What people note; null clears.
fn labels(fields: &Map<String, Value>) -> Result<LabelForm, Fail> {
    let tags = match fields.get("tags") {
        None => None,
        Some(Value::Null) => Some(Vec::new()),
        Some(value) => Some(
            serde_json::from_value(value.clone())
                .map_err(|_| invalid("tags", "tags must be an array of strings"))?,
        ),
    };
    let priority = match fields.get("priority") {
        None => None,
        Some(Value::Null) => Some(String::new()),
        Some(Value::String(word)) if ["low", "medium", "high"].contains(&word.as_str()) => {
            Some(word.clone())
        }
        Some(_) => {
            return Err(invalid("priority", "priority must be one of: low, medium, high"));
        }
    };
    let notes = match fields.get("notes") {
        None => None,
        Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err(invalid("notes", "notes must be a string")),
    };
    Ok(LabelForm { tags, priority, notes })
}

fn starting(request: &Request) -> LoopSay {
    let lang = Some(request.lang.tag().to_owned());
    LoopSay::Start { mode: Some("auto".to_owned()), external: false, runner: None, lang }
}

/// `PATCH /:id/status`
pub(in crate::http) fn status(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = find(shop, request.param("id"))?;
    let fields = body(request)?;
    let wanted = match fields.get("status") {
        None | Some(Value::Null) => return Err(invalid("status", "status is required")),
        Some(Value::String(word)) => word.clone(),
        Some(other) => return Err(invalid("status", format!("Invalid status: {other}"))),
    };
    if wanted == "all" || !STATUSES.contains(&wanted.as_str()) {
        return Err(invalid("status", format!("Invalid status: {wanted}")));
    }
    let life = loops::life(&known)?;
    let (id, from) = (known.head.run, known.head.status);
    if from == wanted {
        return with_document(shop, request, (&id, None));
    }
    let text = format!("Cannot change status from {from} to {wanted}");
    let force = fields.get("force").and_then(Value::as_bool).unwrap_or(false);
    let Some(say) = moving(request, (&from, &wanted), force) else {
        return Err(fail(nothing_leads_there(&life, &from), text));
    };
    let said = loops::say(&shop.visit(request), (&id, request.expected()?), vec![say]);
    said.map_err(|raised| if of_state(&raised) { fail(raised, text) } else { raised.into() })?;
    with_document(shop, request, (&id, None))
}

/// No command brings a loop back to its first status.
fn nothing_leads_there(life: &Life, from: &str) -> Raised {
    let state = State::Alive(Box::new(life.clone()));
    let mut raised = refused(Machine::Loop, "not_now", json!({ "state": from }));
    let allowed = allowed(&state, &By::Person);
    raised.allowed = Some(allowed.into_iter().map(str::to_owned).collect());
    raised
}

/// What is said to bring a loop from one status to another.
fn moving(request: &Request, (from, to): (&str, &str), force: bool) -> Option<LoopSay> {
    match (to, from) {
        ("running", "created") => Some(starting(request)),
        ("running", "failed") => Some(LoopSay::Retry),
        ("running", "completed") if force => Some(LoopSay::Reopen),
        ("running", _) => Some(LoopSay::Resume),
        ("paused", _) => Some(LoopSay::Pause { now: false }),
        ("failed", _) => Some(LoopSay::Stop { why: None }),
        ("completed", _) => Some(LoopSay::Complete { force: None }),
        _ => None,
    }
}

/// One verb, with the texts for done and for not now.
fn steered(
    shop: &Shop,
    request: &Request,
    say: LoopSay,
    (done, not_now): (&str, &dyn Fn(&str) -> String),
) -> Result<Answer, Fail> {
    let id = find(shop, request.param("id"))?.head.run;
    body(request)?;
    let said = loops::say(&shop.visit(request), (&id, request.expected()?), vec![say]);
    said.map_err(|raised| unless_not_now(raised, not_now))?;
    with_document(shop, request, (&id, Some(done)))
}

fn cannot(verb: &str) -> impl Fn(&str) -> String {
    move |status| format!("Cannot {verb} loop with status: {status}")
}

/// `POST /:id/start`
pub(in crate::http) fn start(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    steered(shop, request, starting(request), ("Loop started", &cannot("start")))
}

/// `POST /:id/pause`
pub(in crate::http) fn pause(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let say = LoopSay::Pause { now: false };
    steered(shop, request, say, ("Loop paused", &cannot("pause")))
}

/// `POST /:id/resume`
pub(in crate::http) fn resume(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    steered(shop, request, LoopSay::Resume, ("Loop resumed", &cannot("resume")))
}

/// `POST /:id/stop`
pub(in crate::http) fn stop(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let say = LoopSay::Stop { why: None };
    steered(shop, request, say, ("Loop stopped", &cannot("stop")))
}

/// `POST /:id/retry`
pub(in crate::http) fn retry(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let only = |_: &str| "Can only retry paused or failed loops".to_owned();
    steered(shop, request, LoopSay::Retry, ("Loop retried", &only))
}

/// `POST /:id/reopen`
pub(in crate::http) fn reopen(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    steered(shop, request, LoopSay::Reopen, ("Loop reopened", &cannot("reopen")))
}

/// `GET /:id/signal`: only a look; whoever drives a loop from outside asks by `/api/v1`.
pub(in crate::http) fn signal(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = find(shop, request.param("id"))?.head.run;
    let (signal, _) = loops::signal(&shop.site, (&id, None), || shop.visit(request).open())?;
    Ok(Answer::ok(json!({ "success": true, "data": signal })))
}

/// `GET /:id/history`
pub(in crate::http) fn history(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = find(shop, request.param("id"))?;
    let mut found = loops::history(&known, page(request)?)?;
    let data = found["history"].take();
    Ok(Answer::ok(json!({
        "success": true, "data": data, "total": found["total"], "limit": found["limit"],
        "offset": found["offset"], "hasMore": found["hasMore"],
    })))
}

/// `GET /:id/logs`
pub(in crate::http) fn logs(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = find(shop, request.param("id"))?;
    let mut found = lines_of(shop, request, &known)?;
    let data = found["lines"].take();
    Ok(Answer::ok(json!({
        "success": true, "data": data, "loop_id": found["loop_id"],
        "truncated": found["truncated"],
    })))
}

/// `GET /stats`
pub(in crate::http) fn stats(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!({ "success": true, "data": loops::stats(&shop.site)? })))
}
