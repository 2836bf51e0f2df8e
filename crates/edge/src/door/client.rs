//! A client of the engine's socket, and how it gets an engine when none answers. It starts nothing
//! for a process that descends from one of our shims.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use runtime::host::EngineStatus;
use runtime::shim::speaker::{Speaker, speaker};
use serde_json::Value;

use super::serve::Ready;
use super::wire::{Ask, PROTOCOL, Reply, Speaks, VERSION};

/// How long an engine that leaves, or starts, is waited for.
const PATIENCE: Duration = Duration::from_secs(15);
/// Between two tries.
const EVERY: Duration = Duration::from_millis(5);
/// How long the engine may take to say that it is there before its owner is named instead: it
/// answers that from memory, so a longer silence is a process that is held.
const HELLO_WAIT: Duration = Duration::from_secs(5);
/// The same for work, which may wait for a slow disk.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum ClientError {
    /// No engine answers; nothing was started.
    #[error("no engine answers")]
    NotRunning,
    /// An agent may speak to an engine but not start one.
    #[error("a process below a shim can't start an engine")]
    NeedsPerson,
    /// Another build's engine has work in flight.
    #[error("the engine is version {theirs}, this is {ours}")]
    Version { ours: String, theirs: String, in_flight: usize },
    /// The engine could not start.
    #[error("the engine could not start: {kind}")]
    Fault { kind: String, details: Value },
    /// The engine went away in the middle: what was asked may or may not have been taken.
    #[error("the engine went away")]
    Gone,
    /// The engine holds the journal but does not answer.
    #[error("the engine does not answer")]
    Silent,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// Our own program.
    pub exe: PathBuf,
    /// Arguments that make it the engine of this workspace.
    pub args: Vec<std::ffi::OsString>,
    /// Where it listens.
    pub socket: PathBuf,
    /// Where its errors go.
    pub log: PathBuf,
}

/// A connection to a running engine of our version.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
    /// The engine as it was when we connected.
    pub engine: EngineStatus,
}

impl Client {
    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// When the engine goes away or stays silent.
    pub fn ask(&mut self, ask: &Ask) -> Result<Reply, ClientError> {
        exchange(&mut self.stream, ask)
    }
}

fn exchange(stream: &mut BufReader<UnixStream>, ask: &Ask) -> Result<Reply, ClientError> {
    let mut line = serde_json::to_vec(ask).map_err(std::io::Error::from)?;
    line.push(b'\n');
    stream.get_mut().write_all(&line).map_err(|_| ClientError::Gone)?;
    let mut answer = Vec::new();
    match stream.read_until(b'\n', &mut answer) {
        Ok(0) => Err(ClientError::Gone),
        Ok(_) => serde_json::from_slice(&answer).map_err(|_| ClientError::Gone),
        Err(why) if why.kind() == std::io::ErrorKind::WouldBlock => Err(ClientError::Silent),
        Err(_) => Err(ClientError::Gone),
    }
}

/// Connects to an engine that runs.
///
/// # Errors
/// `NotRunning` when none answers; the version refusal when it is another build's.
pub fn connect_running(socket: &Path, speaks: &Speaks) -> Result<Client, ClientError> {
    let stream = UnixStream::connect(socket).map_err(|_| ClientError::NotRunning)?;
    stream.set_read_timeout(Some(HELLO_WAIT))?;
    let mut stream = BufReader::new(stream);
    let (version, speaks) = (VERSION.to_owned(), speaks.clone());
    let hello = Ask::Hello { version, protocol: PROTOCOL, speaks };
    match exchange(&mut stream, &hello) {
        Ok(Reply::Hello { version, status, .. }) if version == VERSION => {
            stream.get_ref().set_read_timeout(Some(ANSWER_WAIT))?;
            Ok(Client { stream, engine: status })
        }
        Ok(Reply::Hello { version, status, .. }) => Err(ClientError::Version {
            ours: VERSION.to_owned(),
            theirs: version,
            in_flight: status.in_flight,
        }),
        Ok(_) | Err(ClientError::Gone) => Err(ClientError::NotRunning),
        Err(why) => Err(why),
    }
}

/// Connects to the workspace's engine, starting one when none answers. An idle engine of another
/// build is asked to leave first.
///
/// # Errors
/// When there is no way to a running engine of this build.
pub fn connect_or_start(launcher: &Launcher, speaks: &Speaks) -> Result<Client, ClientError> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        match connect_running(&launcher.socket, speaks) {
            Err(ClientError::NotRunning) => {}
            Err(ClientError::Version { in_flight: 0, .. }) => ask_to_leave(&launcher.socket),
            other => return other,
        }
        match start(launcher) {
            // Another client's engine holds the journal: it is about to listen, or about to leave.
            Err(ClientError::Fault { kind, .. })
                if kind == "locked" && Instant::now() < give_up =>
            {
                std::thread::sleep(EVERY);
            }
            Err(why) => return Err(why),
            Ok(()) if Instant::now() < give_up => {}
            Ok(()) => return Err(ClientError::Silent),
        }
    }
}

fn ask_to_leave(socket: &Path) {
    let Ok(stream) = UnixStream::connect(socket) else { return };
    // Whether it leaves is seen by the next try.
    drop(exchange(&mut BufReader::new(stream), &Ask::Leave));
    std::thread::sleep(EVERY);
}

/// Starts an engine and waits for its one line.
fn start(launcher: &Launcher) -> Result<(), ClientError> {
    let pid = i32::try_from(std::process::id()).unwrap_or(0);
    if !matches!(speaker(pid), Speaker::Person) {
        return Err(ClientError::NeedsPerson);
    }
    let log =
        std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&launcher.log)?;
    let mut engine = Command::new(&launcher.exe)
        .args(&launcher.args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()?;
    let mut line = String::new();
    if let Some(out) = engine.stdout.take() {
        BufReader::new(out).read_line(&mut line)?;
    }
    match serde_json::from_str(&line) {
        Ok(Ready::Ready) => Ok(()),
        Ok(Ready::Fault { kind, details }) => Err(ClientError::Fault { kind, details }),
        Err(_) => Err(ClientError::Fault { kind: "start".to_owned(), details: Value::Null }),
    }
}
