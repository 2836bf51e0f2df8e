//! Which conversations the scripted agent has given out, and what they cost so far: one small file
//! each below `~/.loopwright-script/sessions`, as the CLIs keep theirs below the home directory. It
//! keeps no text.

use std::io;
use std::path::{Path, PathBuf};

use kernel::agent::Usage;
use kernel::hash::sha256_hex;
use serde::{Deserialize, Serialize};

use crate::shim::durable;

/// Our directory below the home directory.
const PLACE: &str = ".loopwright-script/sessions";
/// A file of ours is a few numbers.
const FILE_BYTES_MAX: u64 = 4096;

/// What a conversation has used over all its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) cached_tokens: u64,
    pub(super) cost_micros: u64,
}

impl Totals {
    /// With one more call.
    pub(super) fn plus(self, usage: &Usage) -> Self {
        let add = |total: u64, more: Option<u64>| total.saturating_add(more.unwrap_or(0));
        Self {
            input_tokens: add(self.input_tokens, usage.input_tokens),
            output_tokens: add(self.output_tokens, usage.output_tokens),
            cached_tokens: add(self.cached_tokens, usage.cached_tokens),
            cost_micros: add(self.cost_micros, usage.cost_micros),
        }
    }
}

/// The conversations of one home directory.
pub(super) struct Memory {
    dir: Option<PathBuf>,
}

impl Memory {
    /// Those of this home directory; without one nothing is remembered.
    pub(super) fn of(home: Option<&Path>) -> Self {
        let home = home.filter(|home| home.is_absolute());
        Self { dir: home.map(|home| home.join(PLACE)) }
    }

    /// Where they are kept, made if it was not there.
    pub(super) fn made(self) -> Option<PathBuf> {
        let dir = self.dir?;
        std::fs::create_dir_all(&dir).ok().map(|()| dir)
    }

    /// What a conversation has used; none if it was never given out.
    pub(super) fn recall(&self, id: &str) -> Option<Totals> {
        let path = self.dir.as_ref()?.join(name(id));
        let bytes = durable::read(&path, FILE_BYTES_MAX).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps a conversation that is given out.
    pub(super) fn keep(&self, id: &str, totals: Totals) -> io::Result<()> {
        let dir = self.dir.as_ref().ok_or_else(|| io::Error::other("HOME is not set"))?;
        std::fs::create_dir_all(dir)?;
        durable::replace(dir, &name(id), &serde_json::to_vec(&totals)?)
    }
}

/// A file name for an id, whatever the id holds.
fn name(id: &str) -> String {
    format!("{}.json", &sha256_hex(id.as_bytes())[..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_given_is_known() {
        let home = tempfile::tempdir().unwrap();
        let memory = Memory::of(Some(home.path()));
        assert_eq!(memory.recall("../a"), None);
        let usage = Usage { input_tokens: Some(7), ..Usage::default() };
        let totals = Totals::default().plus(&usage).plus(&usage);
        memory.keep("../a", totals).unwrap();
        assert_eq!(memory.recall("../a").map(|t| (t.input_tokens, t.cost_micros)), Some((14, 0)));
        assert_eq!(memory.recall("b"), None);
        assert!(Memory::of(None).keep("a", totals).is_err());
    }
}
