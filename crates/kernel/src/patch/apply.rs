//! A whole patch against what stands at its paths: the new content of every file, or every
//! conflict, never a part. What stands there is asked for once per path.

use alloc::vec;
use alloc::vec::Vec;

use super::args::Edit;
use super::change::{Action, Change, Conflict, Content, Executable, Refused, Why};
use super::diff::{Diff, FileDiff, Op};
use super::hunk::Hunk;
use super::lines::{BOM, Eol, count, eol, split_bom};
use super::place::{Endings, Placed, place};
use super::replace::replace;

/// What a diff makes of the files, in its own order; a rename gives two.
///
/// # Errors
/// With every place that does not fit.
pub fn apply(
    diff: &Diff<'_>,
    mut look: impl FnMut(&str) -> Option<Content>,
) -> Result<Vec<Change>, Refused> {
    let mut changes = Vec::new();
    let mut conflicts = Vec::new();
    for file in &diff.files {
        match apply_file(file, &mut look) {
            Ok(done) => changes.extend(done),
            Err(more) => conflicts.extend(more),
        }
    }
    if conflicts.is_empty() { Ok(changes) } else { Err(Refused::Conflicts(conflicts)) }
}

/// What a search and replace makes of its file.
///
/// # Errors
/// When the text does not occur as often as it should.
pub fn edited(edit: &Edit, before: Option<Content>) -> Result<Change, Refused> {
    let missing = || Conflict::of_file(&edit.path, Why::NotFound);
    let before = before.ok_or_else(|| Refused::Conflicts(vec![missing()]))?;
    let replaced =
        replace(&before.bytes, edit).map_err(|conflict| Refused::Conflicts(vec![conflict]))?;
    let after = Content { bytes: replaced.bytes, executable: before.executable };
    Ok(Change {
        path: edit.path.clone(),
        action: Action::Modify,
        from: None,
        before: Some(before),
        after: Some(after),
        hunks: replaced.places,
        offset: 0,
        added: replaced.added,
        removed: replaced.removed,
        eol_translated: replaced.eol_translated,
    })
}

fn apply_file(
    file: &FileDiff<'_>,
    look: &mut impl FnMut(&str) -> Option<Content>,
) -> Result<Vec<Change>, Vec<Conflict>> {
    let of_file = |path: &str, why| vec![Conflict::of_file(path, why)];
    let here = look(&file.path);
    match &file.op {
        Op::Create if here.is_some() => Err(of_file(&file.path, Why::Exists)),
        Op::Create => {
            let empty = Content { bytes: Vec::new(), executable: Executable::No };
            let (placed, after) = text(file, &file.path, &empty)?;
            Ok(vec![change(file, Action::Create, None, Some(after), &placed)])
        }
        Op::Modify => {
            let before = here.ok_or_else(|| of_file(&file.path, Why::NotFound))?;
            let (placed, after) = text(file, &file.path, &before)?;
            Ok(vec![change(file, Action::Modify, Some(before), Some(after), &placed)])
        }
        Op::Delete => {
            let before = here.ok_or_else(|| of_file(&file.path, Why::NotFound))?;
            let (placed, after) = text(file, &file.path, &before)?;
            if !after.bytes.is_empty() {
                return Err(of_file(&file.path, Why::LeavesContent));
            }
            Ok(vec![change(file, Action::Delete, Some(before), None, &placed)])
        }
        Op::Rename { from } => {
            let before = look(from).ok_or_else(|| of_file(from, Why::NotFound))?;
            if here.is_some() {
                return Err(of_file(&file.path, Why::Exists));
            }
            let (placed, after) = text(file, from, &before)?;
            let gone = Change {
                path: from.clone(),
                hunks: 0,
                ..change(file, Action::Delete, Some(before), None, &NOTHING)
            };
            let made = change(file, Action::Create, None, Some(after), &placed);
            Ok(vec![gone, Change { from: Some(from.clone()), ..made }])
        }
    }
}

/// A text with its hunks in place, and whether their line endings were turned.
struct Done {
    placed: Placed,
    endings: Endings,
}

const NOTHING: Done = Done {
    placed: Placed { bytes: Vec::new(), offset: 0, added: 0, removed: 0 },
    endings: Endings::AsSent,
};

fn text(
    file: &FileDiff<'_>,
    path: &str,
    before: &Content,
) -> Result<(Done, Content), Vec<Conflict>> {
    let done = hunks_in(path, &before.bytes, &file.hunks)?;
    let bytes = done.placed.bytes.clone();
    let executable = file.executable.unwrap_or(before.executable);
    Ok((done, Content { bytes, executable }))
}

fn hunks_in(path: &str, bytes: &[u8], hunks: &[Hunk<'_>]) -> Result<Done, Vec<Conflict>> {
    let (bom, body) = split_bom(bytes);
    let has_cr = hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.text.contains(&b'\r'));
    let endings = match eol(body) {
        Eol::Crlf if !has_cr && !hunks.is_empty() => Endings::Crlf,
        Eol::Crlf | Eol::Lf | Eol::Mixed | Eol::None => Endings::AsSent,
    };
    let exact = place(path, bytes, hunks, endings);
    let knows_bom = hunks.iter().flat_map(Hunk::old_lines).any(|line| line.starts_with(BOM));
    let placed = match exact {
        // A diff made by a program has the mark in line 1; one made by hand has not.
        Err(_) if !bom.is_empty() && !knows_bom => {
            let mut placed = place(path, body, hunks, endings)?;
            placed.bytes.splice(0..0, bom.iter().copied());
            placed
        }
        Ok(_) | Err(_) => exact?,
    };
    Ok(Done { placed, endings })
}

fn change(
    file: &FileDiff<'_>,
    action: Action,
    before: Option<Content>,
    after: Option<Content>,
    done: &Done,
) -> Change {
    Change {
        path: file.path.clone(),
        action,
        from: None,
        before,
        after,
        hunks: count(file.hunks.len()),
        offset: done.placed.offset,
        added: done.placed.added,
        removed: done.placed.removed,
        eol_translated: done.endings == Endings::Crlf,
    }
}
