//! The workspace itself: how it stands, a person's yes to it, what lies in it, what of it can go.

use std::sync::Arc;

use kernel::errors::Machine;
use serde_json::{Map, Value, json};

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::workspace::{self, Sweep};

/// How it stands.
pub(in crate::http) fn status(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(workspace::status(&shop.site)?.0))
}

/// A person's yes to the workspace as it stands.
pub(in crate::http) fn trust(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    request.fields_to(Machine::Workspace)?.done()?;
    let visit = shop.visit(request);
    let (standing, lists) = workspace::before_trust(&visit)?;
    Ok(Answer::ok(workspace::give(&visit, (&standing, &lists))?))
}

/// Moves foreign state aside.
pub(in crate::http) fn adopt(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    request.fields_to(Machine::Workspace)?.done()?;
    Ok(Answer::ok(workspace::adopt(&shop.visit(request))?))
}

/// Lets go what runs that ended long ago left behind.
pub(in crate::http) fn gc(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Workspace)?;
    let how = if fields.yes("dry_run")? { Sweep::Shown } else { Sweep::Away };
    fields.done()?;
    let swept = workspace::sweep(&shop.visit(request), how)?;
    Ok(Answer::ok(json!({ "plan": swept.plan, "done": swept.done })))
}

/// Its most central files.
pub(in crate::http) fn map(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(workspace::map(&shop.site)?)))
}

/// What a search finds; the query's names are those of the tool's arguments.
pub(in crate::http) fn search(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    // Only numbers and flags are written as JSON writes them; any other word is a text.
    let value = |text: &String| match serde_json::from_str::<Value>(text) {
        Ok(plain @ (Value::Bool(_) | Value::Number(_))) => plain,
        Ok(_) | Err(_) => json!(text),
    };
    let said = request.query.iter().map(|(name, text)| {
        // Words that are looked for stay words, even where they are digits.
        let value = if name == "query" { json!(text) } else { value(text) };
        (name.clone(), value)
    });
    let args = Value::Object(said.collect::<Map<_, _>>());
    Ok(Answer::ok(workspace::search(&shop.site, &args)?))
}
