//! The tool `read`: lines of one file, with the hash of all of it. It changes nothing, and it
//! gives no text where giving it back later would not be the same bytes.

use std::io::Read as _;

use kernel::paths::{Class, Rel};
use serde::Serialize;
use serde_json::Value;

use super::args::{self, Arg, Shape};
use super::desk::Desk;
use super::fault::Fault;
use super::lines::{self, Eol, Range};
use super::root::Opened;
use crate::tree::Hash;

/// Larger files are not read whole, and their hash is needed: an editor's work, not a tool's.
pub const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Lines given back when nothing is said.
const LIMIT: &str = "2000";

pub(super) const ARGS: &[Arg] = &[
    Arg::new("path", Shape::Text).also(&["file_path", "target_file"]).needed(),
    Arg::new("offset", Shape::Whole { least: 1, most: u64::MAX }).also(&["start_line"]).or("1"),
    Arg::new("limit", Shape::Whole { least: 1, most: u64::MAX }).also(&["lines"]).or(LIMIT),
];

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Args {
    /// The file.
    pub path: Rel,
    /// The first line, counted from 1.
    pub offset: usize,
    /// How many lines.
    pub limit: usize,
}

impl Args {
    /// Reads the arguments.
    ///
    /// # Errors
    /// When one is unknown, missing or wrong, or the path is none for a tool.
    pub fn parse(args: &Value) -> Result<Self, Fault> {
        let taken = args::take(ARGS, args)?;
        let path = taken.text("path");
        let path = Rel::file(&path).map_err(|why| Fault::Path { path, why })?;
        Ok(Self { path, offset: taken.whole("offset"), limit: taken.whole("limit") })
    }
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Payload {
    /// As asked.
    pub path: String,
    /// Of the whole file: the ticket for changing it.
    pub sha256: Hash,
    /// Bytes of the whole file.
    pub size: u64,
    /// Permission bits, four octal digits.
    pub mode: String,
    /// How its lines end.
    pub eol: Eol,
    /// Whether it begins with a byte order mark, which is no part of line 1.
    pub bom: bool,
    /// NUL among its first bytes, or no UTF-8: no text is given.
    pub binary: bool,
    /// The first line given; one past the end if there is none.
    pub start: usize,
    /// The last line given; `start - 1` if there is none.
    pub end: usize,
    /// Lines of the whole file.
    pub lines_total: usize,
    /// The lines, their ends as they are in the file.
    pub text: Option<String>,
    /// Whether lines after `end`, or the rest of it, were left out.
    pub truncated: bool,
}

/// Reads lines of a file.
///
/// # Errors
/// When it cannot be read, is protected, or is too large.
pub fn read(desk: &Desk<'_>, args: &Args) -> Result<Payload, Fault> {
    let opened = desk.open(&args.path)?;
    let mode = format!("{:04o}", opened.facts.mode);
    let path = args.path.as_str().to_owned();
    let bytes = bytes_of(opened, &path)?;
    let range = Range { offset: args.offset, limit: args.limit, bytes_max: desk.text_bytes_max };
    let found = lines::cut(&bytes, &range);
    Ok(Payload {
        path,
        sha256: Hash::of(&bytes),
        size: bytes.len() as u64,
        mode,
        eol: found.eol,
        bom: found.bom,
        binary: found.binary,
        start: found.start,
        end: found.end,
        lines_total: found.lines_total,
        text: found.text,
        truncated: found.truncated,
    })
}

fn bytes_of(opened: Opened, path: &str) -> Result<Vec<u8>, Fault> {
    let too_large = || Fault::TooLarge { path: path.to_owned(), bytes_max: FILE_BYTES_MAX };
    if opened.facts.size > FILE_BYTES_MAX {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(opened.facts.size).unwrap_or_default());
    // A file that grows while it is read must come to an end too.
    let read = opened.file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::io(path, &error))?;
    if bytes.len() as u64 > FILE_BYTES_MAX { Err(too_large()) } else { Ok(bytes) }
}

/// Whether a class may not be read whatever a person says.
pub(super) const fn never_read(class: Class) -> bool {
    match class {
        Class::Control => true,
        Class::Secret | Class::AgentSettings | Class::Sensitive => false,
    }
}
