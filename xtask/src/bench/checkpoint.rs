//! `cargo xtask bench checkpoint`: a checkpoint of a tree, first and with one file changed, against
//! `git add -A && git write-tree` with a fresh and with a kept index.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use kernel::machine::At;
use runtime::checkpoints::{Always, Ask, Git, Keeper, Setup};
use runtime::tree::Scope;
use runtime::workspace::Root;
use serde_json::{Value, json};

/// Files of the tree; their sizes are those of source files.
const FILES: usize = 6_000;
/// Files of one directory.
const FOLDER: usize = 50;
/// Times each is measured; the median counts.
const TIMES: usize = 9;

/// Measures and returns the result as JSON.
///
/// # Errors
/// When git is missing or something fails.
pub fn run() -> Result<Value> {
    let dir = tempfile::tempdir()?;
    let tree = dir.path().join("tree");
    make(&tree)?;
    git(&tree, &[OsStr::new("init"), OsStr::new("-q")], None)?;
    // Files as young as the look at them would be read twice.
    std::thread::sleep(Duration::from_millis(100));
    let (mut first, mut first_git, mut next, mut next_git) = (vec![], vec![], vec![], vec![]);
    for turn in 0..TIMES {
        let index = dir.path().join(format!("index-{turn}"));
        std::fs::remove_dir_all(tree.join(".git"))?;
        git(&tree, &[OsStr::new("init"), OsStr::new("-q")], None)?;
        first_git.push(add(&tree, &index)?);
        let mut keeper = keeper(&tree, &dir.path().join(format!("loop-{turn}")))?;
        first.push(make_one(&mut keeper, dir.path(), &format!("call-{turn}"))?);
        // Once more, so that nothing is as young as the last look.
        std::thread::sleep(Duration::from_millis(50));
        let mark = keeper.look()?;
        keeper.mark(&mark, "call-settle", At(1), &mut Always)?;
        add(&tree, &index)?;
        std::fs::write(tree.join("d3/f7.rs"), format!("fn changed_{turn}() {{}}\n"))?;
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        let mark = keeper.look()?;
        keeper.mark(&mark, "call-next", At(2), &mut Always)?;
        next.push(begun.elapsed());
        next_git.push(add(&tree, &index)?);
    }
    let [first, first_git, next, next_git] = [first, first_git, next, next_git].map(median_ms);
    Ok(json!({
        "files": FILES,
        "first_ms": first,
        "first_git_ms": first_git,
        "first_ratio": rounded(first / first_git),
        "next_ms": next,
        "next_git_ms": next_git,
        "next_ratio": rounded(next / next_git),
    }))
}

fn make(tree: &Path) -> Result<()> {
    for file in 0..FILES {
        let folder = tree.join(format!("d{}", file / FOLDER));
        std::fs::create_dir_all(&folder)?;
        let line = format!("fn f{file}() -> usize {{ {} }}\n", file * 7919);
        let text = line.repeat(10 + file % 200);
        std::fs::write(folder.join(format!("f{}.rs", file % FOLDER)), text)?;
    }
    Ok(())
}

fn keeper(tree: &Path, loop_dir: &Path) -> Result<Keeper> {
    std::fs::create_dir_all(loop_dir)?;
    let search = std::env::var_os("PATH").unwrap_or_default();
    let git = Git::find(None, &search, tree).map_err(|why| anyhow!("no git: {why:?}"))?;
    let setup = Setup {
        root: Root::at(tree)?,
        loop_dir: loop_dir.to_path_buf(),
        scope: Scope::default(),
        disk_floor_bytes: 0,
        quota_bytes: u64::MAX,
    };
    Ok(Keeper::new(setup, Ok(git)))
}

fn make_one(keeper: &mut Keeper, dir: &Path, call: &str) -> Result<Duration> {
    let call_dir = dir.join("calls").join(call);
    let begun = Instant::now();
    let ask = Ask { call, call_dir: &call_dir, label: None, at: At(1) };
    let made = keeper.make(ask, &mut Always)?;
    let took = begun.elapsed();
    ensure!(made.files == FILES as u64, "{} files", made.files);
    Ok(took)
}

/// What a user's git takes for the same.
fn add(tree: &Path, index: &Path) -> Result<Duration> {
    let begun = Instant::now();
    git(tree, &[OsStr::new("add"), OsStr::new("-A")], Some(index))?;
    git(tree, &[OsStr::new("write-tree")], Some(index))?;
    Ok(begun.elapsed())
}

fn git(tree: &Path, args: &[&OsStr], index: Option<&Path>) -> Result<()> {
    let mut command = Command::new("git");
    command.args(args).current_dir(tree).stdin(Stdio::null()).stdout(Stdio::null());
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    ensure!(command.status()?.success(), "git {args:?} failed");
    Ok(())
}

fn median_ms(mut took: Vec<Duration>) -> f64 {
    took.sort();
    rounded(took[took.len() / 2].as_secs_f64() * 1000.0)
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
