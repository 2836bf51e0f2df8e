//! What people have allowed, and taking it back.

use std::sync::Arc;

use runtime::query::Which;
use serde_json::{Value, json};

use crate::grants;
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;

/// Those that still count, or all.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let which = if request.query("all") == Some("true") { Which::All } else { Which::Live };
    let all = grants::list(&shop.site, which)?;
    let views: Vec<&Value> = all.iter().map(|given| &given.view).collect();
    Ok(Answer::ok(json!(views)))
}

/// One, whether it still counts or not.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let all = grants::list(&shop.site, Which::All)?;
    Ok(Answer::ok(grants::find(&all, request.param("id"))?.view.clone()))
}

/// Takes one back.
pub(in crate::http) fn revoke(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(grants::revoke(&shop.visit(request), request.param("id"))?))
}
