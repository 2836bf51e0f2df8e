//! One question to a program: `--version`, `--help`. It runs in an empty directory with nothing to
//! read, for a bounded time, and nothing of it is left afterwards. A program that hangs or floods
//! is a finding, not a problem of ours.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::process::Signal;

use crate::child_env::{self, Declared, Extra};
use crate::shim::{clock, procfs, tree};

/// The longest help page worth reading; the rest is dropped.
const KEPT_BYTES_MAX: usize = 256 << 10;
/// No help page is as long as this: the program is flooding.
const FLOOD_BYTES: usize = 4 << 20;
/// How often an exit is looked for while nothing is printed.
const LOOK_EVERY_MS: u64 = 20;
/// Rounds of KILL; a fork may have slipped through the one before.
const KILL_ROUNDS: u32 = 50;

/// Whose question it is.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) root: &'a Path,
    pub(super) env: &'a [(OsString, OsString)],
    pub(super) extra: &'a Extra,
    pub(super) declared: &'a Declared,
    pub(super) wait: Duration,
}

/// What a program answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It ended by itself.
    Ended {
        /// Its exit code; none after a signal.
        code: Option<i32>,
        /// Both streams, standard output first.
        text: String,
    },
    /// It did not end in time.
    Hangs,
    /// It would not stop printing.
    Floods,
    /// It could not be started.
    NotStarted(io::ErrorKind),
}

/// Asks one question.
pub(super) fn ask(asker: &Asker<'_>, program: &Path, args: &[&str]) -> Heard {
    let mark = format!("doctor-{}", uuid::Uuid::now_v7().simple());
    let empty = match Empty::make(&mark) {
        Ok(empty) => empty,
        Err(why) => return Heard::NotStarted(why.kind()),
    };
    let place =
        child_env::Place { root: asker.root, tmp: &empty.0, call: &mark, run: &mark, trace: "" };
    let ours = asker.env.iter().cloned();
    let env = child_env::build_declared(ours, asker.extra, asker.declared, &place);
    let mut command = Command::new(program);
    command.args(args).env_clear().envs(env).current_dir(&empty.0).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => {
            Running { child, mark, out: [Vec::new(), Vec::new()], seen: 0 }.hear(asker.wait)
        }
        Err(why) => Heard::NotStarted(why.kind()),
    }
}

/// A directory that is there for one question.
struct Empty(PathBuf);

impl Empty {
    fn make(name: &str) -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("loopwright-{name}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        // What a program left in its own temporary directory is of no use to anybody.
        drop(std::fs::remove_dir_all(&self.0));
    }
}

struct Running {
    child: Child,
    mark: String,
    out: [Vec<u8>; 2],
    seen: usize,
}

impl Running {
    fn hear(mut self, wait: Duration) -> Heard {
        let end = Instant::now() + wait;
        let heard = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break self.ended(status),
                Ok(None) => {}
                Err(why) => break Heard::NotStarted(why.kind()),
            }
            if Instant::now() >= end {
                break Heard::Hangs;
            }
            self.wait();
            self.read();
            if self.seen >= FLOOD_BYTES {
                break Heard::Floods;
            }
        };
        self.clear();
        heard
    }

    /// What it had printed when it ended; a child that still holds the pipe is not waited for.
    fn ended(&mut self, status: ExitStatus) -> Heard {
        self.read();
        let [out, err] = &self.out;
        let text = [out, err].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n");
        Heard::Ended { code: status.code(), text }
    }

    fn wait(&self) {
        let (out, err) = (self.child.stdout.as_ref(), self.child.stderr.as_ref());
        let fds = out.map(AsFd::as_fd).into_iter().chain(err.map(AsFd::as_fd));
        let mut fds: Vec<PollFd<'_>> =
            fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        // An interrupted wait is just a short one.
        let _ = rustix::event::poll(&mut fds, Some(&clock::timespec(LOOK_EVERY_MS)));
    }

    fn read(&mut self) {
        let [out, err] = &mut self.out;
        self.seen += drain(&mut self.child.stdout, out);
        self.seen += drain(&mut self.child.stderr, err);
    }

    /// Ends all that is left of it: what descends from it, and what carries its mark although its
    /// parent is gone.
    fn clear(&mut self) {
        let pid = self.child.id().cast_signed();
        for _ in 0..KILL_ROUNDS {
            let mut left = tree::living(pid);
            left.extend(procfs::marked(&self.mark));
            let ended = matches!(self.child.try_wait(), Ok(Some(_)));
            if left.is_empty() && ended {
                return;
            }
            tree::signal(&left, Signal::KILL);
            if !ended {
                // It is ours until it is waited for, so its number is its own.
                drop(self.child.kill());
            }
            std::thread::sleep(Duration::from_millis(LOOK_EVERY_MS));
        }
    }
}

/// Takes what is there without waiting for more; says how much it was.
fn drain(pipe: &mut Option<impl Read + AsFd>, kept: &mut Vec<u8>) -> usize {
    let Some(open) = pipe else { return 0 };
    if rustix::fs::fcntl_setfl(&*open, OFlags::NONBLOCK).is_err() {
        return 0;
    }
    let mut buffer = [0u8; 16 << 10];
    let mut seen = 0;
    while seen < FLOOD_BYTES {
        match open.read(&mut buffer) {
            Ok(0) => {
                *pipe = None;
                return seen;
            }
            Ok(count) => {
                seen += count;
                let room = KEPT_BYTES_MAX.saturating_sub(kept.len()).min(count);
                kept.extend_from_slice(&buffer[..room]);
            }
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return seen,
        }
    }
    seen
}
