//! The command line's page, written by the binary itself: only it knows its commands.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::page::Page;

/// The page, or none with a word why while the binary cannot write it.
pub fn pages(root: &Path) -> Result<Vec<Page>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--package", "loopwright", "--", "__cli-md"])
        .env("OUTPUT_LANGUAGE", "en-US")
        .current_dir(root)
        .output()
        .context("cargo run")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || text.trim().is_empty() {
        println!("gen: cli.md skipped: `loopwright __cli-md` gave {}", output.status);
        print!("{}", String::from_utf8_lossy(&output.stderr));
        return Ok(Vec::new());
    }
    Ok(vec![Page::new("cli.md", text)])
}
