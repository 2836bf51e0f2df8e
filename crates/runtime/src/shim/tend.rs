//! One loop that tends a running tree: spools its output, watches the clocks, and sees to it
//! that nothing is left. A single thread and a single `poll`. Completion is the end of the main
//! process, never the end of a pipe. It writes no record.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};

use super::child::{self, Loose, Said};
use super::clock::{self, Deadline};
use super::files::{Ended, Named, Request, SpawnError};
use super::os::{Signals, Told};
use super::spool::{CHUNK_BYTES, Spool};
use super::tree;

/// How long what the main process left behind may go on by itself.
pub const LINGER_MS: u64 = 2_000;
/// How long we try to prove the tree empty after KILL.
pub const PROVE_MS: u64 = 5_000;
/// Between two rounds of KILL: a fork may have slipped through the one before.
const KILL_EVERY_MS: u64 = 20;
/// How often the tail of a flood is shown on disk.
const TAIL_EVERY_MS: u64 = 500;
/// What a pipe can still hold when its tree is gone; more comes only from a survivor.
const DRAIN_PUMPS_MAX: u32 = 4;

/// Where the tree is on its way out.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Running,
    /// It was asked to end, or its main process has: KILL follows.
    Leaving {
        kill_at: u64,
    },
    Killing {
        until: u64,
    },
    Over,
}

/// What became of the tree.
pub struct Outcome {
    /// Why it ended.
    pub ended: Ended,
    /// The main process's status, if it was seen to end.
    pub status: Option<WaitStatus>,
    /// For a program that never was.
    pub spawn_error: Option<SpawnError>,
    /// Who is left.
    pub survivors: Vec<Named>,
    /// Standard output and standard error.
    pub spools: [Spool; 2],
}

/// A tree being tended.
pub struct Tender<'a> {
    signals: &'a Signals,
    told: Told,
    main: Pid,
    status: Option<WaitStatus>,
    empty: bool,
    failures: Option<OwnedFd>,
    spawn_error: Option<SpawnError>,
    spools: [Spool; 2],
    buffer: Vec<u8>,
    deadline: Deadline,
    idle_ms: Option<u64>,
    grace_ms: u64,
    spoke_at: u64,
    tails_at: u64,
    why: Option<Ended>,
    phase: Phase,
    survivors: Vec<Named>,
}

impl<'a> Tender<'a> {
    /// Takes over a child that has been let go.
    pub fn new(
        request: &Request,
        boot_id: &str,
        signals: &'a Signals,
        loose: Loose,
        mut spools: [Spool; 2],
    ) -> Self {
        let [stdout, stderr] = &mut spools;
        stdout.pipe = Some(loose.stdout);
        stderr.pipe = Some(loose.stderr);
        let now = clock::awake_ms();
        Self {
            signals,
            told: Told::Nothing,
            main: loose.pid,
            status: None,
            empty: false,
            failures: Some(loose.failures),
            spawn_error: None,
            spools,
            buffer: vec![0; CHUNK_BYTES],
            deadline: Deadline::of(request, boot_id),
            idle_ms: request.idle_ms,
            grace_ms: request.grace_ms,
            spoke_at: now,
            tails_at: now,
            why: None,
            phase: Phase::Running,
            survivors: Vec::new(),
        }
    }

    /// A stop, once heard, stays asked.
    pub fn hear(&mut self, told: Told) {
        match told {
            Told::Stop => self.told = Told::Stop,
            Told::Nothing => {}
        }
    }

    /// Stays until the tree is gone or cannot be made to go.
    pub fn tend(mut self) -> Outcome {
        loop {
            // Signals are taken before the dead are counted: a stop that arrives together with
            // the end finds the result already there.
            self.hear(self.signals.take());
            self.reap();
            self.step();
            if matches!(self.phase, Phase::Over) {
                return self.outcome();
            }
            self.wait();
            self.pump();
        }
    }

    fn reap(&mut self) {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.main => self.status = Some(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return,
                Err(_) => {
                    // No child at all. Orphans come back to us, so nothing is below us either.
                    self.empty = true;
                    return;
                }
            }
        }
    }

    fn step(&mut self) {
        let now = clock::awake_ms();
        if self.empty {
            self.phase = Phase::Over;
            return;
        }
        match self.phase {
            Phase::Running if self.status.is_some() => {
                self.phase = Phase::Leaving { kill_at: now + LINGER_MS };
            }
            Phase::Running => {
                if let Some(why) = self.reason(now) {
                    self.why = Some(why);
                    tree::signal(&tree::living(own_pid()), Signal::TERM);
                    self.phase = Phase::Leaving { kill_at: now.saturating_add(self.grace_ms) };
                }
            }
            Phase::Leaving { kill_at } if now >= kill_at => {
                tree::signal(&tree::living(own_pid()), Signal::KILL);
                self.phase = Phase::Killing { until: now + PROVE_MS };
            }
            Phase::Leaving { kill_at } => {
                let soon = if self.status.is_some() { now + LINGER_MS } else { kill_at };
                self.phase = Phase::Leaving { kill_at: kill_at.min(soon) };
            }
            Phase::Killing { until } if now >= until => {
                self.survivors = tree::named(&tree::living(own_pid()));
                self.phase = Phase::Over;
            }
            Phase::Killing { .. } => tree::signal(&tree::living(own_pid()), Signal::KILL),
            Phase::Over => {}
        }
    }

    fn reason(&self, now: u64) -> Option<Ended> {
        // The engine keeps the same deadline and may be first to say stop; the time was up anyway.
        if self.deadline.left_ms() == 0 {
            Some(Ended::Deadline)
        } else if self.told == Told::Stop {
            Some(Ended::Stopped)
        } else if self.idle_ms.is_some_and(|idle| now >= self.spoke_at.saturating_add(idle)) {
            Some(Ended::Idle)
        } else {
            None
        }
    }

    fn timeout_ms(&self) -> u64 {
        let now = clock::awake_ms();
        let phase = match self.phase {
            Phase::Running => {
                let idle = self.idle_ms.map_or(u64::MAX, |idle| self.spoke_at.saturating_add(idle));
                self.deadline.left_ms().min(idle.saturating_sub(now))
            }
            Phase::Leaving { kill_at } => kill_at.saturating_sub(now),
            Phase::Killing { until } => until.saturating_sub(now).min(KILL_EVERY_MS),
            Phase::Over => 0,
        };
        let behind = self.spools.iter().any(Spool::tail_is_behind);
        let tails =
            if behind { (self.tails_at + TAIL_EVERY_MS).saturating_sub(now) } else { phase };
        phase.min(tails).min(clock::LOOK_EVERY_MS)
    }

    fn wait(&self) {
        let timeout = clock::timespec(self.timeout_ms());
        let mut fds = vec![PollFd::new(self.signals, PollFlags::IN)];
        fds.extend(self.failures.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        let pipes = self.spools.iter().filter_map(|spool| spool.pipe.as_ref());
        fds.extend(pipes.map(|fd| PollFd::new(fd, PollFlags::IN)));
        // An interrupted or failed wait is just a short one: the loop looks at everything anyway.
        let _ = rustix::event::poll(&mut fds, Some(&timeout));
    }

    fn pump(&mut self) {
        self.hear_failure();
        let mut came = false;
        for spool in &mut self.spools {
            came |= spool.pump(&mut self.buffer);
        }
        let now = clock::awake_ms();
        if came {
            self.spoke_at = now;
        }
        if now >= self.tails_at + TAIL_EVERY_MS {
            self.tails_at = now;
            for spool in &mut self.spools {
                // Shown again at the end, and there a failure counts.
                let _ = spool.show_tail();
            }
        }
    }

    fn hear_failure(&mut self) {
        let Some(pipe) = &self.failures else { return };
        match child::failure(pipe) {
            Said::Nothing => return,
            Said::Ended => {}
            Said::Failed(error) => self.spawn_error = Some(error),
        }
        self.failures = None;
    }

    fn outcome(mut self) -> Outcome {
        self.hear_failure();
        for spool in &mut self.spools {
            for _ in 0..DRAIN_PUMPS_MAX {
                spool.pump(&mut self.buffer);
            }
        }
        let by_itself = match self.status.and_then(|status| status.terminating_signal()) {
            Some(_) => Ended::Signal,
            None => Ended::Exit,
        };
        let ended = match (self.spawn_error, self.why) {
            (Some(_), _) => Ended::SpawnFailed,
            (None, Some(why)) => why,
            (None, None) => by_itself,
        };
        let Self { status, spawn_error, survivors, spools, .. } = self;
        Outcome { ended, status, spawn_error, survivors, spools }
    }
}

fn own_pid() -> i32 {
    std::process::id().cast_signed()
}
