//! `.loop`: made whole or not at all, and read only when this user's program made it. What is
//! inside belongs to others.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags};
use serde::{Deserialize, Serialize};

use super::key::{Key, Sight, hex};
use super::places::Places;
use super::refusal::{Refusal, WhyForeign};
use super::root::Root;
use crate::shim::durable;
use crate::tree;

/// The name of the state directory.
pub const DIR_NAME: &str = ".loop";

/// The format of `owner.json`.
const FORMAT: u32 = 1;
/// `owner.json` is a few hundred bytes; more is not ours.
const OWNER_BYTES_MAX: u64 = 4096;
/// A longer path is not kept: escaped it must still fit the file with the rest.
const PATH_BYTES_MAX: usize = 512;

/// A state directory that is ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir {
    /// Its path.
    pub path: PathBuf,
    /// The workspace's id.
    pub workspace_id: String,
}

/// What stands where the state directory would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing yet.
    Absent,
    /// Ours.
    Ours(StateDir),
    /// Somebody else's; nothing in it was read but its owner file.
    Foreign(WhyForeign),
}

#[derive(Debug, Serialize, Deserialize)]
struct Owner {
    format: u32,
    workspace_id: String,
    inode: u64,
    mac: String,
    /// Where it was made, for whoever finds a copy. Nothing is judged by it.
    #[serde(default)]
    path: Option<String>,
}

impl StateDir {
    /// The directory of the journal.
    #[must_use]
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal")
    }

    /// The directory of a call's files.
    #[must_use]
    pub fn call(&self, id: &str) -> PathBuf {
        self.path.join("calls").join(id)
    }

    /// Where marks of the work tree are kept.
    #[must_use]
    pub fn marks(&self) -> PathBuf {
        self.path.join("cache").join("marks")
    }

    /// The file of a trace.
    #[must_use]
    pub fn trace(&self, id: &str) -> PathBuf {
        self.path.join("traces").join(format!("{id}.jsonl"))
    }
}

/// Looks at what is there, and changes nothing.
///
/// # Errors
/// When it cannot be looked at, or the key cannot be read.
pub fn look(root: &Root, places: &Places) -> Result<Found, Refusal> {
    let path = root.path.join(DIR_NAME);
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Absent),
        Err(error) => return Err(Refusal::io(&path, &error)),
    };
    if !meta.is_dir() {
        return Ok(Found::Foreign(WhyForeign::NotADirectory));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Ok(Found::Foreign(WhyForeign::Owner));
    }
    let Some(owner) = read_owner(&path)? else { return Ok(Found::Foreign(WhyForeign::Unsigned)) };
    let parts = [&*owner.format.to_string(), &owner.workspace_id, &meta.ino().to_string()];
    let marked = match Key::sight(places)? {
        Sight::Seen(key) => key.fits(&["owner", parts[0], parts[1], parts[2]], &owner.mac),
        Sight::Absent => false,
        // The engine that put up the walls around us has looked, and only it can be spoken to.
        Sight::Hidden => true,
    };
    let ours =
        owner.format == FORMAT && owner.inode == meta.ino() && is_id(&owner.workspace_id) && marked;
    Ok(if ours {
        Found::Ours(StateDir { path, workspace_id: owner.workspace_id })
    } else {
        Found::Foreign(WhyForeign::Mark)
    })
}

/// The refusal of foreign state, with the place it says it was made at.
#[must_use]
pub fn foreign(root: &Root, why: WhyForeign) -> Refusal {
    let path = root.path.join(DIR_NAME);
    let origin = read_owner(&path).ok().flatten().and_then(|owner| owner.path);
    Refusal::Foreign { path, why, origin }
}

/// The state directory, made if there is none.
///
/// # Errors
/// When the one that is there is foreign, or it cannot be made; then nothing is left behind.
pub fn create(root: &Root, places: &Places) -> Result<StateDir, Refusal> {
    if look(root, places)? == Found::Absent {
        build(root, places)?;
    }
    match look(root, places)? {
        Found::Ours(dir) => Ok(dir),
        Found::Foreign(why) => Err(foreign(root, why)),
        Found::Absent => {
            let gone = io::Error::new(io::ErrorKind::NotFound, "it was just made");
            Err(Refusal::io(&root.path.join(DIR_NAME), &gone))
        }
    }
}

/// That the user's repository tracks nothing of it: what is written there must be nobody's commit.
///
/// # Errors
/// That it does.
pub fn untracked(root: &Root) -> Result<(), Refusal> {
    if tree::tracks(&root.path, DIR_NAME.as_bytes()) {
        return Err(Refusal::Tracked { path: root.path.join(DIR_NAME) });
    }
    Ok(())
}

/// Moves a foreign state directory aside and begins anew. Answers where it was moved to.
///
/// # Errors
/// When there is nothing foreign, or it cannot be moved.
pub fn adopt(root: &Root, places: &Places) -> Result<(StateDir, PathBuf), Refusal> {
    match look(root, places)? {
        Found::Foreign(_) => {}
        Found::Absent | Found::Ours(_) => return Err(Refusal::NotForeign),
    }
    let time = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%.3fZ").to_string();
    let from = root.path.join(DIR_NAME);
    let aside = root.path.join(format!("{DIR_NAME}.foreign-{time}"));
    rustix::fs::renameat_with(CWD, &from, CWD, &aside, RenameFlags::NOREPLACE)
        .map_err(|error| Refusal::io(&from, &error.into()))?;
    Ok((create(root, places)?, aside))
}

fn read_owner(dir: &Path) -> Result<Option<Owner>, Refusal> {
    let path = dir.join("owner.json");
    match durable::read(&path, OWNER_BYTES_MAX) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(Refusal::io(&path, &error))
        }
        Err(_) => Ok(None),
    }
}

/// An id goes into file names, so only what we make ourselves is taken.
fn is_id(id: &str) -> bool {
    let digits = id.strip_prefix("ws-").unwrap_or_default();
    digits.len() == ID_DIGITS && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// How the other name goes on under which a state directory is made.
const NEW: &str = ".new-";
/// Making one takes milliseconds: whatever is older than this, nobody is at work on.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

/// Enough that two workspaces of one user never meet, short enough for a socket's path.
const ID_DIGITS: usize = 16;

/// Makes the directory under another name and renames it, so that a crash leaves either nothing
/// or a whole one. The inode, which the owner file names, stays the same.
fn build(root: &Root, places: &Places) -> Result<(), Refusal> {
    sweep(&root.path);
    let random = hex(uuid::Uuid::new_v4().as_bytes());
    let temp = root.path.join(format!("{DIR_NAME}{NEW}{random}"));
    let made = fs::DirBuilder::new().mode(0o700).create(&temp);
    made.map_err(|error| Refusal::io(&root.path.join(DIR_NAME), &error))?;
    let built = fill(&temp, &root.path, &random[..ID_DIGITS], places).and_then(|()| {
        let target = root.path.join(DIR_NAME);
        match rustix::fs::renameat_with(CWD, &temp, CWD, &target, RenameFlags::NOREPLACE) {
            Ok(()) => durable::sync_dir(&root.path).map_err(|error| Refusal::io(&target, &error)),
            // Another process was faster; its directory is as good as ours.
            Err(rustix::io::Errno::EXIST) => remove(&temp),
            Err(error) => Err(Refusal::io(&target, &error.into())),
        }
    });
    if built.is_err() {
        let _ = remove(&temp);
    }
    built
}

fn fill(dir: &Path, root: &Path, digits: &str, places: &Places) -> Result<(), Refusal> {
    let failed = |error: io::Error| Refusal::io(dir, &error);
    let key = Key::read_or_make(places)?;
    let inode = fs::metadata(dir).map_err(failed)?.ino();
    let workspace_id = format!("ws-{digits}");
    let mac = key.mark(&["owner", &FORMAT.to_string(), &workspace_id, &inode.to_string()]);
    // One that would not fit is left out rather than make the file unreadable.
    let path = Some(root.to_string_lossy().into_owned()).filter(|path| path.len() < PATH_BYTES_MAX);
    let owner = Owner { format: FORMAT, workspace_id, inode, mac, path };
    let owner = serde_json::to_vec(&owner).expect("plain text and numbers");
    for (name, bytes) in [(".gitignore", b"*\n".as_slice()), ("owner.json", &owner)] {
        let mut options = fs::OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(dir.join(name))
            .map_err(failed)?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    }
    durable::sync_dir(dir).map_err(failed)
}

/// Removes what a maker that was killed left under its other name. One that may still be at work is
/// left alone.
fn sweep(root: &Path) {
    let prefix = format!("{DIR_NAME}{NEW}");
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if ours && age().is_some_and(|age| age > LEFT_BEHIND) {
            drop(remove(&entry.path()));
        }
    }
}

/// Removes what `fill` made, by name: a directory of ours is never emptied blindly.
fn remove(temp: &Path) -> Result<(), Refusal> {
    for name in [".gitignore", "owner.json"] {
        let _ = fs::remove_file(temp.join(name));
    }
    fs::remove_dir(temp).map_err(|error| Refusal::io(temp, &error))
}
