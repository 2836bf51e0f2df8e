//! The session of a branch: what is said to it and where it stands.

use std::sync::Arc;

use kernel::errors::Machine;
use serde_json::{Value, json};

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::sessions::{self, Words};

/// All of them.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(sessions::list(&shop.site, request.lang)?)))
}

/// Where the one of a branch stands.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(sessions::status(&shop.site, request.query("branch"), request.lang)?))
}

/// Its variables alone.
pub(in crate::http) fn vars(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let view = sessions::status(&shop.site, request.query("branch"), request.lang)?;
    Ok(Answer::ok(view["vars"].clone()))
}

/// What a flow came to.
pub(in crate::http) fn report(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let (branch, flow) = (request.query("branch"), request.param("flow"));
    Ok(Answer::ok(sessions::report(&shop.site, branch, flow)?))
}

/// What the words of a request come to.
type Said = fn(Words<'_>, Fields) -> Result<Value, Raised>;

fn said(shop: &Shop, request: &Request, say: Said) -> Result<Answer, Fail> {
    let visit = shop.visit(request);
    let words = Words { visit: &visit, lang: request.lang, branch: request.query("branch") };
    Ok(Answer::ok(say(words, request.fields_to(Machine::Session)?)?))
}

/// Plain words.
pub(in crate::http) fn input(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    said(shop, request, sessions::input)
}

/// A command.
pub(in crate::http) fn run(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    said(shop, request, sessions::run)
}

/// The end of what runs.
pub(in crate::http) fn cancel(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    said(shop, request, sessions::cancel)
}
