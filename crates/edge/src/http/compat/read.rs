//! What every old route reads and says alike: bodies, ids, and failures by their own texts.

use kernel::errors::{Class, Code, Machine};
use kernel::loops::{Life, valid_id, view};
use serde_json::{Map, Value, json};

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::loops;
use crate::problem::Raised;
use crate::site::{Known, refused};

/// A failure with a text of the old routes.
pub(super) fn fail(raised: Raised, text: impl Into<String>) -> Fail {
    Fail { raised, text: Some(text.into()) }
}

/// A field that cannot be taken, by its text.
pub(super) fn invalid(field: &str, text: impl Into<String>) -> Fail {
    let text = text.into();
    let details = json!({ "field": field, "expected": text });
    fail(refused(Machine::Loop, "invalid_args", details), text)
}

/// A refusal that is about where the loop stands, by its text; any other by its own words.
pub(super) fn unless_not_now(raised: Raised, text: impl FnOnce(&str) -> String) -> Fail {
    if raised.code != Code::refused(Machine::Loop, "not_now") {
        return raised.into();
    }
    let status = raised.place.state.clone().unwrap_or_default();
    fail(raised, text(&status))
}

/// Whether a refusal is about the state and nothing else.
pub(super) fn of_state(raised: &Raised) -> bool {
    raised.code.class() == Class::Refused
}

/// The body, which has to be an object.
pub(super) fn body(request: &Request) -> Result<Map<String, Value>, Fail> {
    let unread = |raised| fail(raised, "Invalid JSON body");
    match request.json().map_err(unread)? {
        Value::Object(fields) => Ok(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            let details = json!({ "kind": "malformed" });
            Err(unread(refused(Machine::Door, "invalid_args", details)))
        }
    }
}

/// The loop of an id.
pub(super) fn find(shop: &Shop, id: &str) -> Result<Known, Fail> {
    if !valid_id(id) {
        return Err(fail(loops::bad_id(id), "Invalid loop ID format"));
    }
    loops::exact(&shop.site, id).map_err(|raised| {
        if raised.code == Code::refused(Machine::Loop, "no_such") {
            return fail(raised, "Loop not found");
        }
        raised.into()
    })
}

/// A loop's document as the seed has it; with what is derived where that is asked for.
pub(super) fn document(shop: &Shop, request: &Request, id: &str) -> Result<Value, Fail> {
    let known = find(shop, id)?;
    let mut document = view::draw(&loops::life(&known)?, known.head.seq);
    document["ext"] = loops::document(&known)?["ext"].take();
    if request.query("derived").is_some_and(|yes| yes == "1") {
        document["derived"] = json!(view::derived(&document));
    }
    Ok(document)
}

/// The answer with a loop's document, and a message where there is one.
pub(super) fn with_document(
    shop: &Shop,
    request: &Request,
    (id, message): (&str, Option<&str>),
) -> Result<Answer, Fail> {
    let mut body = json!({ "success": true, "data": document(shop, request, id)? });
    if let Some(message) = message {
        body["message"] = json!(message);
    }
    Ok(Answer::ok(body))
}

/// Now, as the old lists say it.
pub(super) fn timestamp() -> String {
    view::rfc3339(runtime::clock::Clock::start(kernel::machine::At(0)).now())
}

/// One task, by either of its ids.
pub(super) fn task(life: &Life, id: &str) -> Result<Value, Fail> {
    loops::task(life, id).map_err(|raised| fail(raised, "Task not found"))
}
