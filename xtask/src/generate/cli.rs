//! The command line's page, written by the binary itself: only it knows its commands.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::page::Page;

/// The page.
pub fn pages(root: &Path) -> Result<Vec<Page>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--package", "loopwright", "--", "__cli-md"])
        .env("OUTPUT_LANGUAGE", "en-US")
        .current_dir(root)
        .output()
        .context("cargo run")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(
        output.status.success() && !text.trim().is_empty(),
        "`loopwright __cli-md` gave {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(vec![Page::new("cli.md", text)])
}
