//! The inverse patch of a change, drawn for people from the saved bytes. Nothing is ever undone
//! by it: a patch fails once its file changed, bytes do not.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use rustix::fs::OFlags;
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline, group_diff_ops};

use super::content::Kind;
use super::manifest::{Entry, Manifest, Of, Record};
use crate::shim::durable;

/// The name of the view.
const NAME: &str = "inverse.patch";
/// A longer file is named, not shown.
const SHOWN_BYTES_MAX: u64 = 1 << 20;
/// Lines around a change, as everywhere.
const CONTEXT: usize = 3;
/// After this the rest is shown as one change: right, if not short.
const DIFF_TIME: Duration = Duration::from_millis(200);

/// Draws the view beside the saved bytes.
pub(super) fn draw(record: &Record, manifest: &Manifest) -> io::Result<()> {
    let path = record.directory(Of::Before).join(NAME);
    let mut file = durable::open(&path, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?;
    for entry in manifest.paths.iter().filter(|entry| entry.kind != Kind::Dir) {
        file.write_all(&of_entry(record, entry))?;
    }
    Ok(())
}

fn of_entry(record: &Record, entry: &Entry) -> Vec<u8> {
    let mut out = header(entry).into_bytes();
    let read = |of: Of, there: bool| match there {
        false => Some(Vec::new()),
        true => durable::read(&record.bytes(entry.n, of), SHOWN_BYTES_MAX).ok(),
    };
    let old = read(Of::After, entry.after.is_some());
    let new = read(Of::Before, entry.before.is_some());
    let (old_name, new_name) = names(entry);
    let shown = |bytes: &Vec<u8>| !bytes.contains(&0);
    match old.zip(new).filter(|(old, new)| shown(old) && shown(new)) {
        Some((old, new)) if old == new => {}
        Some((old, new)) => {
            out.extend(format!("--- {old_name}\n+++ {new_name}\n").into_bytes());
            hunks(&old, &new, &mut out);
        }
        None => out.extend(format!("Binary files {old_name} and {new_name} differ\n").into_bytes()),
    }
    out
}

fn header(entry: &Entry) -> String {
    let (a, b) = (quoted("a/", entry), quoted("b/", entry));
    let mut out = format!("diff --git {a} {b}\n");
    let mode = |mode: u32, kind: Option<Kind>| match kind.unwrap_or(entry.kind) {
        Kind::Symlink => "120000",
        Kind::File | Kind::Dir if mode & 0o100 != 0 => "100755",
        Kind::File | Kind::Dir => "100644",
    };
    let said = |side: &super::Side| mode(side.mode, side.kind);
    let written = match (&entry.after, &entry.before) {
        (None, Some(before)) => writeln!(out, "new file mode {}", said(before)),
        (Some(after), None) => writeln!(out, "deleted file mode {}", said(after)),
        (Some(after), Some(before)) if said(after) != said(before) => {
            writeln!(out, "old mode {}\nnew mode {}", said(after), said(before))
        }
        (Some(_), Some(_)) | (None, None) => Ok(()),
    };
    written.expect("writing to a string does not fail");
    out
}

fn names(entry: &Entry) -> (String, String) {
    let null = || "/dev/null".to_owned();
    let old = entry.after.as_ref().map_or_else(null, |_| quoted("a/", entry));
    let new = entry.before.as_ref().map_or_else(null, |_| quoted("b/", entry));
    (old, new)
}

/// The name as git writes it: quoted where a byte is unusual.
fn quoted(prefix: &str, entry: &Entry) -> String {
    let name = format!("{prefix}{}", entry.path);
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    if name.bytes().all(plain) {
        return name;
    }
    let mut out = String::from("\"");
    for byte in name.bytes() {
        if plain(byte) || byte == b' ' {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("\\{byte:03o}"));
        }
    }
    out.push('"');
    out
}

/// The hunks between two texts.
pub(crate) fn hunks(old: &[u8], new: &[u8], out: &mut Vec<u8>) {
    let lines = |bytes| -> Vec<&[u8]> { <[u8]>::split_inclusive(bytes, |&b| b == b'\n').collect() };
    let (old, new) = (lines(old), lines(new));
    let until = Some(Instant::now() + DIFF_TIME);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until);
    for group in group_diff_ops(ops, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            count => format!("{},{count}", start + 1),
        };
        let removed = range(first.old_range().start, last.old_range().end);
        let added = range(first.new_range().start, last.new_range().end);
        out.extend(format!("@@ -{removed} +{added} @@\n").into_bytes());
        for op in group {
            let (tag, old_range, new_range) = op.as_tag_tuple();
            match tag {
                DiffTag::Equal => put(out, b' ', &old[old_range]),
                DiffTag::Delete => put(out, b'-', &old[old_range]),
                DiffTag::Insert => put(out, b'+', &new[new_range]),
                DiffTag::Replace => {
                    put(out, b'-', &old[old_range]);
                    put(out, b'+', &new[new_range]);
                }
            }
        }
    }
}

fn put(out: &mut Vec<u8>, sign: u8, lines: &[&[u8]]) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}
