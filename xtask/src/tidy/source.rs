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
        let tests_at = inline_tests(&code).unwrap_or(text.len());
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

/// Where the first test module with a body begins; one in a file of its own hides nothing here.
fn inline_tests(code: &str) -> Option<usize> {
    let opens = |at: &usize| code[at + TESTS.len()..].find(['{', ';']);
    let body =
        |at: &usize| opens(at).is_some_and(|i| code[at + TESTS.len()..][i..].starts_with('{'));
    code.match_indices(TESTS).map(|(at, _)| at).find(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_test_module_with_a_body_begins_the_tests() {
        let table = [
            ("mod a;\n#[cfg(test)]\nmod tests;\nmod z;\n", "mod z"),
            ("fn a() {}\n#[cfg(test)]\nmod tests {\n}\n", "fn a"),
        ];
        for (text, last) in table {
            let source = Source::new("crates/a/src/b.rs", text);
            let code = source.product_code().trim_end();
            assert!(code.lines().last().is_some_and(|line| line.starts_with(last)), "{code}");
        }
    }
}
