//! `loop check`: whether a loop's document agrees with itself. It repairs nothing.

use std::path::Path;

use kernel::errors::{Class, Exit};
use kernel::loops::view;
use serde_json::{Value, json};

use super::{said, show, stray};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Checks the document of a loop, or a file; a file of that name wins. A loop that the journal does
/// not know is checked as it lies there.
///
/// # Errors
/// An unknown loop, or a file that cannot be read or is no JSON object.
pub fn run(ctx: &Ctx, what: &Path) -> Result<Reply, Trouble> {
    let name = what.display().to_string();
    let document = if what.is_file() {
        let bytes = std::fs::read(what).map_err(|why| desk::io(&name, &why))?;
        let parsed = serde_json::from_slice::<Value>(&bytes).ok().filter(Value::is_object);
        parsed.ok_or_else(|| {
            let details = json!({ "kind": "malformed", "path": name, "expected": "a JSON object" });
            trouble::class(Class::InvalidArgs, details)
        })?
    } else {
        match said::find(ctx, &name) {
            Ok(known) => show::document(&known)?,
            Err(trouble) if show::unknown(&trouble) => {
                stray::find(ctx, &name)?.ok_or(trouble)?.document
            }
            Err(trouble) => return Err(trouble),
        }
    };
    let errors = view::check(&document);
    let text = match errors.as_slice() {
        [] => ctx.say("lc-valid"),
        errors => errors.join("\n"),
    };
    let mut reply = Reply::new(json!({ "valid": errors.is_empty(), "errors": errors }), text);
    if !errors.is_empty() {
        reply.exit = Exit::FAILED;
    }
    Ok(reply)
}
