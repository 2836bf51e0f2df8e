//! The settings in force here: the user's file always, the workspace's own only when a person
//! trusts it. It decides no value; that is the layers' part.

use std::io;
use std::path::Path;

use kernel::policy::rules::Listed;

use super::key::hidden;
use super::places::Places;
use super::refusal::Refusal;
use super::root::Root;
use super::trust::{SETTINGS_FILE, Trust, standing};
use crate::config::{self, File, Layers, Loosened, Resolved};
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
    let now = root.map(|root| standing(root, places)).transpose()?;
    let now = now.filter(|now| now.trust == Trust::Trusted);
    let (own, shown) = now.map_or((None, None), |now| (now.settings, now.walls));
    let own = own.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let (user, workspace) = (of_user(user.as_deref()), own.as_deref().map(of_workspace));
    // Walls are loosened by exactly what the person was shown, and by nothing where they were not.
    let fits = |shown: &String| {
        let loosened = workspace.map(|own| config::loosened(user, own)).unwrap_or_default();
        config::loosened_hash(&loosened).as_ref() == Some(shown)
    };
    let walls = if shown.as_ref().is_some_and(fits) { Listed::Yes } else { Listed::No };
    let layers = Layers { user, workspace, walls, env, flags: &[] };
    config::resolve(&layers).map_err(Unsettled::Faults)
}

/// The programs and variables that these settings of the workspace name.
///
/// # Errors
/// When the user's file is there and cannot be read.
pub fn named(settings: Option<&[u8]>, places: &Places) -> Result<Vec<config::Held>, Refusal> {
    beside_users(settings, places, config::named)
}

/// By what these settings of the workspace would loosen the walls that the user's leave standing.
///
/// # Errors
/// When the user's file is there and cannot be read.
pub fn loosened(settings: Option<&[u8]>, places: &Places) -> Result<Vec<Loosened>, Refusal> {
    beside_users(settings, places, config::loosened)
}

/// What is found in these settings of the workspace beside the user's; nothing where none are.
fn beside_users<T>(
    settings: Option<&[u8]>,
    places: &Places,
    find: impl FnOnce(Option<File<'_>>, File<'_>) -> Vec<T>,
) -> Result<Vec<T>, Refusal> {
    let Some(bytes) = settings else { return Ok(Vec::new()) };
    let (user, own) = (user_text(&places.user_settings())?, String::from_utf8_lossy(bytes));
    Ok(find(of_user(user.as_deref()), of_workspace(&own)))
}

fn of_user(text: Option<&str>) -> Option<File<'_>> {
    text.map(|text| File { name: "config.toml", text })
}

const fn of_workspace(text: &str) -> File<'_> {
    File { name: SETTINGS_FILE, text }
}

fn user_text(path: &Path) -> Result<Option<String>, Refusal> {
    // The user's own file may be a link: dotfiles often are.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match durable::read(&path, FILE_BYTES_MAX) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // Behind the walls of a call nothing is decided by them: the engine has read them.
        Err(_) if hidden(&path) => Ok(None),
        Err(error) => Err(Refusal::io(&path, &error)),
    }
}
