//! The probe: what became of a start, told by its files, its lock and nothing else. It settles
//! nothing and starts nothing; the one thing it does to the world is to make sure of what it
//! says: a start that it calls never launched can no longer happen, and leftovers of a dead shim
//! are stopped before they are called gone.

use std::io;
use std::path::Path;

use rustix::process::Signal;

use super::clock;
use super::durable::{self, Created};
use super::files::{self, ExitRecord, Named, PidRecord, Record, Stamped, Ticket};
use super::identity::{Place, boot_id};
use super::procfs;
use super::tend::PROVE_MS;
use super::token;
use super::tree;

/// How much of each stream is shown as evidence.
pub const EVIDENCE_BYTES: u64 = 2 << 10;
/// Between two rounds of a sweep.
const SWEEP_EVERY_MS: u64 = 20;

/// What became of a start.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// Its outcome is recorded.
    Exited(Box<ExitRecord>),
    /// The lock is held.
    Running {
        /// Who holds it, once that is written; until then look again.
        pid: Option<Box<PidRecord>>,
    },
    /// Nothing was started under this ticket, and nothing can be any more.
    NeverLaunched,
    /// It was started, its shim is dead, and it left no outcome.
    Gone(Box<Remains>),
}

/// What a lost start left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Remains {
    /// How much is known about who ran.
    pub swept: Swept,
    /// The end of `stdout`, or of its tail.
    pub stdout_end: Vec<u8>,
    /// The end of `stderr`, or of its tail.
    pub stderr_end: Vec<u8>,
}

/// Whether processes of a lost start were looked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Swept {
    /// Yes: those found were stopped, those left are named.
    Here {
        /// Found alive and stopped.
        stopped: Vec<Named>,
        /// Found alive, and not proven gone.
        survivors: Vec<Named>,
    },
    /// No: it ran in another boot or on another host, where they are not to be found from here.
    Elsewhere,
    /// No: `pid.json` is damaged, which proves nothing.
    PidDamaged {
        /// What is wrong with it.
        why: String,
    },
}

/// Something in the directory that is not this start's. It changes no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Odd {
    /// A record of another start.
    Foreign {
        /// Its file.
        name: &'static str,
        /// The start it belongs to.
        found: Ticket,
    },
    /// A record that cannot be read.
    Damaged {
        /// Its file.
        name: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

/// An answer, and what was ignored on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The answer.
    pub look: Look,
    /// To be reported.
    pub odd: Vec<Odd>,
}

/// Looks at a recorded start. Not for one that was launched a moment ago: taking the lock here
/// would turn its shim away. May wait some seconds while leftovers are stopped.
pub fn look(dir: &Path, ticket: &Ticket) -> io::Result<Seen> {
    let mut odd = Vec::new();
    if let Some(record) = found::<ExitRecord>(dir, files::EXIT, ticket, &mut odd) {
        return Ok(Seen { look: Look::Exited(Box::new(record)), odd });
    }
    odd.clear();
    let look = match locked(dir)? {
        Locked::NoDirectory => Look::NeverLaunched,
        Locked::Held => {
            let pid = found::<PidRecord>(dir, files::PID, ticket, &mut odd);
            Look::Running { pid: pid.map(Box::new) }
        }
        Locked::Taken(lock) => at_rest(dir, ticket, &lock, &mut odd)?,
    };
    Ok(Seen { look, odd })
}

enum Locked {
    /// Without a directory no shim can take a lock or read a request.
    NoDirectory,
    Held,
    Taken(token::Lock),
}

fn locked(dir: &Path) -> io::Result<Locked> {
    match token::lock(dir) {
        Ok(Some(lock)) => Ok(Locked::Taken(lock)),
        Ok(None) => Ok(Locked::Held),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Locked::NoDirectory),
        Err(error) => Err(error),
    }
}

/// With the lock in hand nobody writes here any more, so each file is read for the last time.
fn at_rest(
    dir: &Path,
    ticket: &Ticket,
    lock: &token::Lock,
    odd: &mut Vec<Odd>,
) -> io::Result<Look> {
    if let Some(record) = found::<ExitRecord>(dir, files::EXIT, ticket, odd) {
        return Ok(Look::Exited(Box::new(record)));
    }
    if lock.create_token(dir, ticket.attempt)? == Created::New {
        return Ok(Look::NeverLaunched);
    }
    let swept = match files::read::<PidRecord>(dir, files::PID, ticket) {
        Record::Absent => return Ok(Look::NeverLaunched),
        Record::Foreign { found } => {
            odd.push(Odd::Foreign { name: files::PID, found });
            return Ok(Look::NeverLaunched);
        }
        Record::Damaged { why } => Swept::PidDamaged { why },
        Record::Found(record) => {
            let same = record.boot_id == boot_id()? && record.host == Place::here()?.host;
            if same { sweep(&ticket.call_id) } else { Swept::Elsewhere }
        }
    };
    let stdout_end = end_of(dir, files::STDOUT, files::STDOUT_TAIL);
    let stderr_end = end_of(dir, files::STDERR, files::STDERR_TAIL);
    Ok(Look::Gone(Box::new(Remains { swept, stdout_end, stderr_end })))
}

fn found<T: Stamped>(
    dir: &Path,
    name: &'static str,
    ticket: &Ticket,
    odd: &mut Vec<Odd>,
) -> Option<T> {
    match files::read::<T>(dir, name, ticket) {
        Record::Found(record) => return Some(record),
        Record::Absent => {}
        Record::Damaged { why } => odd.push(Odd::Damaged { name, why }),
        Record::Foreign { found } => odd.push(Odd::Foreign { name, found }),
    }
    None
}

fn end_of(dir: &Path, spool: &str, tail: &str) -> Vec<u8> {
    let tail = durable::read_tail(&dir.join(tail), EVIDENCE_BYTES);
    if tail.is_empty() { durable::read_tail(&dir.join(spool), EVIDENCE_BYTES) } else { tail }
}

/// Kills whoever carries the call's mark, again and again until nobody does or time is up.
pub fn sweep(call_id: &str) -> Swept {
    let until = clock::awake_ms() + PROVE_MS;
    let mut stopped: Vec<Named> = Vec::new();
    loop {
        let alive = procfs::marked(call_id);
        let names = tree::named(&alive);
        if alive.is_empty() || clock::awake_ms() >= until {
            stopped.retain(|name| !names.contains(name));
            return Swept::Here { stopped, survivors: names };
        }
        tree::signal(&alive, Signal::KILL);
        for name in names {
            if !stopped.contains(&name) {
                stopped.push(name);
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(SWEEP_EVERY_MS));
    }
}
