//! `call tail CALL [--stream S] [--follow]`: what a call prints, without secrets, until it ends.

use std::io;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use edge::calls::exit_of;
use journal::Journal as _;
use kernel::errors::Exit;
use kernel::run::Kind;
use runtime::query::{self, Pipe};
use serde_json::json;

use super::known::{self, Known};
use crate::ctx::{Ctx, Form};
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// How often a followed spool is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How many looks an ended process may wait for its end to be recorded: without an engine nobody
/// records it.
const LOOKS_AFTER_EXIT: u32 = 15;

/// Which stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Which call, which stream, how long.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call.
    #[arg(value_name = "CALL")]
    pub call: String,
    /// Which of the two.
    #[arg(long, value_name = "STREAM", value_enum, default_value = "stdout")]
    pub stream: Stream,
    /// Until it ends.
    #[arg(long)]
    pub follow: bool,
}

/// Prints it.
///
/// # Errors
/// An unknown call, or files that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let known = known::run_of(ctx, &args.call, Kind::Call)?;
    let pipe = match args.stream {
        Stream::Stdout => Pipe::Stdout,
        Stream::Stderr => Pipe::Stderr,
    };
    if args.follow && !known.head.ended {
        return follow(ctx, &known, pipe);
    }
    let dir = known.dir.call(&known.head.run);
    let output = query::output(&dir, pipe, &ctx.redactor()?);
    let output = output.map_err(|refusal| trouble::of_query(&refusal))?;
    Ok(Reply::new(json!(output), output.text.clone()))
}

/// Prints what comes, as text or as one object a line, until the end is recorded.
fn follow(ctx: &Ctx, known: &Known, pipe: Pipe) -> Result<Reply, Trouble> {
    let of = |refusal| trouble::of_query(&refusal);
    let (dir, redactor) = (known.dir.call(&known.head.run), ctx.redactor()?);
    let mut stream = redactor.stream();
    let (mut from, mut waited) = (0, 0);
    let exit = loop {
        // The end is looked at first: what was printed before it is then in the file.
        let ended = known.journal.head(&known.head.run).map_err(|f| of(f.into()))?;
        let ended = ended.filter(|head| head.ended);
        let gone = query::exit_recorded(&dir);
        let raw = query::read_from(&dir, pipe, from).map_err(of)?;
        from += raw.len() as u64;
        if !print(ctx, &stream.push(&raw)) {
            return Ok(Reply::printed(Exit::OK));
        }
        match ended {
            Some(head) => {
                break exit_of(&query::fold(&known.journal, &head, None).map_err(of)?.state);
            }
            None if gone && waited >= LOOKS_AFTER_EXIT => break Exit::WAITING,
            None => waited += u32::from(gone),
        }
        thread::sleep(LOOK_EVERY);
    };
    print(ctx, &stream.finish());
    if ctx.form == Form::Json {
        let _ = out::line(&json!({ "ok": true, "data": { "call": known.head.run } }).to_string());
    }
    Ok(Reply::printed(exit))
}

/// Whether anybody still reads.
fn print(ctx: &Ctx, bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return true;
    }
    let text = String::from_utf8_lossy(bytes);
    let written = match ctx.form {
        Form::Json => out::line(&json!({ "text": text }).to_string()),
        Form::Text => out::raw(&text),
    };
    !written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
