//! The line prompt of a bare `loopwright` on a terminal: every line is said to the session of this
//! branch. It knows no command of its own but leaving.

use std::time::Duration;

use kernel::errors::Exit;

use super::{Flags, Wanted, said};
use crate::ctx::Ctx;
use crate::live::People;
use crate::live::interrupt;
use crate::live::prompt::{self, Typed};
use crate::out::{self, Reply};
use crate::trouble::Trouble;

/// How long one look for a line lasts.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Reads lines until there are no more.
///
/// # Errors
/// When this can be no workspace.
pub fn run(ctx: &Ctx) -> Result<Reply, Trouble> {
    ctx.root()?;
    interrupt::listen();
    out::notice(&ctx.say("session-repl"));
    loop {
        if interrupt::asked() {
            return Ok(Reply::printed(Exit::OK));
        }
        match prompt::typed(LOOK_EVERY) {
            Typed::Nothing => {}
            Typed::End => return Ok(Reply::printed(Exit::OK)),
            Typed::Line(line) => {
                let line = line.trim().to_owned();
                match line.as_str() {
                    "" => {}
                    "exit" | "quit" => return Ok(Reply::printed(Exit::OK)),
                    _words => tell(ctx, line),
                }
            }
        }
    }
}

fn tell(ctx: &Ctx, line: String) {
    let answer = Flags::default().form(ctx).and_then(|form| {
        let (text, flags, people) = (line, Vec::new(), People::There);
        said(ctx, Wanted { name: None, text, flags, form, people, branch: None })
    });
    match answer {
        Ok(reply) => drop(out::line(&reply.text)),
        Err(trouble) => out::notice(&out::told(ctx.lang, &ctx.asked, &trouble)),
    }
}
