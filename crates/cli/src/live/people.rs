//! Whether somebody sits here who can answer.

use std::io::IsTerminal as _;

/// Whether somebody can answer here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum People {
    /// At this terminal.
    There,
    /// Nowhere to be asked.
    Away,
}

impl People {
    /// Somebody sits at a terminal, unless the command says that nobody is to be asked.
    #[must_use]
    pub fn of(headless: bool) -> Self {
        if headless || !std::io::stdin().is_terminal() { Self::Away } else { Self::There }
    }

    /// The same of a command that has no such flag.
    #[must_use]
    pub fn here() -> Self {
        Self::of(false)
    }
}
