//! Where a workspace is and what lies in it. It opens nothing until asked, and makes nothing.

use std::ffi::OsString;

use journal::{Fault, Head, Reader, Sqlite};
use runtime::config::Resolved;
use runtime::query;
use runtime::redact::{Redactor, Secrets};
use runtime::words::Lang;
use runtime::workspace::{self, Found, OwnerRule, Places, Root, StateDir};

use super::raise;
use crate::problem::Raised;

/// One workspace.
#[derive(Debug, Clone)]
pub struct Site {
    /// Its root.
    pub root: Root,
    /// The user's directories.
    pub places: Places,
    /// Whose directory may be a root.
    pub owner: OwnerRule,
    /// The language of an engine that is started for it.
    pub lang: Lang,
}

/// Everything a reader has at hand about one run.
pub struct Known {
    /// Where its files are.
    pub dir: StateDir,
    /// Where its records are.
    pub journal: Reader,
    /// The run.
    pub head: Head,
}

/// The environment, as far as it is text.
pub fn env() -> Vec<(String, String)> {
    let text = |(name, value): (OsString, OsString)| {
        Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
    };
    std::env::vars_os().filter_map(text).collect()
}

impl Site {
    /// The state directory to read from; none when there is none yet.
    ///
    /// # Errors
    /// When the one that is there is foreign.
    pub fn state_dir(&self) -> Result<Option<StateDir>, Raised> {
        match workspace::look(&self.root, &self.places) {
            Ok(Found::Absent) => Ok(None),
            Ok(Found::Ours(dir)) => Ok(Some(dir)),
            Ok(Found::Foreign(why)) => {
                Err(raise::of_workspace(&workspace::foreign(&self.root, why)))
            }
            Err(refusal) => Err(raise::of_workspace(&refusal)),
        }
    }

    /// The journal to read; none when nothing was recorded yet.
    ///
    /// # Errors
    /// When the state is foreign, or the journal is damaged or newer than this build.
    pub fn journal(&self) -> Result<Option<(StateDir, Reader)>, Raised> {
        let Some(dir) = self.state_dir()? else { return Ok(None) };
        match Sqlite::open_reader(&dir.journal()) {
            Ok(reader) => Ok(Some((dir, reader))),
            Err(Fault::Absent { .. }) => Ok(None),
            Err(fault) => Err(raise::of_query(&query::Refusal::Journal(fault))),
        }
    }

    /// The settings in force now.
    ///
    /// # Errors
    /// When a settings file is wrong or cannot be read.
    pub fn settings(&self) -> Result<Resolved, Raised> {
        workspace::settings(Some(&self.root), &self.places, &env())
            .map_err(|unsettled| raise::of_settings(&unsettled))
    }

    /// What takes secrets out of what is shown, by these settings.
    ///
    /// # Errors
    /// When a pattern that names further secrets cannot be used.
    pub fn redactor(&self, settings: &Resolved, token: Option<&str>) -> Result<Redactor, Raised> {
        let redact = settings.settings.redact.clone();
        let secrets = Secrets {
            env: env(),
            names: redact.names,
            patterns: redact.patterns,
            door_token: token.map(str::to_owned),
        };
        Redactor::new(&secrets).map_err(|bad| {
            raise::bad_value(&format!("redact.patterns.{}", bad.index), "", &["regular expression"])
        })
    }
}
