//! What the settings say about tools: which names are protected, how much is read and searched,
//! and what becomes of a file with several names.

use std::time::Duration;

use kernel::packages::XMeans;
use kernel::paths::Names;

use crate::child_env::Extra;
use crate::config::Settings;
use crate::files::search::Adapter;
use crate::files::{Desk, HardLinks, Root};

/// How long the program that searches by meaning may take before plain search answers.
const SEMANTIC_TIME_MAX: Duration = Duration::from_secs(10);

/// What tools are held to.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The protected names.
    pub names: Names,
    /// Most text that is read at once.
    pub text_bytes_max: usize,
    /// Most of a result that is given back itself; a larger one is named by its file.
    pub payload_bytes_max: u64,
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
        let semantic = (!search.semantic.is_empty()).then(|| Adapter {
            argv: search.semantic.clone(),
            extra: Extra { pass: settings.env.pass.clone(), proxy: settings.env.proxy },
            time_max: SEMANTIC_TIME_MAX,
        });
        Self {
            names: Names::new(&policy.sensitive),
            text_bytes_max: usize::try_from(settings.call.read_bytes).unwrap_or(usize::MAX),
            payload_bytes_max: settings.call.payload_bytes,
            searched_bytes_max: search.max_file_bytes,
            semantic,
            x: settings.package.on_foreign_x,
            links: if policy.break_hardlinks { HardLinks::Break } else { HardLinks::Refuse },
        }
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
