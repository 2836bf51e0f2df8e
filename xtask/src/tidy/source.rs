//! A Rust file as the rules see it: its lines, its code without comments and literals, and where
//! its tests begin. It judges nothing.

use super::mask::mask;

/// What opens the test module; everything from there on is tests.
pub const TESTS: &str = "#[cfg(test)]\nmod ";

/// Where a file lives decides which rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Ships or runs tasks.
    Product,
    /// A test module in a file of its own, beside what it tests: sizes hold, `unwrap` may be.
    Beside,
    /// Only tests and benches, below `tests/` or `benches/`.
    Proof,
}

/// A Rust file.
pub struct Source {
    /// Path below the root, with `/`.
    pub path: String,
    /// As it stands.
    pub text: String,
    /// Comments and literals blanked.
    pub code: String,
    /// Which rules hold.
    pub place: Place,
    /// Byte offset where the tests begin; the length if there are none.
    pub tests_at: usize,
}

impl Source {
    /// Reads a file's text.
    pub fn new(path: &str, text: &str) -> Self {
        let place = if path.contains("/tests/") || path.contains("/benches/") {
            Place::Proof
        } else if path.ends_with("/tests.rs") {
            Place::Beside
        } else {
            Place::Product
        };
        let code = mask(text);
        let tests_at = code.find(TESTS).unwrap_or(text.len());
        Self { path: path.to_owned(), text: text.to_owned(), code, place, tests_at }
    }

    /// The text without its tests.
    pub fn product(&self) -> &str {
        &self.text[..self.tests_at]
    }

    /// The masked text without its tests.
    pub fn product_code(&self) -> &str {
        &self.code[..self.tests_at]
    }

    /// The line of an offset, counted from 1.
    pub fn line_of(&self, offset: usize) -> usize {
        1 + self.text.as_bytes()[..offset].iter().filter(|b| **b == b'\n').count()
    }

    /// The room it belongs to (`kernel`), or `xtask`.
    pub fn room(&self) -> &str {
        let inner = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        inner.split('/').next().unwrap_or(inner)
    }
}
