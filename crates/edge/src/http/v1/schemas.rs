//! The JSON Schemas of what these routes take and answer.

use std::sync::Arc;

use serde_json::json;

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::schema;

/// Their names.
pub(in crate::http) fn list(_: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(schema::names().map(|name| json!(name)).collect()))
}

/// One.
pub(in crate::http) fn one(_: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(schema::find(request.param("name"))?))
}
