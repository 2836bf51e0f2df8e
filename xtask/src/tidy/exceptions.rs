//! The list of findings that are known and not yet mended. It may only shrink: an entry that no
//! longer matches has to go, and a longer list than `ENTRIES_MAX` is a finding itself.

use super::finding::Finding;

/// Where the list is, below the root.
pub const FILE: &str = "xtask/tidy-exceptions.txt";
/// How many entries there were when the rules came into force. Lower it when one goes.
pub const ENTRIES_MAX: usize = 0;

/// What is left of the findings once the list is applied; its own mistakes are added.
pub fn apply(list: &str, found: Vec<Finding>) -> Vec<Finding> {
    let entries: Vec<(usize, &str)> = list
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let named = |finding: &Finding, entry: &str| {
        entry
            .split_once(' ')
            .is_some_and(|(rule, path)| rule == finding.rule && path.trim() == finding.path)
    };
    let mut left: Vec<Finding> = entries
        .iter()
        .filter(|(_, entry)| !found.iter().any(|finding| named(finding, entry)))
        .map(|(line, entry)| Finding::new("exceptions", FILE, *line, format!("mended: `{entry}`")))
        .collect();
    if entries.len() > ENTRIES_MAX {
        let what = format!("{} entries, at most {ENTRIES_MAX}", entries.len());
        left.push(Finding::new("exceptions", FILE, 0, what));
    }
    left.extend(found.into_iter().filter(|f| !entries.iter().any(|(_, entry)| named(f, entry))));
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_covers_only_what_it_names_and_never_grows() {
        let found =
            vec![Finding::new("columns", "a.rs", 3, ""), Finding::new("unwrap", "a.rs", 3, "")];
        let table: [(&str, &[&str]); 3] = [
            ("# nothing\n", &["columns", "unwrap"]),
            ("columns a.rs\n", &["exceptions", "unwrap"]),
            ("columns b.rs\n", &["exceptions", "exceptions", "columns", "unwrap"]),
        ];
        for (list, expected) in table {
            let rules: Vec<_> = apply(list, found.clone()).iter().map(|f| f.rule).collect();
            assert_eq!(rules, expected, "{list}");
        }
    }
}
