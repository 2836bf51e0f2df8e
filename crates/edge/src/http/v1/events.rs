//! Live objects of one loop, or of all.

use std::sync::Arc;

use crate::http::answer::{Answer, Fail};
use crate::http::events::{Wanted, follow};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops;

/// Of every loop.
pub(in crate::http) fn all(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::Events(follow(shop, Wanted::of(request, None))?))
}

/// Of one.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = loops::exact(&shop.site, request.param("id"))?;
    Ok(Answer::Events(follow(shop, Wanted::of(request, Some(known.head.run)))?))
}
