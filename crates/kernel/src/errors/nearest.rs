//! Which known names look most like an unknown one. Used for codes, settings, ids and verbs;
//! it corrects nothing by itself.

use alloc::vec::Vec;

/// At most this many names are suggested: more would be a list, not a hint.
pub const NEAREST_MAX: usize = 3;

/// The known names nearest to `word`, best first, equal ones in the given order. Letter case is
/// ignored. A name is near when no more than a third of its letters (at least one) differ, or
/// when one is the beginning of the other.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word = folded(word);
    let mut found: Vec<(usize, &'a str)> = known
        .into_iter()
        .filter_map(|name| {
            let letters = folded(name);
            let distance = distance(&word, &letters);
            let near = distance <= (letters.len().max(word.len()) / 3).max(1);
            let begins = word.len() >= 3 && letters.starts_with(&word);
            (near || begins).then_some((distance, name))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(NEAREST_MAX).map(|(_, name)| name).collect()
}

fn folded(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// Edit distance: insertions, deletions, replacements and swaps of neighbours, each at cost one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = last[j] + usize::from(x != y);
            let mut best = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = core::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["E004", "E005", "E014", "call.timeout.read", "loop.error_limit"];
        let table: [(&str, &[&str]); 6] = [
            ("E4", &[]),
            ("E04", &["E004", "E014"]),
            ("call.timeout.raed", &["call.timeout.read"]),
            ("loop.eror_limit", &["loop.error_limit"]),
            ("LOOP.", &["loop.error_limit"]),
            ("entirely else", &[]),
        ];
        for (word, expected) in table {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn distances() {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        let table =
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("ab", "ba", 1), ("ca", "abc", 3)];
        for (a, b, expected) in table {
            assert_eq!(distance(&chars(a), &chars(b)), expected, "{a} {b}");
        }
    }
}
