//! A promise that did not hold, or a tool that is missing, as one sentence. It is for whoever runs
//! a proof, not for users.

use std::fmt;

/// What did not hold.
pub struct Broken(pub String);

impl Broken {
    /// Says where it happened.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// As a test shows it.
impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<rustix::io::Errno> for Broken {
    fn from(error: rustix::io::Errno) -> Self {
        Self(error.to_string())
    }
}

/// Holds, or says why not.
///
/// # Errors
/// When it does not hold.
pub fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(why())) }
}
