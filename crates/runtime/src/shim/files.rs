//! What lies in `.loop/calls/{call-id}/`: names, shapes and sizes of the records that engine and
//! shim exchange. It reads and judges records; it starts nothing, and a record read here is never
//! by itself a reason to start anything.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::durable;
use crate::sandbox::{Carve, Plan};

/// Version of every record here; another number reads as damaged.
pub const FORMAT: u32 = 1;
/// What the engine asks for.
pub const REQUEST: &str = "request.json";
/// Who the shim and its child are.
pub const PID: &str = "pid.json";
/// Held while the process tree lives.
pub const LOCK: &str = "lock";
/// The capped spool of standard output.
pub const STDOUT: &str = "stdout";
/// The capped spool of standard error.
pub const STDERR: &str = "stderr";
/// The end of what did not fit into `stdout`.
pub const STDOUT_TAIL: &str = "stdout.tail";
/// The end of what did not fit into `stderr`.
pub const STDERR_TAIL: &str = "stderr.tail";
/// The shim's own standard error: technical lines, `name value…`.
pub const LOG: &str = "shim.log";
/// The child's TMPDIR, the one place of ours it may write.
pub const TMP: &str = "tmp";
/// Declared files taken out of `tmp/`.
pub const COLLECTED: &str = "collected";
/// The outcome, written last.
pub const EXIT: &str = "exit.json";
/// The answer of an agent, taken out of its stream.
pub const ANSWER: &str = "answer";
/// The file an agent reads as its standard input.
pub const PROMPT: &str = "prompt";
/// The servers that an agent's program is told of.
pub const SERVERS: &str = "mcp.json";
/// The last of our tools that an agent outside a turn called: left when it was asked to try one.
pub const TOOL_CALLED: &str = "tool_called";

/// Standard cap of each spool.
pub const SPOOL_BYTES_MAX: u64 = 64 << 20;
/// How much of a flood's end is kept, so that a final event survives it.
pub const TAIL_BYTES: u64 = 256 << 10;
/// A record is small; more than this was not written by us. An argv may hold 2 MiB.
pub const RECORD_BYTES_MAX: u64 = 8 << 20;
/// Largest file taken out of `tmp/`; the rest of a larger one is cut and noted. A test report of
/// this size is still read, and one that was cut says nothing.
pub const COLLECT_BYTES_MAX: u64 = 32 << 20;

/// Name of the start token of an attempt.
pub fn token_name(attempt: u32) -> String {
    format!("launch.{attempt}")
}

/// Which start a record belongs to. Records of any other start are ignored and reported.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ticket {
    /// The call.
    pub call_id: String,
    /// Its attempt, from 1.
    pub attempt: u32,
    /// The epoch of the engine that recorded the start.
    pub epoch: u64,
}

/// Where the child's standard input comes from. There is no form that stays open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stdin {
    /// `/dev/null`: ends at once.
    Null,
    /// The file `prompt` of the call directory: ends by itself.
    Prompt,
}

/// `request.json`: all a shim needs to know. Environment values are never in it: the shim's own
/// environment already is the child's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// [`FORMAT`].
    pub format: u32,
    /// The call.
    pub call_id: String,
    /// The key its owner knows it by.
    pub key: String,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The engine's epoch.
    pub epoch: u64,
    /// The program and its arguments, each one value; no shell reads them.
    pub argv: Vec<String>,
    /// Root the working directory must lie in: absolute, without links.
    pub workspace: String,
    /// Working directory: absolute, without links, inside `workspace`.
    pub cwd: String,
    /// Names of the variables the child gets, for the record.
    pub env_names: Vec<String>,
    /// Standard input.
    pub stdin: Stdin,
    /// Hard deadline, milliseconds of the wall clock since 1970.
    pub deadline_wall_ms: u64,
    /// The same deadline by the boot clock; it decides while `boot_id` is this boot's.
    #[serde(default)]
    pub deadline_boot_ms: Option<u64>,
    /// The boot that `deadline_boot_ms` counts from.
    #[serde(default)]
    pub boot_id: Option<String>,
    /// Longest silence on both streams; absent means that silence is fine.
    #[serde(default)]
    pub idle_ms: Option<u64>,
    /// Time between TERM and KILL.
    pub grace_ms: u64,
    /// Cap of each spool.
    pub spool_bytes: u64,
    /// Size of each tail.
    pub tail_bytes: u64,
    /// Names of files in `tmp/` to keep; one path component each.
    #[serde(default)]
    pub collect: Vec<String>,
    /// What the child may touch; absent means that nothing holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Plan>,
    /// The tool call as it was asked, for whoever reads the directory; not used by the shim.
    #[serde(default)]
    pub tool_call: serde_json::Value,
}

impl Request {
    /// The start this request belongs to.
    pub fn ticket(&self) -> Ticket {
        Ticket { call_id: self.call_id.clone(), attempt: self.attempt, epoch: self.epoch }
    }
}

/// A process as far as a pid and the tick it started at can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Process {
    /// Its pid, in the pid namespace named beside it.
    pub pid: i32,
    /// When it started, in clock ticks since boot.
    pub start_ticks: u64,
}

/// `pid.json`: the identities that survive pid reuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PidRecord {
    /// [`FORMAT`].
    pub format: u32,
    /// The call.
    pub call_id: String,
    /// The attempt.
    pub attempt: u32,
    /// The engine's epoch.
    pub epoch: u64,
    /// Name of the machine.
    pub host: String,
    /// Its boot.
    pub boot_id: String,
    /// The pid namespace the numbers are valid in.
    pub pidns: String,
    /// The shim.
    pub shim: Process,
    /// The main process.
    pub child: Process,
    /// The control group, once there is one.
    pub cgroup: Option<String>,
    /// When, RFC 3339.
    pub spawned_at: String,
}

/// How a call's process ended. That we stopped it is read here, never from the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// By itself, with an exit code.
    Exit,
    /// By a signal that was not ours.
    Signal,
    /// The hard deadline passed.
    Deadline,
    /// It was silent for too long.
    Idle,
    /// Somebody asked the shim to stop it.
    Stopped,
    /// It never became the program.
    SpawnFailed,
}

/// What kept the child from becoming the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnStep {
    /// Leaving the shim's session.
    Session,
    /// Asking to die with the shim.
    DeathSignal,
    /// Resource limits.
    Limits,
    /// Keeping protected names from being written.
    Carve,
    /// Entering the working directory.
    Cwd,
    /// Opening standard input.
    Stdin,
    /// Putting up the walls of its plan.
    Sandbox,
    /// The exec itself.
    Exec,
}

impl SpawnStep {
    /// Its word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::DeathSignal => "death_signal",
            Self::Limits => "limits",
            Self::Carve => "carve",
            Self::Cwd => "cwd",
            Self::Stdin => "stdin",
            Self::Sandbox => "sandbox",
            Self::Exec => "exec",
        }
    }
}

/// The step and the error number it failed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpawnError {
    /// Which step.
    pub step: SpawnStep,
    /// The system's error number; 0 when the system did not give one.
    pub errno: i32,
}

/// A process that outlived everything we may do to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its pid.
    pub pid: i32,
    /// When it started.
    pub start_ticks: u64,
    /// Its command name.
    pub name: String,
}

/// What became of one declared file of `tmp/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collected {
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub result: CollectResult,
}

/// Whether a declared file could be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectResult {
    /// Kept whole.
    Kept {
        /// Its size.
        bytes: u64,
    },
    /// Kept up to the cap.
    Cut {
        /// What was kept.
        bytes: u64,
    },
    /// It was not there.
    Missing,
    /// A link, a device, a name that leads elsewhere: left out.
    NotRegular,
    /// It could not be read or written.
    Unreadable,
}

/// `exit.json`: the evidence a call is settled by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExitRecord {
    /// [`FORMAT`].
    pub format: u32,
    /// The call.
    pub call_id: String,
    /// Its key.
    pub key: String,
    /// The attempt.
    pub attempt: u32,
    /// The engine's epoch.
    pub epoch: u64,
    /// The boot it ran in.
    pub boot_id: String,
    /// When the child was let go, RFC 3339.
    pub started_at: String,
    /// When its tree was gone, RFC 3339.
    pub ended_at: String,
    /// The main process's exit code, if it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Why it ended.
    pub ended: Ended,
    /// Bytes in `stdout`.
    pub stdout_bytes: u64,
    /// Bytes in `stderr`.
    pub stderr_bytes: u64,
    /// Bytes of both streams that are in neither spool.
    pub dropped_bytes: u64,
    /// The level that was really in force.
    pub sandbox: String,
    /// How protected names were really kept.
    #[serde(default)]
    pub carve_out: Carve,
    /// Processes of the call that could not be proven gone.
    pub survivors: Vec<Named>,
    /// For [`Ended::SpawnFailed`]: which step, which error.
    #[serde(default)]
    pub spawn_error: Option<SpawnError>,
    /// The declared files.
    #[serde(default)]
    pub collected: Vec<Collected>,
}

/// A record as found on disk. Nothing found there can be an error of ours.
#[derive(Debug, Clone, PartialEq)]
pub enum Record<T> {
    /// There is none.
    Absent,
    /// There is something else in its place.
    Damaged {
        /// What is wrong with it.
        why: String,
    },
    /// It belongs to another start, and says nothing about this one.
    Foreign {
        /// The start it belongs to.
        found: Ticket,
    },
    /// It is this start's.
    Found(T),
}

/// Records that say which start they belong to.
pub trait Stamped: DeserializeOwned {
    /// Format and start of this record.
    fn stamp(&self) -> (u32, Ticket);
}

macro_rules! stamped {
    ($($record:ty),*) => {$(
        impl Stamped for $record {
            fn stamp(&self) -> (u32, Ticket) {
                let call_id = self.call_id.clone();
                (self.format, Ticket { call_id, attempt: self.attempt, epoch: self.epoch })
            }
        }
    )*};
}
stamped!(Request, PidRecord, ExitRecord);

/// Reads `dir/name` as this start's record.
pub fn read<T: Stamped>(dir: &Path, name: &str, ticket: &Ticket) -> Record<T> {
    let bytes = match durable::read(&dir.join(name), RECORD_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Record::Absent,
        Err(error) => return Record::Damaged { why: error.to_string() },
    };
    let record = match serde_json::from_slice::<T>(&bytes) {
        Ok(record) => record,
        Err(error) => return Record::Damaged { why: error.to_string() },
    };
    let (format, found) = record.stamp();
    if format != FORMAT {
        return Record::Damaged { why: format!("format {format}") };
    }
    if found == *ticket { Record::Found(record) } else { Record::Foreign { found } }
}

/// Writes a record durably, whole or not at all.
pub fn write<T: Serialize>(dir: &Path, name: &str, record: &T) -> io::Result<()> {
    durable::replace(dir, name, &serde_json::to_vec(record)?)
}
