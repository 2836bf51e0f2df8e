//! One question that is being asked: its process from the launch to what it printed. It knows the
//! shim and the files; what a reply means and whether to ask again is decided by the worker.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::request::{self, Time, ZhiPlan};
use crate::query::OpenQuestion;
use crate::shim::durable::{self, Created};
use crate::shim::files::{self, Ended, ExitRecord, RECORD_BYTES_MAX, Request, Ticket};
use crate::shim::launch::{self, PrepareError};
use crate::shim::look::{Look, look};
use crate::shim::stop::{Stop, stop};
use crate::shim::watch::{Watched, Watcher};

/// A shim lets go of its lock a moment after its record; longer than this it is stuck.
const BUSY_ASKS: u32 = 250;
/// How often a shim that cannot be told yet, or is not gone yet, is tried again.
const AGAIN: Duration = Duration::from_millis(20);
/// A shim that has not written who it is after this many tries is left to its own end.
const STOP_ASKS: u32 = 500;

/// A question and the process that asks it.
pub(super) struct Asking {
    pub(super) question: OpenQuestion,
    pub(super) dir: PathBuf,
    /// The last start, if there was one.
    pub(super) ticket: Option<Ticket>,
    /// How often the person was asked.
    pub(super) asks: u32,
    pub(super) stage: Stage,
}

/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The person is being asked.
    Running,
    /// An answer was handed on, and nobody has said yet what became of it.
    Handed,
    /// Nothing more is asked through this port.
    Silent,
}

/// What a start came to.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// It still runs, and is watched again.
    Running,
    /// A reply.
    Reply(Value),
    /// No reply, and why.
    Failed(String),
    /// Nothing was started, and nothing can be any more.
    NeverLaunched,
}

impl Asking {
    /// A question with what an earlier engine left of it.
    pub(super) fn new(plan: &ZhiPlan, question: OpenQuestion) -> Self {
        let dir = plan.dir(&request::call_id(&question));
        let left = left(&dir);
        let asks = left.as_ref().map_or(0, |(_, asks)| *asks);
        let ticket = left.map(|(ticket, _)| ticket);
        Self { question, dir, ticket, asks, stage: Stage::Silent }
    }

    /// Starts a server that asks for the `ask`th time.
    pub(super) fn launch(&mut self, plan: &ZhiPlan, watcher: &Watcher, ask: u32) -> io::Result<()> {
        let attempt = self.ticket.as_ref().map_or(0, |ticket| ticket.attempt) + 1;
        let request = plan.request(&self.question, attempt, ask);
        self.prepare(&request)?;
        let time = if ask > 1 { Time::Again } else { Time::First };
        let asks = plan.asks(&self.question, time).to_string();
        durable::replace(&self.dir, request::ZHI, asks.as_bytes())?;
        let ticket = request.ticket();
        self.asks = ask;
        self.ticket = Some(ticket.clone());
        let env = plan.environment(&self.question);
        let launched = launch::launch(&plan.exe, &self.dir, &ticket, &env)?;
        watcher.watch(self.dir.clone(), ticket, Watched::Launched(launched));
        self.stage = Stage::Running;
        Ok(())
    }

    fn prepare(&self, request: &Request) -> io::Result<()> {
        for _ in 0..BUSY_ASKS {
            match launch::prepare(&self.dir, request) {
                Ok(()) => return Ok(()),
                Err(PrepareError::Busy) => std::thread::sleep(AGAIN),
                Err(PrepareError::Io(why)) => return Err(why),
                Err(why @ PrepareError::Invalid { .. }) => return Err(io::Error::other(why)),
            }
        }
        Err(io::Error::other(PrepareError::Busy))
    }

    /// Finds out what became of the last start; one that runs is watched.
    pub(super) fn find(&self, watcher: &Watcher) -> Found {
        let Some(ticket) = &self.ticket else { return Found::NeverLaunched };
        match look(&self.dir, ticket).map(|seen| seen.look) {
            Ok(Look::Exited(record)) => self.printed(&record),
            Ok(Look::Running { pid }) => {
                let watched = pid.map_or(Watched::Unnamed, Watched::Found);
                watcher.watch(self.dir.clone(), ticket.clone(), watched);
                Found::Running
            }
            Ok(Look::NeverLaunched) => Found::NeverLaunched,
            Ok(Look::Gone(_)) => Found::Failed(String::from("lost")),
            Err(why) => Found::Failed(why.kind().to_string()),
        }
    }

    /// The driver's one line. One that was killed printed none.
    fn printed(&self, record: &ExitRecord) -> Found {
        let bytes = durable::read_tail(&self.dir.join(files::STDOUT), record.stdout_bytes);
        let text = String::from_utf8_lossy(&bytes);
        let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        let mut value: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(reply) = value.get_mut("reply") {
            return Found::Reply(reply.take());
        }
        let word = |name: &str| value["error"][name].as_str().map(str::to_owned);
        let told = match (word("kind"), word("detail")) {
            (Some(kind), Some(detail)) => format!("{kind}: {detail}"),
            (Some(kind), None) => kind,
            (None, _) => ended(record.ended).to_owned(),
        };
        Found::Failed(told)
    }

    /// Stops the server and whatever it started; its end comes by the watcher.
    pub(super) fn stop(&self) {
        if let Some(ticket) = &self.ticket {
            stop_all(&self.dir, ticket);
        }
    }

    /// Whether what the last start came to was told before.
    pub(super) fn was_told(&self) -> bool {
        self.mark().is_some_and(|name| self.dir.join(name).symlink_metadata().is_ok())
    }

    /// Remembers that it was told. Should that fail, it is told again after a restart.
    pub(super) fn set_told(&self) {
        if let Some(name) = self.mark() {
            match durable::create_new(&self.dir, &name) {
                Ok(Created::New | Created::Existed) | Err(_) => {}
            }
        }
    }

    fn mark(&self) -> Option<String> {
        self.ticket.as_ref().map(|ticket| format!("told.{}", ticket.attempt))
    }
}

/// The start that a directory's request belongs to, and how often the person had been asked.
pub(super) fn left(dir: &Path) -> Option<(Ticket, u32)> {
    let bytes = durable::read(&dir.join(files::REQUEST), RECORD_BYTES_MAX).ok()?;
    let request: Request = serde_json::from_slice(&bytes).ok()?;
    let asks = request.tool_call["ask"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(1);
    Some((request.ticket(), asks))
}

const fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Exit => "exit",
        Ended::Signal => "signal",
        Ended::Deadline => "deadline",
        Ended::Idle => "idle",
        Ended::Stopped => "stopped",
        Ended::SpawnFailed => "spawn_failed",
    }
}

/// Ends what an earlier engine left running in a directory.
pub(super) fn end(dir: &Path) {
    let Some((ticket, _)) = left(dir) else { return };
    if let Ok(Look::Running { .. }) = look(dir, &ticket).map(|seen| seen.look) {
        stop_all(dir, &ticket);
    }
}

fn stop_all(dir: &Path, ticket: &Ticket) {
    for _ in 0..STOP_ASKS {
        match stop(dir, ticket) {
            Ok(Stop::Told | Stop::Gone) => return,
            Ok(Stop::NotYet) if dir.join(files::EXIT).exists() => return,
            Ok(Stop::NotYet) | Err(_) => std::thread::sleep(AGAIN),
        }
    }
}
