//! The one task list of a loop. A task's command line is granted by the person who sends it here
//! while the loop runs.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::loops::said;
use crate::door::LoopSay;
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops;
use crate::problem::Raised;

fn listed(shop: &Shop, id: &str) -> Result<(Value, u64), Raised> {
    let known = loops::exact(&shop.site, id)?;
    let tasks = loops::tasks(&loops::life(&known)?);
    Ok((json!({ "loop_id": id, "total": tasks.len(), "tasks": tasks }), known.head.seq))
}

/// The list, after something was said to it.
fn after(shop: &Shop, request: &Request, status: StatusCode, say: LoopSay) -> Result<Answer, Fail> {
    said(shop, request, vec![say])?;
    let (body, seq) = listed(shop, request.param("id"))?;
    Ok(Answer::Json { status, body, rev: Some(seq) })
}

/// By order.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let (body, seq) = listed(shop, request.param("id"))?;
    Ok(Answer::Json { status: StatusCode::OK, body, rev: Some(seq) })
}

/// A new one.
pub(in crate::http) fn add(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    after(shop, request, StatusCode::CREATED, loops::adding(request.fields()?)?)
}

/// One task, by either of its ids.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = loops::exact(&shop.site, request.param("id"))?;
    Ok(Answer::ok(loops::task(&loops::life(&known)?, request.param("task"))?))
}

/// Changed fields.
pub(in crate::http) fn edit(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let say = loops::editing_task(request.param("task"), request.fields()?)?;
    after(shop, request, StatusCode::OK, say)
}

/// Takes one out.
pub(in crate::http) fn remove(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let task = request.param("task").to_owned();
    after(shop, request, StatusCode::OK, LoopSay::RemoveTask { task })
}

/// A failed one is pending again.
pub(in crate::http) fn requeue(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    request.fields()?.done()?;
    let task = request.param("task").to_owned();
    after(shop, request, StatusCode::OK, LoopSay::RequeueTask { task })
}

/// Another order; those not named follow.
pub(in crate::http) fn reorder(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields()?;
    let tasks = fields.texts("ordered_task_ids")?.unwrap_or_default();
    fields.done()?;
    after(shop, request, StatusCode::OK, LoopSay::ReorderTasks { tasks })
}
