//! Where the hunks of a diff fit: at the line they state, or at the one other place there is. The
//! old lines must be there byte for byte; none is dropped to make a hunk fit.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use super::change::{Conflict, Why};
use super::find::{Overlap, places};
use super::hunk::{Hunk, Stands};
use super::lines::{count, shown, split, to_crlf};
use super::replace::LINES_TOLD_MAX;

/// A text with all its hunks in place.
pub(super) struct Placed {
    pub bytes: Vec<u8>,
    /// By how many lines the hunk that moved furthest missed its stated line.
    pub offset: i64,
    pub added: u32,
    pub removed: u32,
}

/// Which line endings the lines of the hunks get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endings {
    AsSent,
    Crlf,
}

/// A hunk as it is looked for.
struct Wanted<'a> {
    old: Vec<Cow<'a, [u8]>>,
    new: Vec<Cow<'a, [u8]>>,
    /// Where its header says it is, counted from 0.
    stated: usize,
    trust: Trust,
    anchor: Anchor,
}

/// Whether a stated line counts for more than any other place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Old and new line of the header agree.
    Stated,
    /// They do not: one of them is wrong, and nobody knows which.
    Nothing,
}

/// What ties a hunk to an end of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Nowhere,
    Beginning,
    End,
    Both,
}

/// Puts every hunk in its place, or tells of every one that has none.
pub(super) fn place(
    path: &str,
    body: &[u8],
    hunks: &[Hunk<'_>],
    endings: Endings,
) -> Result<Placed, Vec<Conflict>> {
    let lines = split(body);
    let mut conflicts = Vec::new();
    let mut taken: Vec<(Range<usize>, Wanted<'_>)> = Vec::new();
    let (mut grown, mut offset) = (0i64, 0i64);
    for (index, hunk) in hunks.iter().enumerate() {
        let wanted = wanted(hunk, grown, endings);
        grown += signed(wanted.new.len()) - signed(wanted.old.len());
        let ranges: Vec<Range<usize>> = taken.iter().map(|(range, _)| range.clone()).collect();
        match find(&lines, &wanted, &ranges) {
            Ok(at) => {
                let moved = signed(at) - signed(wanted.stated);
                if moved.abs() > offset.abs() {
                    offset = moved;
                }
                taken.push((at..at + wanted.old.len(), wanted));
            }
            Err(found) => conflicts.push(conflict(path, index, &lines, &wanted, &found)),
        }
    }
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    let changed = |stands| hunks.iter().map(|hunk| hunk.count(stands)).sum::<usize>();
    let (added, removed) = (count(changed(Stands::New)), count(changed(Stands::Old)));
    Ok(Placed { bytes: join(&lines, &taken), offset, added, removed })
}

fn join(lines: &[&[u8]], taken: &[(Range<usize>, Wanted<'_>)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut done = 0;
    for (range, wanted) in taken {
        out.extend(lines[done..range.start].iter().copied().flatten());
        out.extend(wanted.new.iter().flat_map(|line| line.iter()));
        done = range.end;
    }
    out.extend(lines[done..].iter().copied().flatten());
    out
}

fn wanted<'a>(hunk: &Hunk<'a>, grown: i64, endings: Endings) -> Wanted<'a> {
    let turned = |text: &'a [u8]| match endings {
        Endings::AsSent => Cow::Borrowed(text),
        Endings::Crlf => Cow::Owned(to_crlf(text)),
    };
    let old: Vec<_> = hunk.old_lines().map(turned).collect();
    let new: Vec<_> = hunk.new_lines().map(turned).collect();
    // A side without lines names the line before it.
    let index = |start: usize, lines: usize| if lines == 0 { start } else { start.max(1) - 1 };
    let stated = index(hunk.old_start, old.len());
    let agree = signed(index(hunk.new_start, new.len())) == signed(stated) + grown;
    let anchor = match (hunk.at_beginning(), hunk.at_end()) {
        (true, true) => Anchor::Both,
        (true, false) => Anchor::Beginning,
        (false, true) => Anchor::End,
        (false, false) => Anchor::Nowhere,
    };
    Wanted { old, new, stated, trust: if agree { Trust::Stated } else { Trust::Nothing }, anchor }
}

/// The place of a hunk, or every place it could have.
fn find(lines: &[&[u8]], wanted: &Wanted<'_>, taken: &[Range<usize>]) -> Result<usize, Vec<usize>> {
    let length = wanted.old.len();
    let free = taken.last().map_or(0, |range| range.end);
    let fits = |at: usize| {
        let here = lines.get(at..at + length);
        here.is_some_and(|here| here.iter().zip(&wanted.old).all(|(a, b)| **a == **b))
    };
    let tied = match wanted.anchor {
        Anchor::Nowhere => None,
        // What an earlier hunk put there is the beginning by now.
        Anchor::Beginning | Anchor::Both if !taken.is_empty() => return Err(Vec::new()),
        Anchor::Beginning => Some(0),
        Anchor::End => Some(lines.len().saturating_sub(length)),
        Anchor::Both if lines.len() == length => Some(0),
        Anchor::Both => return Err(Vec::new()),
    };
    if let Some(at) = tied {
        return if at >= free && fits(at) { Ok(at) } else { Err(Vec::new()) };
    }
    if wanted.trust == Trust::Stated && wanted.stated >= free && fits(wanted.stated) {
        return Ok(wanted.stated);
    }
    let old: Vec<&[u8]> = wanted.old.iter().map(|line| &**line).collect();
    let mut found = places(lines, &old, Overlap::Counted);
    found.retain(|&at| taken.iter().all(|range| at + length <= range.start || at >= range.end));
    match *found {
        [at] if at >= free => Ok(at),
        // Behind an earlier hunk's back: the hunks are not in the order of the file.
        [_] => Err(Vec::new()),
        [] | [_, ..] => Err(found),
    }
}

fn conflict(
    path: &str,
    index: usize,
    lines: &[&[u8]],
    wanted: &Wanted<'_>,
    found: &[usize],
) -> Conflict {
    let hunk = count(index + 1);
    let first = wanted.old.first().map(|line| shown(line));
    if !found.is_empty() {
        let lines = found.iter().take(LINES_TOLD_MAX).map(|at| count(at + 1)).collect();
        let whole = Conflict::of_file(path, Why::NotUnique);
        let line = Some(count(found[0] + 1));
        return Conflict { hunk, want: first, line, lines, ..whole };
    }
    let differs = |&at: &usize| lines.get(wanted.stated + at) != Some(&&*wanted.old[at]);
    let off = (0..wanted.old.len()).find(differs).unwrap_or(wanted.old.len());
    let at = wanted.stated + off;
    Conflict {
        hunk,
        want: wanted.old.get(off).map(|line| shown(line)),
        found: lines.get(at).map(|line| shown(line)),
        line: Some(count(at + 1)),
        ..Conflict::of_file(path, Why::NoMatch)
    }
}

fn signed(lines: usize) -> i64 {
    i64::try_from(lines).unwrap_or(i64::MAX)
}
