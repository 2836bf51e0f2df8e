//! `loop signal`: whether an outside skill may go on. Without a runner it only reads.

use edge::loops;
use kernel::errors::Exit;
use serde_json::json;

use crate::ctx::Ctx;
use crate::desk;
use crate::out::{self, Reply};
use crate::trouble::Trouble;

/// `loop signal`
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// Who asks: takes or renews the lease.
    #[arg(long, value_name = "NAME")]
    runner: Option<String>,
    /// The answer as the exit code.
    #[arg(long)]
    exit_code: bool,
}

/// Answers a skill. What can't be read is an answer too: whoever asks before every action must not
/// go on because nobody told it to stop.
///
/// # Errors
/// An id that fits several loops, or that no engine answers a runner.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let asked = (args.id.as_str(), args.runner.as_deref());
    let (signal, wrong) = loops::signal(&ctx.site()?, asked, || desk::open(ctx))?;
    // People see what is wrong; the skill is told to stop.
    if let Some(trouble) = wrong {
        out::notice(&out::told(ctx.lang, &ctx.asked, &trouble));
    }
    let text = format!("{}: {}", signal.action, signal.reason);
    let mut reply = Reply::new(json!(signal), text);
    if args.exit_code {
        reply.exit = match signal.action {
            "continue" => Exit::OK,
            "pause_exit" => Exit::WAITING,
            _ => Exit::REFUSED,
        };
    }
    Ok(reply)
}
