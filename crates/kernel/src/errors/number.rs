//! The numbered codes of the multi-model seed, each a detail of one class. Never renumbered.

use super::class::Class;

/// One numbered code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Number {
    /// Agent binary missing.
    E001,
    /// Command rendering failed.
    E002,
    /// Process failed to start.
    E003,
    /// One model timed out.
    E004,
    /// All models timed out.
    E005,
    /// No SESSION_ID found.
    E006,
    /// Cancelled by the user.
    E007,
    /// Working directory unusable.
    E008,
    /// Agent failed.
    E009,
    /// Network unavailable.
    E010,
}

impl Number {
    /// Every number, ascending.
    pub const ALL: [Self; 10] = [
        Self::E001,
        Self::E002,
        Self::E003,
        Self::E004,
        Self::E005,
        Self::E006,
        Self::E007,
        Self::E008,
        Self::E009,
        Self::E010,
    ];

    /// The name, never translated or reused.
    pub const fn name(self) -> &'static str {
        match self {
            Self::E001 => "E001",
            Self::E002 => "E002",
            Self::E003 => "E003",
            Self::E004 => "E004",
            Self::E005 => "E005",
            Self::E006 => "E006",
            Self::E007 => "E007",
            Self::E008 => "E008",
            Self::E009 => "E009",
            Self::E010 => "E010",
        }
    }

    /// The number of that exact name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|number| number.name() == name)
    }

    /// The class it is a detail of.
    pub const fn class(self) -> Class {
        match self {
            Self::E001 | Self::E003 | Self::E008 | Self::E010 => Class::Io,
            Self::E002 => Class::InvalidArgs,
            Self::E004 | Self::E005 => Class::ToolTimeout,
            Self::E006 | Self::E009 => Class::Model,
            Self::E007 => Class::Cancelled,
        }
    }

    /// Its own detail kinds, where it has some besides those of its class.
    pub const fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::E009 => &["exit", "error_event", "no_answer", "auth", "quota", "server"],
            Self::E001
            | Self::E002
            | Self::E003
            | Self::E004
            | Self::E005
            | Self::E006
            | Self::E007
            | Self::E008
            | Self::E010 => &[],
        }
    }
}

/// Which of several models' codes a run shows as its own.
const SHOWN: [&str; 13] = [
    "E007",
    "E005",
    "E001",
    "E002",
    "E008",
    "E003",
    "E_POLICY_DENIED",
    "E006",
    "E_UNKNOWN_OUTCOME",
    "E_MODEL",
    "E009",
    "E010",
    "E004",
];

/// The code a run shows when its parts ended with these; none if none of them is listed.
pub fn first_shown(names: &[&str]) -> Option<&'static str> {
    SHOWN.into_iter().find(|shown| names.contains(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_shows_the_first_listed() {
        let table: [(&[&str], Option<&str>); 4] = [
            (&["E004", "E007"], Some("E007")),
            (&["E009", "E_POLICY_DENIED"], Some("E_POLICY_DENIED")),
            (&["E004", "E010"], Some("E010")),
            (&["E_IO"], None),
        ];
        for (names, expected) in table {
            assert_eq!(first_shown(names), expected, "{names:?}");
        }
    }
}
