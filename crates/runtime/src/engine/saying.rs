//! A command on its way in, and the answer on its way out. Who said it and where the answer goes
//! travel with it; neither is part of the command.

use kernel::call;
use kernel::machine::By;
use kernel::run::{Command, Refused};
use serde_json::json;

/// Names the asker who waits for an answer.
pub type Ticket = u64;

/// Why a command was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Someone waits for the answer.
    Asker(Ticket),
    /// The hands report the end of a job, named by its key.
    Job(String),
    /// The engine asks for a child that this run owes under this slot.
    Owner {
        /// The owing run.
        run: String,
        /// The slot it owes.
        slot: String,
    },
    /// The engine itself; a refusal means that it is no longer true.
    Engine,
}

/// A command on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saying {
    /// The run it is for; one that is not there yet is made by its first accepted command.
    pub run: String,
    /// The speaker.
    pub by: By,
    /// Trace of the chain it belongs to.
    pub trace: String,
    /// What is said.
    pub command: Command,
    /// Why it was made.
    pub origin: Origin,
    /// What it stands on.
    pub link: Link,
}

/// What a command stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// By itself.
    Alone,
    /// On its run as it was after this record; refused if the run has moved on since.
    At(u64),
    /// Void if the one before it was refused; it is then answered with the same refusal.
    AfterLast,
}

impl Saying {
    /// Something the engine says to itself.
    #[must_use]
    pub fn own(run: &str, by: By, command: Command) -> Self {
        Self {
            run: run.to_owned(),
            by,
            trace: String::new(),
            command,
            origin: Origin::Engine,
            link: Link::Alone,
        }
    }

    /// Why it cannot be heard, if it stands on an older record than its run's last.
    pub(super) fn outrun(&self, last: u64) -> Option<Refused> {
        let Link::At(seq) = self.link else { return None };
        (last != seq).then(|| Refused {
            machine: self.command.kind().name(),
            reason: "conflict",
            allowed: Vec::new(),
            details: json!({ "expected": seq, "actual": last }),
        })
    }
}

/// A command that was accepted; durable by the time anyone sees this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The run.
    pub run: String,
    /// Its sequence number now.
    pub seq: u64,
    /// The names of the recorded facts; empty when nothing had to change.
    pub facts: Vec<&'static str>,
    /// Where the run stands.
    pub status: &'static str,
}

/// A refusal, and where it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAt {
    /// The run.
    pub run: String,
    /// Where the run stands.
    pub status: &'static str,
    /// The refusal.
    pub refused: Refused,
}

/// What an asker hears.
pub type Answer = Result<Accepted, RefusedAt>;

/// The key a run is known by and whose child it is, where what was said to it tells.
pub(super) fn link_of(command: &Command, origin: &Origin) -> Option<(String, Option<String>)> {
    match (command, origin) {
        (Command::Call(call::Command::Ask(ask)), _) => Some((ask.key.clone(), ask.parent.clone())),
        (_, Origin::Owner { run, slot }) => Some((format!("{run}/{slot}"), Some(run.clone()))),
        (_, Origin::Asker(_) | Origin::Job(_) | Origin::Engine) => None,
    }
}
