//! What the scripted agent really does to its working directory: write, delete, run. No path leads
//! out of it, through a link or otherwise; no shell reads a command.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kernel::agent::FileKind;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::shim::clock;

/// What is kept of a program's output: as much as an agent shows its model.
const OUTPUT_BYTES_MAX: usize = 16 << 10;
/// How often a silent program is looked at.
const LOOK_EVERY_MS: u64 = 10;
/// Modes of what it makes, before the mask.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
/// The same for directories.
const DIR_MODE: Mode = Mode::from_raw_mode(0o777);

/// Whether missing directories are made on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Leave,
}

/// The path below the working directory, as the agent's parts of it.
///
/// # Errors
/// When it leads out.
pub(super) fn relative<'a>(cwd: &str, path: &'a str) -> io::Result<&'a Path> {
    let path = Path::new(path);
    let path = if path.is_absolute() { path.strip_prefix(cwd).map_err(|_| out())? } else { path };
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let named = path.file_name().is_some() && path.components().all(inside);
    if named { Ok(path) } else { Err(out()) }
}

fn out() -> io::Error {
    Errno::XDEV.into()
}

/// The directory a file is in, entered name by name through no link.
fn parent(cwd: &str, path: &Path, missing: Missing) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut dir = rustix::fs::openat(CWD, cwd, flags, Mode::empty())?;
    for part in path.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(name) = part else { continue };
        if missing == Missing::Make {
            match rustix::fs::mkdirat(&dir, name, DIR_MODE) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        dir = rustix::fs::openat(&dir, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
    }
    Ok(dir)
}

/// Writes a file whole; says whether it is new.
pub(super) fn write(cwd: &str, path: &Path, text: &str) -> io::Result<FileKind> {
    let dir = parent(cwd, path, Missing::Make)?;
    let name = path.file_name().ok_or_else(out)?;
    let there = rustix::fs::statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW).is_ok();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW;
    let file = rustix::fs::openat(&dir, name, flags | OFlags::CLOEXEC, FILE_MODE)?;
    File::from(file).write_all(text.as_bytes())?;
    Ok(if there { FileKind::Update } else { FileKind::Add })
}

/// Deletes a file.
pub(super) fn delete(cwd: &str, path: &Path) -> io::Result<()> {
    let dir = parent(cwd, path, Missing::Leave)?;
    let name = path.file_name().ok_or_else(out)?;
    Ok(rustix::fs::unlinkat(&dir, name, AtFlags::empty())?)
}

/// What a program did.
pub(super) struct Ran {
    /// The beginning of what it printed, both streams as they came.
    pub(super) output: String,
    /// How it ended; none if a signal ended it.
    pub(super) code: Option<i32>,
}

/// Runs a program to its end. What it leaves running does not hold us up, even with our pipe.
pub(super) fn run(cwd: &str, argv: &[String]) -> io::Result<Ran> {
    let [program, args @ ..] = argv else { return Err(Errno::INVAL.into()) };
    let (read, write) = io::pipe()?;
    let mut command = Command::new(program);
    command.args(args).current_dir(cwd).stdin(Stdio::null());
    command.stdout(write.try_clone()?).stderr(write);
    let child = command.spawn()?;
    // Our copies of the writing end go with it.
    drop(command);
    let read = OwnedFd::from(read);
    rustix::fs::fcntl_setfl(&read, OFlags::NONBLOCK)?;
    attend(child, &read)
}

fn attend(mut child: Child, read: &OwnedFd) -> io::Result<Ran> {
    let mut kept = Vec::new();
    loop {
        // Asked before reading: what an ended program printed is then surely in the pipe.
        let ended = child.try_wait()?;
        let closed = drain(read, &mut kept)?;
        if let Some(status) = ended {
            let output = String::from_utf8_lossy(&kept).into_owned();
            return Ok(Ran { output, code: status.code() });
        }
        if closed {
            std::thread::sleep(Duration::from_millis(LOOK_EVERY_MS));
            continue;
        }
        let wait = clock::timespec(LOOK_EVERY_MS);
        let mut fds = [rustix::event::PollFd::new(read, rustix::event::PollFlags::IN)];
        match rustix::event::poll(&mut fds, Some(&wait)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Takes what is in the pipe; whether it has ended.
fn drain(read: &OwnedFd, kept: &mut Vec<u8>) -> io::Result<bool> {
    let mut buffer = [0u8; 8192];
    loop {
        match rustix::io::read(read, &mut buffer) {
            Ok(0) => return Ok(true),
            Ok(count) => {
                let room = OUTPUT_BYTES_MAX - kept.len();
                kept.extend_from_slice(&buffer[..count.min(room)]);
            }
            Err(Errno::AGAIN) => return Ok(false),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_working_directory() {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path().to_str().unwrap();
        for path in ["", ".", "..", "../x", "a/../../x", "/etc/x", "/"] {
            assert!(relative(cwd, path).is_err(), "{path}");
        }
        let inside = format!("{cwd}/a/b.txt");
        for path in ["a/b.txt", "./a/b.txt", &inside] {
            let path = relative(cwd, path).unwrap();
            write(cwd, path, "x").unwrap();
        }
        assert_eq!(std::fs::read_to_string(&inside).unwrap(), "x");
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("f"), dir.path().join("file")).unwrap();
        assert!(write(cwd, Path::new("link/x"), "x").is_err());
        assert!(write(cwd, Path::new("file"), "x").is_err());
        assert!(delete(cwd, Path::new("link/x")).is_err());
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_write_knows_whether_the_file_is_new() {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path().to_str().unwrap();
        let path = Path::new("n.txt");
        assert_eq!(write(cwd, path, "long text").unwrap(), FileKind::Add);
        assert_eq!(write(cwd, path, "x").unwrap(), FileKind::Update);
        assert_eq!(std::fs::read_to_string(dir.path().join(path)).unwrap(), "x");
        delete(cwd, path).unwrap();
        assert!(delete(cwd, path).is_err());
    }

    #[test]
    fn a_program_is_run_and_its_leftovers_are_not_waited_for() {
        let sh = |script: &str| {
            let argv = ["/bin/sh", "-c", script].map(str::to_owned);
            run("/", &argv).map(|ran| (ran.output, ran.code)).unwrap()
        };
        assert_eq!(sh("echo a; echo b >&2; pwd; exit 3"), ("a\nb\n/\n".into(), Some(3)));
        assert_eq!(sh("kill -9 $$").1, None);
        // Holds the pipe for longer than any test may take; ended by the handle we print.
        let (pid, code) = sh("sleep 600 & echo $!");
        assert_eq!(code, Some(0));
        let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        let (flood, _) = sh("head -c 300000 /dev/zero");
        assert_eq!(flood.len(), OUTPUT_BYTES_MAX);
        assert!(run("/", &["/no/such/program".to_owned()]).is_err());
    }
}
