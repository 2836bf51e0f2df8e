//! Why a question has no answer, as values. The sentence is made where it is read.

use journal::{Damage, Fault};
use kernel::errors::{Class, Code, Machine};
use serde_json::{Value, json};

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields say what they are")]
pub enum Refusal {
    /// No run has that id or begins with it.
    #[error("no run is named {id}")]
    NoSuch { id: String, nearest: Vec<String> },
    /// Several runs begin with it.
    #[error("{id} fits several runs")]
    Ambiguous { id: String, candidates: Vec<String> },
    /// The run is of another machine than asked for.
    #[error("{id} is a {machine}")]
    OtherMachine { id: String, machine: String, wanted: &'static str },
    /// The run has no such sequence number.
    #[error("{run} ends at {last}")]
    NoSeq { run: String, seq: u64, last: u64 },
    /// The journal cannot answer.
    #[error(transparent)]
    Journal(#[from] Fault),
    /// A record that has its hash is not a fact of this build: another version wrote it.
    #[error("record {seq} of {run} is not a fact of this build")]
    Unreadable { run: String, seq: u64 },
    /// The fold does not give what was written beside the records.
    #[error("the fold of {run} gives {folded}, not {kept}")]
    FoldDiffers { run: String, folded: String, kept: String },
    /// A file of the run cannot be read.
    #[error("{path}")]
    Io { path: String, kind: &'static str },
}

impl Refusal {
    /// Its code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NoSuch { id, .. } => Code::refused(machine_of(id), "no_such"),
            Self::OtherMachine { wanted, .. } => {
                let machine = Machine::named(wanted).unwrap_or(Machine::Door);
                Code::refused(machine, "no_such")
            }
            Self::Ambiguous { id, .. } => Code::refused(machine_of(id), "ambiguous_command"),
            Self::NoSeq { .. } => Code::Class(Class::InvalidArgs),
            Self::Journal(fault) => of_fault(fault).0,
            Self::Unreadable { .. } | Self::FoldDiffers { .. } => Code::Class(Class::Journal),
            Self::Io { .. } => Code::Class(Class::Io),
        }
    }

    /// The facts for its sentence.
    #[must_use]
    pub fn details(&self) -> Value {
        match self {
            Self::NoSuch { id, nearest } => json!({ "id": id, "nearest": nearest }),
            Self::Ambiguous { id, candidates } => {
                json!({ "command": id, "candidates": candidates })
            }
            Self::OtherMachine { id, machine, wanted } => {
                json!({ "kind": "other_machine", "id": id, "machine": machine, "wanted": wanted })
            }
            Self::NoSeq { seq, last, .. } => json!({
                "kind": "bad_value", "path": "--at", "asked": seq, "expected": format!("1..{last}"),
            }),
            Self::Journal(fault) => of_fault(fault).1,
            Self::Unreadable { run, seq } => {
                json!({ "kind": "unreadable", "what": format!("{run} {seq}") })
            }
            Self::FoldDiffers { run, folded, kept } => json!({
                "kind": "fold_differs", "run_id": run, "folded": folded, "kept": kept,
            }),
            Self::Io { path, kind } => json!({ "kind": kind, "path": path }),
        }
    }
}

/// Ids name their machine; anything else was said at the door.
fn machine_of(id: &str) -> Machine {
    let prefix = id.split_once('-').map(|(prefix, _)| prefix).unwrap_or_default();
    match prefix {
        "call" => Machine::Call,
        "loop" | "LOOP" => Machine::Loop,
        _ => Machine::Door,
    }
}

/// The code of a fault of the journal by its kind, whoever met it and over whichever door it came.
#[must_use]
pub fn code_of_fault(kind: &str) -> Code {
    match kind {
        "sync_failed" | "no_space" | "hash_mismatch" | "shorter_than_head" | "locked"
        | "newer_format" => Code::refused(Machine::Journal, kind),
        "seq_mismatch" | "key_reused" | "epoch_lost" => Code::Class(Class::Conflict),
        "root_replaced" => Code::refused(Machine::Workspace, kind),
        "bad_batch" | "read_only" | "internal" => Code::Class(Class::Internal),
        _ => Code::Class(Class::Journal),
    }
}

/// The code and the facts of a fault of the journal, whoever met it.
#[must_use]
pub fn of_fault(fault: &Fault) -> (Code, Value) {
    let details = match fault {
        Fault::SyncFailed { .. } | Fault::NoSpace { .. } => json!({}),
        Fault::HashMismatch { pos } => json!({ "pos": pos }),
        Fault::ShorterThanHead { head_pos, journal_pos, .. } => {
            json!({ "pos": journal_pos, "head": head_pos })
        }
        Fault::Locked { owner } => json!({ "pid": owner.as_ref().map(|owner| owner.pid) }),
        Fault::NewerFormat { found, known } => json!({ "found": found, "known": known }),
        Fault::Damaged(damage) => json!({ "kind": "damaged", "what": place(damage) }),
        Fault::Absent { .. } => json!({ "kind": "absent" }),
        Fault::Io { what, .. } => json!({ "kind": "io", "what": what }),
        Fault::SeqMismatch { .. }
        | Fault::KeyReused { .. }
        | Fault::EpochLost { .. }
        | Fault::BadBatch { .. }
        | Fault::ReadOnly => json!({ "kind": fault.kind() }),
    };
    (code_of_fault(fault.kind()), details)
}

/// Where the damage is, in names that need no translation.
fn place(damage: &Damage) -> String {
    match damage {
        Damage::HeadMissing | Damage::HeadUnreadable => "journal/head".to_owned(),
        Damage::JournalMissing | Damage::NotAJournal { .. } | Damage::Schema => {
            "journal/journal.db".to_owned()
        }
        Damage::Totals => "totals".to_owned(),
        Damage::HeadRow { row } => format!("heads[{row}]"),
        Damage::HeadsDigest => "heads".to_owned(),
        Damage::RecordMissing { pos } => format!("records[{pos}]"),
        Damage::RunBroken { run, pos } => format!("{run} records[{pos}]"),
        Damage::Value { .. } => "value".to_owned(),
        Damage::Sqlite { code, .. } => format!("sqlite {code}"),
    }
}
