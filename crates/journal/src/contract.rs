//! The contract between whoever decides facts and whoever keeps them: plain data and one trait.
//! No store is here, and no meaning: a body is text, a status is a word.

use crate::fault::Fault;

/// The longest body of one record, in bytes. Output of agents never goes into the journal, so a
/// larger one is a mistake of the caller; it also keeps a batch well below SQLite's own limits.
pub const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// One fact to be recorded. The journal adds its place (position, sequence, hash).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The run the fact belongs to.
    pub run: String,
    /// When the caller says it happened, in milliseconds since 1970. The journal reads no clock.
    pub at_ms: u64,
    /// Who caused it.
    pub by: String,
    /// The trace that leads back to the command behind it.
    pub trace: String,
    /// The name of the fact.
    pub kind: String,
    /// The fact itself: canonical JSON on one line.
    pub body: String,
}

/// What a batch says about one run it touches. There is exactly one for each such run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunNote {
    /// The run.
    pub run: String,
    /// The machine that folds it. Fixed by the run's first batch.
    pub machine: String,
    /// The sequence the caller has folded up to; 0 when the run is new.
    pub expected_seq: u64,
    /// A word for lists; stored as given.
    pub status: String,
    /// Whether the run has ended.
    pub ended: bool,
    /// The run that started it. Fixed by the first batch; later `None` means "as it was".
    pub parent: Option<String>,
    /// The key it was started under, unique for ever. Fixed as `parent` is.
    pub key: Option<String>,
}

/// What is made durable together or not at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// The facts, in the order in which they get their positions.
    pub entries: Vec<Entry>,
    /// One note for each run among the entries.
    pub notes: Vec<RunNote>,
}

/// A recorded fact, in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its place in the whole journal: 1, 2, 3, … without gaps.
    pub pos: u64,
    /// The run.
    pub run: String,
    /// Its place in the run: 1, 2, 3, … without gaps.
    pub seq: u64,
    /// The position of the run's record before this one; 0 for its first.
    pub prev_pos: u64,
    /// See [`Entry::at_ms`].
    pub at_ms: u64,
    /// See [`Entry::by`].
    pub by: String,
    /// See [`Entry::trace`].
    pub trace: String,
    /// See [`Entry::kind`].
    pub kind: String,
    /// See [`Entry::body`].
    pub body: String,
    /// What the batch said about the run, as canonical JSON, if that was anything new. It stands
    /// on the batch's last record of the run, so that where a run stands can be told from its
    /// records alone.
    pub note: Option<String>,
    /// The chain up to and including this record: a hash over the hash of position `pos - 1` and
    /// every field above.
    pub hash: [u8; 32],
}

/// Where a run stands. It can be looked up without reading any record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The run.
    pub run: String,
    /// The machine that folds it.
    pub machine: String,
    /// The run that started it.
    pub parent: Option<String>,
    /// The key it was started under.
    pub key: Option<String>,
    /// The sequence of its last record.
    pub seq: u64,
    /// The position of its last record.
    pub pos: u64,
    /// The last word said about it.
    pub status: String,
    /// Whether it has ended.
    pub ended: bool,
    /// The time of its first record.
    pub created_ms: u64,
    /// The time of its last record.
    pub updated_ms: u64,
}

/// A folded state, kept to spare the reader a long fold. A cache: it may vanish at any time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The run.
    pub run: String,
    /// The sequence it is folded up to.
    pub seq: u64,
    /// The position of that record.
    pub pos: u64,
    /// The hash of that record.
    pub chain: [u8; 32],
    /// The shape of the state, as the caller names it. The caller compares it.
    pub fingerprint: String,
    /// The state, as the caller wrote it.
    pub state: String,
}

/// What a complete check has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many records were read and hashed.
    pub records: u64,
    /// How many runs were compared with their records.
    pub runs: u64,
    /// The last position.
    pub last_pos: u64,
    /// The hash there: whoever notes it elsewhere can tell this journal from any other.
    pub last_hash: [u8; 32],
}

/// Sizes and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// All records.
    pub records: u64,
    /// All runs.
    pub runs: u64,
    /// Runs that have not ended.
    pub live_runs: u64,
    /// Bytes of the main file; 0 where there is none.
    pub db_bytes: u64,
    /// Bytes of the write-ahead log; 0 where there is none.
    pub wal_bytes: u64,
    /// The epoch of the last writer.
    pub epoch: u64,
    /// The last position.
    pub last_pos: u64,
    /// The version of the SQLite below; empty where there is none.
    pub sqlite_version: String,
}

/// An append-only memory of facts, shared by all runs of a workspace.
///
/// # What `append` promises
/// - **All or nothing.** When it answers `Ok`, every entry of the batch is durable: it survives
///   `kill -9` and a power cut at any later instant. When it answers with a refusal of the batch
///   itself (`seq_mismatch`, `key_reused`, `bad_batch`), nothing of it was or ever will be
///   written, and the store is as good as before.
/// - **Order.** Positions are given out in the order of `entries`, gapless over the whole journal;
///   the entries of a run get `expected_seq + 1, …`. An empty batch writes nothing and answers the
///   last position.
/// - **Nobody overtakes.** A run that has moved on since the caller folded it is refused
///   (`seq_mismatch`). A key names one run for ever, also after that run has ended (`key_reused`).
/// - **Unknown is said.** Any other fault means that it is *not known* whether the batch is
///   durable. The store is then spent: each later append answers the same fault and nothing is
///   tried again, because a sync that failed once and then "succeeds" may have lost the data. The
///   caller makes nothing of the batch visible, stops, and starts again by opening the journal and
///   folding what it finds there: the whole batch, or none of it.
///
/// # Who may call it
/// One writer at a time. Opening a store for writing takes a new, higher *epoch* and makes it
/// durable; each append checks, in its own transaction, that its epoch is still the newest. A
/// writer that was overtaken gets `epoch_lost` and must stop: someone else owns the journal. A
/// store may also lock writers out at the door (`locked`), but the epoch is what fences. So a
/// shared database with several candidates to write can stand behind this trait: the claim is a
/// lease, its epoch is the fence, the expected sequences keep stale decisions out, and time comes
/// from the caller. Reading needs no claim, and never waits for the writer.
///
/// # What reading promises
/// Whatever is returned was checked against the hash chain on the way: it is exactly what was
/// appended, or a [`Fault`] says what is wrong and where. Nothing is skipped to go on. A reader
/// sees whole batches only.
///
/// # What a fault means for the caller
/// `hash_mismatch`, `damaged`, `shorter_than_head`: the memory can't be trusted; stop, change
/// nothing, send a person to look. `newer_format`: written by a newer version, nothing was touched.
/// `no_space`, `sync_failed`, `io` from an append: see *unknown is said*. `io` from a read: the
/// machine failed, not the journal.
pub trait Journal {
    /// The epoch this store writes under; for a reader, the newest it has seen.
    fn epoch(&self) -> u64;

    /// Makes a batch durable, and answers the last position of the journal.
    ///
    /// # Errors
    /// See the contract above: refusals leave the store usable, all else spends it.
    fn append(&mut self, batch: &Batch) -> Result<u64, Fault>;

    /// All runs, in the order of their first records.
    ///
    /// # Errors
    /// A row that is not what was written, or a read that failed.
    fn heads(&self) -> Result<Vec<Head>, Fault>;

    /// One run; `None` when there is no such run.
    ///
    /// # Errors
    /// As [`Journal::heads`].
    fn head(&self, run: &str) -> Result<Option<Head>, Fault>;

    /// The run that was started under this key, whether it has ended or not.
    ///
    /// # Errors
    /// As [`Journal::heads`].
    fn find_key(&self, key: &str) -> Result<Option<String>, Fault>;

    /// The records of a run after a sequence (0 for all), oldest first. Unknown runs have none.
    ///
    /// # Errors
    /// A record that is missing or not what was written, or a read that failed.
    fn read_run(&self, run: &str, after_seq: u64) -> Result<Vec<Record>, Fault>;

    /// At most `limit` records of all runs after a position (0 for all), oldest first.
    ///
    /// # Errors
    /// As [`Journal::read_run`].
    fn read_from(&self, after_pos: u64, limit: usize) -> Result<Vec<Record>, Fault>;

    /// The snapshot of a run, if there is one and everything about it fits the journal. It is a
    /// cache: whatever is wrong with it, the answer is `None` and the caller folds.
    ///
    /// # Errors
    /// Only a read of the journal itself that failed.
    fn snapshot(&self, run: &str) -> Result<Option<Snapshot>, Fault>;

    /// Keeps snapshots, at most one for each run, without a sync of its own: they may become
    /// durable with a later append, or never.
    ///
    /// # Errors
    /// The store is spent or may not write.
    fn save_snapshots(&mut self, snapshots: &[Snapshot]) -> Result<(), Fault>;

    /// Reads everything: every record, every hash, every run's row.
    ///
    /// # Errors
    /// The first thing found that is not what was written.
    fn verify(&self) -> Result<Verified, Fault>;

    /// Sizes and counts, without reading records.
    ///
    /// # Errors
    /// As [`Journal::heads`].
    fn stats(&self) -> Result<Stats, Fault>;
}
