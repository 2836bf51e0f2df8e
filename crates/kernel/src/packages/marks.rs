//! The mark of a task: how it is read, and which it would be written as. A mark that nobody knows
//! is kept as it stands until the task's status changes.

use serde::{Deserialize, Serialize};

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not done yet.
    Pending,
    /// Done.
    Completed,
    /// Tried in vain.
    Failed,
    /// Left out.
    Skipped,
    /// Nobody knows.
    Uncertain,
}

impl Status {
    /// All of them, as they are counted.
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Completed, Self::Failed, Self::Skipped, Self::Uncertain];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Uncertain => "uncertain",
        }
    }

    /// The mark it is written as.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Pending => " ",
            Self::Completed => "√",
            Self::Failed => "X",
            Self::Skipped => "-",
            Self::Uncertain => "?",
        }
    }
}

/// What a capital X means in a file that does not say so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum XMeans {
    /// Somebody has to be asked; until then it is not done.
    #[default]
    Ask,
    /// Failed.
    Failed,
    /// Done.
    Done,
}

/// How a mark is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// One of ours.
    Own(Status),
    /// Done, as others write it.
    Foreign,
    /// A capital X in a file that does not say what it means.
    Ambiguous(Status),
    /// Known to nobody.
    Unknown,
}

impl Mark {
    /// Reads what stands between the brackets. `legend` says whether the file explains itself.
    #[must_use]
    pub fn read(between: &str, legend: bool, x: XMeans) -> Self {
        match between {
            " " => Self::Own(Status::Pending),
            "√" => Self::Own(Status::Completed),
            "-" => Self::Own(Status::Skipped),
            "?" => Self::Own(Status::Uncertain),
            "X" if legend => Self::Own(Status::Failed),
            "X" => match x {
                XMeans::Ask => Self::Ambiguous(Status::Uncertain),
                XMeans::Failed => Self::Own(Status::Failed),
                XMeans::Done => Self::Foreign,
            },
            "x" | "✓" | "✔" | "✔\u{fe0f}" | "✅" => Self::Foreign,
            _ => Self::Unknown,
        }
    }

    /// The status it stands for.
    #[must_use]
    pub const fn status(self) -> Status {
        match self {
            Self::Own(status) | Self::Ambiguous(status) => status,
            Self::Foreign => Status::Completed,
            Self::Unknown => Status::Pending,
        }
    }
}
