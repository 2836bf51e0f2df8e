//! The tool `list`: entries of a directory and of what is below, page by page, with what must be
//! known before touching them. It opens no file.

use kernel::base64;
use kernel::paths::{Class, Rel, is_in_git};
use rustix::fs::{AtFlags, OFlags};
use serde::Serialize;
use serde_json::Value;

use super::args::{self, Arg, Shape};
use super::beneath::{self, Links};
use super::desk::Desk;
use super::facts::{Facts, Kind};
use super::fault::Fault;
use super::glob::Globbed;
use super::walk::{self, Ended, Ground, Node, Step};

/// Entries of one page at most.
pub const LIST_MAX: u64 = 1000;
/// Levels below the start at most.
const DEPTH_MAX: u64 = 8;
/// Entries looked at for one page: a glob that fits nothing must come to an end.
const WALKED_MAX: usize = 100_000;

pub(super) const ARGS: &[Arg] = &[
    Arg::new("path", Shape::Text).also(&["target_directory", "dir_path"]).or("\".\""),
    Arg::new("depth", Shape::Whole { least: 1, most: DEPTH_MAX }).or("1"),
    Arg::new("glob", Shape::Text).also(&["glob_pattern"]),
    Arg::new("ignored", Shape::Flag).or("false"),
    Arg::new("limit", Shape::Whole { least: 1, most: LIST_MAX }).or("1000"),
    Arg::new("cursor", Shape::Text),
];

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Args {
    /// The directory.
    pub path: Rel,
    /// How many levels.
    pub depth: usize,
    /// Only these.
    pub glob: Option<String>,
    /// Also what is ignored.
    pub ignored: bool,
    /// Entries at most.
    pub limit: usize,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

impl Args {
    /// Reads the arguments.
    ///
    /// # Errors
    /// When one is unknown or wrong, or the path is none for a tool.
    pub fn parse(args: &Value) -> Result<Self, Fault> {
        let taken = args::take(ARGS, args)?;
        let path = taken.text("path");
        Ok(Self {
            path: Rel::dir(&path).map_err(|why| Fault::Path { path, why })?,
            depth: taken.whole("depth"),
            glob: taken.text_if("glob"),
            ignored: taken.flag("ignored"),
            limit: taken.whole("limit"),
            cursor: taken.text_if("cursor"),
        })
    }
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Below the root; what is no UTF-8 in it is replaced.
    pub path: String,
    /// The path's bytes in base64, where they are no UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What it is.
    pub kind: Kind,
    /// Bytes of a file, or of a link's target.
    pub size: u64,
    /// Whether git tracks it; unknown without a readable index.
    pub tracked: Option<bool>,
    /// Whether it is left out of searches.
    pub ignored: bool,
    /// The strongest class of its path.
    pub protected: Option<Class>,
    /// Whether it is a directory with a repository of its own.
    pub nested_repo: bool,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Payload {
    /// In the order of paths.
    pub entries: Vec<Entry>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// Lists a directory.
///
/// # Errors
/// When it cannot be opened, is git's own, or an argument does not fit.
pub fn list(desk: &Desk<'_>, args: &Args) -> Result<Payload, Fault> {
    let glob = Globbed::new(args.glob.as_deref())?;
    let after = args.cursor.as_deref().map(decode).transpose()?.unwrap_or_default();
    let (_, real) = desk.root.open_dir(&args.path)?;
    if is_in_git(&real) || is_in_git(args.path.as_str()) {
        let path = args.path.as_str().to_owned();
        return Err(Fault::Protected { path, class: Class::Control });
    }
    let mut page = Page { args, glob, after, entries: Vec::new(), walked: 0, last: Vec::new() };
    let ground = Ground { root: desk.root, names: desk.names };
    let ended = walk::walk(&ground, &args.path, |node| page.visit(desk, node))?;
    let next = (ended == Ended::Stopped).then(|| kernel::hash::hex(&page.last));
    Ok(Payload { entries: page.entries, next })
}

struct Page<'a> {
    args: &'a Args,
    glob: Globbed,
    after: Vec<u8>,
    entries: Vec<Entry>,
    walked: usize,
    /// The place of the last entry that was dealt with.
    last: Vec<u8>,
}

impl Page<'_> {
    fn visit(&mut self, desk: &Desk<'_>, node: &Node<'_>) -> Step {
        let place = place_of(node);
        let is_control = node.classes.has(Class::Control);
        if node.ignored && !self.args.ignored && !is_control {
            return Step::Past;
        }
        let deeper = match node.depth < self.args.depth && !is_git(node) {
            true => Step::Into,
            false => Step::Past,
        };
        if place <= self.after {
            return if self.after.starts_with(&place) { deeper } else { Step::Past };
        }
        if self.walked == WALKED_MAX || self.entries.len() == self.args.limit {
            return Step::Stop;
        }
        self.walked += 1;
        if self.glob.has(node.path) {
            self.entries.extend(entry(desk, node));
        }
        self.last = place;
        deeper
    }
}

/// Where an entry stands in the order of the walk.
fn place_of(node: &Node<'_>) -> Vec<u8> {
    let end: &[u8] = if node.kind == Kind::Dir { b"/" } else { b"" };
    [node.path, end].concat()
}

fn is_git(node: &Node<'_>) -> bool {
    node.classes.has(Class::Control) && is_in_git(&node.name.to_string_lossy())
}

/// Nothing if it went away since the listing.
fn entry(desk: &Desk<'_>, node: &Node<'_>) -> Option<Entry> {
    let stat = rustix::fs::statat(node.dir, node.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let path = String::from_utf8_lossy(node.path).into_owned();
    let raw = std::str::from_utf8(node.path).is_err().then(|| base64::encode(node.path));
    Some(Entry {
        protected: desk.names.classes(&path).strongest(),
        path,
        raw,
        kind: node.kind,
        size: Facts::of(&stat).size,
        tracked: node.tracked,
        ignored: node.ignored,
        nested_repo: node.kind == Kind::Dir && has_repository(node),
    })
}

fn has_repository(node: &Node<'_>) -> bool {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let dir = beneath::open(node.dir, node.name.to_bytes(), flags, Links::None);
    dir.is_ok_and(|dir| rustix::fs::statat(dir, c".git", AtFlags::SYMLINK_NOFOLLOW).is_ok())
}

fn decode(cursor: &str) -> Result<Vec<u8>, Fault> {
    let bad = || args::bad("cursor", "the `next` of the page before".to_owned());
    if !cursor.len().is_multiple_of(2) || !cursor.is_ascii() {
        return Err(bad());
    }
    let pairs = cursor.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| {
            let pair = std::str::from_utf8(pair).map_err(|_| bad())?;
            u8::from_str_radix(pair, 16).map_err(|_| bad())
        })
        .collect()
}
