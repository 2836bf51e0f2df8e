//! The files of one commit, read back from its trees. Every name is judged again before anybody
//! may use it as a path: what stands in the repository could have been put there by somebody else.

use std::collections::BTreeMap;

use kernel::rollback::RawPath;

use super::error::Error;
use super::info::Info;
use super::objects::{Id, Reader};
use crate::tree::{DEPTH_MAX, FILES_MAX, Hash, Kind};

/// The longest name and path a tree may hold.
const PART_MAX: usize = 255;
const PATH_MAX: usize = 4096;
const ID_BYTES: usize = 32;

/// One file of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// File, executable or link.
    pub kind: Kind,
    /// The object with its bytes.
    pub blob: Id,
}

/// A commit, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit.
    pub commit: Id,
    /// Its tree.
    pub tree: Id,
    /// What it says about itself.
    pub info: Info,
    /// Every file.
    pub files: BTreeMap<RawPath, Node>,
}

/// The head of a commit: its tree and what it says about itself.
pub(super) fn head(reader: &mut Reader, commit: Id) -> Result<(Id, Info), Error> {
    let damaged = || Error::Damaged(format!("commit {commit}"));
    let bytes = reader.get("commit", commit)?;
    let text = bytes.strip_prefix(b"tree ").ok_or_else(damaged)?;
    let tree = text.get(..64).and_then(|hex| std::str::from_utf8(hex).ok());
    let tree = tree.and_then(Hash::from_hex).ok_or_else(damaged)?;
    let body = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or_else(damaged)?;
    let info = Info::read(&bytes[body + 2..]).ok_or_else(damaged)?;
    Ok((tree, info))
}

impl Snapshot {
    /// Reads a commit and all its trees; no file yet.
    pub(super) fn read(reader: &mut Reader, commit: Id) -> Result<Self, Error> {
        let (tree, info) = head(reader, commit)?;
        let mut files = BTreeMap::new();
        let mut open = vec![(Vec::new(), tree, 0usize)];
        while let Some((prefix, id, depth)) = open.pop() {
            let damaged = || Error::Damaged(format!("tree {id}"));
            let bytes = reader.get("tree", id)?;
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (entry, after) = entry(rest).ok_or_else(damaged)?;
                let path = [prefix.as_slice(), entry.name].concat();
                rest = after;
                if !allowed(entry.name, &path) || depth > DEPTH_MAX || files.len() > FILES_MAX {
                    return Err(damaged());
                }
                match entry.what {
                    What::Tree => open.push(([&path[..], b"/"].concat(), entry.id, depth + 1)),
                    What::File(kind) => {
                        files.insert(RawPath::new(path), Node { kind, blob: entry.id });
                    }
                }
            }
        }
        Ok(Self { commit, tree, info, files })
    }

    /// Directories above these paths of which the commit knows nothing, so that they were made
    /// later: deepest first.
    pub(crate) fn made_dirs<'a>(&self, paths: impl Iterator<Item = &'a RawPath>) -> Vec<RawPath> {
        let mut dirs: Vec<RawPath> = paths.flat_map(RawPath::ancestors).collect();
        dirs.sort();
        dirs.dedup();
        let below = |dir: &RawPath, path: &RawPath| {
            let rest = path.bytes().strip_prefix(dir.bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        };
        dirs.retain(|dir| {
            let from = RawPath::new([dir.bytes(), b"/"].concat());
            let held = self.files.range(from..).next().is_some_and(|(path, _)| below(dir, path));
            let left = &self.info.not_covered;
            !held && !self.info.leaves_out(dir) && !left.iter().any(|left| below(dir, &left.path))
        });
        dirs.sort_by_key(|dir| std::cmp::Reverse(dir.bytes().len()));
        dirs
    }
}

enum What {
    Tree,
    File(Kind),
}

struct Entry<'a> {
    what: What,
    name: &'a [u8],
    id: Id,
}

fn entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let space = bytes.iter().position(|&byte| byte == b' ')?;
    let end = space + 1 + bytes[space + 1..].iter().position(|&byte| byte == 0)?;
    let id = bytes.get(end + 1..end + 1 + ID_BYTES)?;
    let what = match &bytes[..space] {
        b"40000" => What::Tree,
        b"100644" => What::File(Kind::File),
        b"100755" => What::File(Kind::Executable),
        b"120000" => What::File(Kind::Link),
        _ => return None,
    };
    let entry = Entry { what, name: &bytes[space + 1..end], id: Hash(id.try_into().ok()?) };
    Some((entry, &bytes[end + 1 + ID_BYTES..]))
}

/// Whether a name from a tree may be a path of the user's.
fn allowed(name: &[u8], path: &[u8]) -> bool {
    let odd = matches!(name, b"" | b"." | b"..") || name.contains(&b'/');
    let ours = path == b".loop" || path.starts_with(b".loop/");
    !odd && !ours && !git_like(name) && name.len() <= PART_MAX && path.len() <= PATH_MAX
}

/// Whether git, on some file system, takes this name for its own directory. Such a name in a tree
/// is refused by every careful git, so it is never put into one.
pub(super) fn git_like(name: &[u8]) -> bool {
    let text = String::from_utf8_lossy(name);
    let seen = text.chars().filter(|&letter| !ignorable(letter));
    let folded: String = seen.flat_map(char::to_lowercase).collect();
    let base = folded.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let short = base.strip_prefix("git~").is_some_and(|rest| rest.parse::<u32>().is_ok());
    base == ".git" || short
}

/// Letters that HFS+ leaves out of names.
const fn ignorable(letter: char) -> bool {
    matches!(letter,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_be_gits_own_or_ours_are_refused() {
        for name in [".git", ".GIT", "git~1", ".git.", ".git ", ".git::$INDEX", ".g\u{200c}it"] {
            assert!(git_like(name.as_bytes()), "{name}");
        }
        for name in [".gitignore", "git", "git~", "git~x", "gita", ".gitx"] {
            assert!(!git_like(name.as_bytes()), "{name}");
        }
        for (name, path, want) in [
            ("a", "a", true),
            (".loop", "b/.loop", true),
            (".loop", ".loop", false),
            ("..", "a/..", false),
            ("", "a/", false),
            ("a/b", "a/b", false),
        ] {
            assert_eq!(allowed(name.as_bytes(), path.as_bytes()), want, "{path}");
        }
    }
}
