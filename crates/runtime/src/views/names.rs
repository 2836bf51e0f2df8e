//! The names of a loop's files, and whose file a name is. It touches no disk.

use std::path::{Path, PathBuf};

use kernel::loops::{DEBUG_LOG, valid_id};

/// One file of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// `{id}.json`, the loop itself.
    Json,
    /// `{id}.tasks.jsonl`, its tasks.
    Tasks,
    /// `{id}.progress/develop.md`.
    Develop,
    /// `{id}.progress/debug.md`.
    Debug,
    /// `{id}.progress/validate.md`.
    Validate,
    /// `{id}.progress/changes.log`.
    Changes,
    /// `{id}.progress/summary.md`, once it has ended.
    Summary,
}

impl View {
    /// Every view; the loop itself first, because its status is waited for.
    pub const ALL: [Self; 7] = [
        Self::Json,
        Self::Tasks,
        Self::Develop,
        Self::Debug,
        Self::Validate,
        Self::Changes,
        Self::Summary,
    ];

    /// The file's own name, without its directory.
    #[must_use]
    pub fn file_name(self, id: &str) -> String {
        match self {
            Self::Json => format!("{id}.json"),
            Self::Tasks => format!("{id}.tasks.jsonl"),
            Self::Develop => "develop.md".into(),
            Self::Debug => "debug.md".into(),
            Self::Validate => "validate.md".into(),
            Self::Changes => "changes.log".into(),
            Self::Summary => "summary.md".into(),
        }
    }

    /// Its name as seen from the loop directory.
    #[must_use]
    pub fn relative(self, id: &str) -> String {
        match self {
            Self::Json | Self::Tasks => self.file_name(id),
            Self::Develop | Self::Debug | Self::Validate | Self::Changes | Self::Summary => {
                format!("{}/{}", progress_dir(id), self.file_name(id))
            }
        }
    }

    /// Where it lies.
    #[must_use]
    pub fn path(self, loop_dir: &Path, id: &str) -> PathBuf {
        loop_dir.join(self.relative(id))
    }
}

/// The name of the directory of a loop's pages.
pub(super) fn progress_dir(id: &str) -> String {
    format!("{id}.progress")
}

/// Where the lines of instrumented runs lie. Others append to it, so it is made but never drawn.
pub(crate) fn debug_log(loop_dir: &Path, id: &str) -> PathBuf {
    loop_dir.join(progress_dir(id)).join(DEBUG_LOG)
}

/// The loop and the view that a name below the loop directory belongs to. The longest ending wins:
/// `loop-a.tasks.jsonl` is the task list of `loop-a`.
#[must_use]
pub fn owner_of(name: &str) -> Option<(&str, View)> {
    let (id, view) = if let Some((dir, file)) = name.split_once('/') {
        let page = View::ALL.into_iter().skip(2).find(|view| view.file_name("") == file)?;
        (dir.strip_suffix(".progress")?, page)
    } else if let Some(id) = name.strip_suffix(".tasks.jsonl") {
        (id, View::Tasks)
    } else {
        (name.strip_suffix(".json")?, View::Json)
    };
    valid_id(id).then_some((id, view))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_loop() {
        for view in View::ALL {
            assert_eq!(owner_of(&view.relative("loop-a.b")), Some(("loop-a.b", view)));
        }
        for name in [
            "x.json",
            "loop-.json",
            "loop-a",
            "loop-a.progress",
            "loop-a.progress/debug.log",
            "loop-a.progress/x.md",
            "../loop-a.json",
            "loop-a.tasks.json",
            ".lw-view-old-1.2.loop-a.json",
        ] {
            assert_eq!(owner_of(name), None, "{name}");
        }
    }
}
