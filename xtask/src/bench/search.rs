//! `cargo xtask bench search`: the search tool in process over a generated tree, against ripgrep
//! on the same tree with the same query. What ripgrep needs merely to start is taken off its time,
//! since ours does not start anything.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kernel::paths::Names;
use runtime::files::{Desk, Root, search};
use serde_json::{Value, json};

/// Directories of the tree, and files in each.
const DIRECTORIES: usize = 300;
const FILES_EACH: usize = 20;
/// Lines of a file.
const LINES: usize = 120;
/// Every so many files hold a line that fits.
const HIT_EVERY: usize = 60;
/// What is searched: lower case, so that case does not matter to either.
const QUERY: &str = "needle_in_the_tree";
/// Searches of each kind; the medians are compared.
const ROUNDS: usize = 21;

/// Measures and returns the result as JSON.
///
/// # Errors
/// When there is no ripgrep, or the two do not find the same lines.
pub fn run() -> Result<Value> {
    let version = version()?;
    let dir = tempfile::tempdir()?;
    let tree = dir.path().join("tree");
    let expected = fill(&tree)?;
    let root = Root::open(&tree)?;
    let names = Names::default();
    let desk = Desk::new(&root, &names);
    let args = search::Args::parse(&json!({ "query": QUERY, "limit": 1000 }))?;
    let mut took = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let [ours, peer, start] = &mut took;
        ours.push(timed(|| {
            let found = search::search(&desk, &args)?;
            ensure!(found.hits.len() == expected, "we found {}", found.hits.len());
            Ok(())
        })?);
        peer.push(timed(|| ripgrep(&tree, expected))?);
        start.push(timed(version_again)?);
    }
    let [ours, peer, start] = took.map(median);
    let peer = peer.saturating_sub(start);
    let ratio = ours.as_secs_f64() / peer.as_secs_f64();
    Ok(json!({
        "files": DIRECTORIES * FILES_EACH,
        "hits": expected,
        "rg": version,
        "search_ms": in_ms(ours),
        "rg_ms": in_ms(peer),
        "rg_start_ms": in_ms(start),
        "ratio_rg": (ratio * 1000.0).round() / 1000.0,
    }))
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took[took.len() / 2]
}

fn in_ms(took: Duration) -> f64 {
    (took.as_secs_f64() * 100_000.0).round() / 100.0
}

/// Writes the tree and says how many lines fit.
fn fill(tree: &Path) -> Result<usize> {
    let mut hits = 0;
    for directory in 0..DIRECTORIES {
        let path = tree.join(format!("part{}/module{directory:03}", directory % 10));
        std::fs::create_dir_all(&path)?;
        for file in 0..FILES_EACH {
            let serial = directory * FILES_EACH + file;
            let mut text = String::new();
            for line in 0..LINES {
                text.push_str(&format!("    let value_{line} = compute({serial}, {line});\n"));
            }
            if serial.is_multiple_of(HIT_EVERY) {
                text.push_str(&format!("// {QUERY} {serial}\n"));
                hits += 1;
            }
            std::fs::write(path.join(format!("file{file:02}.rs")), text)?;
        }
    }
    std::fs::write(tree.join(".gitignore"), "*.log\n/generated/\n")?;
    Ok(hits)
}

/// The same search: literal, any case, two lines around, hidden files too, sorted by nobody.
fn ripgrep(tree: &Path, expected: usize) -> Result<()> {
    let output = Command::new("rg")
        .args(["--json", "--fixed-strings", "--smart-case", "--context", "2", "--hidden"])
        .args(["--no-config", "--no-require-git", QUERY, "."])
        .current_dir(tree)
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.lines().filter(|line| line.starts_with("{\"type\":\"match\"")).count();
    ensure!(found == expected, "ripgrep found {found}");
    Ok(())
}

fn version() -> Result<String> {
    let output = Command::new("rg").arg("--version").output();
    let output = output.context("ripgrep is the peer here: install the package `ripgrep`")?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

fn version_again() -> Result<()> {
    version().map(drop)
}
