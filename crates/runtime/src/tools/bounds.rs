//! What the settings say about tools: which names are protected, how much is read and searched,
//! and what becomes of a file with several names.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kernel::call::{self, Args, Class, GRACE_MS, Request};
use kernel::packages::XMeans;
use kernel::paths::Names;

use crate::child_env::Extra;
use crate::config::Settings;
use crate::files::search::Adapter;
use crate::files::{Desk, HardLinks, Root};
use crate::sandbox::Walls;

/// How long the program that searches by meaning may take before plain search answers.
const SEMANTIC_TIME_MAX: Duration = Duration::from_secs(10);

/// How long a call may take that says nothing of it itself, and how much of it is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of a tool that reads.
    pub read_ms: u64,
    /// Of a command: long enough for most tests, short enough to be noticed.
    pub exec_ms: u64,
    /// Between asking a command to end and giving up on a proof that it did.
    pub grace_ms: u64,
    /// Given back as a result; a larger one stays in its file.
    pub payload_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { read_ms: 30_000, exec_ms: 120_000, grace_ms: GRACE_MS, payload_bytes: 64 << 10 }
    }
}

impl Limits {
    /// As the settings in force say.
    #[must_use]
    pub const fn of(settings: &Settings) -> Self {
        let said = &settings.call;
        Self {
            read_ms: said.timeout.read_ms,
            exec_ms: said.timeout.exec_ms,
            grace_ms: said.grace_ms,
            payload_bytes: said.payload_bytes,
        }
    }

    /// A request to a tool of the engine's own; none if there is no such tool.
    #[must_use]
    pub fn request(&self, name: &str, args: Args) -> Option<Request> {
        let request = call::request(name, args)?;
        Some(match request.class {
            Class::Read => Request { deadline_ms: self.read_ms, ..request },
            Class::Converge | Class::Guarded | Class::Once => request,
        })
    }
}

/// What tools are held to.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// How long they may take, and how much they give back.
    pub limits: Limits,
    /// The protected names.
    pub names: Names,
    /// Most text that is read at once.
    pub text_bytes_max: usize,
    /// Largest file that is searched.
    pub searched_bytes_max: u64,
    /// The program that searches by meaning.
    pub semantic: Option<Adapter>,
    /// What becomes of a file with several names.
    pub links: HardLinks,
    /// What a capital X means in a task list that does not say so itself.
    pub x: XMeans,
}

impl Bounds {
    /// As the settings in force say.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let (search, policy) = (&settings.search, &settings.policy);
        Self {
            limits: Limits::of(settings),
            names: Names::new(&policy.sensitive),
            text_bytes_max: usize::try_from(settings.call.read_bytes).unwrap_or(usize::MAX),
            searched_bytes_max: search.max_file_bytes,
            semantic: None,
            x: settings.package.on_foreign_x,
            links: if policy.break_hardlinks { HardLinks::Break } else { HardLinks::Refuse },
        }
    }

    /// The same with the program that the settings name, if they name one: who holds it is known
    /// only where calls run.
    #[must_use]
    pub fn asking(
        self,
        settings: &Settings,
        exe: &Path,
        loop_dir: &Path,
        walls: &Arc<Walls>,
    ) -> Self {
        let argv = settings.search.semantic.clone();
        let semantic = (!argv.is_empty()).then(|| Adapter {
            argv,
            extra: Extra { pass: settings.env.pass.clone(), proxy: settings.env.proxy },
            time_max: SEMANTIC_TIME_MAX,
            exe: exe.to_owned(),
            loop_dir: loop_dir.to_owned(),
            walls: Arc::clone(walls),
        });
        Self { semantic, ..self }
    }

    /// What a reading tool is given.
    #[must_use]
    pub const fn desk<'a>(&'a self, root: &'a Root) -> Desk<'a> {
        Desk {
            text_bytes_max: self.text_bytes_max,
            searched_bytes_max: self.searched_bytes_max,
            ..Desk::new(root, &self.names)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_are_those_of_the_settings_and_reads_have_their_own() {
        assert_eq!(Limits::of(&Settings::default()), Limits::default());
        let limits = Limits { read_ms: 7, exec_ms: 9, ..Limits::default() };
        let request = |name: &str| {
            let args = Args { shown: json!({}), sha256: String::new() };
            limits.request(name, args).map(|request| request.deadline_ms)
        };
        assert_eq!((request("read"), request("search")), (Some(7), Some(7)));
        assert_eq!(
            request("write"),
            call::request("write", Args { shown: json!({}), sha256: String::new() })
                .map(|request| request.deadline_ms)
        );
        assert_eq!(request("nothing"), None);
    }
}
