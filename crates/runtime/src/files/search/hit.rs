//! What a search answers: hits, what was left out, and which bounds were met.

use serde::Serialize;

/// Where a hit comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The line fits.
    Grep,
    /// An adapter named it.
    Semantic,
}

/// One line that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The file, below the root.
    pub path: String,
    /// Counted from 1.
    pub line: u64,
    /// The first character that fits, counted from 1.
    pub column: usize,
    /// The line without its end; a long one is cut around what fits.
    pub text: String,
    /// The lines before it.
    pub before: Vec<String>,
    /// The lines after it.
    pub after: Vec<String>,
    /// Where the hit comes from.
    pub source: Source,
    /// From 0 to 1: how much of what was asked it holds.
    pub score: f64,
}

/// What was not searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Files that are no text.
    pub binary: u64,
    /// Files above the largest size that is searched.
    pub large: u64,
    /// Files and whole directories that are ignored.
    pub ignored: u64,
    /// Files and whole directories of the classes secret and control.
    pub protected: u64,
}

/// A bound that was met: there is, or may be, more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// More hits than asked for.
    Hits,
    /// More files than are searched at once.
    Files,
    /// The time was up.
    Time,
    /// Directories below the deepest that is entered.
    Depth,
    /// A line longer than is shown.
    Line,
}

/// Why words were searched instead of asking the adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyFallback {
    /// None is configured, or it is not there.
    Absent,
    /// It could not be started, or ended with an error.
    Failed,
    /// It did not answer in time.
    Timeout,
    /// Its answer could not be read.
    Unreadable,
    /// It found nothing that may be shown.
    Empty,
    /// Nothing here can hold it, and nobody said that it may run all the same.
    SandboxUnavailable,
}

/// That another way was taken, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// The way that was asked for.
    pub from: Source,
    /// The way that was taken.
    pub to: Source,
    /// Why.
    pub why: WhyFallback,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Payload {
    /// In the order of paths and lines; ranked where words were searched.
    pub hits: Vec<Hit>,
    /// How many files were searched, up to where the answer ends.
    pub files: u64,
    /// What was not.
    pub skipped: Skipped,
    /// Which bounds were met; none if this is everything.
    pub truncated: Vec<Bound>,
    /// Set if another way was taken than the one asked for.
    pub fallback: Option<Fallback>,
}
