//! A person's answer to any open question, given to the machine that asked.

use std::sync::Arc;

use kernel::errors::Machine;
use serde_json::json;

use crate::asked::{self, Form, Reach};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::site::refused;

/// Answers the question of the path. Its id has parts of its own, so that all of the path up to the
/// last word is one.
pub(in crate::http) fn answer(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let Some(question) = request.param("answer").strip_suffix("/answer") else {
        return Err(refused(Machine::Door, "no_such", json!({ "id": request.path })).into());
    };
    let mut fields = request.fields_to(Machine::Door)?;
    let form = Form {
        question: question.to_owned(),
        key: fields.must("key")?,
        text: fields.text("text")?,
        hash: fields.text("hash")?,
        scope: fields.text("scope")?.map(|word| Reach::named(&word)).transpose()?,
    };
    fields.done()?;
    Ok(Answer::ok(asked::answer(&shop.visit(request), request.lang, &form)?))
}
