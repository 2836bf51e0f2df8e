//! The marks of tasks, as each document writes them and as people spell them. A mark that nobody
//! knows is pending, with a warning: a mark alone proves nothing anyway.

use super::Status;

/// The words that say how a task stands, as a person may give them to a command.
pub const WORDS: [&str; 6] = ["PENDING", "IN_PROGRESS", "DONE", "FAILED", "BLOCKED", "SKIPPED"];

/// Some editors drop it from emoji, so it never decides anything.
const VARIATION: char = '\u{fe0f}';

/// Whether a file explains its marks. Elsewhere `[X]` is as often a tick as a cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// It bears our legend.
    Ours,
    /// It does not.
    None,
}

/// What is odd about a mark that was read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Odd {
    /// Another tool's tick.
    Foreign,
    /// Nobody knows it.
    Unknown,
    /// A cross in a file without a legend.
    Cross,
    /// The sign and the word differ; the word counts.
    Disagree,
}

impl Odd {
    /// Every oddity, for lists and tests.
    pub const ALL: [Self; 4] = [Self::Foreign, Self::Unknown, Self::Cross, Self::Disagree];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Foreign => "foreign_mark",
            Self::Unknown => "unknown_mark",
            Self::Cross => "ambiguous_mark",
            Self::Disagree => "mark_disagrees",
        }
    }
}

/// A mark as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// What it says.
    pub status: Status,
    /// What is odd about it.
    pub odd: Option<Odd>,
}

impl Mark {
    const fn plain(status: Status) -> Self {
        Self { status, odd: None }
    }

    const fn odd(status: Status, odd: Odd) -> Self {
        Self { status, odd: Some(odd) }
    }
}

/// What stands between the brackets of a task line.
#[must_use]
pub fn read_mark(text: &str, legend: Legend) -> Mark {
    let text = text.trim();
    let mut chars = text.chars();
    let sign = chars.next().and_then(sign);
    let rest = chars.as_str().trim_start_matches(VARIATION).trim();
    match (sign, word(text), word(rest)) {
        (_, Some(status), _) => Mark::plain(status),
        (Some(status), None, None) if rest.is_empty() => Mark::plain(status),
        (Some(by_sign), None, Some(status)) if by_sign != status => {
            Mark::odd(status, Odd::Disagree)
        }
        (Some(_), None, Some(status)) => Mark::plain(status),
        (_, None, _) => symbol(text, legend),
    }
}

/// A status as any of the documents spells it.
#[must_use]
pub fn status_word(text: &str) -> Option<Status> {
    let inner = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let mark = read_mark(inner.unwrap_or(text), Legend::Ours);
    match mark.odd {
        None | Some(Odd::Foreign | Odd::Disagree) => Some(mark.status),
        Some(Odd::Unknown | Odd::Cross) => None,
    }
}

fn symbol(text: &str, legend: Legend) -> Mark {
    match text {
        "" => Mark::plain(Status::Pending),
        "√" => Mark::plain(Status::Done),
        "?" => Mark::plain(Status::Blocked),
        "-" => Mark::plain(Status::Skipped),
        "x" | "✓" | "✔" => Mark::odd(Status::Done, Odd::Foreign),
        "X" => match legend {
            Legend::Ours => Mark::plain(Status::Failed),
            Legend::None => Mark::odd(Status::Pending, Odd::Cross),
        },
        _other => Mark::odd(Status::Pending, Odd::Unknown),
    }
}

const fn sign(first: char) -> Option<Status> {
    match first {
        '⏳' | '🔁' => Some(Status::Pending),
        '🔄' => Some(Status::InProgress),
        '✅' => Some(Status::Done),
        '❌' => Some(Status::Failed),
        '🚫' => Some(Status::Blocked),
        '⏭' => Some(Status::Skipped),
        _other => None,
    }
}

fn word(text: &str) -> Option<Status> {
    let known = [
        ("PENDING", Status::Pending),
        ("RETRY", Status::Pending),
        ("IN_PROGRESS", Status::InProgress),
        ("DONE", Status::Done),
        ("COMPLETED", Status::Done),
        ("FAILED", Status::Failed),
        ("BLOCKED", Status::Blocked),
        ("SKIPPED", Status::Skipped),
    ];
    known.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, status)| status)
}
