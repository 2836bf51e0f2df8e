//! Getting a change ready: every path looked at, every old byte saved and synced, the record
//! written. It touches nothing but the call's own directory, so it may fail or be repeated.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use kernel::paths::Rel;
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

use super::content::{self, CHUNK_BYTES, Content, Kind, of_file, same};
use super::inverse;
use super::manifest::{Entry, Manifest, Of, Record, Side, bytes_name};
use super::problem::Problem;
use super::steps::Steps;
use super::wanted::{Goal, Removal, Wanted};
use crate::files::{self, Facts, Fault, HardLinks, Parent, Root};
use crate::shim::durable;
use crate::tree::Hash;

/// How well a change of a tool's can be taken back.
const LEVEL: &str = "exact";
/// Directories made on the way to a new file.
const DIR_MODE: u32 = 0o755;

/// Saves what is needed to tell and to undo the change.
///
/// # Errors
/// When a path does not hold what is expected, may not be changed, or can't be saved. Nothing
/// outside the call's directory was touched.
pub fn prepare(
    root: &Root,
    record: &Record,
    wanted: &[Wanted],
    links: HardLinks,
    steps: Steps<'_>,
) -> Result<Manifest, Problem> {
    record.make().map_err(Problem::Record)?;
    let mut all = ways(root, wanted)?;
    all.extend(wanted.iter().cloned());
    all.sort_by_key(rank);
    let mut entries = Vec::new();
    for (n, wanted) in (0u32..).zip(&all) {
        steps.at("save").map_err(Problem::Record)?;
        let parent = if below_new_dir(&all, &wanted.path) {
            // Where a directory shall be stands something else, so nothing is below it yet.
            None
        } else {
            parent(root, &wanted.path)?
        };
        entries.push(entry(parent.as_ref(), record, wanted, links, n)?);
    }
    steps.at("manifest").map_err(Problem::Record)?;
    let manifest = record.write(LEVEL, entries).map_err(Problem::Record)?;
    // A view: without it nothing is lost.
    drop(inverse::draw(record, &manifest));
    Ok(manifest)
}

/// Directories come first and go last; content is there before what it replaces goes.
fn rank(wanted: &Wanted) -> (u8, usize) {
    let depth = wanted.path.parts().count();
    let was_dir = wanted.expect.is_some_and(|it| it.kind == Kind::Dir);
    match wanted.goal {
        Goal::Dir { .. } => (0, depth),
        // What is in a directory goes before it does.
        Goal::File { .. } | Goal::Symlink { .. } if was_dir => (3, usize::MAX - depth),
        Goal::File { .. } | Goal::Symlink { .. } => (1, 0),
        Goal::Absent if was_dir => (3, usize::MAX - depth),
        Goal::Absent => (2, 0),
    }
}

/// The directories that have to be made on the way.
fn ways(root: &Root, wanted: &[Wanted]) -> Result<Vec<Wanted>, Problem> {
    let mut missing = BTreeSet::new();
    let needs = |it: &&Wanted| it.goal != Goal::Absent && !below_new_dir(wanted, &it.path);
    for wanted in wanted.iter().filter(needs) {
        let mut above = wanted.path.split().map(|(above, _)| above);
        while let Some(dir) = above.filter(|dir| !dir.is_root()) {
            match root.stat(&dir)? {
                Some(facts) if facts.kind == files::Kind::Dir => break,
                Some(facts) => return Err(not_a_directory(&dir, facts).into()),
                None => above = dir.split().map(|(above, _)| above),
            }
            missing.insert(dir);
        }
    }
    missing.retain(|dir| wanted.iter().all(|it| it.path != *dir));
    let made = |path| Wanted {
        path,
        expect: None,
        goal: Goal::Dir { mode: DIR_MODE },
        removal: Removal::IfEmpty,
    };
    Ok(missing.into_iter().map(made).collect())
}

fn not_a_directory(dir: &Rel, facts: Facts) -> Fault {
    let path = dir.as_str().to_owned();
    match facts.kind {
        files::Kind::Symlink => Fault::Symlink { path },
        kind @ (files::Kind::File | files::Kind::Dir | files::Kind::Other) => {
            Fault::NotAFile { path, kind }
        }
    }
}

/// Whether a file or link above this path shall become a directory.
fn below_new_dir(all: &[Wanted], path: &Rel) -> bool {
    let becomes = |it: &Wanted| {
        let dir = matches!(it.goal, Goal::Dir { .. }) && it.expect.is_some();
        let rest = path.as_str().strip_prefix(it.path.as_str());
        dir && rest.is_some_and(|rest| rest.starts_with('/'))
    };
    all.iter().any(becomes)
}

fn parent(root: &Root, path: &Rel) -> Result<Option<Parent>, Fault> {
    match root.open_parent(path) {
        Ok(parent) => Ok(Some(parent)),
        Err(Fault::Io { kind: "not_found", .. }) => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn entry(
    parent: Option<&Parent>,
    record: &Record,
    wanted: &Wanted,
    links: HardLinks,
    n: u32,
) -> Result<Entry, Problem> {
    let present = match parent {
        Some(parent) => save(parent, wanted, links, &record.bytes(n, Of::Before))?,
        None => None,
    };
    if !same(present.as_ref(), wanted.expect.as_ref()) {
        let [expected, present] = [wanted.expect, present].map(|it| it.map(|it| it.sha256));
        return Err(Problem::Changed { path: wanted.path.clone(), expected, present });
    }
    if let Some(bytes) = wanted.goal.bytes() {
        keep(&record.bytes(n, Of::After), bytes).map_err(Problem::Record)?;
    }
    let after = wanted.goal.content();
    let kind = after.or(present).map_or(Kind::File, |it| it.kind);
    let side = |content: Content, bytes_file: Option<String>| Side {
        sha256: content.sha256,
        mode: content.mode,
        bytes_file: bytes_file.filter(|_| content.kind != Kind::Dir),
        kind: (content.kind != kind).then_some(content.kind),
    };
    Ok(Entry {
        n,
        path: wanted.path.clone(),
        kind,
        before: present.map(|content| side(content, Some(bytes_name(n)))),
        after: after.map(|content| side(content, None)),
        temp: record.temp(n),
        removal: wanted.removal,
    })
}

/// Saves what stands there, synced, and says what it is.
fn save(
    parent: &Parent,
    wanted: &Wanted,
    links: HardLinks,
    to: &Path,
) -> Result<Option<Content>, Problem> {
    let Some(facts) = parent.facts()? else { return Ok(None) };
    match facts.kind {
        files::Kind::File => {
            let (file, facts) = parent.open_file()?;
            allowed(&facts, parent.path(), wanted, links)?;
            let sha256 = copy(file, to).map_err(Problem::Record)?;
            Ok(Some(of_file(sha256, &facts)))
        }
        files::Kind::Symlink => {
            let target = content::target(parent, parent.name())?;
            keep(to, &target).map_err(Problem::Record)?;
            Ok(content::at(parent, parent.name())?)
        }
        files::Kind::Dir | files::Kind::Other => Ok(content::at(parent, parent.name())?),
    }
}

fn allowed(facts: &Facts, path: &str, wanted: &Wanted, links: HardLinks) -> Result<(), Fault> {
    match wanted.goal {
        // Removing one name leaves the others as they are.
        Goal::Absent => facts.replaceable(path, HardLinks::Break),
        Goal::File { .. } | Goal::Symlink { .. } | Goal::Dir { .. } => {
            facts.replaceable(path, links)
        }
    }
}

/// Copies a file of any size and syncs the copy.
pub(super) fn copy(mut from: File, to: &Path) -> io::Result<Hash> {
    let mut file = durable::open(to, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let length = match from.read(&mut chunk) {
            Ok(0) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            length => length?,
        };
        hasher.update(&chunk[..length]);
        file.write_all(&chunk[..length])?;
    }
    file.sync_all()?;
    Ok(Hash(hasher.finalize().into()))
}

/// Writes bytes and syncs them.
pub(super) fn keep(to: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = durable::open(to, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
    file.write_all(bytes)?;
    file.sync_all()
}
