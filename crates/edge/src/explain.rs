//! The page of a code as data: what it means, what to do, and how each door shows it.

use kernel::errors::{Class, Code};
use runtime::words::{self, Lang};
use serde_json::{Value, json};

use crate::problem::{Problem, Raised, example, terminal};
use crate::site::class;

/// Every code with its title.
#[must_use]
pub fn list(lang: Lang) -> Value {
    let codes = words::listed(lang);
    codes.iter().map(|(code, title)| json!({ "code": code, "title": title })).collect()
}

/// One page, with an example at each door.
///
/// # Errors
/// When no code has that name; the nearest are named.
pub fn one(code: &str, lang: Lang) -> Result<Value, Raised> {
    let page = words::explain(code, lang).map_err(|unknown| {
        let details = json!({
            "kind": "unknown_code", "path": unknown.asked, "nearest": unknown.nearest,
            "help": "loopwright explain --list",
        });
        class(Class::NotFound, details)
    })?;
    let mut data = json!(page);
    if let Ok(code) = Code::parse(&page.code) {
        let (answer, (status, body)) = example(code, lang);
        let shown = serde_json::from_value::<Problem>(answer["error"].clone());
        data["examples"] = json!({
            "cli": shown.map(|problem| terminal(&problem, lang)).unwrap_or_default(),
            "json": answer, "http": { "status": status, "body": body },
        });
    }
    Ok(data)
}
