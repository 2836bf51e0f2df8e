//! What permissions forbid, tried as a user whom they bind: root may do everything, so nothing is
//! shown by root. Without the right to become another user it runs as whoever runs it.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{House, Tenant};
use super::script;

/// A directory that is somebody else's on every system.
const FOREIGN: &str = "/usr";

/// Everything below a directory: path, mode and length.
fn listing(dir: &Path) -> BTreeMap<PathBuf, (u32, u64)> {
    let mut all = BTreeMap::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            if let Ok(meta) = entry.metadata() {
                if meta.is_dir() {
                    dirs.push(entry.path());
                }
                let len = if meta.is_dir() { 0 } else { meta.len() };
                all.insert(entry.path(), (meta.mode(), len));
            }
        }
    }
    all
}

fn house(exe: &Path) -> Result<House, Broken> {
    House::new(exe, script::settings(), Tenant::Unprivileged)
}

fn mode(path: &Path, mode: u32) -> Result<(), Broken> {
    Ok(fs::set_permissions(path, Permissions::from_mode(mode))?)
}

/// Refused with this code and kind, and nothing was changed.
fn refused(house: &House, args: &[&str], code: &str, kind: &str) -> Result<(), Broken> {
    let before = listing(&house.work);
    let ran = house.run(&[args, &["--json"]].concat())?;
    let error: Value = ran.json()["error"].clone();
    let told = (error["code"].as_str(), error["details"]["kind"].as_str().unwrap_or_default());
    ensure(ran.code != 0 && told == (Some(code), kind), || {
        format!("`{}`: not {code} {kind}: {ran:?}", args.join(" "))
    })?;
    ensure(error["next_step"].is_string(), || format!("no next step: {error}"))?;
    ensure(listing(&house.work) == before, || format!("`{}` changed something", args.join(" ")))
}

/// A work tree that can't be written to is refused before anything is made in it.
///
/// # Errors
/// What does not hold.
pub fn unwritable_root(exe: &Path) -> Result<(), Broken> {
    let house = house(exe)?;
    mode(&house.work, 0o555)?;
    refused(&house, &["workspace", "trust"], "E_IO", "permission")?;
    refused(&house, &["loop", "create", "--title", "t"], "workspace.untrusted", "")?;
    mode(&house.work, 0o755)
}

/// A directory of somebody else is no workspace.
///
/// # Errors
/// What does not hold.
pub fn foreign_root(exe: &Path) -> Result<(), Broken> {
    let house = house(exe)?;
    let args = ["workspace", "trust", "--workspace", FOREIGN];
    refused(&house, &args, "workspace.root_refused", "owner")
}

/// A file and a directory that can't be read stop no loop.
///
/// # Errors
/// What does not hold.
pub fn unreadable_file(exe: &Path) -> Result<(), Broken> {
    let house = house(exe)?;
    let (file, dir) = (house.work.join("secret.txt"), house.work.join("closed"));
    fs::write(&file, "secret")?;
    fs::create_dir(&dir)?;
    for path in [&file, &dir] {
        house.give(path)?;
        mode(path, 0o000)?;
    }
    script::prepare(&house)?;
    let id = script::drive(&house)?;
    let ran = fs::read_to_string(house.work.join(script::RAN))?;
    ensure(ran == "ran a\nran b\n", || format!("ran: {ran:?}"))?;
    ensure(script::status(&house, &id)? == "completed", || "not completed".into())?;
    house.empty()?;
    mode(&dir, 0o755)
}

/// A journal that can't be written is told by the command that needs it; reading goes on.
///
/// # Errors
/// What does not hold.
pub fn unwritable_journal(exe: &Path) -> Result<(), Broken> {
    let house = house(exe)?;
    script::prepare(&house)?;
    let id = script::drive(&house)?;
    house.empty()?;
    let journal = house.state().join("journal");
    let files: Vec<PathBuf> = fs::read_dir(&journal)?.flatten().map(|one| one.path()).collect();
    for path in files.iter().chain([&journal]) {
        mode(path, if path.is_dir() { 0o555 } else { 0o444 })?;
    }
    let ran = house.run(&["loop", "create", "--title", "t", "--json"])?;
    let error = ran.json()["error"].clone();
    ensure(ran.code == 10 && error["code"] == "E_JOURNAL", || format!("told as {ran:?}"))?;
    ensure(error["details"]["kind"].is_string(), || format!("no kind: {error}"))?;
    ensure(script::status(&house, &id)? == "completed", || "not readable any more".into())?;
    for path in [&journal].into_iter().chain(&files) {
        mode(path, if path.is_dir() { 0o700 } else { 0o600 })?;
    }
    house.ask(&["loop", "create", "--title", "t"])?;
    house.empty()
}
