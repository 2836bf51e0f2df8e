//! The words of the small enums, as plans, doors and records spell them. Words only.

use super::command::Choice;
use super::participant::{Skip, StopWhy};
use super::plan::{Accept, Lang, Merge, Mode, Rule};
use super::state::{Cause, Class, Level};

impl Mode {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Parallel, Self::Serial];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::Serial => "serial",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Rule {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Or, Self::And];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Accept {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Ask, Self::Acceptable];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Acceptable => "acceptable",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Merge {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Sections, Self::Structured];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sections => "sections",
            Self::Structured => "structured",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Lang {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-CN",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Level {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 2] = [Self::Acceptable, Self::Unacceptable];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Acceptable => "ACCEPTABLE",
            Self::Unacceptable => "UNACCEPTABLE",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Choice {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 4] = [Self::Accept, Self::Override, Self::Wait, Self::Cancel];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Override => "override",
            Self::Wait => "wait",
            Self::Cancel => "cancel",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Skip {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Lite, Self::NoTime, Self::StartGate];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Lite => "lite",
            Self::NoTime => "no_time",
            Self::StartGate => "start_gate",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl StopWhy {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 3] = [Self::AttemptTimeout, Self::TotalTimeout, Self::Cancelled];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AttemptTimeout => "attempt_timeout",
            Self::TotalTimeout => "total_timeout",
            Self::Cancelled => "cancelled",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Class {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 9] = [
        Self::Timeout,
        Self::Connection,
        Self::Error,
        Self::Quality,
        Self::Auth,
        Self::Quota,
        Self::Lost,
        Self::Cancelled,
        Self::Lite,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Connection => "connection",
            Self::Error => "error",
            Self::Quality => "quality",
            Self::Auth => "auth",
            Self::Quota => "quota",
            Self::Lost => "lost",
            Self::Cancelled => "cancelled",
            Self::Lite => "lite",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

impl Cause {
    /// Every one, in the order of the page.
    pub const ALL: [Self; 9] = [
        Self::StartGate,
        Self::AllFailed,
        Self::NoSession,
        Self::NoUsable,
        Self::AndGate,
        Self::Timeout,
        Self::Cancelled,
        Self::Declined,
        Self::ConfirmExpired,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::StartGate => "start_gate",
            Self::AllFailed => "all_failed",
            Self::NoSession => "no_session",
            Self::NoUsable => "no_usable",
            Self::AndGate => "and_gate",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Declined => "declined",
            Self::ConfirmExpired => "confirm_expired",
        }
    }

    /// The one of that exact word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}
