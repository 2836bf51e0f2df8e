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
use crate::out::{self, Reply};
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

/// Answers a skill. What can't be read is an answer too: whoever asks before every action must not
/// go on because nobody told it to stop.
///
/// # Errors
/// An id that fits several loops, or that no engine answers a runner.
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

/// People see what is wrong; the skill is told to stop.
fn unreadable(ctx: &Ctx, trouble: &Trouble) -> Signal {
    out::notice(&out::told(ctx.lang, &ctx.asked, trouble));
    view::unreadable()
}

fn answer(ctx: &Ctx, args: &Args) -> Result<Signal, Trouble> {
    let runner = args.runner.as_deref();
    let none = || view::signal(None, runner, 0);
    let journal = match ctx.journal() {
        Ok(Some((_, journal))) => journal,
        Ok(None) => return Ok(none()),
        Err(trouble) => return Ok(unreadable(ctx, &trouble)),
    };
    let of = |refusal: Refusal| trouble::of_query(&refusal);
    let head = match query::resolve(&journal, &args.id) {
        Ok(head) if head.machine == "loop" => head,
        Ok(_) | Err(Refusal::NoSuch { .. }) => return Ok(none()),
        Err(why @ Refusal::Ambiguous { .. }) => return Err(of(why)),
        Err(why) => return Ok(unreadable(ctx, &of(why))),
    };
    if let Some(runner) = runner.filter(|_| !head.ended) {
        let say = LoopSay::Signal { runner: runner.to_owned() };
        over(&mut desk::open(ctx)?, &head.run, vec![say])?;
    }
    let folded =
        query::resolve(&journal, &head.run).and_then(|head| query::fold(&journal, &head, None));
    let folded = match folded {
        Ok(folded) => folded,
        Err(why) => return Ok(unreadable(ctx, &of(why))),
    };
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
