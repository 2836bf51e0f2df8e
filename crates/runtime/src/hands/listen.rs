//! One thread that reads along while agents run: the conversation's id as soon as it is named, the
//! silence of an agent that has no tool open, and a process that lingers after its final event. It
//! judges nothing: an outcome is read from the files once the shim has ended.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use kernel::agent::Kind;
use kernel::call;

use super::work::of_call;
use crate::agents::fold::FoldPlan;
use crate::agents::read::Live;
use crate::host::handle::Msg;
use crate::shim::clock::{awake_ms, wall_ms};
use crate::shim::files::{self, Ticket};
use crate::shim::stop::stop;

/// How often spools are looked at: a person who watches sees an id at once, and two hundred agents
/// cost two hundred looks at a file's size.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long a process may live after its final event.
pub(super) const EXIT_GRACE_MS: u64 = 5_000;

/// A start to read along with.
pub(super) struct Attend {
    pub(super) ticket: Ticket,
    pub(super) dir: PathBuf,
    pub(super) kind: Kind,
    pub(super) plan: FoldPlan,
    /// Longest silence; none = off.
    pub(super) idle_ms: Option<u64>,
}

enum Note {
    Attend(Box<Attend>),
    Over(Ticket),
}

/// The thread that reads along; it ends when this is dropped.
pub(super) struct Listener {
    notes: Sender<Note>,
}

impl Listener {
    /// Starts the thread.
    pub(super) fn start(inbox: Sender<Msg>) -> std::io::Result<Self> {
        let (notes, incoming) = channel();
        std::thread::Builder::new()
            .name("listen".into())
            .spawn(move || listen(&incoming, &inbox))?;
        Ok(Self { notes })
    }

    /// Reads along with one more start.
    pub(super) fn attend(&self, start: Attend) {
        // The thread takes until the sender is gone.
        drop(self.notes.send(Note::Attend(Box::new(start))));
    }

    /// Its shim has ended.
    pub(super) fn over(&self, ticket: &Ticket) {
        drop(self.notes.send(Note::Over(ticket.clone())));
    }
}

/// One agent that is listened to.
struct Attended {
    start: Attend,
    live: Live,
    session_told: Option<String>,
    stderr_bytes: u64,
    spoke_at: u64,
    ended_at: Option<u64>,
    idle_told: bool,
    /// Retries that were told of; none before the first look at what an earlier engine has told of.
    retries_told: Option<u32>,
}

fn listen(incoming: &Receiver<Note>, inbox: &Sender<Msg>) {
    let mut all: HashMap<Ticket, Attended> = HashMap::new();
    loop {
        // Nobody to listen to means nothing to do until there is.
        let note = if all.is_empty() {
            incoming.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            incoming.recv_timeout(LOOK_EVERY)
        };
        match note {
            Ok(Note::Attend(start)) => {
                all.insert(start.ticket.clone(), Attended::new(*start));
                continue;
            }
            Ok(Note::Over(ticket)) => {
                all.remove(&ticket);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {}
        }
        for one in all.values_mut() {
            one.look(inbox);
        }
    }
}

impl Attended {
    fn new(start: Attend) -> Self {
        let live = Live::new(&start.dir, start.kind, &start.plan);
        let spoke_at = awake_ms().saturating_sub(silent_for(&start.dir));
        let said = std::fs::metadata(start.dir.join(files::STDOUT)).map_or(0, |meta| meta.len());
        Self {
            start,
            live,
            session_told: None,
            stderr_bytes: 0,
            spoke_at,
            ended_at: None,
            idle_told: false,
            retries_told: (said == 0).then_some(0),
        }
    }

    fn look(&mut self, inbox: &Sender<Msg>) {
        let now = awake_ms();
        // A spool that can't be read now is read whole at the end.
        let stderr = std::fs::metadata(self.start.dir.join(files::STDERR));
        let stderr_bytes = stderr.map_or(0, |meta| meta.len());
        let first = self.live.heard().bytes == 0 && self.stderr_bytes == 0;
        if self.live.poll().unwrap_or(false) || stderr_bytes != self.stderr_bytes {
            self.stderr_bytes = stderr_bytes;
            // What lay there when a start was found again was said before.
            if !first {
                self.spoke_at = now;
            }
        }
        let heard = self.live.heard();
        if heard.session.is_some() && heard.session != self.session_told {
            self.session_told.clone_from(&heard.session);
            let call = self.start.ticket.call_id.clone();
            let session = heard.session.clone().unwrap_or_default();
            drop(inbox.send(Msg::Heard { call, session }));
        }
        let told = self.retries_told.replace(heard.retries_seen).unwrap_or(heard.retries_seen);
        let fresh = usize::try_from(heard.retries_seen.saturating_sub(told)).unwrap_or(usize::MAX);
        let kept = heard.retries.len();
        for retry in &heard.retries[kept.saturating_sub(fresh)..] {
            let call = self.start.ticket.call_id.clone();
            drop(inbox.send(Msg::Retried(Box::new((call, retry.clone())))));
        }
        if !heard.tools.is_empty() {
            self.spoke_at = now;
        }
        if heard.verdict.is_some() {
            let since = *self.ended_at.get_or_insert(now);
            if now.saturating_sub(since) >= EXIT_GRACE_MS {
                // The answer is there; the shim ends what lingers and writes its record.
                drop(stop(&self.start.dir, &self.start.ticket));
                self.ended_at = Some(now);
            }
            return;
        }
        self.judge_silence(now, inbox);
    }

    fn judge_silence(&mut self, now: u64, inbox: &Sender<Msg>) {
        let Some(idle_ms) = self.start.idle_ms else { return };
        if self.idle_told || now.saturating_sub(self.spoke_at) < idle_ms {
            return;
        }
        self.idle_told = true;
        let ticket = &self.start.ticket;
        let slot = call::idle_slot(ticket.attempt);
        let saying =
            of_call(ticket.call_id.clone(), String::new(), call::Command::Timeout { slot });
        let saying = crate::engine::Saying { origin: crate::engine::Origin::Engine, ..saying };
        drop(inbox.send(Msg::Landed(Box::new(saying))));
    }
}

/// How long ago the spools of a start that was found again grew last.
fn silent_for(dir: &Path) -> u64 {
    let changed = [files::STDOUT, files::STDERR]
        .iter()
        .filter_map(|name| std::fs::metadata(dir.join(name)).ok()?.modified().ok())
        .filter_map(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .map(|since| u64::try_from(since.as_millis()).unwrap_or(0))
        .max();
    changed.map_or(0, |at| wall_ms().saturating_sub(at))
}
