//! Nothing in the repository names a place outside it that only one machine has. Holds for every
//! text file, not just for Rust.

use super::finding::Finding;

/// Roots of checkouts and homes; in halves, so that this file does not break its own rule.
const PLACES: [&str; 4] = [
    concat!("../", "shared"),
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
];

/// Lines that name such a place.
pub fn check(path: &str, text: &str, found: &mut Vec<Finding>) {
    for (at, line) in text.lines().enumerate() {
        for place in PLACES.iter().filter(|place| names(line, place)) {
            found.push(Finding::new("machine-path", path, at + 1, format!("`{place}`")));
        }
    }
}

/// Whether the place stands at the start of a path, not in the middle of a longer one.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '}' | '~'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_start_of_a_path_counts() {
        let table = [
            (concat!("see /wo", "rk/notes.md"), 1),
            (concat!("(", "../", "shared/x)"), 1),
            (concat!("src/wo", "rk/notes.md"), 0),
            ("loop-1/a1/work", 0),
        ];
        for (text, findings) in table {
            let mut found = Vec::new();
            check("README.md", text, &mut found);
            assert_eq!(found.len(), findings, "{text}");
        }
    }
}
