//! What a code means, for programs.

use std::sync::Arc;

use crate::explain;
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;

/// Every code with its title.
pub(in crate::http) fn list(_: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(explain::list(request.lang)))
}

/// One code's page.
pub(in crate::http) fn one(_: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(explain::one(request.param("code"), request.lang)?))
}
