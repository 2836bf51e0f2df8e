//! A page to be written, and the few pieces of markdown that pages share.

/// A file below `docs/reference`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// Path below `docs/reference`.
    pub path: String,
    /// All of its text.
    pub text: String,
}

impl Page {
    /// A page of this text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// The line that keeps people from editing a page.
pub const DRAWN: &str = "Drawn from the code by `cargo xtask gen`; do not edit.";

/// A table of these rows under this heading.
pub fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let escaped: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", escaped.join(" | "))
    };
    let heading: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(heading.len()));
    let body: String = rows.iter().map(|row| line(row)).collect();
    line(&heading) + &rule + &body
}

/// Words as code, joined by commas.
pub fn code(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_in_a_cell_does_not_end_it() {
        let text = table(&["a", "b"], &[vec!["x|y".to_owned(), String::new()]]);
        assert_eq!(text, "| a | b |\n|---|---|\n| x\\|y |  |\n");
    }
}
