//! Measures what this machine can hold a call with: a canary puts the walls up and tries to get
//! through. What is reported is what it saw, never what the kernel's version promises.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::canary::{self, Song, Try};
use super::level::{Carve, Level};
use super::syscall;
use super::wall::{ABI_MAX, ABI_MIN};
use crate::shim::run::SUBCOMMAND;

/// The oldest Landlock that is used.
pub const LANDLOCK_MIN: u32 = ABI_MIN;
/// A canary takes milliseconds; one that takes this long is stuck, and held by nothing.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two looks at it.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// How the directory of a canary begins; the number of its process follows.
const CANARY: &str = "canary-";

/// What was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The level that held.
    pub level: Level,
    /// How protected names can be kept.
    pub carve: Carve,
    /// The version of Landlock it was measured with.
    pub abi: u32,
    /// What got through, where something did.
    pub holes: Vec<Try>,
}

impl Measured {
    /// Where nothing can be held, or nobody wants it.
    #[must_use]
    pub const fn nothing() -> Self {
        Self { level: Level::None, carve: Carve::None, abi: 0, holes: Vec::new() }
    }
}

/// The version of Landlock that the kernel offers; 0 where it has none.
#[must_use]
pub fn landlock() -> u32 {
    syscall::landlock_abi()
}

/// Measures, with `exe` as the canary and `room` (of ours, on the disk of the work tree) as the
/// place it is tried in. Whatever goes wrong, the answer is the weaker one.
#[must_use]
pub fn probe(exe: &Path, room: &Path) -> Measured {
    measure(exe, room, landlock().min(ABI_MAX))
}

fn measure(exe: &Path, room: &Path, abi: u32) -> Measured {
    if abi < ABI_MIN {
        return Measured::nothing();
    }
    sweep(room);
    let mut holes = Vec::new();
    for carve in [Carve::Mount, Carve::Detected] {
        match sing(exe, room, abi, carve) {
            Ok(Song { failed: None, holes }) if holes.is_empty() => {
                return Measured { level: Level::Walled, carve, abi, holes };
            }
            Ok(song) => holes = song.holes,
            Err(_) => {}
        }
    }
    Measured { holes, ..Measured::nothing() }
}

/// Takes away what probes that were killed left: directories of canaries whose process is gone, or
/// has the number that is ours now.
fn sweep(room: &Path) {
    for entry in std::fs::read_dir(room).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(CANARY)?.split('-').next());
        let Some(pid) = pid.and_then(|pid| pid.parse::<u32>().ok()) else { continue };
        if pid == std::process::id() || !Path::new(&format!("/proc/{pid}")).exists() {
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// One canary, in a directory of its own that is gone afterwards.
fn sing(exe: &Path, room: &Path, abi: u32, carve: Carve) -> io::Result<Song> {
    let dir = room.join(format!("{CANARY}{}-{}", std::process::id(), carve.word()));
    canary::lay_out(&dir, &canary::plan(&dir, abi, carve))?;
    let song = hear(exe, &dir);
    drop(std::fs::remove_dir_all(&dir));
    song
}

fn hear(exe: &Path, dir: &Path) -> io::Result<Song> {
    let mut child = Command::new(exe)
        .arg(SUBCOMMAND)
        .arg(canary::WORD)
        .arg(dir)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let until = Instant::now() + PATIENCE;
    loop {
        if child.try_wait()?.is_some() {
            // A song is short: it is whole in the pipe before the singer ends.
            let heard = child.wait_with_output()?;
            return Ok(serde_json::from_slice(&heard.stdout)?);
        }
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_probes_left_goes_and_nothing_else() {
        let room = tempfile::tempdir().unwrap();
        let ours = format!("{CANARY}{}-mount", std::process::id());
        let table = [
            // No process has this number: it is above what the kernel gives.
            ("canary-4194305-mount", false),
            (ours.as_str(), false),
            ("canary-1-mount", true),
            ("canary-x", true),
            ("marks", true),
        ];
        for (name, _) in table {
            std::fs::create_dir_all(room.path().join(name).join("inside")).unwrap();
        }
        sweep(room.path());
        for (name, stays) in table {
            assert_eq!(room.path().join(name).exists(), stays, "{name}");
        }
    }
}
