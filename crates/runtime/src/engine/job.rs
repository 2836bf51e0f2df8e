//! The one list of things the hands can be asked to do. The engine makes these; `hands` runs them
//! and reports each end as a command. A job is not a promise: the state that owes it is.

use kernel::call::Facts;
use kernel::loops::{Check, Leg};

/// Work for the hands. `key` names it while it is in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by the machines' own records")]
pub enum Job {
    /// Get a call ready: resolve, mark the tree, write its request. Ends as Prepared or
    /// PrepareFailed.
    Prepare { key: String, run: String, attempt: u32, facts: Box<Facts> },
    /// Launch a start that this engine life recorded. Ends as Exited or Lost.
    Launch { key: String, run: String, attempt: u32, epoch: u64, facts: Box<Facts> },
    /// Find out what became of a start recorded by an earlier life. Ends as Exited or Lost.
    Attach { key: String, run: String, attempt: u32, epoch: u64, facts: Box<Facts> },
    /// Stop the process tree. Ends as Exited or Lost.
    Kill { key: String, run: String, attempt: u32, epoch: u64, facts: Box<Facts> },
    /// Look at a lost call. Ends as Probed.
    Probe { key: String, run: String, attempt: u32, epoch: u64, n: u32, facts: Box<Facts> },
    /// Read the digest of the tree for a loop's seal. Ends as LegEnded.
    Seal { key: String, run: String, n: u32 },
    /// Read what a check printed. Ends as LegEnded.
    Report { key: String, run: String, n: u32, leg: Leg, check: Box<Check>, child: String },
    /// Remove a deleted loop's files. Ends as ViewsRemoved.
    RemoveViews { key: String, run: String },
}

impl Job {
    /// The key that names this job while it is in flight.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Prepare { key, .. }
            | Self::Launch { key, .. }
            | Self::Attach { key, .. }
            | Self::Kill { key, .. }
            | Self::Probe { key, .. }
            | Self::Seal { key, .. }
            | Self::Report { key, .. }
            | Self::RemoveViews { key, .. } => key,
        }
    }
}
