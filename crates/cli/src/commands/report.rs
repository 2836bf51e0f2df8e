//! `report RUN [--format md|html]`: what a run was asked, did, checked, changed and left open, as
//! one page. It reads; it starts nothing.

use clap::ValueEnum;
use edge::report::{self, Report};
use serde_json::json;

use super::known;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// How the page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text.
    Md,
    /// A file for a browser.
    Html,
}

/// Which run, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run.
    #[arg(value_name = "RUN")]
    run: String,
    /// How it is written.
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "md")]
    format: Format,
}

/// Writes it.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run(ctx, &args.run)?;
    let found = report::report(&known.journal, &known.head, &known.dir.marks(), ctx.lang)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    // Secrets go before anything is escaped, which would hide them.
    known::redacted(ctx, &json!(found), |data| {
        let clean: Report = serde_json::from_value(data.clone()).unwrap_or_default();
        match args.format {
            Format::Md => report::md(&clean, ctx.lang),
            Format::Html => report::html(&clean, ctx.lang),
        }
    })
}
