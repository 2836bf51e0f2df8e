//! `[paths]`, `[kb]`, `[commit]` and `[package]` as plain fields: where the knowledge base is, when
//! it is made, and how its documents are read. What they do is the business of whoever reads them.

use kernel::packages::XMeans;

use super::settings::{PROVEN, Read};

/// `[paths]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The root of the knowledge base; empty to look for it.
    pub kb_root: String,
    /// Further names it may have.
    pub kb_candidates: Vec<String>,
}

/// `[kb]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kb {
    /// When it is made: 0 to 3.
    pub create_mode: u64,
}

/// `[commit]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Whether an English block follows a message in another language.
    pub bilingual: bool,
}

/// `[package]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// What a capital X means in a file that does not say so itself.
    pub on_foreign_x: XMeans,
}

impl Paths {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            kb_root: read.text("paths.kb_root"),
            kb_candidates: read.texts("paths.kb_candidates"),
        }
    }
}

impl Kb {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self { create_mode: read.whole("kb.create_mode") }
    }
}

impl Commit {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self { bilingual: read.whole("commit.bilingual") == 1 }
    }
}

impl Package {
    pub(super) fn of(read: &Read<'_>) -> Self {
        let word = read.text("package.on_foreign_x");
        let known = [("ask", XMeans::Ask), ("failed", XMeans::Failed), ("done", XMeans::Done)];
        let found = known.into_iter().find(|(known, _)| *known == word);
        Self { on_foreign_x: found.map(|(_, means)| means).expect(PROVEN) }
    }
}
