//! Patterns of rules: `*`, `**` and `?` over paths, `*` over single words. It takes time that is
//! linear in pattern times text, so no pattern can be written that hangs the judge.

use alloc::vec;
use alloc::vec::Vec;

use crate::stars;

enum Token {
    Exactly(char),
    /// `?`: one character of a name.
    One,
    /// `*` in a path: any part of a name.
    Name,
    /// `**/`: no directory or any number of them.
    Dirs,
    /// `**`: anything.
    Any,
}

/// Whether a path fits: `*` and `?` stay within a name, `**` goes over directories.
#[must_use]
pub fn path(pattern: &str, text: &str) -> bool {
    fits(&path_tokens(pattern), text)
}

/// The directory that everything a pattern fits lies in; empty for the root.
#[must_use]
pub fn room(pattern: &str) -> &str {
    let plain = pattern.find(['*', '?']).unwrap_or(pattern.len());
    pattern[..plain].rsplit_once('/').map_or("", |(room, _)| room)
}

/// Whether a word fits: `*` stands for anything, everything else for itself.
#[must_use]
pub fn word(pattern: &str, text: &str) -> bool {
    stars::fits(pattern, text)
}

fn path_tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let (token, taken) = if rest.starts_with("**/") {
            (Token::Dirs, 3)
        } else if rest.starts_with("**") {
            (Token::Any, 2)
        } else {
            let token = match c {
                '*' => Token::Name,
                '?' => Token::One,
                _other => Token::Exactly(c),
            };
            (token, c.len_utf8())
        };
        tokens.push(token);
        rest = rest.get(taken..).unwrap_or_default();
    }
    tokens
}

/// Follows every place in the text that the pattern so far can end at.
fn fits(tokens: &[Token], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for token in tokens {
        ends = step(token, &ends, &text);
    }
    ends.last().copied().unwrap_or(false)
}

fn step(token: &Token, ends: &[bool], text: &[char]) -> Vec<bool> {
    let mut next = vec![false; ends.len()];
    let mut seen = false;
    for at in 0..ends.len() {
        let before = at.checked_sub(1).map(|i| (text[i], ends[i], next[i]));
        next[at] = match token {
            Token::Exactly(c) => before.is_some_and(|(found, end, _)| end && found == *c),
            Token::One => before.is_some_and(|(found, end, _)| end && found != '/'),
            Token::Name => ends[at] || before.is_some_and(|(found, _, on)| on && found != '/'),
            Token::Any => ends[at] || before.is_some_and(|(_, _, on)| on),
            Token::Dirs => ends[at] || (seen && before.is_some_and(|(found, _, _)| found == '/')),
        };
        seen |= ends[at];
    }
    next
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn what_a_pattern_fits_lies_in_its_room() {
        let table = [
            ("docs/**", "docs"),
            ("docs/a.md", "docs"),
            ("docs/a/*/b.md", "docs/a"),
            ("docs/a?/b", "docs"),
            ("a.md", ""),
            ("**/*.md", ""),
            ("*", ""),
        ];
        for (pattern, expected) in table {
            assert_eq!(room(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn paths_fit_by_names_and_directories() {
        let table = [
            ("**", "a/b", true),
            ("**/x.rs", "x.rs", true),
            ("**/x.rs", "a/b/x.rs", true),
            ("**/x.rs", "a/yx.rs", false),
            ("src/*", "src/a", true),
            ("src/*", "src/a/b", false),
            ("src/**", "src/a/b", true),
            ("src/?.rs", "src/a.rs", true),
            ("src/?.rs", "src//.rs", false),
            ("", "", true),
            ("", "a", false),
            ("文/**", "文/件", true),
        ];
        for (pattern, text, fits) in table {
            assert_eq!(path(pattern, text), fits, "{pattern} {text}");
        }
        assert!(word("--output*", "--output=a/b") && !word("--output*", "--out"));
    }

    #[test]
    fn many_stars_do_not_hang() {
        let pattern = "*a".repeat(200);
        let text: String = core::iter::repeat_n('a', 5_000).chain(['b']).collect();
        assert!(!word(&pattern, &text) && !path(&pattern, &text));
    }
}
