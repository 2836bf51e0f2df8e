//! Rules that one line breaks: documentation on top, columns, wildcards, unwraps, silenced lints,
//! leftovers. Also that nothing hides behind the tests of a file.

use super::finding::Finding;
use super::source::{Place, Source, TESTS};

/// The width everybody's screen and every diff has.
pub const COLUMNS_MAX: usize = 100;

/// Words for work left undone; spelt in two halves so that this file does not break its own rule.
const LEFTOVERS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:")];

/// A value taken without a word why it is there; in halves too.
const UNWRAP: &str = concat!(".unw", "rap()");
/// A lint silenced without a reason, in one place or in a whole file.
const SILENCED: [&str; 2] = [concat!("#[al", "low("), concat!("#![al", "low(")];

/// Everything that a line can do wrong.
pub fn check(source: &Source, found: &mut Vec<Finding>) {
    if !source.text.starts_with("//!") {
        found.push(Finding::new("module-doc", &source.path, 1, "does not open with `//!`"));
    }
    columns(source, found);
    code_words(source, found);
    for (at, line) in source.text.lines().enumerate() {
        for word in LEFTOVERS.iter().filter(|word| line.contains(**word)) {
            found.push(Finding::new("leftover", &source.path, at + 1, format!("`{word}`")));
        }
    }
    if let Some(line) = after_tests(source) {
        found.push(Finding::new("tests-last", &source.path, line, "code after the tests"));
    }
}

fn columns(source: &Source, found: &mut Vec<Finding>) {
    for (at, line) in source.text.lines().enumerate() {
        let width = line.chars().count();
        if width > COLUMNS_MAX && !line.contains("://") {
            let what = format!("{width} columns, at most {COLUMNS_MAX}");
            found.push(Finding::new("columns", &source.path, at + 1, what));
        }
    }
}

/// Words that code may not hold: in the kernel a wildcard arm, outside tests an unwrap, anywhere a
/// lint silenced without a reason.
fn code_words(source: &Source, found: &mut Vec<Finding>) {
    let product = source.product_code().lines().count();
    for (at, line) in source.code.lines().enumerate() {
        let tested = at < product && source.place == Place::Product;
        let mut add = |rule, what: &str| found.push(Finding::new(rule, &source.path, at + 1, what));
        if tested && source.room() == "kernel" && wildcard(line) {
            add("wildcard", "`_ =>` in the kernel: write the cases out");
        }
        if tested && line.contains(UNWRAP) {
            add("unwrap", "say why it cannot be: `expect(\"…\")`");
        }
        if SILENCED.iter().any(|word| line.contains(word)) {
            add("allow", "use `#[expect(lint, reason = \"…\")]`");
        }
    }
}

fn wildcard(line: &str) -> bool {
    let arm = line.trim_start();
    arm.starts_with("_ =>") || arm.starts_with("_ if ") || arm.contains("| _ =>")
}

/// The first line of code that follows the test modules.
fn after_tests(source: &Source) -> Option<usize> {
    let mut at = source.tests_at;
    while source.code[at..].starts_with(TESTS) {
        let rest = &source.code[at..];
        let Some(open) = rest.find(['{', ';']) else { break };
        let end =
            if rest.as_bytes()[open] == b';' { open + 1 } else { open + closing(rest, open)? };
        at += end;
        at += source.code[at..].len() - source.code[at..].trim_start().len();
    }
    let rest = source.code[at..].trim_start();
    (!rest.is_empty() && at > source.tests_at).then(|| source.line_of(at))
}

/// How far behind an opening brace its closing one ends.
fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().skip(open).enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_finds_its_line_and_no_other() {
        let wide = format!("//! Doc.\n// {}", "x".repeat(98));
        let url = format!("//! Doc.\n// https://{}", "x".repeat(98));
        let left = concat!("//! Doc.\n// TO", "DO: later");
        let tail = "//! Doc.\n#[cfg(test)]\nmod tests {\n}\n\nfn late() {}\n";
        type Places = &'static [(&'static str, usize)];
        let table: [(&str, &str, Places); 14] = [
            ("crates/kernel/src/a.rs", "//! Doc.\nfn a() {}", &[]),
            ("crates/kernel/src/a.rs", "fn a() {}", &[("module-doc", 1)]),
            ("crates/kernel/src/a.rs", "//! Doc.\n    _ => b,", &[("wildcard", 2)]),
            ("crates/kernel/src/a.rs", "//! Doc.\n    _ if c => b,", &[("wildcard", 2)]),
            ("crates/kernel/src/a.rs", "//! Doc.\n// _ => b", &[]),
            ("crates/edge/src/a.rs", "//! Doc.\n    _ => b,", &[]),
            ("crates/edge/src/a.rs", "//! Doc.\na.unwrap();", &[("unwrap", 2)]),
            ("crates/edge/tests/a.rs", "//! Doc.\na.unwrap();", &[]),
            ("crates/edge/src/a/tests.rs", "//! Doc.\na.unwrap();", &[]),
            ("crates/edge/src/a.rs", "//! Doc.\n#[allow(x)]", &[("allow", 2)]),
            ("crates/edge/src/a.rs", &wide, &[("columns", 2)]),
            ("crates/edge/src/a.rs", &url, &[]),
            ("crates/edge/src/a.rs", left, &[("leftover", 2)]),
            ("crates/edge/src/a.rs", tail, &[("tests-last", 6)]),
        ];
        for (path, text, expected) in table {
            let mut found = Vec::new();
            check(&Source::new(path, text), &mut found);
            let got: Vec<_> = found.iter().map(|f| (f.rule, f.line)).collect();
            assert_eq!(got, expected, "{text}");
        }
    }

    #[test]
    fn two_test_modules_are_both_last() {
        let text = "//! Doc.\n#[cfg(test)]\nmod a { }\n\n#[cfg(test)]\nmod b {\n  fn c() { }\n}\n";
        assert_eq!(after_tests(&Source::new("crates/a/src/b.rs", text)), None);
    }
}
