//! `trace ID`: the internal detail behind an error.

use serde_json::Value;

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

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
    let lines = edge::traces::read(&ctx.site()?, &args.id)?;
    known::redacted(ctx, &Value::Array(lines), |data| {
        let lines: Vec<String> =
            data.as_array().into_iter().flatten().map(Value::to_string).collect();
        lines.join("\n")
    })
}
