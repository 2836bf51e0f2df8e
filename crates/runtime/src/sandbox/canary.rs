//! The canary: a process of its own that puts a plan around itself and then tries what the plan
//! forbids, and a little of what it allows. It tells what it saw on its standard output and is
//! believed by nobody but the one who started it. It does no harm when a wall is missing: what it
//! tries to break was laid out for it.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::enforce;
use super::level::{Carve, Level, Network};
use super::plan::{Grant, May, Plan};
use super::wall::ABI_SCOPES;

/// The word by which the shim's command knows that it is to be the canary.
pub const WORD: &str = "canary";
/// The plan, in the canary's directory.
pub const PLAN: &str = "plan.json";
/// What stands for the work tree.
pub const INSIDE: &str = "inside";
/// What stands for the rest of the world.
pub const OUTSIDE: &str = "outside";
/// What stands for a protected name, below the work tree.
pub const GUARDED: &str = ".git";
/// A file that is in each of the three.
pub const FILE: &str = "file";

/// One thing tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Try {
    /// Writing a file outside.
    WriteOutside,
    /// Making a file outside.
    MakeOutside,
    /// Cutting one short by its name.
    TruncateOutside,
    /// Cutting one short while opening it for reading.
    TruncateReading,
    /// Reading one.
    ReadOutside,
    /// Listing a directory outside.
    ListOutside,
    /// Taking a file in by a hard link.
    LinkIn,
    /// Moving a file out.
    MoveOut,
    /// Removing a file outside.
    RemoveOutside,
    /// Being traced, which is the harmless half of tracing.
    Trace,
    /// Mounting.
    Mount,
    /// A namespace of one's own.
    Unshare,
    /// A second way into the kernel.
    IoUring,
    /// An internet socket.
    Socket,
    /// A signal to a process outside; only where Landlock can tell.
    Signal,
    /// Writing a protected name; only where it is carved out.
    WriteGuarded,
    /// Changing the mode of a file outside; likewise.
    ModeOutside,
    /// Writing inside, which must work.
    WriteInside,
    /// Reading a program of the system, which must work.
    ReadSystem,
}

/// What a canary says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Song {
    /// Whether the walls went up; the error number of the one that did not.
    pub failed: Option<i32>,
    /// What did not go as the plan says.
    pub holes: Vec<Try>,
}

/// The plan that a canary below `dir` puts around itself.
#[must_use]
pub fn plan(dir: &Path, abi: u32, carve: Carve) -> Plan {
    let inside = dir.join(INSIDE);
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    Plan {
        level: Level::Walled,
        carve,
        abi,
        network: Network::None,
        grants: vec![
            Grant { path: text(inside.clone()), may: May::Write },
            Grant { path: "/usr".into(), may: May::Read },
            Grant { path: "/bin".into(), may: May::Read },
            Grant { path: "/lib".into(), may: May::Read },
        ],
        protected: vec![text(inside.join(GUARDED))],
        excepted: Vec::new(),
        hidden: Vec::new(),
        memory_bytes: None,
    }
}

/// Lays out what a canary needs.
///
/// # Errors
/// The disk's.
pub fn lay_out(dir: &Path, plan: &Plan) -> io::Result<()> {
    for room in [dir.join(OUTSIDE), dir.join(INSIDE), dir.join(INSIDE).join(GUARDED)] {
        DirBuilder::new().recursive(true).mode(0o700).create(&room)?;
        std::fs::write(room.join(FILE), "canary")?;
    }
    std::fs::write(dir.join(PLAN), serde_json::to_vec(plan)?)
}

/// Runs the canary in `dir` and prints its song. Says whether it sang at all.
pub fn main(dir: &Path) -> io::Result<()> {
    use std::io::Write as _;
    let plan: Plan = serde_json::from_slice(&std::fs::read(dir.join(PLAN))?)?;
    let up = enforce::carve(&plan).and_then(|()| enforce::wall(&plan));
    let song = match up {
        Ok(()) => Song { failed: None, holes: holes(dir, &plan) },
        Err(error) => Song { failed: Some(error.raw_os_error().unwrap_or(0)), holes: Vec::new() },
    };
    io::stdout().write_all(&serde_json::to_vec(&song)?)
}

fn holes(dir: &Path, plan: &Plan) -> Vec<Try> {
    let mut tries = vec![
        Try::WriteInside,
        Try::ReadSystem,
        Try::ReadOutside,
        Try::ListOutside,
        Try::LinkIn,
        Try::MoveOut,
        Try::WriteOutside,
        Try::MakeOutside,
        Try::TruncateOutside,
        Try::TruncateReading,
        Try::RemoveOutside,
        Try::Mount,
        Try::Unshare,
        Try::IoUring,
        Try::Socket,
    ];
    if plan.abi >= ABI_SCOPES {
        tries.push(Try::Signal);
    }
    if plan.carve == Carve::Mount {
        tries.extend([Try::WriteGuarded, Try::ModeOutside]);
    }
    // Last: whoever is traced stops at the next signal.
    tries.push(Try::Trace);
    tries.into_iter().filter(|one| passed(*one, dir) != expected(*one)).collect()
}

const fn expected(one: Try) -> bool {
    matches!(one, Try::WriteInside | Try::ReadSystem)
}

/// Whether a thing could be done.
fn passed(one: Try, dir: &Path) -> bool {
    let (inside, outside) = (dir.join(INSIDE), dir.join(OUTSIDE));
    let there = outside.join(FILE);
    match one {
        Try::WriteOutside => OpenOptions::new().write(true).open(&there).is_ok(),
        Try::MakeOutside => File::create_new(outside.join("made")).is_ok(),
        Try::TruncateOutside => by_name::truncate(&there),
        Try::TruncateReading => by_name::open_to_cut(&there),
        Try::ReadOutside => File::open(&there).is_ok(),
        Try::ListOutside => std::fs::read_dir(&outside).is_ok(),
        Try::LinkIn => std::fs::hard_link(&there, inside.join("linked")).is_ok(),
        Try::MoveOut => std::fs::rename(inside.join(FILE), outside.join("moved")).is_ok(),
        Try::RemoveOutside => std::fs::remove_file(&there).is_ok(),
        Try::Trace => by_name::be_traced(),
        Try::Mount => by_name::mount(&inside),
        Try::Unshare => by_name::unshare(),
        Try::IoUring => by_name::io_uring(),
        Try::Socket => std::net::UdpSocket::bind("127.0.0.1:0").is_ok(),
        Try::Signal => rustix::process::getppid()
            .is_some_and(|parent| rustix::process::test_kill_process(parent).is_ok()),
        Try::WriteGuarded => {
            OpenOptions::new().write(true).open(inside.join(GUARDED).join(FILE)).is_ok()
        }
        Try::ModeOutside => {
            std::fs::set_permissions(&there, std::fs::Permissions::from_mode(0o600)).is_ok()
        }
        Try::WriteInside => File::create_new(inside.join("made")).is_ok(),
        Try::ReadSystem => std::fs::read_dir("/usr").is_ok(),
    }
}

/// Calls that only an attacker makes, so that no safe interface has them.
mod by_name {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;

    fn name(path: &Path) -> CString {
        CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
    }

    pub(super) fn truncate(path: &Path) -> bool {
        // SAFETY: the name is a string of ours that outlives the call.
        unsafe { libc::truncate(name(path).as_ptr(), 0) == 0 }
    }

    pub(super) fn open_to_cut(path: &Path) -> bool {
        let flags = libc::O_RDONLY | libc::O_TRUNC | libc::O_CLOEXEC;
        // SAFETY: the name is a string of ours; a descriptor that opens ends with this process.
        unsafe { libc::open(name(path).as_ptr(), flags) >= 0 }
    }

    pub(super) fn be_traced() -> bool {
        // SAFETY: this form reads no memory.
        unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0 }
    }

    pub(super) fn mount(path: &Path) -> bool {
        let path = name(path);
        // SAFETY: all names are strings that outlive the call; the mount ends with the namespace,
        // or, without one, binds a directory onto itself, which changes nothing that is seen.
        unsafe {
            let none = std::ptr::null();
            libc::mount(path.as_ptr(), path.as_ptr(), none, libc::MS_BIND, none.cast()) == 0
        }
    }

    pub(super) fn unshare() -> bool {
        // SAFETY: the call takes flags only.
        unsafe { libc::unshare(libc::CLONE_NEWUTS | libc::CLONE_NEWUSER) == 0 }
    }

    /// A kernel that has none, or wants other arguments, is as closed as one that refuses; only a
    /// refusal by the filter is told apart from nothing.
    pub(super) fn io_uring() -> bool {
        let mut room = [0u8; 120];
        // SAFETY: the kernel may write the 120 bytes that its structure has.
        let ring = unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, room.as_mut_ptr()) };
        ring >= 0
    }
}
