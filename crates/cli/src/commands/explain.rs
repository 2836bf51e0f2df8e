//! `explain CODE | --list`: what a code means and what to do about it.

use edge::explain;
use runtime::words;

use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

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
    let data = explain::one(code, ctx.lang)?;
    let mut text =
        words::explain(code, ctx.lang).map(|page| page.text(ctx.lang)).unwrap_or_default();
    let examples = &data["examples"];
    if let Some(answer) = examples.get("json") {
        let (status, body) = (&examples["http"]["status"], &examples["http"]["body"]);
        text = format!("{text}\n--json: {answer}\nHTTP {status}: {body}");
    }
    Ok(Reply::new(data, text))
}

fn list(ctx: &Ctx) -> Reply {
    let codes = words::listed(ctx.lang);
    let rows: Vec<Vec<String>> = codes.into_iter().map(|(code, title)| vec![code, title]).collect();
    let heading = [ctx.say("col-code"), ctx.say("col-meaning")];
    Reply::new(explain::list(ctx.lang), table::draw(&heading, &rows))
}
