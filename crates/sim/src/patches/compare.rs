//! Cases by seed, ours held against git's. What we refuse, git may think of as it likes.

use std::collections::BTreeSet;
use std::ops::Range;

use kernel::patch::{apply, parse};

use super::gits::gits;
use super::made::{Case, Made, Tree, make};

/// What became of so many cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    /// Both accept them, to the same bytes.
    pub both: u64,
    /// We refuse them.
    pub stricter: u64,
    /// We turned line endings, which git does not.
    pub turned: u64,
    /// Git glued two lines together: a line without an end, which only the last of a file is, was
    /// found at the beginning of another.
    pub glued: u64,
}

/// Compares the cases of these seeds.
///
/// # Errors
/// The first that we accept and git does not, or to other bytes, or that we refuse though nothing
/// is wrong with it.
pub fn compare(seeds: Range<u64>) -> Result<Told, String> {
    let mut told = Told::default();
    let mut accepted: Vec<(Made, Tree)> = Vec::new();
    for seed in seeds {
        let made = make(seed);
        match ours(&made) {
            Ok((_, true)) => told.turned += 1,
            Ok((tree, false)) => accepted.push((made, tree)),
            Err(why) if made.case == Case::Whole => {
                return Err(format!("{seed}: nothing is wrong with it: {why}\n{}", shown(&made)));
            }
            Err(_) => told.stricter += 1,
        }
    }
    let all: Vec<&Made> = accepted.iter().map(|(made, _)| made).collect();
    let trees = match gits(&all).map_err(|why| why.to_string())? {
        Ok(trees) => trees,
        Err(why) => return Err(laxer(&all, &why)),
    };
    for (made, tree) in &accepted {
        let gits = &trees[&made.seed];
        if gits == tree {
            told.both += 1;
        } else if glued(made, gits) {
            told.glued += 1;
        } else {
            return Err(format!("{}: {tree:?}, git: {gits:?}\n{}", made.seed, shown(made)));
        }
    }
    Ok(told)
}

/// Whether a tree has a line that neither the files nor the diff have, and that begins with one
/// that has no end there.
fn glued(made: &Made, gits: &Tree) -> bool {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let sent = lines(&made.diff);
    let told = sent.iter().filter(|line| !line.is_empty()).map(|line| line[1..].to_vec());
    let files = made.tree.values().flat_map(|content| lines(&content.bytes));
    let known: BTreeSet<Vec<u8>> = told.chain(files).collect();
    let ends = sent.windows(2).filter(|pair| pair[1].starts_with(b"\\ No newline"));
    let ends: Vec<&[u8]> = ends.filter_map(|pair| pair[0].get(1..)).collect();
    let strange =
        |line: &Vec<u8>| !known.contains(line) && ends.iter().any(|end| line.starts_with(end));
    gits.values().any(|content| lines(&content.bytes).iter().any(strange))
}

/// Which one git does not take, each asked for alone.
fn laxer(all: &[&Made], said: &str) -> String {
    for made in all {
        match gits(&[made]) {
            Ok(Ok(_)) => {}
            Ok(Err(why)) => return format!("{}: laxer: {why}\n{}", made.seed, shown(made)),
            Err(why) => return why.to_string(),
        }
    }
    format!("only together: {said}")
}

fn shown(made: &Made) -> String {
    String::from_utf8_lossy(&made.diff).into_owned()
}

/// What our patch makes of the tree, and whether it turned line endings.
fn ours(made: &Made) -> Result<(Tree, bool), String> {
    let diff = parse(&made.diff).map_err(|why| format!("{why:?}"))?;
    let changes =
        apply(&diff, |path| made.tree.get(path).cloned()).map_err(|why| format!("{why:?}"))?;
    let mut tree = made.tree.clone();
    let mut translated = false;
    for change in changes {
        translated |= change.eol_translated;
        match change.after {
            Some(after) => drop(tree.insert(change.path, after)),
            None => drop(tree.remove(&change.path)),
        }
    }
    Ok((tree, translated))
}
