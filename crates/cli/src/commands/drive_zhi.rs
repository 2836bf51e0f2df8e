//! `drive-zhi DIR --request FILE`: asks a person through an MCP server and prints the reply as one
//! line of JSON. Started by us only, below a shim: it may wait for days while no engine lives, and
//! ends with its shim.

use std::path::PathBuf;

use edge::zhi::{self, Request};
use kernel::errors::Exit;
use runtime::ask;
use runtime::shim::durable;
use serde_json::{Value, json};

use crate::out::{self, Reply};

/// Where the call lives and what it asks.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The directory of the call.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The request, in that directory unless absolute.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
}

/// Asks and prints.
pub fn run(args: &Args) -> Reply {
    let (line, exit) = match read(args).and_then(|request| asked(&request)) {
        Ok(reply) => (json!({ "reply": reply }), Exit::OK),
        Err(error) => (json!({ "error": error }), Exit::FAILED),
    };
    // Nobody reads it but a spool; one that is full has the line in its tail.
    drop(out::line(&line.to_string()));
    Reply::printed(exit)
}

fn read(args: &Args) -> Result<Request, Value> {
    let unreadable = |why: String| json!({ "kind": "request", "detail": why });
    let path = args.dir.join(&args.request);
    let bytes =
        durable::read(&path, ask::REQUEST_BYTES_MAX).map_err(|w| unreadable(w.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|why| unreadable(why.to_string()))
}

fn asked(request: &Request) -> Result<Value, Value> {
    zhi::ask(request).map_err(|why| json!({ "kind": why.kind(), "detail": why.detail() }))
}
