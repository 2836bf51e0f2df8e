//! `loop report`: an outside skill says what it did. How that is read is the doors' business, what
//! of it counts the machine's.

use std::io::Read as _;

use edge::door::LoopSay;
use edge::loops::told;
use kernel::errors::Class;
use serde_json::json;

use super::said;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// A longer report is no report.
const REPORT_BYTES_MAX: u64 = 1 << 20;

/// `loop report`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// Who reports: the holder of the lease.
    #[arg(long, value_name = "NAME")]
    runner: String,
    /// The report; standard input if left out.
    #[arg(value_name = "FILE")]
    file: Option<std::path::PathBuf>,
}

/// Reports.
///
/// # Errors
/// A report that cannot be read, or what the loop refuses of it.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let told = told(&text(args)?)?;
    let say = LoopSay::Report { runner: args.runner.clone(), told: Box::new(told) };
    said::say(ctx, &args.id, vec![say])
}

fn text(args: &Args) -> Result<String, Trouble> {
    let name = args.file.as_ref().map_or_else(|| "-".to_owned(), |file| file.display().to_string());
    let io = |why: &std::io::Error| desk::io(&name, why);
    let mut text = String::new();
    let read = match &args.file {
        Some(file) => {
            let file = std::fs::File::open(file).map_err(|why| io(&why))?;
            file.take(REPORT_BYTES_MAX + 1).read_to_string(&mut text)
        }
        None => std::io::stdin().take(REPORT_BYTES_MAX + 1).read_to_string(&mut text),
    };
    read.map_err(|why| io(&why))?;
    if text.len() as u64 > REPORT_BYTES_MAX {
        let details = json!({
            "kind": "bad_value", "path": "$", "asked": "more than 1 MiB", "expected": ["a report"],
        });
        return Err(trouble::class(Class::InvalidArgs, details));
    }
    Ok(text)
}
