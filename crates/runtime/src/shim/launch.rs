//! The engine's side of a start: the directory made ready before the start is recorded, and the
//! shim spawned after. Whether a call may start is the journal's to say, not this file's.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use super::files::{self, FORMAT, Request, Ticket};
use super::procfs::CALL_ID_VAR;
use super::run::SUBCOMMAND;
use super::{collect, durable, token};

/// Records of an attempt; moved aside when the next one is prepared.
const OF_ONE_ATTEMPT: [&str; 8] = [
    files::PID,
    files::EXIT,
    files::STDOUT,
    files::STDERR,
    files::STDOUT_TAIL,
    files::STDERR_TAIL,
    files::COLLECTED,
    files::LOG,
];

/// Why a directory could not be made ready. Nothing was started.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// A shim of an earlier attempt still lives there.
    #[error("a shim still holds the lock")]
    Busy,
    /// The request cannot be carried out.
    #[error("the request is not valid: {field}")]
    Invalid {
        /// The field that is wrong.
        field: &'static str,
    },
    /// The disk refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Makes `dir` ready for one attempt: request, empty `tmp/`, nothing of an earlier attempt in the
/// way. May be repeated as long as the start is not recorded. Nothing is synced here: what a power
/// cut takes of it was not launched, because the shim syncs the way to `pid.json` first.
pub fn prepare(dir: &Path, request: &Request) -> Result<(), PrepareError> {
    check(dir, request)?;
    collect::make_dir(dir)?;
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o700))?;
    let Some(_lock) = token::lock(dir)? else { return Err(PrepareError::Busy) };
    set_aside(dir, request.attempt)?;
    let tmp = dir.join(files::TMP);
    collect::remove(&tmp)?;
    collect::make_dir(&tmp)?;
    let bytes = serde_json::to_vec(request).map_err(io::Error::from)?;
    Ok(durable::show(dir, files::REQUEST, &bytes)?)
}

fn check(dir: &Path, request: &Request) -> Result<(), PrepareError> {
    let invalid = |field| Err(PrepareError::Invalid { field });
    let inside = Path::new(&request.cwd).starts_with(&request.workspace);
    if !dir.is_absolute() || dir.file_name() != Some(request.call_id.as_ref()) {
        return invalid("call_id");
    }
    if request.format != FORMAT {
        return invalid("format");
    }
    if request.argv.is_empty() || request.argv.iter().any(|arg| arg.contains('\0')) {
        return invalid("argv");
    }
    if !Path::new(&request.workspace).is_absolute() || !inside {
        return invalid("cwd");
    }
    if !request.collect.iter().all(|name| collect::is_plain(name)) {
        return invalid("collect");
    }
    Ok(())
}

/// Keeps what an earlier attempt left, under `past.{attempt}/`, out of this one's way.
fn set_aside(dir: &Path, attempt: u32) -> io::Result<()> {
    let past = dir.join(format!("past.{}", attempt.saturating_sub(1)));
    for name in OF_ONE_ATTEMPT {
        let old = dir.join(name);
        if old.symlink_metadata().is_ok() {
            collect::make_dir(&past)?;
            let aside = past.join(name);
            if aside.is_dir() {
                // A repeated prepare: what lies there already is the older.
                collect::remove(&aside)?;
            }
            std::fs::rename(&old, &aside)?;
        }
    }
    Ok(())
}

/// A shim this process spawned. Whoever has it must see it end, or it stays a zombie until the
/// engine ends; the watcher does so.
#[derive(Debug)]
pub struct Launched {
    pub(super) child: Child,
    /// Speaks when the call's processes are gone, hangs up when the outcome is on disk.
    pub(super) line: OwnedFd,
}

/// Spawns `exe shim DIR ATTEMPT EPOCH` with exactly `env`, the call's mark and its TMPDIR.
/// It costs one spawn: no second fork is made, because the watcher waits for the shim's end
/// anyway and reaps it then; if the engine dies, init does. The shim leaves our session itself.
pub fn launch(
    exe: &Path,
    dir: &Path,
    ticket: &Ticket,
    env: &[(OsString, OsString)],
) -> io::Result<Launched> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND;
    let log = durable::open(&dir.join(files::LOG), flags)?;
    let (line, shims) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    let child = Command::new(exe)
        .arg(SUBCOMMAND)
        .arg(dir)
        .arg(ticket.attempt.to_string())
        .arg(ticket.epoch.to_string())
        .env_clear()
        .envs(env.iter().map(|(name, value)| (name, value)))
        .env(CALL_ID_VAR, &ticket.call_id)
        .env("TMPDIR", dir.join(files::TMP))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(shims)
        .stderr(log)
        .spawn()?;
    Ok(Launched { child, line })
}

impl Launched {
    /// The shim's pid; ours until it is reaped.
    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Waits for the shim to end and reaps it. For those who have no watcher.
    pub fn wait(mut self) -> io::Result<()> {
        self.child.wait().map(drop)
    }
}
