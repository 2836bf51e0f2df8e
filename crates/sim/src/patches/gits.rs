//! What git makes of trees and diffs. One git takes many cases, each a patch of its own in a folder
//! of its own: it applies one after the other and stops at the first that does not fit.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use kernel::patch::{Content, Executable};

use super::made::{Made, Tree};
use crate::room::room;

/// What git makes of these cases, by seed; or what it said where one did not fit.
pub(super) fn gits(all: &[&Made]) -> io::Result<Result<BTreeMap<u64, Tree>, String>> {
    let dir = room()?;
    let work = dir.path().join("work");
    fs::create_dir(&work)?;
    let mut command = Command::new("git");
    command.args(["apply", "--whitespace=nowarn"]);
    for made in all {
        let patch = format!("../{}", made.seed);
        lay(made, &work)?;
        fs::write(work.join(&patch), &made.diff)?;
        command.arg(patch);
    }
    let output = command
        .current_dir(&work)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CEILING_DIRECTORIES", dir.path())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        return Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let mut trees = BTreeMap::new();
    for made in all {
        let mut tree = Tree::new();
        read(&work, &made.seed.to_string(), &mut tree)?;
        trees.insert(made.seed, tree);
    }
    Ok(Ok(trees))
}

fn lay(made: &Made, work: &Path) -> io::Result<()> {
    for (path, content) in &made.tree {
        let file = work.join(path);
        fs::create_dir_all(file.parent().unwrap_or(work))?;
        fs::write(&file, &content.bytes)?;
        let mode = if content.executable == Executable::Yes { 0o755 } else { 0o644 };
        fs::set_permissions(&file, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Every file below a folder; a folder that went with its last file holds none.
fn read(work: &Path, folder: &str, tree: &mut Tree) -> io::Result<()> {
    let entries = match fs::read_dir(work.join(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata()?;
        if meta.is_dir() {
            read(work, &path, tree)?;
        } else {
            let executable = match meta.permissions().mode() & 0o100 {
                0 => Executable::No,
                _ => Executable::Yes,
            };
            tree.insert(path, Content { bytes: fs::read(entry.path())?, executable });
        }
    }
    Ok(())
}
