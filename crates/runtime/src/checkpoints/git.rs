//! The git program: found outside the workspace, asked its version, started with an environment
//! of ours and nothing else. What it is given to do is decided elsewhere.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::error::Error;
use crate::agents::detect::find;

/// The first with SHA-256 repositories we tested against, and with all options we use.
pub const VERSION_MIN: (u32, u32) = (2, 30);
/// What is kept of git's complaints.
const SAID_BYTES_MAX: usize = 400;

/// Why git cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// There is none outside the workspace.
    NotFound,
    /// It is older than [`VERSION_MIN`], or does not say what it is.
    TooOld {
        /// What it said.
        version: String,
    },
}

/// A git that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    path: PathBuf,
}

impl Git {
    /// Finds git: the path the settings name, else by the search path. One in the workspace is
    /// never taken.
    ///
    /// # Errors
    /// When there is none, or only one that is too old.
    pub fn find(named: Option<&Path>, search: &OsStr, root: &Path) -> Result<Self, Missing> {
        let program = named.map_or("git".into(), Path::to_string_lossy);
        let path = find(&program, search, root).map_err(|_| Missing::NotFound)?;
        let real = path.canonicalize().map_err(|_| Missing::NotFound)?;
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        if real.starts_with(root) {
            return Err(Missing::NotFound);
        }
        let git = Self { path };
        let said = git.bare(Path::new("/")).arg("--version").output();
        let said = said.map_err(|_| Missing::NotFound)?.stdout;
        let version = String::from_utf8_lossy(&said).trim().to_owned();
        match number(&version) {
            Some(found) if found >= VERSION_MIN => Ok(git),
            Some(_) | None => Err(Missing::TooOld { version }),
        }
    }

    /// Its absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Git for our repository `dir`, with nothing of the user's environment.
    pub(super) fn command(&self, dir: &Path) -> Command {
        let mut command = self.bare(dir);
        command.env("GIT_DIR", dir);
        command
    }

    fn bare(&self, cwd: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command
            .env_clear()
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .current_dir(cwd)
            .stdin(Stdio::null());
        command
    }
}

/// Whether there is a git outside the workspace at all, by name or path. It is not started, so that
/// this costs no more than a look.
#[must_use]
pub fn has_git(named: &Path, root: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    find(&named.to_string_lossy(), &path, root).is_ok()
}

/// Git, looked for when it is needed, and again as long as none was found: it may have been
/// installed since, or not have started for want of something that is there again.
pub struct Sought {
    found: OnceLock<Git>,
    look: Box<dyn Fn() -> Result<Git, Missing> + Send + Sync>,
}

impl Sought {
    /// As the settings name it, by our own search path.
    pub(super) fn named(git: &Path, root: &Path) -> Self {
        let (git, root) = (git.to_owned(), root.to_owned());
        let look = move || {
            let path = std::env::var_os("PATH").unwrap_or_default();
            Git::find(Some(&git), &path, &root)
        };
        Self { found: OnceLock::new(), look: Box::new(look) }
    }

    pub(super) fn get(&self) -> Result<&Git, Missing> {
        if let Some(git) = self.found.get() {
            return Ok(git);
        }
        let git = (self.look)()?;
        Ok(self.found.get_or_init(|| git))
    }
}

/// One that was looked for already.
impl From<Result<Git, Missing>> for Sought {
    fn from(git: Result<Git, Missing>) -> Self {
        Self { found: OnceLock::new(), look: Box::new(move || git.clone()) }
    }
}

fn number(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.strip_prefix("git version ")?.split(['.', ' ']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Git's failure with the end of what it said.
pub(super) fn failed(step: &'static str, said: &[u8]) -> Error {
    let said = String::from_utf8_lossy(&said[said.len().saturating_sub(SAID_BYTES_MAX)..]);
    Error::Git { step, said: said.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_git_writes_them() {
        for (said, want) in [
            ("git version 2.47.3", Some((2, 47))),
            ("git version 2.30.0-rc1", Some((2, 30))),
            ("git version 2.39.2 (Apple Git-143)", Some((2, 39))),
            ("git version 1.8.3.1", Some((1, 8))),
            ("hub", None),
            ("", None),
        ] {
            assert_eq!(number(said), want, "{said}");
        }
    }

    #[test]
    fn a_git_of_the_workspace_or_an_old_one_is_not_taken() {
        use std::os::unix::fs::PermissionsExt;
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for dir in [root.path(), outside.path()] {
            let git = dir.join("git");
            std::fs::write(&git, "#!/bin/sh\necho git version 2.29.9\n").unwrap();
            std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let at = |dir: &Path| Git::find(None, dir.as_os_str(), root.path());
        assert_eq!(at(root.path()), Err(Missing::NotFound));
        let inside = root.path().join("git");
        let named = Git::find(Some(&inside), OsStr::new(""), root.path());
        assert_eq!(named, Err(Missing::NotFound));
        let version = "git version 2.29.9".to_owned();
        assert_eq!(at(outside.path()), Err(Missing::TooOld { version }));
    }
}
