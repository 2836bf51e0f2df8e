//! Names that say nothing are not given: neither to files and modules nor to what they define.

use super::finding::Finding;
use super::source::Source;

/// Names for a place where anything may be put.
const EMPTY: [&str; 10] = [
    "core", "common", "util", "utils", "types", "manager", "managers", "helper", "helpers", "misc",
];

/// The same as parts of a type's name.
const EMPTY_PARTS: [&str; 3] = ["Manager", "Helper", "Util"];

/// Empty names of the file, its folders, its modules and its types.
pub fn check(source: &Source, found: &mut Vec<Finding>) {
    for part in source.path.trim_end_matches(".rs").split('/') {
        if EMPTY.contains(&part) {
            found.push(Finding::new(
                "empty-name",
                &source.path,
                0,
                format!("`{part}` in the path"),
            ));
        }
    }
    for (at, line) in source.code.lines().enumerate() {
        let Some((word, name)) = defined(line) else { continue };
        let empty = EMPTY.contains(&name.as_str())
            || word != "mod" && EMPTY_PARTS.iter().any(|part| name.contains(part));
        if empty {
            found.push(Finding::new(
                "empty-name",
                &source.path,
                at + 1,
                format!("{word} `{name}`"),
            ));
        }
    }
}

/// The keyword and the name of what a line defines.
fn defined(line: &str) -> Option<(&'static str, String)> {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = after.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(after, |(_, r)| r);
        rest = rest.trim_start();
    }
    ["mod", "struct", "enum", "trait", "type"].into_iter().find_map(|word| {
        let name = rest.strip_prefix(word)?.strip_prefix(' ')?;
        Some((word, name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_names_are_found() {
        let table = [
            ("crates/a/src/turn.rs", "pub mod step;\npub struct State;", 0),
            ("crates/a/src/utils.rs", "", 1),
            ("crates/common/src/turn.rs", "", 1),
            ("crates/a/src/turn.rs", "pub(crate) mod helper;", 1),
            ("crates/a/src/turn.rs", "struct RunManager {", 1),
            ("crates/a/src/turn.rs", "// mod core;\nuse core::fmt;", 0),
        ];
        for (path, text, findings) in table {
            let mut found = Vec::new();
            check(&Source::new(path, text), &mut found);
            assert_eq!(found.len(), findings, "{path} {text}: {found:?}");
        }
    }
}
