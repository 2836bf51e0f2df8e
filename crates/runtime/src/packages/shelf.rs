//! Everything that stands below a directory, read once: what an operation is planned from. It
//! follows no link and holds no more than it was told to.

use std::io::Read as _;
use std::path::Path;

use kernel::paths::Rel;
use serde_json::json;

use super::refusal::Refusal;
use crate::change::{Content, Kind};
use crate::files::{self, Fault, Root};
use crate::tree::Hash;

/// A knowledge base is words; more than this is something else, and is not moved by us.
const BYTES_MAX: u64 = 64 << 20;
/// As many entries as a person could still look at.
const ENTRIES_MAX: usize = 20_000;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the directory.
    pub path: String,
    /// What it is.
    pub content: Content,
    /// A file's bytes, a link's target; nothing of a directory.
    pub bytes: Vec<u8>,
}

/// What stands below a directory, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shelf {
    /// Every entry.
    pub entries: Vec<Entry>,
}

impl Shelf {
    /// Reads a directory below the root; one that is not there is empty.
    ///
    /// # Errors
    /// When something there can't be read, or there is too much.
    pub fn read(root: &Root, dir: &Rel) -> Result<Self, Refusal> {
        let mut shelf = Self::default();
        match root.stat(dir)? {
            Some(facts) if facts.kind == files::Kind::Dir => {}
            Some(_) | None => return Ok(shelf),
        }
        let mut left = BYTES_MAX;
        walk(root, dir, "", &mut shelf.entries, &mut left)?;
        shelf.entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(shelf)
    }

    /// The entry at a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// The bytes of the file at a path.
    #[must_use]
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.get(path).filter(|it| it.content.kind == Kind::File).map(|it| it.bytes.as_slice())
    }

    /// What stands below a directory of it, with paths below that.
    pub fn below<'a>(&'a self, dir: &'a str) -> impl Iterator<Item = (&'a str, &'a Entry)> {
        self.entries.iter().filter_map(move |entry| {
            let rest = entry.path.strip_prefix(dir)?.strip_prefix('/')?;
            Some((rest, entry))
        })
    }

    /// Names of the directories right below one.
    #[must_use]
    pub fn dirs(&self, dir: &str) -> Vec<String> {
        let own = |(rest, entry): &(&str, &Entry)| {
            entry.content.kind == Kind::Dir && !rest.contains('/') && !rest.starts_with('.')
        };
        self.below(dir).filter(own).map(|(rest, _)| rest.to_owned()).collect()
    }

    /// Whether anything stands at a path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.get(path).is_some()
    }

    /// Names at the top.
    #[must_use]
    pub fn top(&self) -> Vec<String> {
        let names = self.entries.iter().filter(|entry| !entry.path.contains('/'));
        names.map(|entry| entry.path.clone()).collect()
    }
}

fn walk(
    root: &Root,
    dir: &Rel,
    below: &str,
    entries: &mut Vec<Entry>,
    left: &mut u64,
) -> Result<(), Refusal> {
    let here = if below.is_empty() { dir.as_str().to_owned() } else { format!("{dir}/{below}") };
    let full = root.path().join(&here);
    let found = std::fs::read_dir(&full).map_err(|why| Fault::io(&here, &why))?;
    for entry in found {
        let entry = entry.map_err(|why| Fault::io(&here, &why))?;
        let name = entry.file_name().into_string().map_err(|name| {
            Refusal::new("unreadable", json!({ "path": Path::new(&here).join(name), "byte": 0 }))
        })?;
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entries.len() >= ENTRIES_MAX {
            return Err(too_much(dir));
        }
        let found = one(root, dir, &path, left)?;
        let is_dir = found.content.kind == Kind::Dir;
        entries.push(found);
        if is_dir {
            walk(root, dir, &path, entries, left)?;
        }
    }
    Ok(())
}

fn one(root: &Root, dir: &Rel, path: &str, left: &mut u64) -> Result<Entry, Refusal> {
    let rel = joined(dir, path)?;
    let parent = root.open_parent(&rel)?;
    let missing = || Refusal::from(Fault::Outside { path: rel.as_str().to_owned() });
    let facts = parent.facts()?.ok_or_else(missing)?;
    let mut bytes = Vec::new();
    let (kind, mode) = match facts.kind {
        files::Kind::Dir => (Kind::Dir, facts.mode),
        files::Kind::File => {
            let (file, facts) = parent.open_file()?;
            let most = left.saturating_add(1);
            let read = file.take(most).read_to_end(&mut bytes);
            read.map_err(|why| Fault::io(rel.as_str(), &why))?;
            (Kind::File, facts.mode)
        }
        files::Kind::Symlink => {
            let target = std::fs::read_link(root.path().join(rel.as_str()))
                .map_err(|why| Fault::io(rel.as_str(), &why))?;
            bytes = std::os::unix::ffi::OsStringExt::into_vec(target.into_os_string());
            (Kind::Symlink, 0o777)
        }
        kind @ files::Kind::Other => {
            return Err(Fault::NotAFile { path: rel.as_str().to_owned(), kind }.into());
        }
    };
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    *left = left.checked_sub(size).ok_or_else(|| too_much(dir))?;
    let content = Content { kind, sha256: Hash::of(&bytes), mode: mode & 0o777 };
    Ok(Entry { path: path.to_owned(), content, bytes })
}

fn too_much(dir: &Rel) -> Refusal {
    Refusal::new("unreadable", json!({ "path": dir.as_str(), "byte": BYTES_MAX }))
}

/// A path below a directory, as one that may be written.
pub(super) fn joined(dir: &Rel, path: &str) -> Result<Rel, Refusal> {
    let text = if dir.is_root() { path.to_owned() } else { format!("{dir}/{path}") };
    Rel::file(&text).map_err(|why| Fault::Path { path: text, why }.into())
}
