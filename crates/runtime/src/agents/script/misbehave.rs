//! What agents do that they should not: flood, hang, leave processes behind, ignore a request to
//! stop, die by a signal. Every process left behind is this program again, so that it carries the
//! call's mark in its environment like any other.

use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use super::step::{Flood, Stream};
use super::voice::Voice;

/// The hidden command that this program is started with again.
pub(super) const DRIVE: &str = "drive";
/// Sleeps and ends.
pub(super) const REST: &str = "rest";
/// Leaves a resting process in a session of its own, and ends.
pub(super) const ORPHAN: &str = "orphan";
/// What is written at once: large enough that the calls cost nothing, small enough to be nothing.
const CHUNK_BYTES: usize = 256 << 10;
/// How long one sleep of an endless one is.
const HANG: Duration = Duration::from_secs(3600);
/// The dispositions `signal` knows.
const DEFAULT: usize = 0;
const IGNORE: usize = 1;

unsafe extern "C" {
    fn signal(number: i32, handler: usize) -> usize;
}

/// From here on TERM does nothing, also to whatever is started.
pub(super) fn ignore_term() {
    // SAFETY: no handler of ours runs; the kernel drops the signal.
    unsafe { signal(Signal::TERM.as_raw(), IGNORE) };
}

/// Ends this process by a signal, as a crash does.
pub(super) fn die(number: i32) -> io::Result<()> {
    // SAFETY: restoring a default is always allowed; those that cannot change just fail.
    unsafe { signal(number, DEFAULT) };
    let named = Signal::from_named_raw(number).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process(rustix::process::getpid(), named)?)
}

/// Does nothing, for ever.
pub(super) fn hang() -> ! {
    loop {
        std::thread::sleep(HANG);
    }
}

/// Prints exactly so many bytes; the last of them ends a line. Memory does not grow with them.
pub(super) fn flood(voice: &Voice, flood: &Flood) -> io::Result<()> {
    let Flood { stream, bytes, line_bytes } = *flood;
    let line = if line_bytes == 0 { bytes } else { line_bytes.min(bytes) };
    let mut left = bytes;
    let chunk = CHUNK_BYTES as u64;
    if line > 0 && line <= chunk {
        // Short lines: many in one piece, which then is written again and again.
        let lines = (chunk / line).max(1);
        let piece = piece(line, lines);
        while left >= piece.len() as u64 {
            voice.bytes(stream, &piece)?;
            left -= piece.len() as u64;
        }
    }
    let blank = vec![b'x'; CHUNK_BYTES];
    while left > 0 {
        let this = line.min(left);
        fill(voice, stream, &blank, this - 1)?;
        voice.bytes(stream, b"\n")?;
        left -= this;
    }
    Ok(())
}

fn piece(line: u64, lines: u64) -> Vec<u8> {
    let mut piece = Vec::with_capacity(CHUNK_BYTES);
    for _ in 0..lines {
        piece.extend((1..line).map(|_| b'x'));
        piece.push(b'\n');
    }
    piece
}

fn fill(voice: &Voice, stream: Stream, blank: &[u8], mut left: u64) -> io::Result<()> {
    while left > 0 {
        let count = usize::try_from(left).map_or(blank.len(), |left| left.min(blank.len()));
        voice.bytes(stream, &blank[..count])?;
        left -= count as u64;
    }
    Ok(())
}

fn again(word: &str, ms: u64) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([DRIVE, word, &ms.to_string()]).stdin(Stdio::null()).stderr(Stdio::null());
    Ok(command)
}

/// Leaves a process that is no child of ours, in a session of its own, without our streams.
pub(super) fn orphan(ms: u64) -> io::Result<()> {
    again(ORPHAN, ms)?.stdout(Stdio::null()).status().map(drop)
}

/// Leaves a child that holds standard output.
pub(super) fn hold_stdout(ms: u64) -> io::Result<()> {
    again(REST, ms)?.stdout(Stdio::inherit()).spawn().map(drop)
}

/// The process between us and an orphan.
pub(super) fn bear_orphan(ms: u64) -> io::Result<()> {
    // It fails only for one who already leads a session.
    let _ = rustix::process::setsid();
    again(REST, ms)?.stdout(Stdio::null()).spawn().map(drop)
}
