//! The dialect of the one program in front of several CLIs: nothing on standard output until the
//! answer is whole, then the answer and a trailer with the conversation's id.

use std::io;

use kernel::agent::Usage;

use super::super::memory::Totals;
use super::super::step::Stream;
use super::super::voice::Voice;
use super::said::{Failed, Retried, ToolUse, Turn};
use super::tongue::Dialect;

/// It exits so when its backend failed.
const EXIT_FAILED: u8 = 1;

/// One who talks so.
#[derive(Default)]
pub(super) struct Wrapper {
    session: Option<String>,
    answer: String,
}

impl Dialect for Wrapper {
    fn began(&mut self, voice: &Voice, session: Option<&str>) -> io::Result<()> {
        self.session = session.map(str::to_owned);
        match session {
            Some(id) if voice.args.iter().any(|arg| arg == "--progress") => {
                voice.err(&format!("[PROGRESS] session_started id={id}"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn delta(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        self.text(voice, text)
    }

    fn text(&mut self, _voice: &Voice, text: &str) -> io::Result<()> {
        text.clone_into(&mut self.answer);
        Ok(())
    }

    fn tool(&mut self, _voice: &Voice, _tool: &ToolUse) -> io::Result<()> {
        Ok(())
    }

    fn retry(&mut self, _voice: &Voice, _retry: &Retried) -> io::Result<()> {
        Ok(())
    }

    fn note(&mut self, voice: &Voice, text: &str) -> io::Result<()> {
        voice.err(text)
    }

    fn usage(&mut self, _voice: &Voice, _usage: &Usage) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, voice: &Voice, turn: &Turn) -> io::Result<Totals> {
        let mut page = format!("{}\n", self.answer);
        if let Some(id) = &self.session {
            page.push_str(&format!("\n---\nSESSION_ID: {id}\n"));
        }
        voice.bytes(Stream::Stdout, page.as_bytes())?;
        Ok(turn.total(1))
    }

    fn failed(&mut self, voice: &Voice, failed: &Failed) -> io::Result<u8> {
        let status = failed.status.map_or_else(String::new, |status| format!("status {status}: "));
        voice.err(&format!("ERROR: {status}{}", failed.message))?;
        Ok(EXIT_FAILED)
    }

    /// Its usual backend is codex, whose words pass through.
    fn resume_unknown(&mut self, voice: &Voice, id: &str) -> io::Result<u8> {
        voice.err(&format!("Error: thread/resume failed: no rollout found for thread id {id}"))?;
        Ok(EXIT_FAILED)
    }
}
