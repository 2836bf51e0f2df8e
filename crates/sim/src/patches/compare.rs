//! Cases by seed, ours held against git's. What we refuse, git may think of as it likes.

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
        if trees.get(&made.seed) != Some(tree) {
            let gits = &trees[&made.seed];
            return Err(format!("{}: {tree:?}, git: {gits:?}\n{}", made.seed, shown(made)));
        }
        told.both += 1;
    }
    Ok(told)
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
