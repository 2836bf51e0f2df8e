//! The child between fork and exec: made ready, then held at a pipe until the shim lets it go.
//! If the shim dies first, the pipe ends and so does the child: nothing was started. What the
//! program may touch is not decided here, only enforced: a child that cannot be held as its plan
//! says never becomes the program.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Resource, Signal};

use super::files::{self, Request, SpawnError, SpawnStep, Stdin};
use super::{durable, os};
use crate::sandbox::enforce;

/// Open files a program may have; agents that need more have lost count of them.
const OPEN_FILES_MAX: u64 = 4096;
/// What a shell answers when it cannot exec; nobody reads it, `exit.json` says more.
const EXIT_NOT_STARTED: i32 = 127;

/// What a pipe holds unless it is told otherwise.
const PIPE_BYTES: u64 = 64 << 10;
/// The most that whoever is not root may ask a pipe to hold.
const PIPE_BYTES_MAX: u64 = 1 << 20;

/// A child that is ready and waits.
pub struct Held {
    /// Its pid; ours until we reap it.
    pub pid: Pid,
    /// Where a failed step is told; ends silently at the exec.
    pub failures: OwnedFd,
    /// Its standard output.
    pub stdout: OwnedFd,
    /// Its standard error.
    pub stderr: OwnedFd,
    gate: OwnedFd,
}

/// The child's ends of the pipes.
struct Ends {
    gate: OwnedFd,
    failures: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
}

/// Forks a child that does everything but the exec.
pub fn hold(request: &Request, dir: &Path) -> io::Result<Held> {
    let pipe = || rustix::pipe::pipe_with(PipeFlags::CLOEXEC);
    let (gate_read, gate) = pipe()?;
    let (failures, failures_write) = pipe()?;
    let (stdout, stdout_write) = pipe()?;
    let (stderr, stderr_write) = pipe()?;
    make_room(&stdout, request, dir);
    let shim = rustix::process::getpid();
    match os::split()? {
        os::Fork::Child => {
            // Its own copy of the gate would keep the gate from ever ending.
            drop(gate);
            let ends = Ends {
                gate: gate_read,
                failures: failures_write,
                stdout: stdout_write,
                stderr: stderr_write,
            };
            become_program(request, dir, shim, ends)
        }
        os::Fork::Shim(pid) => {
            for fd in [&failures, &stdout, &stderr] {
                rustix::fs::fcntl_setfl(fd, OFlags::NONBLOCK)?;
            }
            Ok(Held { pid, failures, stdout, stderr, gate })
        }
    }
}

/// Some agents repeat their prompt on standard output and end without waiting until it is read:
/// what the pipe does not hold is lost, and the answer with it. Room for a long prompt, escaped;
/// where the system gives none, the pipe stays as it is.
fn make_room(stdout: &OwnedFd, request: &Request, dir: &Path) {
    let prompt = match request.stdin {
        Stdin::Null => return,
        Stdin::Prompt => dir.join(files::PROMPT).metadata().map_or(0, |prompt| prompt.len()),
    };
    let wanted = (2 * prompt.min(PIPE_BYTES_MAX)).next_power_of_two().min(PIPE_BYTES_MAX);
    if let (true, Ok(bytes)) = (wanted > PIPE_BYTES, usize::try_from(wanted)) {
        let _ = rustix::pipe::fcntl_setpipe_size(stdout, bytes);
    }
}

impl Held {
    /// Lets it exec, and hands back the ends that matter from here on.
    pub fn let_go(self) -> io::Result<Loose> {
        rustix::io::write(&self.gate, b"g")?;
        Ok(self.abandon())
    }

    /// Closes the gate for good: the child ends without having been the program.
    pub fn abandon(self) -> Loose {
        let Self { pid, failures, stdout, stderr, gate: _ } = self;
        Loose { pid, failures, stdout, stderr }
    }
}

/// A child that has left its gate.
pub struct Loose {
    /// Its pid.
    pub pid: Pid,
    /// Where a failed step is told.
    pub failures: OwnedFd,
    /// Its standard output.
    pub stdout: OwnedFd,
    /// Its standard error.
    pub stderr: OwnedFd,
}

fn become_program(request: &Request, dir: &Path, shim: Pid, ends: Ends) -> ! {
    let Ends { gate, failures, stdout, stderr } = ends;
    let ready = make_ready(request, shim)
        .and_then(|()| program(request, dir, stdout, stderr))
        .and_then(|program| wall(request).map(|()| program));
    // A child that is not ready waits all the same: until `pid.json` is durable nothing may be
    // told that looks like a start.
    wait_at(&gate);
    let (step, error) = match ready {
        Ok(program) => exec(program),
        Err(failure) => failure,
    };
    let _ = File::from(failures).write_all(&encode(step, &error));
    os::leave(EXIT_NOT_STARTED)
}

type Failure = (SpawnStep, io::Error);

fn make_ready(request: &Request, shim: Pid) -> Result<(), Failure> {
    os::default_signals();
    rustix::process::setsid().map_err(|e| (SpawnStep::Session, e.into()))?;
    // Before the next line, whose effect ends when a process changes what it is entitled to.
    carve(request)?;
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|e| (SpawnStep::DeathSignal, e.into()))?;
    if rustix::process::getppid() != Some(shim) {
        // It died before the line above could matter.
        os::leave(EXIT_NOT_STARTED);
    }
    limits(request).map_err(|e| (SpawnStep::Limits, e))?;
    enter(&request.workspace, &request.cwd).map_err(|e| (SpawnStep::Cwd, e))
}

fn limits(request: &Request) -> io::Result<()> {
    enforce::limit(Resource::Core, 0)?;
    enforce::limit(Resource::Nofile, OPEN_FILES_MAX)?;
    request.sandbox.as_ref().map_or(Ok(()), enforce::limits)
}

fn carve(request: &Request) -> Result<(), Failure> {
    let carved = request.sandbox.as_ref().map_or(Ok(()), enforce::carve);
    carved.map_err(|e| (SpawnStep::Carve, e))
}

fn wall(request: &Request) -> Result<(), Failure> {
    let walled = request.sandbox.as_ref().map_or(Ok(()), enforce::wall);
    walled.map_err(|e| (SpawnStep::Sandbox, e))
}

/// Enters `cwd` by way of the workspace root, through no link, and checks where that led.
fn enter(workspace: &str, cwd: &str) -> io::Result<()> {
    let relative = Path::new(cwd).strip_prefix(workspace).map_err(|_| Errno::XDEV)?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = rustix::fs::openat(CWD, workspace, flags | OFlags::NOFOLLOW, Mode::empty())?;
    let there = if relative.as_os_str().is_empty() {
        root
    } else {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        rustix::fs::openat2(&root, relative, flags, Mode::empty(), resolve)?
    };
    rustix::process::fchdir(&there)?;
    if std::env::current_dir()? == Path::new(cwd) { Ok(()) } else { Err(Errno::XDEV.into()) }
}

fn program(
    request: &Request,
    dir: &Path,
    stdout: OwnedFd,
    stderr: OwnedFd,
) -> Result<Command, Failure> {
    let [program, args @ ..] = request.argv.as_slice() else {
        return Err((SpawnStep::Exec, Errno::INVAL.into()));
    };
    let stdin = match request.stdin {
        Stdin::Null => Stdio::null(),
        Stdin::Prompt => durable::open(&dir.join(files::PROMPT), OFlags::RDONLY)
            .map_err(|e| (SpawnStep::Stdin, e))?
            .into(),
    };
    let mut command = Command::new(program);
    command.args(args).stdin(stdin).stdout(stdout).stderr(stderr);
    Ok(command)
}

/// Waits for the word to go; if none comes, this process never was.
fn wait_at(gate: &OwnedFd) {
    let mut word = [0u8; 1];
    loop {
        match rustix::io::read(gate, &mut word) {
            Ok(1..) => return,
            Err(Errno::INTR) => {}
            Ok(0) | Err(_) => os::leave(EXIT_NOT_STARTED),
        }
    }
}

fn exec(mut program: Command) -> Failure {
    os::seal_descriptors();
    (SpawnStep::Exec, program.exec())
}

/// A failure on its way through the pipe: the step's number, then the error number.
fn encode(step: SpawnStep, error: &io::Error) -> [u8; 5] {
    let errno = error.raw_os_error().unwrap_or(0).to_le_bytes();
    let step = STEPS.iter().position(|known| *known == step).unwrap_or(0);
    [u8::try_from(step).unwrap_or(0), errno[0], errno[1], errno[2], errno[3]]
}

/// The steps by number.
const STEPS: [SpawnStep; 8] = [
    SpawnStep::Session,
    SpawnStep::DeathSignal,
    SpawnStep::Limits,
    SpawnStep::Cwd,
    SpawnStep::Stdin,
    SpawnStep::Exec,
    SpawnStep::Carve,
    SpawnStep::Sandbox,
];

/// What the failures pipe says so far.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing yet.
    Nothing,
    /// The exec happened, or the child was killed before it.
    Ended,
    /// A step failed.
    Failed(SpawnError),
}

/// Reads the failures pipe without waiting.
pub fn failure(pipe: &OwnedFd) -> Said {
    let mut bytes = [0u8; 5];
    match rustix::io::read(pipe, &mut bytes) {
        Ok(5) => {
            let [step, errno @ ..] = bytes;
            let step = STEPS.get(usize::from(step)).copied().unwrap_or(SpawnStep::Exec);
            Said::Failed(SpawnError { step, errno: i32::from_le_bytes(errno) })
        }
        Err(Errno::AGAIN | Errno::INTR) => Said::Nothing,
        Ok(_) | Err(_) => Said::Ended,
    }
}
