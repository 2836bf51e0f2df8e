//! `trace ID`: the internal detail behind an error.

use std::io;

use kernel::errors::Machine;
use runtime::trace;
use serde_json::{Value, json};

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Which trace.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id.
    #[arg(value_name = "ID")]
    pub id: String,
}

/// Shows its lines.
///
/// # Errors
/// When there is no such trace.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    if !trace::is_id(&args.id) {
        return Err(trouble::bad_value("ID", &args.id, &["trace_<32 hex>"]));
    }
    let missing =
        || trouble::refused(Machine::Door, "no_such", json!({ "id": args.id, "nearest": [] }));
    let dir = ctx.state_dir()?.ok_or_else(missing)?;
    let lines = match trace::read(&dir.path, &args.id) {
        Ok(lines) => lines,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing()),
        Err(_) => {
            let details = json!({ "kind": "permission", "path": dir.trace(&args.id) });
            return Err(trouble::class(kernel::errors::Class::Io, details));
        }
    };
    known::redacted(ctx, &Value::Array(lines), |data| {
        let lines: Vec<String> =
            data.as_array().into_iter().flatten().map(Value::to_string).collect();
        lines.join("\n")
    })
}
