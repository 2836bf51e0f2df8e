//! One thread that waits for many shims to end, whether this engine started them or an earlier
//! one did, and reaps those that are its own. It tells that a shim ended, or is about to and has
//! said so on disk, never what that means: whoever hears it looks.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rustix::event::{EventfdFlags, PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags};

use super::files::{self, PidRecord, Record, Ticket};
use super::identity::Handle;
use super::launch::Launched;
use super::{clock, token};

/// A shim that has neither token nor `pid.json` after this long is looked at.
pub const START_WAIT_MS: u64 = 10_000;
/// How often a shim whose pid is not known yet is looked for.
const SEEK_EVERY_MS: u64 = 20;

/// How the shim to be watched is known.
#[derive(Debug)]
pub enum Watched {
    /// This engine spawned it.
    Launched(Launched),
    /// It was found running, with its identity.
    Found(Box<PidRecord>),
    /// Its lock was found held, its identity is not written yet.
    Unnamed,
}

/// What the watcher tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Every process of the call is gone; how it ended is being written. Told of shims that this
    /// engine started, and of those only if they come that far.
    Quiet(Ticket),
    /// The shim has ended, or has nothing left to do: look. Told once.
    Ended(Ticket),
    /// It lives but has not started within [`START_WAIT_MS`]: look. It is watched on.
    StartLate(Ticket),
}

/// The watching thread; it ends when this is dropped.
pub struct Watcher {
    inbox: Option<Sender<Entry>>,
    wake: std::sync::Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts the thread; `report` runs on it and must not block.
    pub fn start(report: impl Fn(Report) + Send + 'static) -> io::Result<Self> {
        let wake = std::sync::Arc::new(rustix::event::eventfd(
            0,
            EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK,
        )?);
        let (inbox, incoming) = mpsc::channel();
        let waker = std::sync::Arc::clone(&wake);
        let thread = std::thread::Builder::new()
            .name("shim-watch".into())
            .spawn(move || watch(&incoming, &waker, &report))?;
        Ok(Self { inbox: Some(inbox), wake, thread: Some(thread) })
    }

    /// Watches one more shim. One that has ended already is reported at once.
    pub fn watch(&self, dir: PathBuf, ticket: Ticket, watched: Watched) {
        let entry = Entry::new(dir, ticket, watched);
        if let Some(inbox) = &self.inbox {
            // The thread takes until the sender is gone.
            let _ = inbox.send(entry);
        }
        self.wake();
    }

    fn wake(&self) {
        // A counter that is full wakes as well.
        let _ = rustix::io::write(&*self.wake, &1u64.to_ne_bytes());
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.inbox = None;
        self.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What stands for the shim in a `poll`.
enum Means {
    Fd(OwnedFd),
    Handle(Handle),
    /// Nothing yet: it is looked for.
    Seek,
    /// It was gone before it could be opened.
    Gone,
}

struct Entry {
    dir: PathBuf,
    ticket: Ticket,
    means: Means,
    child: Option<Child>,
    /// Speaks when the call's processes are gone, hangs up when the outcome is recorded; nothing
    /// once it hung up.
    line: Option<OwnedFd>,
    /// Whether its end is told already.
    told: bool,
    /// When a start that has not happened is late; nothing once that is settled.
    start_by: Option<u64>,
}

impl Entry {
    fn new(dir: PathBuf, ticket: Ticket, watched: Watched) -> Self {
        let start_by = Some(clock::awake_ms() + START_WAIT_MS);
        match watched {
            Watched::Launched(Launched { child, line }) => {
                // Ours and not reaped, so the number is its own. Without a descriptor (there may
                // be none left) it is asked for again and again instead.
                let pid = Pid::from_raw(child.id().cast_signed());
                let fd =
                    pid.and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
                let means = fd.map_or(Means::Seek, Means::Fd);
                let (child, line) = (Some(child), Some(line));
                Self { dir, ticket, means, child, line, told: false, start_by }
            }
            Watched::Found(record) => {
                let means = open(&dir, &record);
                Self { start_by: None, ..Self::foreign(dir, ticket, means) }
            }
            Watched::Unnamed => Self { start_by, ..Self::foreign(dir, ticket, Means::Seek) },
        }
    }

    /// A shim that an earlier engine started: init reaps it, and it has nobody to hang up on.
    const fn foreign(dir: PathBuf, ticket: Ticket, means: Means) -> Self {
        Self { dir, ticket, means, child: None, line: None, told: false, start_by: None }
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.means {
            Means::Fd(fd) => Some(fd.as_fd()),
            Means::Handle(handle) => Some(handle.as_fd()),
            Means::Seek | Means::Gone => None,
        }
    }

    fn pid_record(&self) -> Option<PidRecord> {
        match files::read(&self.dir, files::PID, &self.ticket) {
            Record::Found(record) => Some(record),
            Record::Absent | Record::Damaged { .. } | Record::Foreign { .. } => None,
        }
    }

    /// Looks for a shim that has no descriptor yet.
    fn seek(&mut self) {
        if !matches!(self.means, Means::Seek) {
            return;
        }
        if let Some(child) = &mut self.child {
            if !matches!(child.try_wait(), Ok(None)) {
                self.means = Means::Gone;
            }
        } else if let Some(record) = self.pid_record() {
            self.means = open(&self.dir, &record);
        } else if !matches!(token::lock(&self.dir), Ok(None)) {
            // Its lock was held when it was handed to us, and is not any more.
            self.means = Means::Gone;
        }
    }

    /// Tells once when a start is late.
    fn check_start(&mut self, report: &dyn Fn(Report)) {
        if self.start_by.is_some_and(|by| clock::awake_ms() >= by) {
            self.start_by = None;
            let started = token::exists(&self.dir, self.ticket.attempt);
            if !started || self.pid_record().is_none() {
                report(Report::StartLate(self.ticket.clone()));
            }
        }
    }

    /// How long this entry can go unlooked at.
    fn patience_ms(&self) -> u64 {
        let late = self.start_by.map(|by| by.saturating_sub(clock::awake_ms()));
        let seek = matches!(self.means, Means::Seek).then_some(SEEK_EVERY_MS);
        late.into_iter().chain(seek).min().unwrap_or(clock::LOOK_EVERY_MS)
    }

    /// A word on the line, or its end. A shim that died hangs up too, and left no outcome to
    /// read: its end is told when it is over.
    fn hear(&mut self, report: &dyn Fn(Report)) {
        let mut word = [0u8; 1];
        match self.line.as_ref().map(|line| rustix::io::read(line, &mut word)) {
            Some(Ok(1)) => return report(Report::Quiet(self.ticket.clone())),
            Some(Err(Errno::INTR | Errno::AGAIN)) => return,
            Some(Ok(_) | Err(_)) | None => self.line = None,
        }
        if self.dir.join(files::EXIT).exists() {
            self.told = true;
            self.start_by = None;
            report(Report::Ended(self.ticket.clone()));
        }
    }

    fn end(mut self, report: &dyn Fn(Report)) {
        if let Some(child) = &mut self.child {
            // It has ended; this only takes it off the list of processes.
            let _ = child.wait();
        }
        if !self.told {
            report(Report::Ended(self.ticket));
        }
    }
}

/// A record's shim, or that it is gone. If it cannot be told now, it is asked again.
fn open(dir: &Path, record: &PidRecord) -> Means {
    match token::holder(dir, record) {
        Ok(Some(handle)) => Means::Handle(handle),
        Ok(None) => Means::Gone,
        Err(_) => Means::Seek,
    }
}

/// Whether another round is to follow.
enum Inbox {
    Open,
    Closed,
}

fn take(incoming: &Receiver<Entry>, entries: &mut Vec<Entry>) -> Inbox {
    loop {
        match incoming.try_recv() {
            Ok(entry) => entries.push(entry),
            Err(mpsc::TryRecvError::Empty) => return Inbox::Open,
            Err(mpsc::TryRecvError::Disconnected) => return Inbox::Closed,
        }
    }
}

fn watch(incoming: &Receiver<Entry>, wake: &OwnedFd, report: &dyn Fn(Report)) {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let _ = rustix::io::read(wake, &mut [0u8; 8]);
        if matches!(take(incoming, &mut entries), Inbox::Closed) {
            return;
        }
        for entry in &mut entries {
            entry.seek();
            entry.check_start(report);
        }
        let news = wait(&entries, wake);
        for index in news.spoken {
            entries[index].hear(report);
        }
        // From the back, so that the indices before stay right.
        for index in news.ended.into_iter().rev() {
            entries.swap_remove(index).end(report);
        }
    }
}

/// Entries of which there is news, by index.
#[derive(Default)]
struct News {
    /// Their shim spoke, or hung up.
    spoken: Vec<usize>,
    /// Their shim has ended.
    ended: Vec<usize>,
}

/// What a descriptor tells when it becomes ready.
enum About {
    Line,
    End,
}

/// Waits for news.
fn wait(entries: &[Entry], wake: &OwnedFd) -> News {
    let gone = |entry: &Entry| matches!(entry.means, Means::Gone);
    let patience = entries.iter().map(Entry::patience_ms).min();
    let patience = if entries.iter().any(gone) { Some(0) } else { patience };
    let timeout = patience.map(clock::timespec);
    let mut fds = vec![PollFd::new(wake, PollFlags::IN)];
    // What each of the others is about.
    let mut about: Vec<(usize, About)> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let line = entry.line.as_ref().map(|fd| (About::Line, fd.as_fd()));
        let end = entry.fd().map(|fd| (About::End, fd));
        for (what, fd) in line.into_iter().chain(end) {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            about.push((index, what));
        }
    }
    // A failed wait shows nobody as ready; the next round asks again.
    let ready = rustix::event::poll(&mut fds, timeout.as_ref()).unwrap_or(0);
    let mut news = News::default();
    if ready > 0 {
        for (fd, (index, what)) in fds[1..].iter().zip(about) {
            match what {
                _unready if fd.revents().is_empty() => {}
                About::Line => news.spoken.push(index),
                About::End => news.ended.push(index),
            }
        }
    }
    news.ended.extend((0..entries.len()).filter(|index| gone(&entries[*index])));
    news.ended.sort_unstable();
    news
}
