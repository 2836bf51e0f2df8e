//! Lifecycles: the machine's commands by one route, and what can be read. Whether a command is
//! possible is the machine's to say.

use std::sync::Arc;

use axum::http::StatusCode;
use kernel::errors::{Class, Machine};
use serde_json::{Value, json};

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::lifecycles::{self, Seen};
use crate::loops::Fields;
use crate::site::{class, refused};

/// A run as it stands, with its last record.
fn stands(
    shop: &Shop,
    request: &Request,
    (status, id): (StatusCode, &str),
) -> Result<Answer, Fail> {
    let seen = Seen::of(&shop.site, id)?;
    let body = lifecycles::show(&seen, request.lang);
    Ok(Answer::Json { status, body, rev: Some(seen.folded.seq) })
}

fn unknown(name: &str) -> Fail {
    refused(Machine::Lifecycle, "unknown_command", json!({ "command": name })).into()
}

/// A new one.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let say = lifecycles::starting(request.lang, request.fields_to(Machine::Lifecycle)?)?;
    let id = lifecycles::start(&shop.visit(request), say)?;
    stands(shop, request, (StatusCode::CREATED, &id))
}

/// All of them, the newest first.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(lifecycles::list(&shop.site, request.lang)?)))
}

/// One.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    stands(shop, request, (StatusCode::OK, request.param("id")))
}

/// Its tasks, evidence, context, failures, or the way back.
pub(in crate::http) fn part(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let seen = Seen::of(&shop.site, request.param("id"))?;
    Ok(Answer::ok(match request.param("part") {
        "tasks" => lifecycles::tasks(&seen, request.lang),
        "evidence" => lifecycles::evidence(&seen),
        "context" => lifecycles::context(&seen, request.lang)?,
        "errors" => lifecycles::errors(&seen).1,
        "rollback-plan" => lifecycles::rollback_plan(&shop.site, &seen, request.query("to"))?,
        other => return Err(unknown(other)),
    }))
}

/// A command, or a claim about a task.
pub(in crate::http) fn say(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let seen = Seen::of(&shop.site, request.param("id"))?;
    let run = &seen.known.head.run;
    let mut fields = request.fields_to(Machine::Lifecycle)?;
    match request.param("part") {
        "commands" => {
            let name = fields.must("command")?;
            let at = fields.whole("expected_seq")?.map(u64::from);
            let args = fields.object("args")?.unwrap_or(Value::Null);
            fields.done()?;
            let args = Fields::to(Machine::Lifecycle, args)?;
            let say = lifecycles::command(&seen, &name, args)?;
            lifecycles::said(&shop.visit(request), (run, at), say)?;
            stands(shop, request, (StatusCode::OK, run))
        }
        "progress" => {
            let claim = lifecycles::updating(fields)?;
            Ok(Answer::ok(claim.say(&shop.visit(request), run)?))
        }
        // Known, and no part of this build.
        name @ ("errors" | "decisions") => {
            let details = json!({ "kind": "unsupported", "what": name, "path": request.path });
            Err(class(Class::InvalidArgs, details).into())
        }
        other => Err(unknown(other)),
    }
}
