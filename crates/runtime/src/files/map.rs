//! The map of a repository: its most central files with the names they define, short enough to
//! show a model. Central means near the root; names are found by simple patterns of lines, and
//! the map says so. It parses no language.

use std::io::Read as _;

use kernel::paths::{Class, Rel};
use serde::Serialize;

use super::desk::Desk;
use super::facts::Kind;
use super::fault::Fault;
use super::symbols;
use super::walk::{self, Ground, Step};

/// Files on the map.
const FILES_SHOWN_MAX: usize = 50;
/// Bytes of the map as lines of text.
const BYTES_MAX: usize = 16 * 1024;
/// Names of each file.
const NAMES_MAX: usize = 8;
/// What a file at the root weighs; one deeper weighs its share by depth.
const WEIGHT: f64 = 10.0;
/// How much of a file is looked through for names.
const LOOK_BYTES: u64 = 256 * 1024;
/// Files that are weighed.
const WALKED_MAX: usize = 100_000;

/// How the names were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// By patterns of single lines: some are missed, some may be wrong.
    LinePatterns,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct File {
    /// Below the root.
    pub path: String,
    /// Ten over its depth.
    pub weight: f64,
    /// Classes, functions, interfaces and structures at its top level, the first few.
    pub names: Vec<String>,
}

/// The map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Map {
    /// Heaviest first, then in the order of paths.
    pub files: Vec<File>,
    /// How names were found.
    pub names_by: Found,
    /// Files there are.
    pub files_total: usize,
    /// Whether files were left out.
    pub truncated: bool,
}

impl File {
    /// The file as one line of text.
    #[must_use]
    pub fn line(&self) -> String {
        match self.names.is_empty() {
            true => self.path.clone(),
            false => format!("{}: {}", self.path, self.names.join(", ")),
        }
    }
}

/// Draws the map.
///
/// # Errors
/// When the root cannot be walked.
pub fn map(desk: &Desk<'_>) -> Result<Map, Fault> {
    let mut paths: Vec<String> = Vec::new();
    let ground = Ground { root: desk.root, names: desk.names };
    walk::walk(&ground, &Rel::root(), |node| {
        let hidden = node.classes.has(Class::Secret) || node.classes.has(Class::Control);
        if node.ignored || hidden {
            return Step::Past;
        }
        if node.kind == Kind::File {
            if paths.len() == WALKED_MAX {
                return Step::Stop;
            }
            paths.extend(std::str::from_utf8(node.path).map(ToOwned::to_owned).ok());
        }
        Step::Into
    })?;
    let files_total = paths.len();
    // Stable: the walk came in the order of paths.
    paths.sort_by_key(|path| depth(path));
    let files = fitting(paths.iter().take(FILES_SHOWN_MAX).map(|path| file(desk, path)));
    let truncated = files.len() < files_total;
    Ok(Map { files, names_by: Found::LinePatterns, files_total, truncated })
}

fn depth(path: &str) -> usize {
    path.split('/').count()
}

/// As many as the map has room for.
fn fitting(files: impl Iterator<Item = File>) -> Vec<File> {
    let mut used = 0;
    let mut kept = Vec::new();
    for file in files {
        used += file.line().len() + 1;
        if used > BYTES_MAX {
            break;
        }
        kept.push(file);
    }
    kept
}

fn file(desk: &Desk<'_>, path: &str) -> File {
    let weight = (WEIGHT / depth(path) as f64 * 100.0).round() / 100.0;
    let names =
        text(desk, path).map(|text| symbols::names(path, &text, NAMES_MAX)).unwrap_or_default();
    File { path: path.to_owned(), weight, names }
}

/// The beginning of a file; nothing if it is no text or may not be read.
fn text(desk: &Desk<'_>, path: &str) -> Option<String> {
    let opened = desk.open(&Rel::file(path).ok()?).ok()?;
    let mut bytes = Vec::new();
    opened.file.take(LOOK_BYTES).read_to_end(&mut bytes).ok()?;
    (!super::lines::has_nul(&bytes)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
