//! Collabs: the command line's verbs, one route each. Whether one is possible is the machine's to
//! say.

use std::sync::Arc;

use axum::http::StatusCode;
use kernel::errors::Machine;
use kernel::run::Kind;
use serde_json::json;

use crate::collabs::{self, Part, Seen, Wanted};
use crate::draw;
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::http::{events, tail};
use crate::problem::Raised;
use crate::site::{refused, run_of};

fn seen(shop: &Shop, id: &str) -> Result<Seen, Raised> {
    Seen::of(&shop.site, id, &shop.redactor()?)
}

/// A collab as it stands, with its last record.
fn stands(shop: &Shop, status: StatusCode, id: &str) -> Result<Answer, Fail> {
    let seen = seen(shop, id)?;
    Ok(Answer::Json { status, body: collabs::show(&seen), rev: Some(seen.meta.seq) })
}

fn unknown(name: &str) -> Fail {
    refused(Machine::Collab, "unknown_command", json!({ "command": name })).into()
}

fn bad(name: &str, found: &str, expected: &str) -> Raised {
    let details = json!({ "field": name, "path": name, "found": found, "expected": expected });
    refused(Machine::Collab, "invalid_args", details)
}

/// A new one.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let say = collabs::starting(request.lang, request.fields_to(Machine::Collab)?)?;
    let id = collabs::start(&shop.visit(request), say)?;
    stands(shop, StatusCode::CREATED, &id)
}

/// The list, newest first; of one state, so many, after one, where that is said.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let state = request.query("state").map(str::to_owned);
    let states = draw::kept(Kind::Collab).states;
    if let Some(word) = &state
        && !states.iter().any(|known| known.eq_ignore_ascii_case(word))
    {
        return Err(bad("state", word, &states.join(", ")).into());
    }
    let limit = match request.query("limit") {
        None => None,
        Some(text) => {
            let number = text.parse().ok().filter(|number| *number > 0);
            Some(number.ok_or_else(|| bad("limit", text, "1.."))?)
        }
    };
    let after = request.query("after").map(str::to_owned);
    Ok(Answer::ok(json!(collabs::list(&shop.site, &Wanted { state, limit, after })?)))
}

/// The snapshot of one.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    stands(shop, StatusCode::OK, request.param("id"))
}

/// Its result, gate or takeover, or what happens to it from now on.
pub(in crate::http) fn part(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let (id, name) = (request.param("id"), request.param("part"));
    if name == "events" {
        let known = run_of(&shop.site, id, Kind::Collab)?;
        let wanted = events::Wanted::of(request, Some(known.head.run));
        return Ok(Answer::Events(events::streamed(shop, wanted, tail::run)?));
    }
    let part = Part::named(name).ok_or_else(|| unknown(name))?;
    Ok(Answer::ok(part.of(&seen(shop, id)?)?))
}

/// What one participant answered.
pub(in crate::http) fn output(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let seen = seen(shop, request.param("id"))?;
    Ok(Answer::ok(collabs::output(&seen, request.param("name"))?))
}

/// Answer, cancel, extend.
pub(in crate::http) fn verb(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let name = request.param("part");
    let id = run_of(&shop.site, request.param("id"), Kind::Collab)?.head.run;
    let say = collabs::verb(name, request.fields_to(Machine::Collab)?)?;
    collabs::said(&shop.visit(request), &id, say.ok_or_else(|| unknown(name))?)?;
    stands(shop, StatusCode::OK, &id)
}
