//! The shim process itself, from its first breath to its last: lock, token, held child,
//! `pid.json`, go, tend, collect, `exit.json`. It reads no configuration and no locale, knows no
//! journal, and decides nothing about what the outcome means.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::child::{self, Held};
use super::durable::{self, Created};
use super::files::{
    self, Collected, ExitRecord, FORMAT, PidRecord, Process, Record, Request, SpawnStep,
};
use super::identity::Place;
use super::os::{Signals, Told};
use super::spool::{Caps, Spool};
use super::tend::{Outcome, Tender};
use super::token::{self, Lock};
use super::{clock, collect, procfs};
use crate::sandbox::{Carve, Level, canary};

/// The subcommand's name; also how a door recognises a shim.
pub const SUBCOMMAND: &str = "shim";
/// A full disk may have room again in a moment, and an outcome is worth waiting for.
const EXIT_WRITES_MAX: u32 = 10;
/// Between two of them.
const EXIT_WRITE_EVERY_MS: u64 = 200;

/// How a shim process ends, as its exit code; evidence is in the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// `exit.json` is written.
    Recorded = 0,
    /// Something failed; whoever looks finds out how far it came.
    Failed = 1,
    /// Not called as the engine calls it.
    Usage = 2,
    /// Another was here first, or the request is another's: nothing was done.
    Refused = 3,
}

/// Runs `shim DIR ATTEMPT EPOCH`, given the three, or `shim canary DIR`. The attempt and the epoch
/// are in the argument list because a late shim must not start what the directory was prepared for
/// since.
pub fn main(args: &[std::ffi::OsString]) -> Done {
    if let [word, dir] = args
        && word == canary::WORD
    {
        return canary::main(Path::new(dir)).map_or(Done::Failed, |()| Done::Recorded);
    }
    let [dir, attempt, epoch] = args else {
        return Done::Usage;
    };
    let number = |arg: &std::ffi::OsString| arg.to_str().and_then(|text| text.parse::<u64>().ok());
    let attempt = number(attempt).and_then(|attempt| u32::try_from(attempt).ok());
    let (Some(attempt), Some(epoch)) = (attempt, number(epoch)) else {
        return Done::Usage;
    };
    run(Path::new(dir), attempt, epoch).unwrap_or_else(|error| {
        log("failed", &error);
        Done::Failed
    })
}

/// One technical line in `shim.log`, by one write: shims that meet write there side by side.
fn log(name: &str, value: &dyn std::fmt::Display) {
    use std::io::Write;
    // Nobody can be told that the log cannot be written.
    let line = format!("shim.{name} {value}\n");
    let _ = io::stderr().write_all(line.as_bytes());
}

fn run(dir: &Path, attempt: u32, epoch: u64) -> io::Result<Done> {
    // Started by a plain spawn, which is the cheapest; leaving the engine's session is ours to
    // do. It fails only for one who already leads a session.
    let _ = rustix::process::setsid();
    let signals = Signals::install()?;
    let Some(lock) = token::lock(dir)? else {
        log("lock_taken", &attempt);
        return Ok(Done::Refused);
    };
    let Some(request) = read_request(dir, attempt, epoch) else {
        return Ok(Done::Refused);
    };
    if lock.create_token(dir, attempt)? == Created::Existed {
        log("token_exists", &attempt);
        return Ok(Done::Refused);
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (record, _mounts) = start(dir, &request, &signals)?;
    show_exit(dir, &record)?;
    drop::<Lock>(lock);
    // The engine need not wait for the disk, nor until this process is taken apart: that its line
    // ends is the word for a record that can be read. What it learns it syncs in its journal; a
    // power cut that takes both leaves a call that nobody knows the end of, as one before it does.
    let _ = rustix::stdio::dup2_stdout(rustix::stdio::stderr());
    if let Err(error) = durable::settle(dir, files::EXIT) {
        log("exit_sync", &error);
    }
    if let Err(error) = collect::remove(&rest_of(dir, attempt)) {
        log("rest", &error);
    }
    Ok(Done::Recorded)
}

/// Where the rest of a start's `tmp/` waits to be removed.
fn rest_of(dir: &Path, attempt: u32) -> PathBuf {
    dir.join(format!("rest.{attempt}"))
}

fn read_request(dir: &Path, attempt: u32, epoch: u64) -> Option<Request> {
    let call_id = dir.file_name()?.to_str()?.to_owned();
    let ticket = files::Ticket { call_id, attempt, epoch };
    match files::read(dir, files::REQUEST, &ticket) {
        Record::Found(request) => return Some(request),
        Record::Absent => log("no_request", &attempt),
        Record::Damaged { why } => log("request_damaged", &why),
        Record::Foreign { found } => log("request_foreign", &found.attempt),
    }
    None
}

/// The mounts of a call, kept in being.
type Mounts = Option<File>;

/// Steps 4 to 7, up to the record of the end. The mounts go with us: taking them apart is slow, and
/// at the child's own end everybody would wait for it.
fn start(dir: &Path, request: &Request, signals: &Signals) -> io::Result<(ExitRecord, Mounts)> {
    // First, as it makes itself ready beside us. On an error the gate closes with `held`, and the
    // child ends without having been the program.
    let held = child::hold(request, dir)?;
    let started_at = clock::rfc3339();
    let place = Place::here()?;
    let caps = Caps { spool_bytes: request.spool_bytes, tail_bytes: request.tail_bytes };
    let spools =
        [Spool::create(dir, files::STDOUT, caps)?, Spool::create(dir, files::STDERR, caps)?];
    write_pid(dir, request, &place, &held, &started_at)?;
    let mounts = File::open(format!("/proc/{}/ns/mnt", held.pid.as_raw_nonzero())).ok();
    let told = signals.take();
    let loose = match told {
        Told::Stop => held.abandon(),
        Told::Nothing => held.let_go()?,
    };
    let mut tender = Tender::new(request, &place.boot_id, signals, loose, spools);
    tender.hear(told);
    let outcome = tender.tend();
    // To the engine, if it is still the one that started us: nothing of this call acts any more.
    let _ = rustix::io::write(rustix::stdio::stdout(), b"q");
    Ok((finish(dir, request, &place, started_at, outcome), mounts))
}

fn own_process() -> io::Result<Process> {
    let own = std::process::id().cast_signed();
    procfs::stat(own).map(|stat| stat.process()).ok_or_else(|| io::Error::other("own stat"))
}

fn write_pid(
    dir: &Path,
    request: &Request,
    place: &Place,
    held: &Held,
    spawned_at: &str,
) -> io::Result<()> {
    let child = procfs::stat(held.pid.as_raw_nonzero().get())
        .ok_or_else(|| io::Error::other("the child has no stat"))?;
    let record = PidRecord {
        format: FORMAT,
        call_id: request.call_id.clone(),
        attempt: request.attempt,
        epoch: request.epoch,
        host: place.host.clone(),
        boot_id: place.boot_id.clone(),
        pidns: place.pidns.clone(),
        shim: own_process()?,
        child: child.process(),
        cgroup: None,
        spawned_at: spawned_at.to_owned(),
    };
    files::write(dir, files::PID, &record)?;
    // From here on a program may run: the way to its record outlasts a power cut.
    dir.parent().map_or(Ok(()), durable::sync_dir)
}

fn finish(
    dir: &Path,
    request: &Request,
    place: &Place,
    started_at: String,
    mut outcome: Outcome,
) -> ExitRecord {
    for spool in &mut outcome.spools {
        if let Err(error) = spool.close() {
            log("spool", &error);
        }
    }
    let rest = rest_of(dir, request.attempt);
    let collected = collect::collect(dir, &request.collect, &rest).unwrap_or_else(|error| {
        log("collect", &error);
        Vec::<Collected>::new()
    });
    let [stdout, stderr] = &outcome.spools;
    let (level, carve_out) = held_by(request, &outcome);
    ExitRecord {
        format: FORMAT,
        call_id: request.call_id.clone(),
        key: request.key.clone(),
        attempt: request.attempt,
        epoch: request.epoch,
        boot_id: place.boot_id.clone(),
        started_at,
        ended_at: clock::rfc3339(),
        exit_code: outcome.status.and_then(|status| status.exit_status()),
        signal: outcome.status.and_then(|status| status.terminating_signal()),
        ended: outcome.ended,
        stdout_bytes: stdout.kept,
        stderr_bytes: stderr.kept,
        dropped_bytes: stdout.dropped + stderr.dropped,
        sandbox: level.word().to_owned(),
        carve_out,
        survivors: outcome.survivors,
        spawn_error: outcome.spawn_error,
        collected,
    }
}

/// What was in force. A child that came as far as the exec was held by all of its plan; one that
/// failed before was held by nobody knows which part of it.
fn held_by(request: &Request, outcome: &Outcome) -> (Level, Carve) {
    let step = outcome.spawn_error.as_ref().map(|error| error.step);
    match (&request.sandbox, step) {
        (Some(plan), None | Some(SpawnStep::Exec)) => (plan.level, plan.carve),
        (Some(_), Some(_)) | (None, _) => (Level::None, Carve::None),
    }
}

fn show_exit(dir: &Path, record: &ExitRecord) -> io::Result<()> {
    let bytes = serde_json::to_vec(record)?;
    for _ in 1..EXIT_WRITES_MAX {
        match durable::show(dir, files::EXIT, &bytes) {
            Ok(()) => return Ok(()),
            Err(error) => log("exit_write", &error),
        }
        std::thread::sleep(std::time::Duration::from_millis(EXIT_WRITE_EVERY_MS));
    }
    durable::show(dir, files::EXIT, &bytes)
}
