//! The settings in force here: the user's file always, the workspace's own only when a person
//! trusts it. It decides no value; that is the layers' part.

use std::io;
use std::path::Path;

use super::places::Places;
use super::refusal::Refusal;
use super::root::Root;
use super::trust::{SETTINGS_FILE, Trust, standing};
use crate::config::{self, File, Layers, Resolved};
use crate::shim::durable;

/// Settings are written by hand; a larger file is a mistake.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Why no settings are in force.
#[derive(Debug, Clone, PartialEq)]
pub enum Unsettled {
    /// A file cannot be read.
    Refused(Refusal),
    /// A file is wrong; everything that is.
    Faults(Vec<config::Fault>),
}

impl From<Refusal> for Unsettled {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Reads and joins the layers. Without a root only the user's file and the environment speak.
///
/// # Errors
/// When a file is there and cannot be read, or says what no setting is.
pub fn settings(
    root: Option<&Root>,
    places: &Places,
    env: &[(String, String)],
) -> Result<Resolved, Unsettled> {
    let user = user_text(&places.user_settings())?;
    let own = match root {
        Some(root) => {
            let now = standing(root, places)?;
            now.settings.filter(|_| now.trust == Trust::Trusted)
        }
        None => None,
    };
    let own = own.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let layers = Layers {
        user: user.as_deref().map(|text| File { name: "config.toml", text }),
        workspace: own.as_deref().map(|text| File { name: SETTINGS_FILE, text }),
        env,
        flags: &[],
    };
    config::resolve(&layers).map_err(Unsettled::Faults)
}

fn user_text(path: &Path) -> Result<Option<String>, Refusal> {
    // The user's own file may be a link: dotfiles often are.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match durable::read(&path, FILE_BYTES_MAX) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Refusal::io(&path, &error)),
    }
}
