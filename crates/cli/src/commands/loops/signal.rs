//! `loop signal`: whether an outside skill may go on. Without a runner it only reads.

use edge::door::LoopSay;
use kernel::errors::Exit;
use kernel::loops::view::{self, Signal};
use kernel::run::State;
use runtime::query::{self, Refusal};
use serde_json::json;

use super::said::over;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

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

/// Answers a skill.
///
/// # Errors
/// A journal that cannot be read, or that no engine answers a runner.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let signal = answer(ctx, args)?;
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

fn answer(ctx: &Ctx, args: &Args) -> Result<Signal, Trouble> {
    let runner = args.runner.as_deref();
    let none = || view::signal(None, runner, 0);
    let Some((_, journal)) = ctx.journal()? else { return Ok(none()) };
    let of = |refusal| trouble::of_query(&refusal);
    let head = match query::resolve(&journal, &args.id) {
        Ok(head) if head.machine == "loop" => head,
        Ok(_) | Err(Refusal::NoSuch { .. }) => return Ok(none()),
        Err(why) => return Err(of(why)),
    };
    if let Some(runner) = runner.filter(|_| !head.ended) {
        let say = LoopSay::Signal { runner: runner.to_owned() };
        over(&mut desk::open(ctx)?, &head.run, vec![say])?;
    }
    let head = query::resolve(&journal, &head.run).map_err(of)?;
    let folded = query::fold(&journal, &head, None).map_err(of)?;
    match &folded.state {
        State::Loop(state) => Ok(view::signal(Some(state), runner, folded.seq)),
        State::Call(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Turn(_)
        | State::Lifecycle(_)
        | State::Session(_) => Ok(none()),
    }
}
