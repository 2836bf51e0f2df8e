//! Playing the steps that say something: the conversation first, whatever is said; then the words,
//! in the form the dialect gives them.

use std::io;

use kernel::agent::FileKind;

use super::dialect::{Act, Failed, Retried, ToolUse, Turn};
use super::play::{Play, Standing};
use super::step::{Failure, Raw, Retry, Session, Speech, Stage, Stream, Tool};
use super::text::Text;

impl Play<'_> {
    pub(super) fn speak(&mut self, speech: &Speech) -> io::Result<()> {
        match speech {
            Speech::Session(session) => self.session(session),
            Speech::Say(text) => self.say(text),
            Speech::Delta(text) => self.delta(text),
            Speech::Stderr(text) => self.voice.err(&self.fill(text)),
            Speech::Raw(Raw::Text(text)) => {
                self.voice.bytes(Stream::Stdout, self.fill(text).as_bytes())
            }
            Speech::Raw(Raw::Bytes(bytes)) => self.voice.bytes(Stream::Stdout, bytes),
            Speech::Retry(retry) => self.retry(retry),
            Speech::Note(text) => {
                self.begin()?;
                let text = self.fill(text);
                self.dialect.note(&self.voice, &text)
            }
            Speech::Usage(usage) => {
                self.begin()?;
                self.told = Some(*usage);
                self.dialect.usage(&self.voice, usage)
            }
            Speech::Tool(tool) => self.tool(tool),
            Speech::File { path, kind } => self.claim(path, *kind),
            Speech::Error(failure) => self.error(failure),
            Speech::End => self.end(),
        }
    }

    /// Says which conversation this is, unless that was said.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        match self.standing {
            Standing::Said(_) => Ok(()),
            Standing::Unsaid => self.session(&Session::Auto),
        }
    }

    fn session(&mut self, session: &Session) -> io::Result<()> {
        let id = match session {
            Session::Auto => Some(self.resume.clone().unwrap_or_else(|| self.auto.clone())),
            Session::Id(id) => Some(id.clone()),
            Session::None => None,
        };
        if let Some(id) = &id {
            self.before = self.memory.recall(id).unwrap_or_default();
            // Kept before it is said: whoever has read it may use it. An agent that can't remember
            // still answers.
            if let Err(error) = self.memory.keep(id, self.before) {
                self.voice.err(&format!("drive.memory {error}"))?;
            }
        }
        self.dialect.began(&self.voice, id.as_deref())?;
        self.standing = Standing::Said(id);
        Ok(())
    }

    fn say(&mut self, text: &Text) -> io::Result<()> {
        self.begin()?;
        self.pending.clear();
        let text = self.fill(text);
        self.dialect.text(&self.voice, &text)
    }

    fn delta(&mut self, text: &Text) -> io::Result<()> {
        self.begin()?;
        let text = self.fill(text);
        if self.tongue.shows_pieces() {
            return self.dialect.delta(&self.voice, &text);
        }
        self.pending.push_str(&text);
        Ok(())
    }

    /// Pieces that this dialect shows only whole are shown before anything else happens.
    fn settle(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.pending);
        self.dialect.text(&self.voice, &text)
    }

    fn retry(&mut self, retry: &Retry) -> io::Result<()> {
        self.begin()?;
        let Retry { attempt, max, delay_ms, status, why } = retry;
        let (attempt, max, delay_ms, status) = (*attempt, *max, *delay_ms, *status);
        let retried = Retried { attempt, max, delay_ms, status, why: self.fill(why) };
        self.dialect.retry(&self.voice, &retried)
    }

    fn error(&mut self, failure: &Failure) -> io::Result<()> {
        self.begin()?;
        let failed = Failed {
            kind: failure.kind.clone(),
            status: failure.status,
            message: self.fill(&failure.message),
            retry_after_ms: failure.retry_after_ms,
        };
        self.code = self.dialect.failed(&self.voice, &failed)?;
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.begin()?;
        self.settle()?;
        let turn = Turn { told: self.told, before: self.before };
        let total = self.dialect.ended(&self.voice, &turn)?;
        if let Standing::Said(Some(id)) = &self.standing {
            // What it can't keep it told of when the conversation began.
            let _ = self.memory.keep(id, total);
        }
        Ok(())
    }

    fn tool(&mut self, tool: &Tool) -> io::Result<()> {
        let id = tool.id.clone().unwrap_or_else(|| self.tool_id());
        let act = Act::Named { name: tool.name.clone(), kind: tool.kind.clone() };
        self.use_tool(&id, act, tool.status)
    }

    /// Says that a file was changed, and changes nothing.
    fn claim(&mut self, path: &Text, kind: FileKind) -> io::Result<()> {
        let path = self.absolute(&self.fill(path));
        let act = match kind {
            FileKind::Add | FileKind::Update => Act::Write { path, text: String::new(), kind },
            FileKind::Delete => Act::Delete { path },
        };
        let id = self.tool_id();
        self.use_tool(&id, act, Stage::Ok)
    }

    /// An id no other tool of this launch has.
    pub(super) fn tool_id(&mut self) -> String {
        self.tools += 1;
        format!("{:06}", self.tools)
    }

    /// As the CLIs name files.
    pub(super) fn absolute(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.voice.cwd) }
    }

    /// Tells how far a tool is; its beginning is told once.
    pub(super) fn use_tool(&mut self, id: &str, act: Act, stage: Stage) -> io::Result<()> {
        self.begin()?;
        self.settle()?;
        let told = match stage {
            Stage::Open => !self.open.insert(id.to_owned()),
            Stage::Ok | Stage::Failed | Stage::Denied => self.open.remove(id),
        };
        let tool = ToolUse { id: id.to_owned(), act, stage, told };
        self.dialect.tool(&self.voice, &tool)
    }
}
