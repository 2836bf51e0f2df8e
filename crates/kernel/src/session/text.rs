//! A person's words in the form in which they are compared: NFKC, with single blanks, and in lower
//! case beside it. It finds words and clauses; what they mean is said by the lists.

use alloc::string::String;
use alloc::vec::Vec;

use unicode_normalization::UnicodeNormalization as _;

/// Ends of a clause, after NFKC, which has made the wide forms of most of them narrow.
const CLAUSE_ENDS: [char; 9] = ['。', '、', ',', ';', ':', '!', '?', '\n', '\r'];
/// Ends of a sentence, likewise.
const SENTENCE_ENDS: [char; 6] = ['。', ';', '!', '?', '\n', '\r'];

/// Whether a character is written without blanks around its words.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(
        c,
        '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}'
            | '“' | '”' | '‘' | '’' | '…' | '—'
    )
}

/// Whether a character is a CJK letter, not one of their marks.
#[must_use]
pub fn is_ideograph(c: char) -> bool {
    is_cjk(c) && c.is_alphabetic()
}

/// Words, brought to the form in which they are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// In their own case.
    pub said: String,
    /// In lower case; byte for byte as long only where the text is ASCII.
    pub lower: String,
}

impl Text {
    /// Of what was typed.
    #[must_use]
    pub fn of(input: &str) -> Self {
        let said = collapsed(input.nfkc());
        let lower = said.to_lowercase();
        Self { said, lower }
    }

    /// Whether one of these words is there.
    #[must_use]
    pub fn has(&self, list: &[&str]) -> bool {
        has(&self.lower, list)
    }

    /// The clauses, in lower case. What stands in backticks belongs to its clause whole.
    #[must_use]
    pub fn clauses(&self) -> Vec<&str> {
        parts(&self.lower, &CLAUSE_ENDS)
    }

    /// The sentences, in their own case.
    #[must_use]
    pub fn sentences(&self) -> Vec<&str> {
        let ends = parts(&self.said, &SENTENCE_ENDS);
        ends.into_iter().flat_map(|part| part.split(". ")).map(str::trim).collect()
    }
}

/// Blanks of a line made one; line ends kept, because they end clauses.
fn collapsed(chars: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for c in chars {
        let blank = c.is_whitespace() && c != '\n' && c != '\r';
        match (blank, text.ends_with([' ', '\n', '\r']) || text.is_empty()) {
            (true, true) => {}
            (true, false) => text.push(' '),
            (false, _) => text.push(c),
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn parts<'a>(text: &'a str, ends: &[char]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let (mut from, mut code) = (0, false);
    for (at, c) in text.char_indices() {
        if c == '`' {
            code = !code;
        }
        if ends.contains(&c) && (!code || c == '\n') {
            found.push(text[from..at].trim());
            from = at + c.len_utf8();
        }
    }
    found.push(text[from..].trim());
    found.retain(|part| !part.is_empty());
    found
}

/// Whether one of these words is in a text of lower case.
pub(super) fn has(lower: &str, list: &[&str]) -> bool {
    list.iter().any(|word| find(lower, word).is_some())
}

/// Where a word first stands. Words of ASCII stand whole; others may stand inside.
pub(super) fn find(lower: &str, word: &str) -> Option<usize> {
    finds(lower, word).next()
}

/// Every place of a word.
pub(super) fn finds<'a>(lower: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let whole = word.is_ascii();
    let places = lower.match_indices(word).map(|(at, _)| at);
    places.filter(move |at| !whole || apart(lower, *at, word))
}

/// Whether the word at this place is no piece of a longer one.
fn apart(lower: &str, at: usize, word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = lower[..at].chars().next_back();
    let after = lower[at + word.len()..].chars().next();
    let dashes = word.starts_with('-') && before == Some('-');
    !(dashes || before.is_some_and(part) || after.is_some_and(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_ascii_stand_whole_and_others_inside() {
        let text = Text::of("Ｒｅｓｅｔ the   prefix，then add\t它支持离线");
        assert_eq!(text.said, "Reset the prefix,then add 它支持离线");
        assert!(!text.has(&["set", "fix"]));
        assert!(text.has(&["add"]) && text.has(&["支持"]));
        assert_eq!(text.clauses(), ["reset the prefix", "then add 它支持离线"]);
    }

    #[test]
    fn code_is_not_cut_into_clauses() {
        assert_eq!(Text::of("rename `a::b` to c: now").clauses(), ["rename `a::b` to c", "now"]);
        assert_eq!(Text::of("One. Two! 三。四").sentences(), ["One", "Two", "三", "四"]);
    }
}
