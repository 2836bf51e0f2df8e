//! Solution packages and the knowledge base. Reading needs no engine; making and archiving are
//! calls.

use std::sync::Arc;

use axum::http::StatusCode;
use kernel::call;
use kernel::errors::Machine;
use serde_json::json;

use super::tools::asked;
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::packages::Base;
use crate::problem::Raised;

fn base(shop: &Shop, request: &Request) -> Result<Base, Raised> {
    Base::of(&shop.site, request.lang)
}

/// Those that wait.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(base(shop, request)?.list(&shop.site)?)))
}

/// One.
pub(in crate::http) fn show(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let shown = base(shop, request)?.show(&shop.site, request.param("name"))?;
    Ok(Answer::ok(json!(shown)))
}

/// Whether one can be carried out.
pub(in crate::http) fn check(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let names = [request.param("name").to_owned()];
    Ok(Answer::ok(json!(base(shop, request)?.check(&shop.site, &names)?)))
}

/// A new one, from templates.
pub(in crate::http) fn create(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Session)?;
    let (feature, kind) = (fields.must("feature")?, fields.text("type")?);
    fields.done()?;
    let wish = base(shop, request)?.creating(&feature, kind.as_deref())?;
    let made = asked(shop, request, call::PACKAGE, json!(wish))?;
    Ok(match made {
        Answer::Json { status: StatusCode::OK, body, rev } if body["error"].is_null() => {
            Answer::Json { status: StatusCode::CREATED, body, rev }
        }
        other @ (Answer::Json { .. } | Answer::Tagged { .. } | Answer::Events(_)) => other,
    })
}

/// To the archive.
pub(in crate::http) fn archive(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Session)?;
    let status = fields.text("status")?;
    fields.done()?;
    let name = request.param("name");
    let wish = base(shop, request)?.archiving(&shop.site, name, status.as_deref())?;
    asked(shop, request, call::PACKAGE, json!(wish))
}

/// The knowledge base.
pub(in crate::http) fn kb(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(base(shop, request)?.status(&shop.site)?)))
}
