//! What a call printed, from its spools, without secrets. The spools themselves stay raw and
//! private.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::Serialize;

use super::refusal::Refusal;
use crate::redact::Redactor;
use crate::shim::{durable, files};

/// What `show` puts on a page at most; `tail` and the file itself have the rest.
pub const SHOWN_BYTES_MAX: u64 = 64 << 10;

/// One of the two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipe {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Pipe {
    const fn file(self) -> &'static str {
        match self {
            Self::Stdout => files::STDOUT,
            Self::Stderr => files::STDERR,
        }
    }
}

/// The end of what was printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The text, without secrets.
    pub text: String,
    /// All bytes that are kept.
    pub bytes: u64,
    /// Where the text begins.
    pub from: u64,
}

/// The last part of a stream of the call whose files are in `dir`; empty if it never printed.
///
/// # Errors
/// When the spool is there and cannot be read.
pub fn output(dir: &Path, pipe: Pipe, redactor: &Redactor) -> Result<Output, Refusal> {
    let path = dir.join(pipe.file());
    let bytes = std::fs::symlink_metadata(&path).map(|at| at.len()).unwrap_or(0);
    let from = bytes.saturating_sub(SHOWN_BYTES_MAX);
    // Secrets that began before the cut are still found: reading starts a little earlier.
    let early = from.saturating_sub(LEAD_BYTES);
    let raw = read_from(dir, pipe, early)?;
    let text = String::from_utf8_lossy(&redactor.redact(&raw)).into_owned();
    let text = if early < from { skip_line(&text) } else { text };
    Ok(Output { text, bytes, from })
}

/// Longer than any secret that has no line break in it.
const LEAD_BYTES: u64 = 16 << 10;

/// A text without its first, cut line.
fn skip_line(text: &str) -> String {
    text.split_once('\n').map_or(text, |(_, rest)| rest).to_owned()
}

/// Whatever a stream holds from `from` on, raw: whoever shows it redacts it first.
///
/// # Errors
/// When the spool is there and cannot be read.
pub fn read_from(dir: &Path, pipe: Pipe, from: u64) -> Result<Vec<u8>, Refusal> {
    let path = dir.join(pipe.file());
    let read = || -> io::Result<Vec<u8>> {
        let mut file: File = durable::open(&path, rustix::fs::OFlags::RDONLY)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.take(files::SPOOL_BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(_) => Err(Refusal::Io { path: path.display().to_string(), kind: "permission" }),
    }
}

/// Whether the shim of that call has written how it ended.
#[must_use]
pub fn exit_recorded(dir: &Path) -> bool {
    dir.join(files::EXIT).symlink_metadata().is_ok()
}
