//! The internal detail behind an error; for people only.

use std::sync::Arc;

use kernel::errors::Machine;
use serde_json::json;

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::traces;

/// The lines of one trace.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    shop.visit(request).person(Machine::Door, "trace")?;
    Ok(Answer::ok(json!(traces::read(&shop.site, request.param("id"))?)))
}
