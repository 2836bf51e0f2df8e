//! A tree and a diff by seed, over few words so that places repeat. Paths lie below a folder of the
//! seed's own, so that many cases fit one tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::patch::{Content, Executable};

use super::hunks::{damage, hunks, written};
use crate::dice::Dice;

/// Files by path.
pub(super) type Tree = BTreeMap<String, Content>;

/// A text takes whatever is written to it.
const TEXT: &str = "a text takes all";
/// Few words, so that a hunk often fits in several places.
const WORDS: [&str; 7] = ["a", "b", "{", "}", "", "let x = 1;", "中文"];

fn text(dice: &mut Dice, lines: usize) -> Vec<String> {
    (0..lines).map(|_| WORDS[dice.below(WORDS.len())].to_owned()).collect()
}

/// How the lines of a file end.
#[derive(Clone, Copy)]
struct Ends {
    eol: &'static str,
    last: bool,
}

fn join(lines: &[String], ends: Ends) -> Vec<u8> {
    let mut out = lines.join(ends.eol);
    if ends.last && !lines.is_empty() {
        out.push_str(ends.eol);
    }
    out.into_bytes()
}

fn edit(dice: &mut Dice, lines: &mut Vec<String>) {
    for _ in 0..=dice.below(3) {
        let at = dice.below(lines.len() + 1);
        match dice.below(3) {
            0 => lines.insert(at, WORDS[dice.below(WORDS.len())].to_owned()),
            1 if at < lines.len() => drop(lines.remove(at)),
            _ if at < lines.len() => lines[at] = format!("n{}", dice.below(4)),
            _ => lines.push("end".to_owned()),
        }
    }
}

/// Whether a case must be accepted, because nothing was damaged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Whole,
    Damaged,
}

/// A tree, a diff for it, and what is known of them.
pub(super) struct Made {
    pub seed: u64,
    pub tree: Tree,
    pub diff: Vec<u8>,
    pub case: Case,
    git: bool,
}

/// The case of a seed.
pub(super) fn make(seed: u64) -> Made {
    let mut dice = Dice::new(seed);
    let (tree, diff) = (Tree::new(), Vec::new());
    let mut made = Made { seed, tree, diff, case: Case::Whole, git: false };
    for n in 0..=dice.below(3) {
        add_file(&mut dice, &mut made, n);
    }
    made
}

fn add_file(dice: &mut Dice, made: &mut Made, n: usize) {
    let path = format!("{}/{}{n}", made.seed, ["f", "d/g h", "é"][n.min(2)]);
    let eol = if dice.once_in(8) { "\r\n" } else { "\n" };
    let ends = Ends { eol, last: !dice.once_in(4) };
    let count = dice.below(14);
    let mut old = text(dice, count);
    let mut new = old.clone();
    edit(dice, &mut new);
    let new_ends = Ends { last: if dice.once_in(6) { !ends.last } else { ends.last }, ..ends };
    let context = [3, 3, 3, 1, 2, 0][dice.below(6)];
    if context == 0 {
        made.case = Case::Damaged;
    }
    let op = ["modify", "modify", "modify", "create", "delete", "rename", "mode"][dice.below(7)];
    let (before, after) = match op {
        "create" => (Vec::new(), join(&new, new_ends)),
        "delete" => (join(&old, ends), Vec::new()),
        "mode" => (join(&old, ends), join(&old, ends)),
        _ => (join(&old, ends), join(&new, new_ends)),
    };
    let mut hunks = hunks(&before, &after, context);
    if dice.once_in(3) && !hunks.is_empty() {
        let at = dice.below(hunks.len());
        damage(dice, &mut hunks[at]);
        made.case = Case::Damaged;
    }
    // Names without git's header after a header without names would be taken for its own.
    made.git |= op == "rename" || op == "mode" || hunks.is_empty() || dice.once_in(2);
    made.diff.extend(header(op, &path, made.git, hunks.is_empty()).into_bytes());
    hunks.iter().for_each(|hunk| made.diff.extend(written(hunk)));
    if dice.once_in(3) {
        edit(dice, &mut old);
        made.case = Case::Damaged;
    }
    if op != "create" || dice.once_in(10) {
        let executable = if dice.once_in(3) { Executable::Yes } else { Executable::No };
        if op == "create" {
            made.case = Case::Damaged;
        }
        made.tree.insert(path, Content { bytes: join(&old, ends), executable });
    }
    if op == "modify" && hunks.is_empty() {
        made.case = Case::Damaged;
    }
}

fn quoted(prefix: &str, path: &str) -> String {
    if path.is_ascii() {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        match byte {
            b'!'..=b'~' => out.push(char::from(byte)),
            _ => write!(out, "\\{byte:03o}").expect(TEXT),
        }
    }
    out + "\""
}

fn header(op: &str, path: &str, git: bool, empty: bool) -> String {
    let to = if op == "rename" { format!("{path}.to") } else { path.to_owned() };
    let (old, new) = (quoted("a/", path), quoted("b/", &to));
    let mut out = String::new();
    if git {
        writeln!(out, "diff --git {old} {new}").expect(TEXT);
        match op {
            "create" => out.push_str("new file mode 100755\n"),
            "delete" => out.push_str("deleted file mode 100644\n"),
            "mode" => out.push_str("old mode 100644\nnew mode 100755\n"),
            "rename" => {
                let bare = |path: &str| quoted("", path);
                let (from, to) = (bare(path), bare(&to));
                writeln!(out, "similarity index 50%\nrename from {from}\nrename to {to}")
                    .expect(TEXT);
            }
            _ => {}
        }
    }
    if !empty {
        let tab = if path.contains(' ') { "\t" } else { "" };
        let old = if op == "create" { "/dev/null".to_owned() } else { old + tab };
        let new = if op == "delete" { "/dev/null".to_owned() } else { new + tab };
        writeln!(out, "--- {old}\n+++ {new}").expect(TEXT);
    }
    out
}
