//! Our patches against `git apply`: the same bytes on every diff that both accept, and never laxer.
//! Diffs are made here, over few words so that places repeat, and then damaged. The long form is
//! asked for with `LOOPWRIGHT_PATCH_CASES=100000`.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use kernel::patch::{Content, Executable, apply, parse};

/// What CI runs; each starts a process.
const CASES: u64 = 500;

type Tree = BTreeMap<String, Content>;

/// A generator of our own: the same cases on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Few words, so that a hunk often fits in several places.
const WORDS: [&str; 7] = ["a", "b", "{", "}", "", "let x = 1;", "中文"];

fn text(random: &mut Random, lines: usize) -> Vec<String> {
    (0..lines).map(|_| WORDS[random.below(WORDS.len())].to_owned()).collect()
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

fn edit(random: &mut Random, lines: &mut Vec<String>) {
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len() + 1);
        match random.below(3) {
            0 => lines.insert(at, WORDS[random.below(WORDS.len())].to_owned()),
            1 if at < lines.len() => drop(lines.remove(at)),
            _ if at < lines.len() => lines[at] = format!("n{}", random.below(4)),
            _ => lines.push("end".to_owned()),
        }
    }
}

/// One hunk, as it is written out and may be damaged before.
struct Hunk {
    old: usize,
    new: usize,
    lines: Vec<(char, Vec<u8>)>,
}

/// The hunks between two texts, by the longest common lines.
fn hunks(old: &[u8], new: &[u8], context: usize) -> Vec<Hunk> {
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

fn damage(random: &mut Random, hunk: &mut Hunk) {
    let at = random.below(hunk.lines.len());
    match random.below(6) {
        0 => hunk.old = (hunk.old + random.below(7)).saturating_sub(3),
        1 => hunk.new = (hunk.new + random.below(7)).saturating_sub(3),
        2 => {
            let by = random.below(5);
            (hunk.old, hunk.new) = (hunk.old + by, hunk.new + by);
        }
        3 if hunk.lines[at].0 != '+' => hunk.lines[at].1.insert(0, b'x'),
        4 if hunk.lines.len() > 1 => drop(hunk.lines.remove(at)),
        _ => hunk.lines[at].0 = [' ', '-', '+'][random.below(3)],
    }
}

fn written(hunk: &Hunk) -> Vec<u8> {
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

/// Whether a case must be accepted, because nothing was damaged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Whole,
    Damaged,
}

struct Made {
    tree: Tree,
    diff: Vec<u8>,
    case: Case,
    git: bool,
}

fn make(seed: u64) -> Made {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        random.next();
    }
    let mut made = Made { tree: Tree::new(), diff: Vec::new(), case: Case::Whole, git: false };
    for n in 0..=random.below(3) {
        add_file(&mut random, &mut made, n);
    }
    made
}

fn add_file(random: &mut Random, made: &mut Made, n: usize) {
    let path = ["f", "d/g h", "é"][n.min(2)].to_owned() + &n.to_string();
    let eol = if random.one_in(8) { "\r\n" } else { "\n" };
    let ends = Ends { eol, last: !random.one_in(4) };
    let count = random.below(14);
    let mut old = text(random, count);
    let mut new = old.clone();
    edit(random, &mut new);
    let new_ends = Ends { last: if random.one_in(6) { !ends.last } else { ends.last }, ..ends };
    let context = [3, 3, 3, 1, 2, 0][random.below(6)];
    if context == 0 {
        made.case = Case::Damaged;
    }
    let op = ["modify", "modify", "modify", "create", "delete", "rename", "mode"][random.below(7)];
    let (before, after) = match op {
        "create" => (Vec::new(), join(&new, new_ends)),
        "delete" => (join(&old, ends), Vec::new()),
        "mode" => (join(&old, ends), join(&old, ends)),
        _ => (join(&old, ends), join(&new, new_ends)),
    };
    let mut hunks = hunks(&before, &after, context);
    if random.one_in(3) && !hunks.is_empty() {
        let at = random.below(hunks.len());
        damage(random, &mut hunks[at]);
        made.case = Case::Damaged;
    }
    // Names without git's header after a header without names would be taken for its own.
    made.git |= op == "rename" || op == "mode" || hunks.is_empty() || random.one_in(2);
    made.diff.extend(header(op, &path, made.git, hunks.is_empty()).into_bytes());
    hunks.iter().for_each(|hunk| made.diff.extend(written(hunk)));
    if random.one_in(3) {
        edit(random, &mut old);
        made.case = Case::Damaged;
    }
    if op != "create" || random.one_in(10) {
        let executable = if random.one_in(3) { Executable::Yes } else { Executable::No };
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
            _ => write!(out, "\\{byte:03o}").unwrap(),
        }
    }
    out + "\""
}

fn header(op: &str, path: &str, git: bool, empty: bool) -> String {
    let to = if op == "rename" { format!("{path}.to") } else { path.to_owned() };
    let (old, new) = (quoted("a/", path), quoted("b/", &to));
    let mut out = String::new();
    if git {
        writeln!(out, "diff --git {old} {new}").unwrap();
        match op {
            "create" => out.push_str("new file mode 100755\n"),
            "delete" => out.push_str("deleted file mode 100644\n"),
            "mode" => out.push_str("old mode 100644\nnew mode 100755\n"),
            "rename" => {
                let bare = |path: &str| quoted("", path);
                let (from, to) = (bare(path), bare(&to));
                writeln!(out, "similarity index 50%\nrename from {from}\nrename to {to}").unwrap();
            }
            _ => {}
        }
    }
    if !empty {
        let tab = if path.contains(' ') { "\t" } else { "" };
        let old = if op == "create" { "/dev/null".to_owned() } else { old + tab };
        let new = if op == "delete" { "/dev/null".to_owned() } else { new + tab };
        writeln!(out, "--- {old}\n+++ {new}").unwrap();
    }
    out
}

/// What our patch makes of the tree.
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

/// What git makes of it.
fn gits(made: &Made, dir: &Path) -> Result<Tree, String> {
    let work = dir.join("work");
    drop(fs::remove_dir_all(&work));
    fs::create_dir_all(&work).unwrap();
    for (path, content) in &made.tree {
        let file = work.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &content.bytes).unwrap();
        let mode = if content.executable == Executable::Yes { 0o755 } else { 0o644 };
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::write(dir.join("patch"), &made.diff).unwrap();
    let output = Command::new("git")
        .args(["apply", "--whitespace=nowarn", "../patch"])
        .current_dir(&work)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CEILING_DIRECTORIES", dir)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .expect("git is there");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut tree = Tree::new();
    read(&work, "", &mut tree);
    Ok(tree)
}

fn read(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        let meta = entry.metadata().unwrap();
        if meta.is_dir() {
            read(&entry.path(), &format!("{path}/"), tree);
        } else {
            let executable = match meta.permissions().mode() & 0o100 {
                0 => Executable::No,
                _ => Executable::Yes,
            };
            tree.insert(path, Content { bytes: fs::read(entry.path()).unwrap(), executable });
        }
    }
}

#[test]
fn invariant_never_laxer_than_git_and_the_same_bytes() {
    let cases = std::env::var("LOOPWRIGHT_PATCH_CASES").ok().and_then(|n| n.parse().ok());
    let cases: u64 = cases.unwrap_or(CASES);
    let dir = tempfile::tempdir().unwrap();
    let (mut both, mut stricter, mut turned) = (0, 0, 0);
    for seed in 0..cases {
        let made = make(seed);
        let shown = || String::from_utf8_lossy(&made.diff).into_owned();
        match ours(&made) {
            Ok((_, true)) => turned += 1,
            Ok((tree, false)) => {
                let gits = gits(&made, dir.path());
                let gits = gits.unwrap_or_else(|why| panic!("{seed}: laxer: {why}\n{}", shown()));
                assert_eq!(tree, gits, "seed {seed}\n{}", shown());
                both += 1;
            }
            Err(why) => {
                let whole = made.case == Case::Whole;
                assert!(!whole, "{seed}: nothing is wrong with it: {why}\n{}", shown());
                stricter += 1;
            }
        }
    }
    // Without enough of each the rest would prove nothing.
    assert!(both > cases / 4 && stricter > cases / 20, "{both} {stricter} {turned} of {cases}");
    println!("{both} the same, {stricter} refused, {turned} with line endings turned");
}
