//! What the policy says of a command. Nothing is run.

use std::sync::Arc;

use kernel::errors::Machine;
use serde_json::json;

use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::policy;
use crate::site::refused;

/// Judges one.
pub(in crate::http) fn check(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Policy)?;
    let (argv, cwd) = (fields.texts("argv")?.unwrap_or_default(), fields.text("cwd")?);
    fields.done()?;
    if argv.is_empty() {
        let details = json!({ "field": "argv", "found": null, "expected": "array of strings" });
        return Err(refused(Machine::Policy, "invalid_args", details).into());
    }
    let judged = policy::check(&shop.site, cwd.as_deref().unwrap_or("."), &argv)?;
    Ok(Answer::ok(policy::data(request.lang, &judged)))
}
