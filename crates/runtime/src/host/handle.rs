//! What doors hold of a host: a way to say something and hear the durable answer. Cheap to clone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use kernel::machine::By;
use kernel::run::Command;

use crate::agents::fold::Retry;
use crate::ask::Heard;
use crate::engine::{Answer, Link, Made, Saying};

/// A message to the host's thread.
#[derive(Debug)]
pub(crate) enum Msg {
    /// Someone says something to one run, each after the other, and waits for as many answers.
    Say {
        by: By,
        run: String,
        trace: String,
        commands: Vec<Command>,
        link: Link,
        reply: Sender<Answer>,
    },
    /// The hands report the end of a job.
    Landed(Box<Saying>),
    /// The hands have made a request of a turn.
    Made(Box<Made>),
    /// An agent's stream named its conversation.
    Heard { call: String, session: String },
    /// The program of this call asks its provider again by itself.
    Retried(Box<(String, Retry)>),
    /// A person was asked through a program of theirs.
    Zhi(Heard),
    /// A view file was changed by someone else.
    Outside(String),
    /// Draw what is not as it should be of a loop's files, and say when that is done.
    Redraw { run: String, reply: Sender<()> },
    /// A client came or went, so idleness has to be looked at again.
    Clients,
    /// Someone who knows a run up to a record waits for what comes after it.
    News { run: String, seq: u64, at_most: Duration, reply: Sender<()> },
    /// Someone wants to know how the engine is.
    Status(Sender<EngineStatus>),
    /// Leave, when asked by a person.
    Leave(Sender<EngineStatus>),
}

/// How an engine is.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EngineStatus {
    /// Build version.
    pub version: String,
    /// Process id.
    pub pid: u32,
    /// Since when, in milliseconds since 1970.
    pub since_ms: u64,
    /// Live calls.
    pub in_flight: usize,
    /// Connected clients.
    pub clients: usize,
    /// How long it stays without either.
    pub idle_exit_ms: u64,
    /// Its place in the journal's line of writers.
    pub epoch: u64,
    /// View files drawn so far.
    pub redraws: u64,
}

impl EngineStatus {
    /// One that begins now and has done nothing.
    pub(crate) fn beginning(since_ms: u64) -> Self {
        Self {
            version: String::new(),
            pid: std::process::id(),
            since_ms,
            in_flight: 0,
            clients: 0,
            idle_exit_ms: 0,
            epoch: 0,
            redraws: 0,
        }
    }
}

/// The host has left or failed; nothing of the request is known to be durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine has left")]
pub struct Down;

/// A way to speak to the host.
#[derive(Clone, Debug)]
pub struct Handle {
    pub(crate) inbox: Sender<Msg>,
    pub(crate) clients: Arc<AtomicUsize>,
}

/// A connected client; the engine does not exit for idleness while one exists.
#[derive(Debug)]
pub struct ClientGuard(Handle);

impl Drop for ClientGuard {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::SeqCst);
        // A host that has left has no use for the news.
        let _ = self.0.inbox.send(Msg::Clients);
    }
}

impl Handle {
    pub(crate) fn new() -> (Self, Receiver<Msg>) {
        let (inbox, receiver) = channel();
        (Self { inbox, clients: Arc::default() }, receiver)
    }

    /// Says something and waits until the answer is durable.
    ///
    /// # Errors
    /// When the host has left.
    pub fn say(&self, by: By, run: &str, trace: &str, command: Command) -> Result<Answer, Down> {
        self.say_all(by, run, trace, (Link::Alone, vec![command]))?.pop().ok_or(Down)
    }

    /// Says several things to one run. They are decided in order and share a sync; after the first
    /// refusal the rest is void and answered with the same. The first stands on what is said.
    ///
    /// # Errors
    /// When the host has left.
    pub fn say_all(
        &self,
        by: By,
        run: &str,
        trace: &str,
        (link, commands): (Link, Vec<Command>),
    ) -> Result<Vec<Answer>, Down> {
        let count = commands.len();
        let (reply, answers) = channel();
        let (run, trace) = (run.to_owned(), trace.to_owned());
        self.inbox.send(Msg::Say { by, run, trace, commands, link, reply }).map_err(|_| Down)?;
        (0..count).map(|_| answers.recv().map_err(|_| Down)).collect()
    }

    /// How the engine is.
    ///
    /// # Errors
    /// When the host has left.
    pub fn status(&self) -> Result<EngineStatus, Down> {
        self.ask(Msg::Status)
    }

    /// Waits until there is more to see of a run than up to this record, but not longer than this.
    /// Its pages are drawn by then.
    ///
    /// # Errors
    /// When the host has left.
    pub fn news(&self, run: &str, seq: u64, at_most: Duration) -> Result<(), Down> {
        let (reply, told) = channel();
        let run = run.to_owned();
        self.inbox.send(Msg::News { run, seq, at_most, reply }).map_err(|_| Down)?;
        match told.recv_timeout(at_most) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => Err(Down),
        }
    }

    /// Asks the engine to leave; shims go on and are found again by the next one.
    ///
    /// # Errors
    /// When the host has left already.
    pub fn leave(&self) -> Result<EngineStatus, Down> {
        self.ask(Msg::Leave)
    }

    /// Looks at the files of a loop, and draws those that are not as they should be.
    ///
    /// # Errors
    /// When the host has left.
    pub fn redraw(&self, run: &str) -> Result<(), Down> {
        let (reply, drawn) = channel();
        self.inbox.send(Msg::Redraw { run: run.to_owned(), reply }).map_err(|_| Down)?;
        drawn.recv().map_err(|_| Down)
    }

    /// Counts a client while the guard lives.
    #[must_use]
    pub fn client(&self) -> ClientGuard {
        self.clients.fetch_add(1, Ordering::SeqCst);
        ClientGuard(self.clone())
    }

    fn ask(&self, message: fn(Sender<EngineStatus>) -> Msg) -> Result<EngineStatus, Down> {
        let (reply, answer) = channel();
        self.inbox.send(message(reply)).map_err(|_| Down)?;
        answer.recv().map_err(|_| Down)
    }
}
