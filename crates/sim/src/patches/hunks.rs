//! The hunks between two texts, written out as a diff, and damaged. Made here and not by git, so
//! that git is only ever the judge.

use crate::dice::Dice;

/// One hunk, as it is written out and may be damaged before.
pub(super) struct Hunk {
    old: usize,
    new: usize,
    lines: Vec<(char, Vec<u8>)>,
}

/// The hunks between two texts, by the longest common lines.
pub(super) fn hunks(old: &[u8], new: &[u8], context: usize) -> Vec<Hunk> {
    let split = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let script = script(&split(old), &split(new));
    let changed: Vec<usize> = (0..script.len()).filter(|&at| script[at].0 != ' ').collect();
    let mut out: Vec<Hunk> = Vec::new();
    let mut until = 0;
    for &at in &changed {
        if at < until {
            continue;
        }
        let from = at.saturating_sub(context).max(until);
        let mut to = at + 1;
        while let Some(&next) = changed.iter().find(|&&next| next >= to) {
            if next > to + 2 * context {
                break;
            }
            to = next + 1;
        }
        until = (to + context).min(script.len());
        let count = |skip: char| script[..from].iter().filter(|line| line.0 != skip).count();
        let lines = script[from..until].to_vec();
        out.push(Hunk { old: count('+') + 1, new: count('-') + 1, lines });
    }
    out
}

/// Every line of both, with whether it stays, goes or comes.
fn script(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<(char, Vec<u8>)> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i].clone()));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
            out.push(('-', old[i].clone()));
            i += 1;
        } else {
            out.push(('+', new[j].clone()));
            j += 1;
        }
    }
    out
}

/// Makes it wrong, or at least odd.
pub(super) fn damage(dice: &mut Dice, hunk: &mut Hunk) {
    let at = dice.below(hunk.lines.len());
    match dice.below(6) {
        0 => hunk.old = (hunk.old + dice.below(7)).saturating_sub(3),
        1 => hunk.new = (hunk.new + dice.below(7)).saturating_sub(3),
        2 => {
            let by = dice.below(5);
            (hunk.old, hunk.new) = (hunk.old + by, hunk.new + by);
        }
        3 if hunk.lines[at].0 != '+' => hunk.lines[at].1.insert(0, b'x'),
        4 if hunk.lines.len() > 1 => drop(hunk.lines.remove(at)),
        _ => hunk.lines[at].0 = [' ', '-', '+'][dice.below(3)],
    }
}

/// As a diff writes it.
pub(super) fn written(hunk: &Hunk) -> Vec<u8> {
    let count = |skip: char| hunk.lines.iter().filter(|line| line.0 != skip).count();
    let range = |start: usize, count: usize| match count {
        0 => format!("{},0", start.saturating_sub(1)),
        1 => format!("{start}"),
        _ => format!("{start},{count}"),
    };
    let (old, new) = (range(hunk.old, count('+')), range(hunk.new, count('-')));
    let mut out = format!("@@ -{old} +{new} @@\n").into_bytes();
    for (sign, line) in &hunk.lines {
        out.push(*sign as u8);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
    out
}
