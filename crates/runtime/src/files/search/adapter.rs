//! Asks the configured program a question and reads its answer. It gets the question as one JSON
//! line on its input, `{"query", "path", "limit"}`, and answers `{"hits": [{"path", "line",
//! "score"}]}`. It names places; what stands there is read by us. Nothing of it is left running.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde::Deserialize;
use serde_json::json;

use super::args::Semantic;
use super::hit::WhyFallback;
use crate::child_env::{self, Extra};
use crate::shim::{procfs, tree};

/// A longer answer is no list of hits.
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How often an exit is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Rounds of KILL; a fork may have slipped through the one before.
const KILL_ROUNDS: u32 = 50;

/// The program, and what of our environment it may see.
#[derive(Debug, Clone)]
pub struct Adapter {
    /// Program and arguments (`search.semantic`).
    pub argv: Vec<String>,
    /// What passes besides the usual.
    pub extra: Extra,
    /// How long it may take.
    pub time_max: Duration,
}

/// A place the program named.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub path: String,
    pub line: u64,
    #[serde(default)]
    pub score: Option<f64>,
}

#[derive(Deserialize)]
struct Answer {
    hits: Vec<Named>,
}

/// Asks, and gives the places named.
pub(super) fn ask(
    adapter: &Adapter,
    root: &Path,
    args: &Semantic,
) -> Result<Vec<Named>, WhyFallback> {
    let end = Instant::now() + adapter.time_max;
    let mark = format!("search-{}", uuid::Uuid::now_v7().simple());
    let tmp = Tmp::make(&mark).map_err(|_| WhyFallback::Failed)?;
    let mut child = start(adapter, root, &tmp.0, &mark)?;
    if let Some(mut input) = child.stdin.take() {
        let asked = json!({ "query": args.query, "path": args.path, "limit": args.limit });
        // One that does not read its input is judged by its answer.
        drop(input.write_all(format!("{asked}\n").as_bytes()));
    }
    let heard = child.stdout.take().map(listen);
    let answer = heard.map_or(Err(WhyFallback::Failed), |heard| wait(&mut child, &heard, end));
    clear(&mut child, &mark);
    let answer: Answer = serde_json::from_slice(&answer?).map_err(|_| WhyFallback::Unreadable)?;
    match answer.hits.is_empty() {
        true => Err(WhyFallback::Empty),
        false => Ok(answer.hits),
    }
}

fn start(adapter: &Adapter, root: &Path, tmp: &Path, mark: &str) -> Result<Child, WhyFallback> {
    let (program, args) = adapter.argv.split_first().ok_or(WhyFallback::Absent)?;
    let place = child_env::Place { root, tmp, call: mark, run: mark, trace: "" };
    let ours = std::env::vars_os();
    let env: Vec<(OsString, OsString)> = child_env::build(ours, &adapter.extra, &place);
    let mut command = Command::new(program);
    command.args(args).env_clear().envs(env).current_dir(root).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().map_err(|error| {
        let absent = error.kind() == std::io::ErrorKind::NotFound;
        if absent { WhyFallback::Absent } else { WhyFallback::Failed }
    })
}

/// Reads in a thread of its own, so that a program that says nothing can be given up.
fn listen(mut output: ChildStdout) -> Receiver<Vec<u8>> {
    let (say, heard) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = output.by_ref().take(ANSWER_BYTES_MAX + 1).read_to_end(&mut bytes);
        if read.is_ok() {
            drop(say.send(bytes));
        }
    });
    heard
}

fn wait(
    child: &mut Child,
    heard: &Receiver<Vec<u8>>,
    end: Instant,
) -> Result<Vec<u8>, WhyFallback> {
    let left = end.saturating_duration_since(Instant::now());
    let bytes = heard.recv_timeout(left).map_err(|why| match why {
        RecvTimeoutError::Timeout => WhyFallback::Timeout,
        RecvTimeoutError::Disconnected => WhyFallback::Failed,
    })?;
    if bytes.len() as u64 > ANSWER_BYTES_MAX {
        return Err(WhyFallback::Unreadable);
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(bytes),
            Ok(Some(_)) | Err(_) => return Err(WhyFallback::Failed),
            Ok(None) if Instant::now() >= end => return Err(WhyFallback::Timeout),
            Ok(None) => std::thread::sleep(LOOK_EVERY),
        }
    }
}

/// Ends all that is left of it: what descends from it, and what carries its mark although its
/// parent is gone.
fn clear(child: &mut Child, mark: &str) {
    let pid = child.id().cast_signed();
    for _ in 0..KILL_ROUNDS {
        let ended = matches!(child.try_wait(), Ok(Some(_)));
        // Once waited for, its number may be another's: then only the mark tells.
        let mut left = if ended { Vec::new() } else { tree::living(pid) };
        left.extend(procfs::marked(mark));
        if left.is_empty() && ended {
            return;
        }
        tree::signal(&left, Signal::KILL);
        if !ended {
            drop(child.kill());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// A directory that is there for one question.
struct Tmp(PathBuf);

impl Tmp {
    fn make(name: &str) -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("loopwright-{name}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Tmp {
    fn drop(&mut self) {
        // What a program left in its own temporary directory is of no use to anybody.
        drop(std::fs::remove_dir_all(&self.0));
    }
}
