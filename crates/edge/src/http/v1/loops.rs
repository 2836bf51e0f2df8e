//! Loops: the command line's verbs, one route each. Whether one is possible is the machine's to
//! say.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::http::{Method, StatusCode};
use kernel::errors::Machine;
use kernel::loops::view;
use serde_json::{Value, json};

use crate::door::{Ask, LoopSay};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops::{self, LOG_LINES_USUAL, PAGE_MAX, PAGE_USUAL, Page, STATUSES};
use crate::problem::Raised;
use crate::site::{Known, refused};

/// Most lines of one answer: more are read from the files of the calls.
const LOG_LINES_MAX: usize = 100_000;

/// A loop as it stands.
fn document(shop: &Shop, id: &str) -> Result<Value, Raised> {
    loops::document(&loops::exact(&shop.site, id)?)
}

/// A part of the query that cannot be taken.
fn bad(name: &str, found: &str, expected: &str) -> Raised {
    let details = json!({ "field": name, "found": found, "expected": expected });
    refused(Machine::Loop, "invalid_args", details)
}

/// A number of the query within its bounds.
fn number(
    request: &Request,
    name: &str,
    usual: usize,
    bounds: RangeInclusive<usize>,
) -> Result<usize, Raised> {
    let Some(text) = request.query(name) else { return Ok(usual) };
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| bad(name, text, &format!("{}..{}", bounds.start(), bounds.end())))
}

/// Which part of a list is asked for.
pub(in crate::http) fn page(request: &Request) -> Result<Page, Raised> {
    Ok(Page {
        limit: number(request, "limit", PAGE_USUAL, 1..=PAGE_MAX)?,
        offset: number(request, "offset", 0, 0..=usize::MAX)?,
    })
}

/// The last lines that the work of a loop printed.
pub(in crate::http) fn lines_of(
    shop: &Shop,
    request: &Request,
    known: &Known,
) -> Result<Value, Raised> {
    let limit = number(request, "limit", LOG_LINES_USUAL, 1..=LOG_LINES_MAX)?;
    loops::logs(known, limit, &shop.redactor()?)
}

/// A new loop; with its tasks, whole or not at all.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let says = loops::creating(request.fields()?)?;
    let id = loops::make(&mut shop.visit(request).open()?, says)?;
    Ok(Answer::document(StatusCode::CREATED, document(shop, &id)?))
}

/// A page of loops.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let status = request.query("status").unwrap_or("all");
    if !STATUSES.contains(&status) {
        return Err(bad("status", status, &STATUSES.join(", ")).into());
    }
    let page = page(request)?;
    let listed = loops::list(&shop.site, status, page)?;
    let rows: Vec<Value> = listed.loops.iter().map(|(life, seq)| loops::row(life, *seq)).collect();
    Ok(Answer::ok(json!({
        "loops": rows, "total": listed.total, "limit": page.limit, "offset": page.offset,
        "hasMore": listed.more,
    })))
}

/// One loop.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::document(StatusCode::OK, document(shop, request.param("id"))?))
}

/// Says it to the loop of the path, and answers with the loop as it stands then.
pub(in crate::http) fn said(
    shop: &Shop,
    request: &Request,
    says: Vec<LoopSay>,
) -> Result<Answer, Fail> {
    let id = request.param("id");
    loops::exact(&shop.site, id)?;
    loops::say(&shop.visit(request), (id, request.expected()?), says)?;
    Ok(Answer::document(StatusCode::OK, document(shop, id)?))
}

/// Changes title, description, bound or labels.
pub(in crate::http) fn edit(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    said(shop, request, vec![loops::editing(request.fields()?)?])
}

/// Deletes it and its files.
pub(in crate::http) fn delete(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = request.param("id");
    loops::exact(&shop.site, id)?;
    loops::say(&shop.visit(request), (id, request.expected()?), vec![LoopSay::Delete])?;
    Ok(Answer::ok(json!({ "loop_id": id, "deleted": true })))
}

/// Start, pause, resume and all the others.
pub(in crate::http) fn verb(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let name = request.param("verb");
    match loops::verb(name, request.fields()?, request.lang.tag())? {
        Some(say) => said(shop, request, vec![say]),
        None => Err(refused(Machine::Loop, "unknown_command", json!({ "command": name })).into()),
    }
}

/// Whether a skill may go on. Only one with a name takes or renews the lease.
pub(in crate::http) fn signal(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let runner = if request.method == Method::GET {
        None
    } else {
        let mut fields = request.fields()?;
        let runner = fields.must("runner")?;
        fields.done()?;
        Some(runner)
    };
    let id = request.param("id");
    if !kernel::loops::valid_id(id) {
        return Err(loops::bad_id(id).into());
    }
    let desk = || shop.visit(request).open();
    let (signal, wrong) = loops::signal(&shop.site, (id, runner.as_deref()), desk)?;
    // The skill is told to stop either way; whoever reads along sees why.
    let mut body = json!(signal);
    if let Some(wrong) = wrong {
        body["ext"]["code"] = json!(wrong.code.to_string());
    }
    Ok(Answer::ok(body))
}

/// What it has done.
pub(in crate::http) fn history(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = loops::exact(&shop.site, request.param("id"))?;
    Ok(Answer::ok(loops::history(&known, page(request)?)?))
}

/// What its work printed.
pub(in crate::http) fn logs(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = loops::exact(&shop.site, request.param("id"))?;
    Ok(Answer::ok(lines_of(shop, request, &known)?))
}

/// How many loops there are, and how they ended.
pub(in crate::http) fn stats(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(loops::stats(&shop.site)?))
}

/// Whether its document agrees with itself.
pub(in crate::http) fn check(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let errors = view::check(&document(shop, request.param("id"))?);
    Ok(Answer::ok(json!({ "valid": errors.is_empty(), "errors": errors })))
}

/// Its files drawn anew from the journal.
pub(in crate::http) fn rebuild(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    request.fields()?.done()?;
    let known = loops::exact(&shop.site, request.param("id"))?;
    let run = known.head.run.clone();
    shop.visit(request).open()?.ask(&Ask::Redraw { run })?;
    Ok(Answer::document(StatusCode::OK, loops::document(&known)?))
}
