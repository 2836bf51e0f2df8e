//! Runs of every machine and what they ask, read from the journal.

use std::sync::Arc;

use runtime::query::{self, Filter};
use serde_json::{Value, json};

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::problem::Raised;
use crate::site::of_query;

fn of(refusal: query::Refusal) -> Raised {
    of_query(&refusal)
}

/// All runs, the newest first; of one machine or in one state where that is said.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let named = |name: &str| request.query(name).map(str::to_owned);
    let filter = Filter { machine: named("machine"), state: named("state"), below: named("below") };
    let Some((_, journal)) = shop.site.journal()? else { return Ok(Answer::ok(json!([]))) };
    let found = query::runs(&journal, &filter).map_err(of)?;
    Ok(Answer::ok(found.iter().map(query::listed).collect()))
}

/// One run in full.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let id = request.param("id");
    let none = || query::Refusal::NoSuch { id: id.to_owned(), nearest: Vec::new() };
    let Some((_, journal)) = shop.site.journal()? else { return Err(of(none()).into()) };
    let head = query::resolve(&journal, id).map_err(of)?;
    let folded = query::fold(&journal, &head, None).map_err(of)?;
    Ok(Answer::ok(query::show(&head, &folded, request.lang)))
}

/// Everything that waits for a person's word, the oldest first.
pub(in crate::http) fn questions(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let Some((_, journal)) = shop.site.journal()? else { return Ok(Answer::ok(json!([]))) };
    let open = query::questions(&journal, request.query("run")).map_err(of)?;
    let all: Vec<Value> = open.iter().map(|question| question.view(request.lang)).collect();
    Ok(Answer::ok(json!(all)))
}
