//! Writes the pages, or says which of them are not as they would be written now.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

use super::page::{DRAWN, Page};
use super::{cli, effects, errors, machines, refusals, schemas};
use crate::root::root;

/// Where the pages are, below the root. Everything in there is ours.
const FOLDER: &str = "docs/reference";

/// `gen` writes, `gen --check` compares.
pub fn run(args: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let check = match words.as_slice() {
        [] => false,
        ["--check"] => true,
        _ => bail!("gen takes nothing or --check"),
    };
    let root = root();
    let machines = machines::drawn();
    let kept = [machines.kept];
    let pages = all(&root, machines.pages)?;
    let folder = root.join(FOLDER);
    let stale = stale(&root, &kept);
    let drift = drift(&folder, &pages)?;
    let count = stale.len() + drift.len();
    if check {
        for (path, how) in &stale {
            println!("{path}: {how}");
        }
        for (path, how) in &drift {
            println!("{FOLDER}/{path}: {how}");
        }
        if count == 0 {
            println!("gen: {} pages are as the code draws them", pages.len() + kept.len());
            return Ok(ExitCode::SUCCESS);
        }
        println!("gen: {count} pages differ; run `cargo xtask gen` and look at them");
        return Ok(ExitCode::FAILURE);
    }
    write(&root, &kept, &stale)?;
    write(&folder, &pages, &drift)?;
    println!("gen: {} pages, {count} changed", pages.len() + kept.len());
    Ok(ExitCode::SUCCESS)
}

fn all(root: &Path, machines: Vec<Page>) -> Result<Vec<Page>> {
    let pages = [
        machines,
        errors::pages()?,
        refusals::pages()?,
        effects::pages(),
        schemas::pages(),
        cli::pages(root)?,
    ];
    let mut pages = pages.concat();
    pages.push(index());
    Ok(pages)
}

/// The way in.
fn index() -> Page {
    let rows = [
        ("machines/loop.md", "every state and command of a loop, with a drawing"),
        ("machines/call.md", "every state and command of a call, with a drawing"),
        ("effects.md", "what states owe, and what the hands can be asked to do"),
        ("cli.md", "every command and flag"),
        ("errors/README.md", "every class and code, what it means and what to do"),
        ("refusals.md", "every reason a command can be refused for"),
        ("schemas", "JSON Schemas of the loop's file, a call and the error object"),
    ];
    let mut text = format!("# Reference\n\n{DRAWN}\n\n");
    for (path, what) in rows {
        text.push_str(&format!("- [{path}]({path}): {what}\n"));
    }
    Page::new("README.md", text)
}

/// Pages that are missing or differ.
fn stale(folder: &Path, pages: &[Page]) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for page in pages {
        match std::fs::read_to_string(folder.join(&page.path)) {
            Ok(text) if text == page.text => {}
            Ok(_) => all.push((page.path.clone(), "differs")),
            Err(_) => all.push((page.path.clone(), "missing")),
        }
    }
    all
}

/// Pages that are missing, differ, or are there without being drawn.
fn drift(folder: &Path, pages: &[Page]) -> Result<Vec<(String, &'static str)>> {
    let mut all = stale(folder, pages);
    let drawn: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    let there = listed(folder, "")?;
    all.extend(there.into_iter().filter(|p| !drawn.contains(p.as_str())).map(|p| (p, "not drawn")));
    Ok(all)
}

/// Every file of a folder, with its path below it.
fn listed(folder: &Path, under: &str) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder.join(under)) else { return Ok(all) };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if under.is_empty() { name } else { format!("{under}/{name}") };
        if entry.file_type()?.is_dir() {
            all.extend(listed(folder, &path)?);
        } else {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

fn write(folder: &Path, pages: &[Page], drift: &[(String, &'static str)]) -> Result<()> {
    for (path, _) in drift {
        let full = folder.join(path);
        match pages.iter().find(|page| page.path == *path) {
            Some(page) => {
                let parent = full.parent().context("a page has a folder")?;
                std::fs::create_dir_all(parent)?;
                std::fs::write(&full, &page.text).with_context(|| path.clone())?;
            }
            None => std::fs::remove_file(&full).with_context(|| path.clone())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_names_each_page_and_writing_ends_it() {
        let dir = tempfile::tempdir().unwrap();
        let pages = [Page::new("a.md", "one\n"), Page::new("b/c.md", "two\n")];
        std::fs::write(dir.path().join("a.md"), "other\n").unwrap();
        std::fs::write(dir.path().join("old.md"), "stale\n").unwrap();
        let found = drift(dir.path(), &pages).unwrap();
        let expected = [("a.md", "differs"), ("b/c.md", "missing"), ("old.md", "not drawn")];
        assert_eq!(found, expected.map(|(path, how)| (path.to_owned(), how)));
        write(dir.path(), &pages, &found).unwrap();
        assert_eq!(drift(dir.path(), &pages).unwrap(), []);
    }

    #[test]
    fn unknown_arguments_are_refused() {
        assert!(run(&["--chek".to_owned()]).is_err());
    }
}
