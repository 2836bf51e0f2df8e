//! One tool, asked for as a call of its own. What it may do is the policy's to say.

use std::sync::Arc;

use serde_json::Value;

use super::calls::{WAIT, ended};
use crate::calls;
use crate::door::{Ask, ToolForm};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;

/// Asks for the tool of the path with these arguments, and waits for its end.
pub(super) fn asked(
    shop: &Shop,
    request: &Request,
    name: &str,
    args: Value,
) -> Result<Answer, Fail> {
    let form = ToolForm { name: name.to_owned(), args };
    let asking = |run, trace| Ask::Tool { run, trace, form: form.clone() };
    let done = calls::asked(&shop.visit(request), WAIT, &asking)?;
    ended(shop, request, &done)
}

/// The same for any tool.
pub(in crate::http) fn run(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    asked(shop, request, request.param("name"), request.json()?)
}
