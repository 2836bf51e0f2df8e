//! Whether a person trusts this workspace with these settings. The answer is bound to the
//! directory and to the bytes of its settings file, and kept outside the workspace.

use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::key::{Key, hex, hidden, private_dir};
use super::places::Places;
use super::refusal::Refusal;
use super::root::Root;
use super::state_dir::{Found, StateDir, look};
use crate::shim::{clock, durable};

/// The workspace's own settings file.
pub const SETTINGS_FILE: &str = "loopwright.toml";

/// Settings are written by hand; a larger file is a mistake.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;
/// An answer is a few hundred bytes and a path.
const ANSWER_BYTES_MAX: u64 = 16 << 10;

/// What a person has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Yes, to exactly this.
    Trusted,
    /// Nothing yet.
    Untrusted,
    /// Yes, but directory or settings have changed since.
    Changed,
}

/// Trust, together with the very bytes of the settings it was judged by, so that nobody can
/// change them between the look and the use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What a person has said.
    pub trust: Trust,
    /// The workspace's settings file; use it only when trusted.
    pub settings: Option<Vec<u8>>,
    /// Hash of the rules that allow which the person was shown; only when trusted.
    pub listed: Option<String>,
    /// Hash of what the person was shown to loosen the walls; only when trusted.
    pub walls: Option<String>,
}

/// What a person saw when they said yes.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The settings file.
    pub settings: Option<&'a [u8]>,
    /// Hash of the rules in it that allow.
    pub listed: &'a str,
    /// Hash of what in it loosens the walls, where something does.
    pub walls: Option<&'a str>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    root: Identity,
    settings_sha256: Option<String>,
    /// Absent in answers given before rules were listed: they let no rule of the workspace allow.
    #[serde(default)]
    rules_sha256: Option<String>,
    /// Absent where nothing loosened the walls, or nobody was shown what did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    walls_sha256: Option<String>,
    at: String,
    mac: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    path: String,
    dev: u64,
    inode: u64,
}

impl Trust {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Untrusted => "untrusted",
            Self::Changed => "changed",
        }
    }
}

/// What an answer is worth now: hashes of rules and walls only where it is trusted.
type Worth = (Trust, Option<String>, Option<String>);

/// No answer that counts.
const UNTRUSTED: Worth = (Trust::Untrusted, None, None);

/// How the workspace stands. Reads only.
///
/// # Errors
/// When the settings file or the answer is there and cannot be read.
pub fn standing(root: &Root, places: &Places) -> Result<Standing, Refusal> {
    let settings = read_settings(root)?;
    let (trust, listed, walls) = match look(root, places)? {
        Found::Ours(dir) => judged(root, &dir, places, settings.as_deref())?,
        Found::Absent | Found::Foreign(_) => UNTRUSTED,
    };
    Ok(Standing { trust, settings, listed, walls })
}

/// Records a person's yes to the workspace as it stands. Whoever calls this has made sure that
/// it was a person, and that `shown` is what the person saw.
///
/// # Errors
/// When the answer cannot be kept.
pub fn give(root: &Root, dir: &StateDir, places: &Places, shown: Shown<'_>) -> Result<(), Refusal> {
    let key = Key::read_or_make(places)?;
    let folder = places.trust_dir();
    private_dir(&folder)?;
    let mut answer = Answer {
        root: identity(root),
        settings_sha256: shown.settings.map(sha256),
        rules_sha256: Some(shown.listed.to_owned()),
        walls_sha256: shown.walls.map(str::to_owned),
        at: clock::rfc3339(),
        mac: String::new(),
    };
    answer.mac = mark(&key, dir, &answer);
    let bytes = serde_json::to_vec(&answer).expect("plain text and numbers");
    let name = format!("{}.json", dir.workspace_id);
    durable::replace(&folder, &name, &bytes).map_err(|error| Refusal::io(&folder, &error))
}

fn judged(
    root: &Root,
    dir: &StateDir,
    places: &Places,
    settings: Option<&[u8]>,
) -> Result<Worth, Refusal> {
    let path = places.trust_dir().join(format!("{}.json", dir.workspace_id));
    let bytes = match durable::read(&path, ANSWER_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(UNTRUSTED),
        // Behind the walls of a call nothing is taken for a person's yes.
        Err(_) if hidden(&path) => return Ok(UNTRUSTED),
        Err(error) => return Err(Refusal::io(&path, &error)),
    };
    // A damaged answer is no answer; the person is asked again.
    let Ok(answer) = serde_json::from_slice::<Answer>(&bytes) else { return Ok(UNTRUSTED) };
    let Some(key) = Key::read(places)? else { return Ok(UNTRUSTED) };
    if mark(&key, dir, &answer) != answer.mac {
        return Ok(UNTRUSTED);
    }
    let same = answer.root == identity(root) && answer.settings_sha256 == settings.map(sha256);
    Ok(if same {
        (Trust::Trusted, answer.rules_sha256, answer.walls_sha256)
    } else {
        (Trust::Changed, None, None)
    })
}

fn mark(key: &Key, dir: &StateDir, answer: &Answer) -> String {
    let Answer { root, settings_sha256, rules_sha256, walls_sha256, at, mac: _ } = answer;
    let (dev, inode) = (root.dev.to_string(), root.inode.to_string());
    let settings = settings_sha256.as_deref().unwrap_or("none");
    let mut parts = vec!["trust", &dir.workspace_id, &root.path, &dev, &inode, settings, at];
    parts.extend(rules_sha256.as_deref());
    // Named, so that neither hash can stand for the other.
    parts.extend(walls_sha256.as_deref().into_iter().flat_map(|walls| ["walls", walls]));
    key.mark(&parts)
}

fn identity(root: &Root) -> Identity {
    let path = root.path.to_string_lossy().into_owned();
    Identity { path, dev: root.dev, inode: root.inode }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn read_settings(root: &Root) -> Result<Option<Vec<u8>>, Refusal> {
    let path = root.path.join(SETTINGS_FILE);
    match durable::read(&path, SETTINGS_BYTES_MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Refusal::io(&path, &error)),
    }
}
