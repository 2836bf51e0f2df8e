//! The scratchpad as lines: what people and agents jot down. Two hands may write it at once, so an
//! edit is merged by lines and nothing that either wrote is lost.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::super::bounds::SCRATCH_BYTES_MAX;

/// Above this many compared pairs of lines a changed block counts as replaced as a whole.
const PAIRS_MAX: usize = 4_000_000;

/// A text as lines of the scratchpad.
#[must_use]
pub fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

/// What the lines take in a file.
pub(super) fn bytes(lines: &[String]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

/// The lines with more behind them; the oldest go when there is no room.
#[must_use]
pub fn added(lines: &[String], more: &[String]) -> Vec<String> {
    let all: Vec<String> = lines.iter().chain(more).cloned().collect();
    let mut over = bytes(&all).saturating_sub(SCRATCH_BYTES_MAX);
    let mut from = 0;
    while over > 0 && from < all.len() {
        over = over.saturating_sub(all[from].len() + 1);
        from += 1;
    }
    all[from..].to_vec()
}

/// What an edit of `base` comes to where meanwhile there is `now`: lines that either took away are
/// gone, lines that either added are there, those of `now` first.
#[must_use]
pub fn merge(base: &[String], edit: &[String], now: &[String]) -> Vec<String> {
    if base == now {
        return edit.to_vec();
    }
    let (theirs, ours) = (Against::new(base, edit), Against::new(base, now));
    let mut out = Vec::new();
    for at in 0..=base.len() {
        let (added, more) = (ours.before(at), theirs.before(at));
        out.extend_from_slice(added);
        // The same line may have been taken in before a crash; it is not told twice.
        out.extend(more.iter().filter(|line| !added.contains(line)).cloned());
        if at < base.len() && ours.keeps(at) && theirs.keeps(at) {
            out.push(base[at].clone());
        }
    }
    out
}

/// Where the lines of a base are in a changed text.
struct Against<'a> {
    changed: &'a [String],
    /// For each line of the base its place in the changed text, if it is still there.
    places: Vec<Option<usize>>,
}

impl<'a> Against<'a> {
    fn new(base: &[String], changed: &'a [String]) -> Self {
        let head = base.iter().zip(changed).take_while(|(a, b)| a == b).count();
        let tail = base[head..].iter().rev().zip(changed[head..].iter().rev());
        let tail = tail.take_while(|(a, b)| a == b).count();
        let mut places = vec![None; base.len()];
        for (at, place) in places.iter_mut().enumerate().take(head) {
            *place = Some(at);
        }
        for back in 1..=tail {
            places[base.len() - back] = Some(changed.len() - back);
        }
        let (old, new) = (&base[head..base.len() - tail], &changed[head..changed.len() - tail]);
        for (at, place) in common(old, new) {
            places[head + at] = Some(head + place);
        }
        Self { changed, places }
    }

    fn keeps(&self, at: usize) -> bool {
        self.places[at].is_some()
    }

    /// The lines that were put before a line of the base; behind the last for its length.
    fn before(&self, at: usize) -> &'a [String] {
        let kept = |range: &[Option<usize>]| range.iter().rev().find_map(|place| *place);
        // A line that was taken away has nothing before it: its neighbours say what came there.
        let end = match self.places.get(at) {
            Some(Some(place)) => *place,
            Some(None) => return &[],
            None => self.changed.len(),
        };
        let start = kept(&self.places[..at]).map_or(0, |place| place + 1);
        &self.changed[start..end]
    }
}

/// Pairs of places that hold the same line, in the order of both: a longest common part.
fn common(old: &[String], new: &[String]) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(new.len()) > PAIRS_MAX {
        return Vec::new();
    }
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
