//! Checkpoints, and the way back to one: a plan that is shown, then carried out by its hash.

use std::sync::Arc;

use axum::http::StatusCode;
use kernel::call;
use kernel::errors::Machine;
use kernel::rollback::HeadRule;
use kernel::run::Kind;
use serde_json::{Value, json};

use super::calls::ended;
use super::tools::asked;
use crate::calls::{self, Done};
use crate::checkpoints::{self, Way};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::{refused, run_of};

/// All of them, the oldest first.
pub(in crate::http) fn list(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(checkpoints::list(&shop.site)?)))
}

/// Keeps the tree as it is.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Workspace)?;
    let label = fields.text("label")?;
    fields.done()?;
    let made = asked(shop, request, call::CHECKPOINT, json!({ "label": label }))?;
    Ok(match made {
        Answer::Json { status: StatusCode::OK, body, rev } if body["error"].is_null() => {
            Answer::Json { status: StatusCode::CREATED, body, rev }
        }
        other @ (Answer::Json { .. } | Answer::Tagged { .. } | Answer::Events(_)) => other,
    })
}

/// One.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(checkpoints::show(&shop.site, request.param("name"))?))
}

/// How it differs from another, or from what stands there now.
pub(in crate::http) fn diff(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let found = checkpoints::diff(&shop.site, request.param("name"), request.query("to"))?;
    Ok(Answer::ok(json!(found)))
}

fn way(fields: &mut Fields) -> Result<Way, Raised> {
    let moved = fields.yes("allow_moved_head")?;
    Ok(Way {
        to: fields.text("to")?,
        conflicts: fields.text("conflicts")?,
        head_rule: if moved { HeadRule::MayDiffer } else { HeadRule::Same },
    })
}

/// The way back, only shown.
pub(in crate::http) fn plan(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Workspace)?;
    let way = way(&mut fields)?;
    fields.done()?;
    let keeper = checkpoints::keeper(&shop.site)?;
    let args = checkpoints::wanted(&shop.site, &way, &keeper)?;
    Ok(Answer::ok(json!(checkpoints::planned(&shop.site, &args, &keeper)?)))
}

/// Carries out the plan of that hash, if what it was drawn from still is as it was. What the plan
/// was asked with may be said again; the hash alone is enough.
pub(in crate::http) fn rollback(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Workspace)?;
    let (hash, way) = (fields.must("plan_hash")?, way(&mut fields)?);
    fields.done()?;
    shop.visit(request).person(Machine::Workspace, "rollback")?;
    let keeper = checkpoints::keeper(&shop.site)?;
    let args = checkpoints::approved(&shop.site, &way, &hash, &keeper)?;
    let mut answer = asked(shop, request, call::ROLLBACK, json!(args))?;
    if let Answer::Json { body, .. } = &mut answer {
        named(body);
    }
    Ok(answer)
}

/// A rollback has the name of its call.
fn named(body: &mut Value) {
    let call = body["call"].as_str().or_else(|| body["run_id"].as_str()).unwrap_or_default();
    body["rollback_id"] = json!(runtime::rollback::rollback_id(call));
}

/// How a rollback ended, or where it stands.
pub(in crate::http) fn rolled(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = request.param("id");
    let none = || {
        let details = json!({ "what": "rollback", "id": id, "nearest": [] });
        refused(Machine::Workspace, "no_such", details)
    };
    let call = id.strip_prefix("rb-").map(|rest| format!("call-{rest}")).ok_or_else(none)?;
    let known = run_of(&shop.site, &call, Kind::Call).map_err(|_| none())?;
    let state = calls::state(&known)?;
    let rolls = state.facts().is_some_and(|facts| facts.request.name == call::ROLLBACK);
    if !rolls {
        return Err(none().into());
    }
    let mut answer = ended(shop, request, &Done { known, state })?;
    if let Answer::Json { body, status, .. } = &mut answer {
        *status = StatusCode::OK;
        named(body);
    }
    Ok(answer)
}
