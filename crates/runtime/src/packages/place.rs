//! The root of the knowledge base as a path below the workspace, and whether it bears the marker.

use kernel::packages::kb;
use kernel::paths::Rel;
use serde::Serialize;

/// The root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KbRoot {
    /// Where, below the workspace.
    pub path: Rel,
    /// What is there.
    pub marker: Marker,
}

/// What is at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Marker {
    /// Nothing, or an empty directory.
    Nothing,
    /// A root of ours.
    Ours,
    /// Something else.
    Other,
}

impl KbRoot {
    /// A path below the root.
    #[must_use]
    pub fn join(&self, below: &str) -> String {
        if self.path.is_root() { below.to_owned() } else { format!("{}/{below}", self.path) }
    }

    /// The directory of packages to come.
    #[must_use]
    pub fn plan(&self) -> String {
        self.join(kb::PLAN)
    }

    /// The directory that a copy of the root goes to.
    #[must_use]
    pub fn backup(&self, stamp: &str) -> String {
        format!("{}_backup_{stamp}", self.path)
    }
}

/// Whether the names at the top of a directory are those of a root of ours.
pub(super) fn bears_marker(names: &[String]) -> bool {
    let has = |name: &str| names.iter().any(|it| it == name);
    (has(kb::PLAN) && has(kb::ARCHIVE)) || (has(kb::INDEX) && has(kb::CONTEXT))
}
