//! The facts of a report. Values only: words around them are made by the page.

use serde::{Deserialize, Serialize};

/// What is told of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The run.
    pub run_id: String,
    /// Its machine.
    pub machine: String,
    /// What it was asked for.
    pub title: String,
    /// Its state's name.
    pub state: String,
    /// Its own word for its end.
    pub outcome: Option<String>,
    /// The code behind an end that is none it wanted.
    pub code: Option<String>,
    /// Whether it is over.
    pub ended: bool,
    /// When it began.
    pub created_at: String,
    /// When the last fact was recorded.
    pub updated_at: String,
    /// The trace of the command that began it.
    pub trace_id: String,
    /// What it was asked besides, one line each.
    pub asked: Vec<String>,
    /// Its steps, tasks or participants.
    pub parts: Vec<Part>,
    /// The states it passed, in order, the last one where it stands.
    pub passed: Vec<String>,
    /// Every record.
    pub timeline: Vec<Moment>,
    /// Every call below it.
    pub calls: Vec<CallLine>,
    /// What its checks came to, the last time.
    pub checks: Vec<Check>,
    /// What was changed.
    pub changed: Vec<Change>,
    /// What is not finished.
    pub open: Vec<Line>,
    /// Commands that take it back, the newest change first.
    pub undo: Vec<String>,
}

/// A step, a task or a participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its id or name.
    pub id: String,
    /// How it stands.
    pub status: String,
    /// What it is about.
    pub title: String,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Its place in the run.
    pub seq: u64,
    /// When.
    pub at: String,
    /// Who.
    pub by: String,
    /// What.
    pub event: String,
    /// The fact's plain values.
    pub summary: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallLine {
    /// The call.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// What it does, in one line.
    pub about: String,
    /// Its state's name.
    pub state: String,
    /// How it ended.
    pub outcome: Option<String>,
    /// The code behind an end that is none it wanted.
    pub code: Option<String>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its command line.
    pub command: String,
    /// What it came to.
    pub verdict: String,
    /// One line about it.
    pub summary: String,
}

/// A changed path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The path.
    pub path: String,
    /// `added`, `modified`, `removed`, or `changed` where its marks are gone.
    pub action: String,
    /// The call that changed it last.
    pub call: String,
}

/// Something that is not finished, and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The question or call.
    pub id: String,
    /// What about it.
    pub text: String,
}
