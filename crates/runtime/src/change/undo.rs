//! A planned undo made ready like any other change, with an undo record of its own. From there on
//! it is carried out, and repeated after a crash, as its record says.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::content::{Content, Kind, hash, target};
use super::manifest::{Manifest, Record, open_bytes};
use super::plan::{Plan, Planned, Undoes};
use super::prepare::{copy, keep, prepare};
use super::problem::Problem;
use super::revert::parent_of;
use super::steps::Steps;
use super::wanted::{Goal, Removal, Wanted};
use crate::files::{HardLinks, Root};
use crate::shim::durable;

/// Several contents of one path may go aside in one undo, one for each call it takes back.
const SAME_NAME_MAX: u32 = 1000;

/// Copies aside what is not ours and saves what stands at the paths. A record written by an
/// earlier attempt of the same undo stands: its plan is fixed.
///
/// # Errors
/// When something can't be saved or copied; nothing in the tree was touched.
pub fn prepare_undo(
    root: &Root,
    record: &Record,
    plan: &Plan,
    aside: &Path,
    steps: Steps<'_>,
) -> Result<Manifest, Problem> {
    if record.is_written() {
        return record.read();
    }
    for planned in &plan.paths {
        steps.at("aside").map_err(Problem::Record)?;
        copy_aside(root, planned, aside)?;
    }
    let wanted: Result<Vec<_>, _> =
        plan.paths.iter().filter_map(|planned| wanted(planned).transpose()).collect();
    // What stands there now was written by us or goes aside: its other names keep it.
    prepare(root, record, &wanted?, HardLinks::Break, steps)
}

fn wanted(planned: &Planned) -> Result<Option<Wanted>, Problem> {
    let (goal, removal) = match planned.action {
        Undoes::Same => return Ok(None),
        Undoes::RemoveIfEmpty if planned.present.is_none() => return Ok(None),
        Undoes::RemoveIfEmpty if planned.present.is_some_and(|it| it.kind != Kind::Dir) => {
            return Ok(None);
        }
        Undoes::RemoveIfEmpty => (Goal::Absent, Removal::IfEmpty),
        Undoes::Remove => (Goal::Absent, Removal::Must),
        Undoes::Restore => (goal(planned)?, Removal::Must),
    };
    let path = planned.path.clone();
    Ok(Some(Wanted { path, expect: planned.present, goal, removal }))
}

fn goal(planned: &Planned) -> Result<Goal, Problem> {
    let Some(content) = planned.goal else { return Ok(Goal::Absent) };
    if content.kind == Kind::Dir {
        return Ok(Goal::Dir { mode: content.mode });
    }
    let missing = || Problem::UndoBytes { path: planned.path.clone() };
    let bytes = planned.bytes.as_ref().ok_or_else(missing)?;
    let mut file = open_bytes(bytes, content.sha256).ok_or_else(missing)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(Problem::Record)?;
    Ok(match content.kind {
        Kind::Symlink => Goal::Symlink { target: bytes },
        Kind::File | Kind::Dir => Goal::File { bytes, mode: content.mode },
    })
}

fn copy_aside(root: &Root, planned: &Planned, aside: &Path) -> Result<(), Problem> {
    if planned.aside
        && let Some(content) = planned.present
        && let Some(parent) = parent_of(root, &planned.path)?
    {
        match content.kind {
            Kind::File => {
                let (file, _) = parent.open_file()?;
                put_aside(aside, planned, &content, |to| copy(file, to).map(drop))
            }
            Kind::Symlink => {
                let bytes = target(&parent, parent.name())?;
                put_aside(aside, planned, &content, |to| keep(to, &bytes))
            }
            // A directory is never displaced: what is in it would go with it.
            Kind::Dir => return Err(not_a_file(planned).into()),
        }
        .map_err(Problem::Record)?;
    }
    for (bytes, content) in &planned.asides {
        let missing = || Problem::UndoBytes { path: planned.path.clone() };
        let file = open_bytes(bytes, content.sha256).ok_or_else(missing)?;
        put_aside(aside, planned, content, |to| copy(file, to).map(drop))
            .map_err(Problem::Record)?;
    }
    Ok(())
}

fn not_a_file(planned: &Planned) -> crate::files::Fault {
    let path = planned.path.as_str().to_owned();
    crate::files::Fault::NotAFile { path, kind: crate::files::Kind::Dir }
}

/// Writes to a free name below `aside`, or finds the same bytes there already.
fn put_aside(
    aside: &Path,
    planned: &Planned,
    content: &Content,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let place = aside.join(planned.path.as_str());
    let dir = place.parent().unwrap_or(aside);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    for n in 0..SAME_NAME_MAX {
        let name = if n == 0 { place.clone() } else { numbered(&place, n) };
        match durable::open(&name, OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write(&name)?;
                return sync_up(dir, aside);
            }
            Err(error) => return Err(error),
            Ok(mut file) => {
                if hash(&mut file)? == content.sha256 {
                    return Ok(());
                }
                // Cut off while it was written, or another content: either way it stays.
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn numbered(place: &Path, n: u32) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(format!(".{n}"));
    PathBuf::from(name)
}

/// Syncs the directories from the copy up to the place of all copies.
fn sync_up(dir: &Path, aside: &Path) -> io::Result<()> {
    let mut dir = dir;
    loop {
        durable::sync_dir(dir)?;
        match dir.parent() {
            Some(above) if dir != aside => dir = above,
            Some(above) => return durable::sync_dir(above),
            None => return Ok(()),
        }
    }
}
