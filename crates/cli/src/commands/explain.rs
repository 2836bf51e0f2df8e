//! `explain CODE | --list`: what a code means and what to do about it.

use edge::problem::example;
use kernel::errors::{Class, Code};
use runtime::words;
use serde_json::json;

use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Which code.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The code.
    #[arg(value_name = "CODE", required_unless_present = "list")]
    pub code: Option<String>,
    /// All of them.
    #[arg(long)]
    pub list: bool,
}

/// Shows the page of a code, or all codes.
///
/// # Errors
/// When no code has that name.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let Some(code) = args.code.as_deref().filter(|_| !args.list) else { return Ok(list(ctx)) };
    let page = words::explain(code, ctx.lang).map_err(|unknown| {
        let details = json!({
            "kind": "unknown_code", "path": unknown.asked, "nearest": unknown.nearest,
            "help": "loopwright explain --list",
        });
        trouble::class(Class::NotFound, details)
    })?;
    let mut data = json!(page);
    let mut text = page.text(ctx.lang);
    if let Ok(code) = Code::parse(&page.code) {
        let (answer, (status, body)) = example(code, ctx.lang);
        text = format!("{text}\n--json: {answer}\nHTTP {status}: {body}");
        data["examples"] = json!({ "json": answer, "http": { "status": status, "body": body } });
    }
    Ok(Reply::new(data, text))
}

fn list(ctx: &Ctx) -> Reply {
    let codes = words::listed(ctx.lang);
    let data: Vec<_> =
        codes.iter().map(|(code, title)| json!({ "code": code, "title": title })).collect();
    let rows: Vec<Vec<String>> = codes.into_iter().map(|(code, title)| vec![code, title]).collect();
    let heading = [ctx.say("col-code"), ctx.say("col-meaning")];
    Reply::new(json!(data), table::draw(&heading, &rows))
}
