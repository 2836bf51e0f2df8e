//! `strace` around one thread of an engine: it writes down what the thread does to the disk, ends
//! the process at a chosen call, or makes the call fail. Shims are not followed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::broken::{Broken, ensure};
use super::house::{LOOK_EVERY, needs};
use super::procs;

/// Calls that change a disk or say that it is changed. `openat` counts where it makes a file.
pub const DURABLE: [&str; 18] = [
    "pwrite64",
    "write",
    "pwritev",
    "writev",
    "fdatasync",
    "fsync",
    "ftruncate",
    "fallocate",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "openat",
];

/// How long a tracer may take to take hold of a thread.
const HOLD_WAIT: Duration = Duration::from_secs(20);

/// What to do to the thread.
#[derive(Debug, Clone)]
pub enum Hook {
    /// Only write down.
    Note,
    /// Do this at that call: `inject=` of strace.
    Inject(String),
}

/// The words of a tracer that writes to `log`.
#[must_use]
pub fn words(log: &Path, hook: &Hook) -> Vec<String> {
    let mut words = vec!["strace".to_owned(), "-qq".into(), "-s".into(), "0".into()];
    words.extend(["-o".into(), log.to_string_lossy().into_owned(), "-e".into()]);
    words.push(format!("trace={}", DURABLE.join(",")));
    match hook {
        Hook::Note => {}
        Hook::Inject(what) => words.extend(["-e".into(), format!("inject={what}")]),
    }
    words
}

/// Fails by name when there is no tracer.
///
/// # Errors
/// When strace is not installed.
pub fn there() -> Result<(), Broken> {
    let found = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    let found = found.map_err(|why| needs("strace", &why))?;
    ensure(found.success(), || "strace does not work: install the Debian package strace".into())
}

/// A tracer that holds some threads until it is let go.
pub struct Held(Child);

impl Held {
    /// Takes hold of these threads of `pid`.
    ///
    /// # Errors
    /// When they can't be traced.
    pub fn hold(pid: i32, tids: &[i32], log: &Path, hook: &Hook) -> Result<Self, Broken> {
        let words = words(log, hook);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null()).stderr(Stdio::inherit());
        for tid in tids {
            command.args(["-p", &tid.to_string()]);
        }
        let held = Self(command.spawn().map_err(|why| needs("strace", &why))?);
        let give_up = Instant::now() + HOLD_WAIT;
        while !tids.iter().all(|tid| procs::traced(pid, *tid)) {
            ensure(Instant::now() < give_up, || {
                "strace can't take hold of the engine: is kernel.yama.ptrace_scope 0?".into()
            })?;
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(held)
    }

    /// Lets the threads go.
    pub fn release(mut self) {
        self.let_go();
    }

    fn let_go(&mut self) {
        // Told to end, strace detaches; a killed one would leave the thread stopped for a moment.
        let pid = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.0.wait();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.let_go();
    }
}
