//! `schema [NAME]`: the JSON Schema of a model, or which there are.

use serde_json::json;

use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// Which model.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The model; without one all are listed.
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Shows it.
///
/// # Errors
/// When there is no such model; the nearest is named.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let Some(name) = &args.name else { return Ok(list(ctx)) };
    let schema = edge::schema::find(name)?;
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    Ok(Reply::new(schema, text))
}

fn list(ctx: &Ctx) -> Reply {
    let rows: Vec<Vec<String>> = edge::schema::all()
        .into_iter()
        .map(|(name, schema)| {
            vec![name.to_owned(), schema["title"].as_str().unwrap_or_default().to_owned()]
        })
        .collect();
    let names: Vec<&str> = edge::schema::names().collect();
    Reply::new(json!(names), table::draw(&ctx.heading(["schema", "model"]), &rows))
}
