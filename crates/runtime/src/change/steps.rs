//! The steps of a change, one by one, for whoever wants to stop at each: a proof does, and nobody
//! else. Unwatched it costs a branch.

use std::fmt;
use std::io;

/// Watches steps; an error it answers is the error of that step.
type Watch<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// Who watches.
#[derive(Clone, Copy)]
pub struct Steps<'a>(Option<Watch<'a>>);

impl Steps<'static> {
    /// Nobody.
    pub const UNWATCHED: Self = Self(None);
}

impl<'a> Steps<'a> {
    /// This function.
    pub fn watched(watch: Watch<'a>) -> Self {
        Self(Some(watch))
    }

    /// The step of that name comes next.
    pub(super) fn at(&self, name: &'static str) -> io::Result<()> {
        self.0.map_or(Ok(()), |watch| watch(name))
    }
}

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "watched" } else { "unwatched" })
    }
}
