//! `mcp [--person]`: loops for any MCP client, and, with `--call CALL`, the tools of an agent's own
//! call for that agent. That one is started by the agent below our shim and can say nothing but
//! what its call may ask for. Entering our server in a client's settings is in `mcp_install`.

use std::io::{stdin, stdout};
use std::time::{Duration, Instant};

use edge::door::{Ask, Reply as Answer, Speaks, ToolForm};
use edge::mcp::{self, Inner, Loops, Told};
use kernel::errors::{Code, Exit};
use serde_json::{Value, json};

use super::mcp_install;
use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::out::Reply;
use crate::trouble::Trouble;

/// How long an engine that went away is waited for: a person has to start the next.
const GONE_WAIT: Duration = Duration::from_secs(60);
/// Between two looks for it.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Whose tools, or what to do about the server.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// The call whose agent asks; the engine sees for itself whether it is.
    #[arg(long, value_name = "CALL", hide = true)]
    call: Option<String>,
    /// The client is a person's own.
    #[arg(long, conflicts_with = "call")]
    person: bool,
    /// What to do about the server.
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// What to do about the server.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Enter it in a client's settings.
    Install(mcp_install::Args),
}

/// Does it.
///
/// # Errors
/// What the verb refuses; a workspace that cannot be one; for an agent, that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    match &args.verb {
        Some(Verb::Install(args)) => mcp_install::run(ctx, args),
        None => serve(ctx, args),
    }
}

/// Serves until the client has enough.
fn serve(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let (input, output) = (stdin().lock(), stdout().lock());
    let served = if args.call.is_some() {
        let mut desk = desk::steer(ctx)?;
        let mut known = 0;
        let inner = |name: &str, given: &Value| told(ctx, (&mut desk, &mut known), name, given);
        mcp::serve(input, output, &mut Inner(inner))
    } else {
        let speaks = if args.person { Speaks::Person } else { Speaks::Guest };
        let mut loops = Loops { site: ctx.site()?, speaks, lang: ctx.lang };
        mcp::serve(input, output, &mut loops)
    };
    // A client that has gone away needs no answer.
    drop(served);
    Ok(Reply::printed(Exit::OK))
}

/// Asks for a call and waits for its end, however long a person takes to answer. An engine that
/// goes away is waited for: the next one knows the call.
fn told(ctx: &Ctx, (desk, last): (&mut Desk, &mut u32), name: &str, args: &Value) -> Told {
    let form = ToolForm { name: name.to_owned(), args: args.clone() };
    let mut ask = Ask::Inner { trace: desk.trace(), form, known: None };
    let mut over = Instant::now() + GONE_WAIT;
    loop {
        match desk.ask(&ask) {
            Ok(Answer::Told(value)) => match value["pending"].as_str() {
                Some(key) => {
                    *last = key.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(*last);
                    ask = Ask::Heard { key: key.to_owned() };
                }
                None => {
                    let ok = value["ok"] == true;
                    return Told { text: value.to_string(), data: None, ok };
                }
            },
            Ok(_) => return refused(&json!({ "code": "E_INTERNAL" })),
            Err(why) if matches!(why.code, Code::Refusal(..)) || Instant::now() >= over => {
                let error = json!({ "code": why.code.to_string(), "details": why.details });
                return refused(&error);
            }
            Err(_) => {
                std::thread::sleep(LOOK_EVERY);
                if let Ok(next) = desk::steer(ctx) {
                    *desk = next;
                }
                // It may have been taken before the engine went away.
                if let Ask::Inner { known, .. } = &mut ask {
                    *known = Some(*last);
                }
                continue;
            }
        }
        over = Instant::now() + GONE_WAIT;
    }
}

fn refused(error: &Value) -> Told {
    Told { text: json!({ "ok": false, "error": error }).to_string(), data: None, ok: false }
}
