//! Sizes: a function fits a screen, a file is read in one sitting. Tests are not counted.

use super::finding::Finding;
use super::source::{Place, Source};

/// What fits a screen.
pub const FUNCTION_LINES_MAX: usize = 60;
/// What is read in one sitting.
pub const FILE_LINES_MAX: usize = 400;

/// Files and functions that are too long.
pub fn check(source: &Source, found: &mut Vec<Finding>) {
    if source.place == Place::Proof {
        return;
    }
    let lines = source.product().split('\n').count();
    if lines > FILE_LINES_MAX {
        let what = format!("{lines} lines, at most {FILE_LINES_MAX} without tests");
        found.push(Finding::new("file-size", &source.path, 0, what));
    }
    for function in functions(source.product_code()) {
        if function.lines() > FUNCTION_LINES_MAX {
            let what = format!("{} lines, at most {FUNCTION_LINES_MAX}", function.lines());
            found.push(Finding::new("function-size", &source.path, function.first, what));
        }
    }
}

/// A function with a body; lines counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// The line of `fn`.
    pub first: usize,
    /// The line of the opening brace.
    pub opens: usize,
    /// The line of the closing brace.
    pub last: usize,
    /// Columns of indentation: none for a free function.
    pub indent: usize,
}

impl Function {
    /// Lines from `fn` to the closing brace.
    pub fn lines(&self) -> usize {
        self.last + 1 - self.first
    }
}

/// Every outermost function of masked code.
pub fn functions(code: &str) -> Vec<Function> {
    let mut all = Vec::new();
    let mut open: Option<(Function, usize)> = None;
    for (at, line) in code.split('\n').enumerate() {
        if open.is_none() && starts(line) {
            let indent = line.len() - line.trim_start().len();
            open = Some((Function { first: at + 1, opens: 0, last: 0, indent }, 0));
        }
        let Some((function, depth)) = &mut open else { continue };
        let closed = braces(line, at + 1, function, depth);
        let bodiless = function.opens == 0 && line.trim_end().ends_with(';');
        if closed || bodiless {
            all.extend(open.take().map(|(function, _)| function).filter(|f| f.last > 0));
        }
    }
    all
}

/// Follows the braces of one line; whether the function ended on it.
fn braces(line: &str, number: usize, function: &mut Function, depth: &mut usize) -> bool {
    for byte in line.bytes() {
        if byte == b'{' {
            *depth += 1;
            if function.opens == 0 {
                function.opens = number;
            }
        } else if byte == b'}' {
            *depth = depth.saturating_sub(1);
            if *depth == 0 && function.opens > 0 {
                function.last = number;
                return true;
            }
        }
    }
    false
}

/// Whether a line begins a function, whatever its visibility and qualifiers.
fn starts(line: &str) -> bool {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub(") {
        let Some((_, tail)) = after.split_once(") ") else { return false };
        rest = tail;
    }
    loop {
        if rest.starts_with("fn ") {
            return true;
        }
        let words = ["pub ", "const ", "async ", "unsafe ", "extern \"C\" ", "extern "];
        let Some(tail) = words.iter().find_map(|word| rest.strip_prefix(word)) else {
            return false;
        };
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(lines: usize) -> String {
        format!("//! Doc.\npub(crate) fn f() {{\n{}}}\n", "    g();\n".repeat(lines - 2))
    }

    #[test]
    fn a_function_may_be_just_so_long() {
        for (lines, findings) in [(2, 0), (FUNCTION_LINES_MAX, 0), (FUNCTION_LINES_MAX + 1, 1)] {
            let mut found = Vec::new();
            check(&Source::new("crates/a/src/b.rs", &body(lines)), &mut found);
            assert_eq!(found.len(), findings, "{lines}: {found:?}");
        }
    }

    #[test]
    fn tests_do_not_count() {
        let text = format!("//! Doc.\n\n#[cfg(test)]\nmod tests {{\n{}}}\n", body(FILE_LINES_MAX));
        let mut found = Vec::new();
        check(&Source::new("crates/a/src/b.rs", &text), &mut found);
        check(&Source::new("crates/a/tests/b.rs", &body(FILE_LINES_MAX)), &mut found);
        assert_eq!(found, []);
        check(&Source::new("crates/a/src/b.rs", &"//! Doc.\n".repeat(400)), &mut found);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn functions_are_found_by_their_braces() {
        let table: [(&str, &[(usize, usize)]); 5] = [
            ("fn a();\nfn b() {}", &[(2, 2)]),
            ("fn a(\n  x: u8,\n) -> u8\nwhere\n{\n  x\n}", &[(1, 7)]),
            ("impl A {\n  pub const unsafe fn a() {\n    if b { c }\n  }\n}", &[(2, 4)]),
            ("let fn_x = 1;", &[]),
            ("fn a() { fn b() {\n}\n}\nfn c() {\n}", &[(1, 3), (4, 5)]),
        ];
        for (code, expected) in table {
            let got: Vec<_> = functions(code).iter().map(|f| (f.first, f.last)).collect();
            assert_eq!(got, expected, "{code}");
        }
    }
}
