//! The undo record of a process, drawn from what its marks say that it changed. It is written when
//! the undo is asked for: until then the bytes lie in the mark, which all calls of one tree share.
//! From there on a process is taken back as a tool is.

use kernel::patch::Executable;
use kernel::paths::Rel;
use kernel::rollback::{self, RawPath};
use serde::Serialize;

use super::content::{Kind, directory};
use super::manifest::{Entry, Manifest, Of, Record, Side, bytes_name};
use super::prepare::keep;
use super::problem::Problem;
use super::revert::present;
use super::tools::{FILE_MODE, PROGRAM_MODE, with_bit};
use super::wanted::Removal;
use crate::checkpoints::{FileChange, Snapshot};
use crate::files::Root;
use crate::tree::Hash;

/// Directories that were made on the way, and links, as they are recorded.
const DIR_MODE: u32 = 0o755;
const LINK_MODE: u32 = 0o777;

/// A path that an undo leaves as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Where.
    #[serde(flatten)]
    pub path: RawPath,
    /// Why.
    pub reason: String,
}

/// What a process changed, and where the bytes are that stood there.
#[derive(Debug)]
pub struct Marked<'a> {
    /// The mark before it.
    pub base: &'a Snapshot,
    /// The difference of its marks.
    pub changes: &'a [FileChange],
    /// How well it can be taken back.
    pub level: Level,
}

/// How well what was changed can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Nothing else was done than what the record says.
    Exact,
    /// A process may have done more elsewhere.
    BestEffort,
}

impl Level {
    const fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::BestEffort => "best_effort",
        }
    }
}

/// What becomes of a record that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saves {
    /// It is written, with every byte it names.
    All,
    /// Nothing is written: the bytes are only looked at.
    Nothing,
}

impl Marked<'_> {
    /// What can't be taken back, because no mark could hold it or no tool may write it.
    pub fn left(&self) -> Vec<Left> {
        let left = |change: &FileChange| {
            let reason = self.leaves(change).err()?;
            Some(Left { path: change.path.clone(), reason })
        };
        self.changes.iter().filter_map(left).collect()
    }

    /// The path as tools write it, or why it is left.
    fn leaves(&self, change: &FileChange) -> Result<Rel, String> {
        let info = &self.base.info;
        let told = || info.not_covered.iter().find(|left| left.path == change.path);
        let why = |other: &str| told().map_or_else(|| other.to_owned(), |left| left.reason.clone());
        let stamped = |side: &Option<rollback::Content>| {
            side.as_ref().is_some_and(|it| it.kind == rollback::Kind::Stamped)
        };
        if stamped(&change.before) || stamped(&change.after) {
            return Err(why("too_large"));
        }
        // What the mark does not speak of may have stood there all the time.
        if !self.base.files.contains_key(&change.path) && info.leaves_out(&change.path) {
            return Err(why("not_covered"));
        }
        let text = std::str::from_utf8(change.path.bytes()).map_err(|_| "name".to_owned())?;
        Rel::file(text).map_err(|_| "name".to_owned())
    }

    /// The record, as it was written before, else drawn.
    ///
    /// # Errors
    /// When bytes are missing or can't be written; nothing in the tree was touched.
    pub fn draw(
        &self,
        root: &Root,
        record: &Record,
        saves: Saves,
        bytes: &mut dyn FnMut(Hash) -> Option<Vec<u8>>,
    ) -> Result<Manifest, Problem> {
        if record.is_written() {
            return record.read();
        }
        if saves == Saves::Nothing {
            return Ok(
                record.manifest(self.level.word(), self.entries(root, record, saves, bytes)?)
            );
        }
        record.make().map_err(Problem::Record)?;
        let entries = self.entries(root, record, saves, bytes)?;
        record.write(self.level.word(), entries).map_err(Problem::Record)
    }

    fn entries(
        &self,
        root: &Root,
        record: &Record,
        saves: Saves,
        bytes: &mut dyn FnMut(Hash) -> Option<Vec<u8>>,
    ) -> Result<Vec<Entry>, Problem> {
        let mut entries: Vec<Entry> = Vec::new();
        let made = self.changes.iter().filter(|change| change.before.is_none());
        let dirs = self.base.made_dirs(made.map(|change| &change.path));
        let names = dirs.iter().filter_map(|dir| std::str::from_utf8(dir.bytes()).ok());
        let changed = |dir: &Rel| {
            self.changes.iter().any(|change| change.path.bytes() == dir.as_str().as_bytes())
        };
        for path in names.filter_map(|dir| Rel::file(dir).ok()).filter(|dir| !changed(dir)) {
            entries.push(way(record, path, entries.len()));
        }
        for change in self.changes {
            let Ok(path) = self.leaves(change) else { continue };
            let entry = self.entry(root, record, change, path, entries.len())?;
            if let Some(found) = self.bytes(change, &entry.path, bytes)?
                && saves == Saves::All
            {
                keep(&record.bytes(entry.n, Of::Before), &found).map_err(Problem::Record)?;
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// The bytes that stood at a path, if anything did.
    fn bytes(
        &self,
        change: &FileChange,
        path: &Rel,
        bytes: &mut dyn FnMut(Hash) -> Option<Vec<u8>>,
    ) -> Result<Option<Vec<u8>>, Problem> {
        let Some(before) = &change.before else { return Ok(None) };
        let node = self.base.files.get(&change.path);
        let found = node.and_then(|node| bytes(node.blob));
        let right = |found: &Vec<u8>| Hash::of(found).to_string() == before.sha256;
        let found = found.filter(right);
        found.map(Some).ok_or_else(|| Problem::UndoBytes { path: path.clone() })
    }

    /// Whether a directory stood where the process put a file or a link.
    fn was_dir(&self, path: &RawPath) -> bool {
        let from = RawPath::new([path.bytes(), b"/"].concat());
        self.base.files.range(from..).next().is_some_and(|(other, _)| is_below(other, path))
    }

    /// Whether the process put a directory, with something in it, where a file or a link stood.
    fn is_dir(&self, path: &RawPath) -> bool {
        let made = |change: &FileChange| change.after.is_some() && is_below(&change.path, path);
        self.changes.iter().any(made)
    }

    fn entry(
        &self,
        root: &Root,
        record: &Record,
        change: &FileChange,
        path: Rel,
        n: usize,
    ) -> Result<Entry, Problem> {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let own = present(root, &path)?.filter(|it| it.kind == Kind::File).map(|it| it.mode);
        let dir = || Side {
            sha256: directory(DIR_MODE).sha256,
            mode: DIR_MODE,
            bytes_file: None,
            kind: Some(Kind::Dir),
        };
        let kind = change.after.as_ref().or(change.before.as_ref()).map_or(Kind::File, shape);
        let side = |content: &rollback::Content, bytes_file: Option<String>| {
            Some(Side {
                sha256: Hash::from_hex(&content.sha256)?,
                mode: mode(content.kind, own),
                bytes_file,
                kind: (shape(content) != kind).then_some(shape(content)),
            })
        };
        let name = Some(bytes_name(n));
        Ok(Entry {
            n,
            path,
            kind,
            before: match &change.before {
                Some(content) => side(content, name),
                None => self.was_dir(&change.path).then(dir),
            },
            after: match &change.after {
                Some(content) => side(content, None),
                None => self.is_dir(&change.path).then(dir),
            },
            temp: record.temp(n),
            removal: Removal::Must,
        })
    }
}

/// The record of a process that changed nothing.
///
/// # Errors
/// When it can't be written.
pub fn unchanged(record: &Record, saves: Saves) -> Result<Manifest, Problem> {
    match saves {
        Saves::All => {
            record.make().and_then(|()| record.write(Level::BestEffort.word(), Vec::new()))
        }
        Saves::Nothing => Ok(record.manifest(Level::BestEffort.word(), Vec::new())),
    }
    .map_err(Problem::Record)
}

fn is_below(path: &RawPath, dir: &RawPath) -> bool {
    let rest = path.bytes().strip_prefix(dir.bytes());
    rest.is_some_and(|rest| rest.first() == Some(&b'/'))
}

/// A directory that was made for a new file.
fn way(record: &Record, path: Rel, n: usize) -> Entry {
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    let (sha256, mode) = (directory(DIR_MODE).sha256, DIR_MODE);
    Entry {
        n,
        path,
        kind: Kind::Dir,
        before: None,
        after: Some(Side { sha256, mode, bytes_file: None, kind: None }),
        temp: record.temp(n),
        removal: Removal::IfEmpty,
    }
}

fn shape(content: &rollback::Content) -> Kind {
    match content.kind {
        rollback::Kind::Link => Kind::Symlink,
        rollback::Kind::File | rollback::Kind::Executable | rollback::Kind::Stamped => Kind::File,
    }
}

/// A mark knows of a mode only whether its owner may execute; the rest is as it is now.
fn mode(kind: rollback::Kind, own: Option<u32>) -> u32 {
    match (kind, own) {
        (rollback::Kind::Link, _) => LINK_MODE,
        (rollback::Kind::Executable, None) => PROGRAM_MODE,
        (rollback::Kind::File | rollback::Kind::Stamped, None) => FILE_MODE,
        (rollback::Kind::Executable, Some(mode)) => with_bit(mode, Executable::Yes),
        (rollback::Kind::File | rollback::Kind::Stamped, Some(mode)) => {
            with_bit(mode, Executable::No)
        }
    }
}
