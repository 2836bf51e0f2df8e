//! What can go wrong with the memory, as values. The sentences are for logs; what a person reads
//! is made elsewhere from `kind` and the data.

use crate::lock::Owner;
use thiserror::Error;

/// Why the journal did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// A write or a sync failed; whether the batch is durable is not known.
    #[error("the journal could not be made durable: {detail}")]
    SyncFailed {
        /// What the store said.
        detail: String,
    },
    /// A record is not what was written.
    #[error("record {pos} does not fit the hash chain")]
    HashMismatch {
        /// Its position.
        pos: u64,
    },
    /// The journal lost what was already acknowledged.
    #[error(
        "the journal ends at {journal_pos} (epoch {journal_epoch}), \
         but {head_pos} (epoch {head_epoch}) was acknowledged"
    )]
    ShorterThanHead {
        /// The last position that was acknowledged.
        head_pos: u64,
        /// The epoch it was acknowledged under.
        head_epoch: u64,
        /// Where the journal ends.
        journal_pos: u64,
        /// Its epoch.
        journal_epoch: u64,
    },
    /// Another writer lives.
    #[error("the journal is held by another writer: {owner:?}")]
    Locked {
        /// Who, if the lock file could be read.
        owner: Option<Owner>,
    },
    /// The disk is full; whether the batch is durable is not known.
    #[error("no space left for the journal: {detail}")]
    NoSpace {
        /// What the store said.
        detail: String,
    },
    /// A newer version wrote this journal. Nothing was changed.
    #[error("the journal has format {found}, this version knows {known}")]
    NewerFormat {
        /// The format found.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// The run is not where the caller thought.
    #[error("run {run} is at sequence {found}, not {expected}")]
    SeqMismatch {
        /// The run.
        run: String,
        /// What the caller expected; 0 for a new run.
        expected: u64,
        /// Where it is; 0 when there is no such run.
        found: u64,
    },
    /// A newer writer has taken over.
    #[error("epoch {ours} was overtaken by epoch {found}")]
    EpochLost {
        /// The epoch of this writer.
        ours: u64,
        /// The newest epoch.
        found: u64,
    },
    /// The key already names a run.
    #[error("key {key} already names run {run}")]
    KeyReused {
        /// The key.
        key: String,
        /// The run it names.
        run: String,
    },
    /// Something other than a record's hash is broken.
    #[error("the journal is damaged: {0}")]
    Damaged(Damage),
    /// The batch contradicts itself. Nothing was written.
    #[error("the batch is wrong about run {run}: {why}")]
    BadBatch {
        /// The run.
        run: String,
        /// In what way.
        why: Misuse,
    },
    /// This store was opened to read.
    #[error("this journal is open for reading only")]
    ReadOnly,
    /// There is no journal in this directory.
    #[error("there is no journal in {dir}")]
    Absent {
        /// The directory.
        dir: String,
    },
    /// The machine failed.
    #[error("{what}: {detail}")]
    Io {
        /// What was being done.
        what: String,
        /// What the system said.
        detail: String,
    },
}

/// What is broken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Damage {
    /// The head file is gone although the journal holds records.
    #[error("the head file is missing")]
    HeadMissing,
    /// The head file is not what was written.
    #[error("the head file is unreadable")]
    HeadUnreadable,
    /// The main file is gone although its log is there.
    #[error("the main file is missing")]
    JournalMissing,
    /// The file is not a journal.
    #[error("not a journal (application id {application_id:#x}, format {format})")]
    NotAJournal {
        /// The application id found.
        application_id: u32,
        /// The format found.
        format: u32,
    },
    /// The tables are not those of this format.
    #[error("the tables are not those of this format")]
    Schema,
    /// The row of totals is not what was written.
    #[error("the row of totals is unreadable")]
    Totals,
    /// A run's row is not what was written.
    #[error("row {row} of the runs is unreadable")]
    HeadRow {
        /// Its number.
        row: u64,
    },
    /// The runs' rows are not those the totals speak of.
    #[error("the runs do not add up to the totals")]
    HeadsDigest,
    /// A record is missing.
    #[error("record {pos} is missing")]
    RecordMissing {
        /// Its position.
        pos: u64,
    },
    /// A run's records do not lead back to its first.
    #[error("run {run} is broken at record {pos}")]
    RunBroken {
        /// The run.
        run: String,
        /// Where.
        pos: u64,
    },
    /// A value has the wrong type or is not text.
    #[error("unreadable value: {detail}")]
    Value {
        /// What was found.
        detail: String,
    },
    /// SQLite says so.
    #[error("sqlite {code}: {detail}")]
    Sqlite {
        /// Its extended result code.
        code: i32,
        /// Its words.
        detail: String,
    },
}

/// In what way a batch contradicts itself or the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Misuse {
    /// The run's name is empty.
    #[error("its name is empty")]
    NoName,
    /// An entry has no note.
    #[error("an entry has no note")]
    NoNote,
    /// Two notes speak of it.
    #[error("two notes speak of it")]
    TwoNotes,
    /// A note has no entry.
    #[error("a note has no entry")]
    NoEntry,
    /// Machine, parent or key differ from those of its first batch.
    #[error("machine, parent or key differ from those it began with")]
    Changed,
    /// A number does not fit.
    #[error("a number is too large")]
    TooLarge,
    /// A body is longer than [`crate::BODY_BYTES_MAX`].
    #[error("a body is too long")]
    BodyTooLong,
    /// A body is not JSON on one line.
    #[error("a body is not JSON on one line")]
    BodyNotJson,
}

impl Fault {
    /// The stable word for this fault.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SyncFailed { .. } => "sync_failed",
            Self::HashMismatch { .. } => "hash_mismatch",
            Self::ShorterThanHead { .. } => "shorter_than_head",
            Self::Locked { .. } => "locked",
            Self::NoSpace { .. } => "no_space",
            Self::NewerFormat { .. } => "newer_format",
            Self::SeqMismatch { .. } => "seq_mismatch",
            Self::EpochLost { .. } => "epoch_lost",
            Self::KeyReused { .. } => "key_reused",
            Self::Damaged(_) => "damaged",
            Self::BadBatch { .. } => "bad_batch",
            Self::ReadOnly => "read_only",
            Self::Absent { .. } => "absent",
            Self::Io { .. } => "io",
        }
    }

    /// Whether the fault refuses one batch and leaves the store as good as before.
    #[must_use]
    pub fn refuses_batch(&self) -> bool {
        match self {
            Self::SeqMismatch { .. } | Self::KeyReused { .. } | Self::BadBatch { .. } => true,
            Self::SyncFailed { .. }
            | Self::HashMismatch { .. }
            | Self::ShorterThanHead { .. }
            | Self::Locked { .. }
            | Self::NoSpace { .. }
            | Self::NewerFormat { .. }
            | Self::EpochLost { .. }
            | Self::Damaged(_)
            | Self::ReadOnly
            | Self::Absent { .. }
            | Self::Io { .. } => false,
        }
    }

    /// A sync of ours that failed.
    pub(crate) fn sync(error: std::io::Error) -> Self {
        Self::SyncFailed { detail: error.to_string() }
    }

    /// An error of the file system while doing `what`.
    pub(crate) fn io(what: &str, error: &std::io::Error) -> Self {
        let detail = error.to_string();
        if error.kind() == std::io::ErrorKind::StorageFull {
            return Self::NoSpace { detail };
        }
        Self::Io { what: what.to_owned(), detail }
    }
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}
