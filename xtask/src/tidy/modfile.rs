//! A `mod.rs` is a table of contents: modules, re-exports, documentation, and at most one-line
//! hand-overs inside an `impl`. Whatever decides or computes has a file with a name.

use super::finding::Finding;
use super::size::{Function, functions};
use super::source::Source;

/// Logic in a `mod.rs`.
pub fn check(source: &Source, found: &mut Vec<Finding>) {
    if !source.path.ends_with("/mod.rs") {
        return;
    }
    let code = source.product_code();
    for function in functions(code) {
        let what = if function.indent == 0 {
            "a free function in mod.rs"
        } else if body_lines(&function) > 1 {
            "more than a one-line hand-over in mod.rs"
        } else {
            continue;
        };
        found.push(Finding::new("mod-logic", &source.path, function.first, what));
    }
    for (at, line) in code.lines().enumerate() {
        if line.trim_start().starts_with("macro_rules!") {
            found.push(Finding::new("mod-logic", &source.path, at + 1, "a macro in mod.rs"));
        }
    }
}

/// Lines strictly between the braces.
fn body_lines(function: &Function) -> usize {
    (function.last - function.opens).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hand_overs_pass() {
        let table = [
            ("a/src/b/mod.rs", "mod c;\npub use c::d;\npub const E: u8 = 1;", 0),
            (
                "a/src/b/mod.rs",
                "impl C for D {\n    fn e(&self) -> u8 {\n        f(self)\n    }\n}",
                0,
            ),
            (
                "a/src/b/mod.rs",
                "impl C for D {\n    fn e() {\n        f();\n        g()\n    }\n}",
                1,
            ),
            ("a/src/b/mod.rs", "pub fn e() {\n    f()\n}", 1),
            ("a/src/b/mod.rs", "macro_rules! m { () => {} }", 1),
            ("a/src/b.rs", "pub fn e() {\n    f()\n}", 0),
        ];
        for (path, text, findings) in table {
            let mut found = Vec::new();
            check(&Source::new(path, text), &mut found);
            assert_eq!(found.len(), findings, "{text}: {found:?}");
        }
    }
}
