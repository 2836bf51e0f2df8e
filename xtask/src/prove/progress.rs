//! Where a proof stopped, in a file, so that the next run goes on from there.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// How far a proof is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The next case.
    pub next: u64,
    /// Cases that held.
    pub passed: u64,
    /// Cases that did not.
    pub failed: u64,
}

impl Progress {
    /// Reads it; none yet is the beginning.
    pub fn read(file: &Path) -> Result<Self> {
        let Ok(text) = std::fs::read_to_string(file) else { return Ok(Self::default()) };
        let value: Value = serde_json::from_str(&text)
            .with_context(|| format!("{}; begin anew with --restart", file.display()))?;
        let number = |key: &str| value[key].as_u64().with_context(|| format!("no {key}"));
        Ok(Self { next: number("next")?, passed: number("passed")?, failed: number("failed")? })
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, file: &Path) -> Result<()> {
        let Self { next, passed, failed } = self;
        let text = json!({ "next": next, "passed": passed, "failed": failed }).to_string();
        std::fs::create_dir_all(file.parent().context("no folder")?)?;
        let beside = file.with_extension("new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, file).context("progress")
    }
}
