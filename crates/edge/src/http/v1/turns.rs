//! Turns: the command line's verbs, one route each. Whether one is possible is the machine's to
//! say.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use kernel::errors::Machine;
use serde_json::{Value, json};

use crate::door::{ToolForm, TurnSay};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::problem::Raised;
use crate::site::refused;
use crate::turns::{self, Called, Seen};

/// A turn as it stands, with its last record.
fn stands(
    shop: &Shop,
    request: &Request,
    (status, id): (StatusCode, &str),
) -> Result<Answer, Fail> {
    let body = turns::show(&shop.site, id, request.lang)?;
    let rev = body["seq"].as_u64();
    Ok(Answer::Json { status, body, rev })
}

fn unknown(name: &str) -> Fail {
    refused(Machine::Turn, "unknown_command", json!({ "command": name })).into()
}

/// A new one.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let fields = request.fields_to(Machine::Turn)?;
    let say = turns::starting(&shop.site, request.lang, fields)?;
    let id = turns::start(&shop.visit(request), say)?;
    stands(shop, request, (StatusCode::CREATED, &id))
}

/// All of them, the newest first.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(turns::list(&shop.site, request.lang)?)))
}

/// One.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    stands(shop, request, (StatusCode::OK, request.param("id")))
}

/// Its plan, context, summary or entries.
pub(in crate::http) fn part(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let (site, id) = (&shop.site, request.param("id"));
    match request.param("part") {
        "plan" => {
            let (body, tag) = turns::plan(site, id)?;
            Ok(Answer::Tagged { body, tag })
        }
        "context" => Ok(Answer::ok(turns::context(site, id)?)),
        "summary" => Ok(Answer::ok(turns::summary(site, id)?)),
        "log" => Ok(Answer::ok(json!(turns::log(site, id, after(request)?)?))),
        other => Err(unknown(other)),
    }
}

fn after(request: &Request) -> Result<u64, Raised> {
    let Some(text) = request.query("after") else { return Ok(0) };
    text.parse().map_err(|_| {
        let details = json!({ "field": "after", "path": "after", "expected": "integer" });
        refused(Machine::Turn, "invalid_args", details)
    })
}

/// Answer, confirm, cancel and all the others.
pub(in crate::http) fn verb(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let (id, name) = (request.param("id"), request.param("part"));
    let id = Seen::of(&shop.site, id)?.known.head.run;
    let mut fields = request.fields_to(Machine::Turn)?;
    let visit = shop.visit(request);
    match name {
        "continue" => {
            fields.done()?;
            let id = turns::start(&visit, TurnSay::Continue { turn: id })?;
            stands(shop, request, (StatusCode::CREATED, &id))
        }
        "calls" => {
            let (name, args) = (fields.must("name")?, fields.object("args")?);
            fields.done()?;
            let form = ToolForm { name, args: args.unwrap_or_else(|| json!({})) };
            Ok(called(turns::call(&visit, &id, form)?))
        }
        name => {
            let say = turns::verb(&shop.site, (&id, name), fields)?;
            turns::said(&visit, (&id, None), say.ok_or_else(|| unknown(name))?)?;
            stands(shop, request, (StatusCode::OK, &id))
        }
    }
}

fn called(called: Called) -> Answer {
    let (status, body): (StatusCode, Value) = match called {
        Called::Told(told) => (StatusCode::OK, told),
        Called::Pending(told) => (StatusCode::ACCEPTED, told),
    };
    Answer::Json { status, body, rev: None }
}

/// Changes its plan; with `If-Match` only the one that has that hash.
pub(in crate::http) fn edit(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    if request.param("part") != "plan" {
        return Err(unknown(request.param("part")));
    }
    let patch = turns::patch(request.lang, &request.json()?)?;
    let seen = Seen::of(&shop.site, request.param("id"))?;
    let hash = request.header(&header::IF_MATCH).map(|tag| tag.trim().trim_matches('"'));
    let (say, at) = turns::patching(&seen, patch, hash)?;
    let id = &seen.known.head.run;
    turns::said(&shop.visit(request), (id, at), say)?;
    stands(shop, request, (StatusCode::OK, id))
}
