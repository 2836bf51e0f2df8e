//! A question asked on the terminal while the view goes on: the line is read when there is one, so
//! an answer given elsewhere is seen meanwhile.

use std::io::{self, BufRead as _};
use std::time::Duration;

use edge::door::{Ask, CallSay, LoopSay};
use kernel::loops::Life;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::wait::Wait;
use crate::commands::loops::page;
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::out;

/// What came from the terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// Nothing yet.
    Nothing,
    /// A line.
    Line(String),
    /// The person has closed the input.
    End,
}

/// Waits for a line, but not longer than this.
pub fn typed(patience: Duration) -> Typed {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
    let wait = Timespec::try_from(patience).ok();
    match poll(&mut fds, wait.as_ref()) {
        Ok(1..) => {}
        Ok(_) | Err(_) => return Typed::Nothing,
    }
    let mut line = String::new();
    match stdin.lock().read_line(&mut line) {
        Ok(0) | Err(_) => Typed::End,
        Ok(_) => Typed::Line(line.trim().to_owned()),
    }
}

/// Whether the question stands after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It is answered, or about to be.
    Answered,
    /// It stands.
    Still,
}

/// Says the answer to the engine; what is refused is told, and the question stands.
pub fn answer(ctx: &Ctx, desk: &mut Desk, life: &Life, wait: &Wait, line: &str) -> Asked {
    let run = life.body.id.clone();
    let trace = desk.trace();
    let ask = match wait {
        Wait::Menu { .. } | Wait::Unverified { .. } => {
            let (word, text) = line.split_once(' ').unwrap_or((line, ""));
            let key = key(&wait.keys(), word);
            if key.is_empty() {
                return Asked::Still;
            }
            if key == "status" {
                drop(out::line(&page::status(ctx, life)));
                return Asked::Still;
            }
            let text = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            Ask::Loop { run, trace, says: vec![LoopSay::Answer { key, text }] }
        }
        Wait::Asked { call, .. } => {
            let yes = ["y", "yes", "是", "好"].contains(&line.to_lowercase().as_str());
            let note = String::new();
            let say = if yes { CallSay::Allow } else { CallSay::Deny { note } };
            Ask::Call { run: call.clone(), trace, say }
        }
        Wait::Unknown { .. } => return Asked::Still,
    };
    match desk.take(&ask) {
        Ok(_) => Asked::Answered,
        Err(trouble) => {
            out::notice(&out::told(ctx.lang, &ctx.asked, &trouble));
            Asked::Still
        }
    }
}

/// A number or a key as the key.
fn key(keys: &[&str], word: &str) -> String {
    let number = word.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let named = number.and_then(|n| keys.get(n).copied());
    named.unwrap_or(word).to_owned()
}
