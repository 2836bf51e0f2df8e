//! The thin layer over a call directory: it opens the spools, lets the folders read them in small
//! pieces, and keeps the answer beside them.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use kernel::agent::{Ask, Kind, Report, Spooled};
use kernel::hash::sha256_hex;
use kernel::machine::At;
use rustix::fs::OFlags;

use super::classify::Seen;
use super::fold::{Fold, FoldPlan, Heard, spoken};
use super::report;
use crate::redact::{Redactor, strip_escapes};
use crate::shim::durable;
use crate::shim::files::{self, ExitRecord};

/// One read.
const PIECE_BYTES: usize = 64 << 10;
/// What is looked at of standard error: more than is kept, so that a secret at the cut is seen
/// whole when it is taken out.
const STDERR_END_BYTES: u64 = 16 << 10;
/// The beginning of standard error, where progress lines name the session.
const STDERR_START_BYTES: u64 = 64 << 10;

/// What became of the call in `dir`, from byte 0 of its spools. The same files give the same
/// report; `now` is only used when the exit record names no time.
///
/// # Errors
/// When a spool cannot be read, or the answer cannot be written beside it.
pub fn report(
    dir: &Path,
    ask: &Ask,
    exit: &ExitRecord,
    plan: &FoldPlan,
    redactor: &Redactor,
    now: At,
) -> io::Result<Report> {
    let kind = spoken(ask.kind, plan);
    let plan = filled(dir, ask, kind, plan);
    let mut fold = Fold::new(kind, &plan);
    feed_all(&mut fold, dir, files::STDOUT)?;
    if feed_gap(&mut fold, dir, exit) {
        feed_all(&mut fold, dir, files::STDOUT_TAIL)?;
    }
    let end = fold.finish();
    let stderr = stderr_end(dir);
    let seen =
        Seen { kind, plan: &plan, end: &end, exit, stderr: &stderr, now: &ended_at(exit, now) };
    let progress = stderr_start(dir, kind);
    let asked = report::Asked { schema: ask.schema.as_deref(), progress: &progress };
    report::write(&seen, &asked, redactor, &|name, text| keep(dir, name, text))
}

/// Keeps a text in the call directory, readable by its owner alone.
///
/// # Errors
/// When it cannot be written.
pub fn keep(dir: &Path, name: &str, text: &str) -> io::Result<Spooled> {
    durable::replace(dir, name, text.as_bytes())?;
    let call = dir.file_name().unwrap_or_default().to_string_lossy();
    Ok(Spooled {
        path: format!("calls/{call}/{name}"),
        sha256: sha256_hex(text.as_bytes()),
        bytes: text.len() as u64,
    })
}

/// The plan with what the request and its directory know. The prompt is only read where the output
/// may begin with a copy of it.
fn filled(dir: &Path, ask: &Ask, kind: Kind, plan: &FoldPlan) -> FoldPlan {
    let mut plan = plan.clone();
    plan.resume = plan.resume.or_else(|| ask.resume.clone());
    if kind == Kind::Wrapper && plan.prompt.is_none() {
        let bytes = durable::read(&dir.join(files::PROMPT), files::RECORD_BYTES_MAX);
        plan.prompt = bytes.ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    }
    plan
}

/// A file that was never made is an empty one.
fn open(path: &Path) -> io::Result<Option<File>> {
    match durable::open(path, OFlags::RDONLY) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn feed_all(fold: &mut Fold, dir: &Path, name: &str) -> io::Result<()> {
    match open(&dir.join(name))? {
        Some(mut file) => pour(fold, &mut file).map(|_| ()),
        None => Ok(()),
    }
}

/// Feeds what is left of the file; how much that was.
fn pour(fold: &mut Fold, file: &mut File) -> io::Result<u64> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut poured = 0;
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(poured),
            Ok(bytes) => {
                fold.feed(&piece[..bytes]);
                poured += bytes as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether there is a tail. Its first byte only follows the last one of the spool if all that was
/// dropped of either stream is in the tails.
fn feed_gap(fold: &mut Fold, dir: &Path, exit: &ExitRecord) -> bool {
    let bytes = |name| std::fs::symlink_metadata(dir.join(name)).map_or(0, |meta| meta.len());
    let tail = bytes(files::STDOUT_TAIL);
    if tail > 0 && tail + bytes(files::STDERR_TAIL) != exit.dropped_bytes {
        fold.gap();
    }
    tail > 0
}

fn stderr_end(dir: &Path) -> String {
    let mut end = durable::read_tail(&dir.join(files::STDERR_TAIL), STDERR_END_BYTES);
    if end.is_empty() {
        end = durable::read_tail(&dir.join(files::STDERR), STDERR_END_BYTES);
    }
    String::from_utf8_lossy(&strip_escapes(&end)).into_owned()
}

fn stderr_start(dir: &Path, kind: Kind) -> String {
    let mut start = Vec::new();
    if kind == Kind::Wrapper
        && let Ok(Some(file)) = open(&dir.join(files::STDERR))
        && file.take(STDERR_START_BYTES).read_to_end(&mut start).is_err()
    {
        start.clear();
    }
    String::from_utf8_lossy(&strip_escapes(&start)).into_owned()
}

fn ended_at(exit: &ExitRecord, now: At) -> Zoned {
    let told = exit.ended_at.parse::<Timestamp>().ok();
    let now = || Timestamp::from_millisecond(i64::try_from(now.0).unwrap_or(0)).unwrap_or_default();
    told.unwrap_or_else(now).to_zoned(TimeZone::system())
}

/// A running call, followed by reading what its spool has gained.
#[derive(Debug)]
pub struct Live {
    dir: PathBuf,
    file: Option<File>,
    fold: Fold,
    tail: Option<Tail>,
}

/// The end of a flood: it is replaced again and again, so it is read anew each time.
#[derive(Debug)]
struct Tail {
    stamp: Stamp,
    fold: Fold,
}

/// Which version of a file it is. The number of a file may be used again, hence the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

fn stamp(file: &File) -> io::Result<Stamp> {
    let meta = file.metadata()?;
    Ok(Stamp { inode: meta.ino(), bytes: meta.len(), changed: (meta.ctime(), meta.ctime_nsec()) })
}

impl Live {
    /// Begins at byte 0.
    #[must_use]
    pub fn new(dir: &Path, kind: Kind, plan: &FoldPlan) -> Self {
        Self { dir: dir.to_owned(), file: None, fold: Fold::new(kind, plan), tail: None }
    }

    /// Reads what is new. Says whether there was anything.
    ///
    /// # Errors
    /// When the spool is there and cannot be read.
    pub fn poll(&mut self) -> io::Result<bool> {
        if self.file.is_none() {
            self.file = open(&self.dir.join(files::STDOUT))?;
        }
        let grew = match &mut self.file {
            Some(file) => pour(&mut self.fold, file)? > 0,
            None => false,
        };
        Ok(self.poll_tail()? || grew)
    }

    fn poll_tail(&mut self) -> io::Result<bool> {
        let Some(mut file) = open(&self.dir.join(files::STDOUT_TAIL))? else { return Ok(false) };
        let stamp = stamp(&file)?;
        if self.tail.as_ref().is_some_and(|tail| tail.stamp == stamp) {
            return Ok(false);
        }
        let mut fold = self.fold.clone();
        fold.gap();
        pour(&mut fold, &mut file)?;
        self.tail = Some(Tail { stamp, fold });
        Ok(true)
    }

    /// What was heard up to the last poll.
    #[must_use]
    pub fn heard(&self) -> &Heard {
        self.tail.as_ref().map_or(&self.fold, |tail| &tail.fold).heard()
    }
}
