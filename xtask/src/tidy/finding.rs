//! One broken rule at one place, as it is printed and as the exceptions list names it.

use std::fmt;

/// One broken rule at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Path below the root.
    pub path: String,
    /// Line, counted from 1; 0 for the file as a whole.
    pub line: usize,
    /// The rule's word.
    pub rule: &'static str,
    /// What is wrong, with its number or name.
    pub what: String,
}

impl Finding {
    /// A finding in a file.
    pub fn new(rule: &'static str, path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}: {}", self.path, self.line, self.rule, self.what)
    }
}
