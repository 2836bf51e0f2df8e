//! The shape of what a person typed: a `~` command, or words. Pure text; what stands open, and what
//! words mean, is decided elsewhere.

use alloc::string::String;
use alloc::vec::Vec;

use super::name::{Class, Name};
use super::text::is_cjk;
use crate::errors::nearest;

/// What was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A command with what was said around it.
    Command {
        /// Which.
        name: Name,
        /// The requirement, or its argument.
        text: String,
    },
    /// It begins with a `~` name that nobody knows.
    Unknown {
        /// That name.
        word: String,
        /// Known names that look like it.
        nearest: Vec<&'static str>,
    },
    /// Two different commands in one line.
    Ambiguous {
        /// The first.
        first: Name,
        /// The other.
        second: Name,
    },
    /// Words.
    Words,
}

/// A `~` name in a text, by its bytes.
struct Token<'a> {
    start: usize,
    end: usize,
    word: &'a str,
}

/// Marks that open and close quoted text; one that is not closed quotes nothing.
const QUOTES: [(char, char); 7] =
    [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』')];

/// Reads the shape of an input.
#[must_use]
pub fn shape(input: &str) -> Shape {
    let tokens = tokens(input);
    let starts = |token: &&Token<'_>| input[..token.start].trim().is_empty();
    if let Some(first) = tokens.first().filter(starts)
        && Name::typed(first.word).is_none()
    {
        let known = Name::ALL.iter().map(|name| name.word());
        let near = nearest(first.word, known);
        return Shape::Unknown { word: first.word.into(), nearest: near };
    }
    let mut known = tokens.iter().filter_map(|token| Some((token, Name::typed(token.word)?)));
    let Some((token, name)) = known.next() else { return Shape::Words };
    if let Some((_, second)) = known.find(|(_, other)| *other != name) {
        return Shape::Ambiguous { first: name, second };
    }
    let before = trimmed(&input[..token.start]);
    let after = trimmed(&input[token.end..]);
    let text = match name.class() {
        Class::Evaluating => joined(before, after),
        Class::Target | Class::Scene | Class::Scope | Class::Direct => after.into(),
    };
    Shape::Command { name, text }
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_start_matches([':', '：', ',', '，']).trim_start()
}

/// The words on both sides, apart where they would run into each other.
fn joined(before: &str, after: &str) -> String {
    let mut text = String::from(before);
    let dense =
        before.chars().next_back().is_some_and(is_cjk) && after.chars().next().is_some_and(is_cjk);
    if !before.is_empty() && !after.is_empty() && !dense {
        text.push(' ');
    }
    text.push_str(after);
    text
}

fn tokens(input: &str) -> Vec<Token<'_>> {
    let quoted = quoted(input);
    let mut found = Vec::new();
    for (at, _) in input.match_indices('~') {
        if quoted.iter().any(|(from, to)| (*from..*to).contains(&at)) || !opens(&input[..at]) {
            continue;
        }
        let rest = &input[at + 1..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters == 0 && rest.starts_with('?') { 1 } else { letters };
        if length == 0 || rest[length..].starts_with(goes_on) {
            continue;
        }
        let end = at + 1 + length;
        found.push(Token { start: at, end, word: &input[at + 1..end] });
    }
    found
}

/// Whether a `~` after this text can begin a name.
fn opens(before: &str) -> bool {
    match before.chars().next_back() {
        None => true,
        Some('\\' | '~' | '_') => false,
        Some(last) => last.is_whitespace() || last.is_ascii_punctuation() || is_cjk(last),
    }
}

/// Whether a letter after a name makes it something else: a path, a word with a hyphen.
fn goes_on(next: char) -> bool {
    next.is_ascii_alphanumeric() || matches!(next, '_' | '/' | '.' | '-')
}

/// The byte ranges inside quotes.
pub(super) fn quoted(input: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut rest = 0;
    let begins = |from: usize, (at, c): &(usize, char)| {
        opener(*c).is_some() && (*c != '\'' || !in_word(input[..from + at].chars().next_back()))
    };
    while let Some((at, open)) = input[rest..].char_indices().find(|it| begins(rest, it)) {
        let start = rest + at + open.len_utf8();
        let close = opener(open).unwrap_or(open);
        let mut ends = input[start..].match_indices(close).map(|(at, _)| at);
        let after = |at: usize| input[start + at + close.len_utf8()..].chars().next();
        match ends.find(|at| close != '\'' || !in_word(after(*at))) {
            Some(length) => {
                found.push((start, start + length));
                rest = start + length + close.len_utf8();
            }
            None => rest = start,
        }
    }
    found
}

/// Whether an apostrophe beside this character belongs to a word, as in don't.
fn in_word(beside: Option<char>) -> bool {
    beside.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c))
}

fn opener(mark: char) -> Option<char> {
    QUOTES.iter().find(|(open, _)| *open == mark).map(|(_, close)| *close)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    fn told(input: &str) -> String {
        match shape(input) {
            Shape::Command { name, text } => format!("{} [{text}]", name.word()),
            Shape::Unknown { word, nearest } => format!("unknown {word} {}", nearest.join(" ")),
            Shape::Ambiguous { first, second } => {
                format!("ambiguous {} {}", first.word(), second.word())
            }
            Shape::Words => "words".to_string(),
        }
    }

    #[test]
    fn a_token_is_a_command_wherever_it_stands() {
        let table = [
            ("~auto 添加登录", "auto [添加登录]"),
            ("请~auto修复", "auto [请修复]"),
            ("~AUTO fix it", "auto [fix it]"),
            ("~plan: add x", "plan [add x]"),
            ("please ~plan add x", "plan [please add x]"),
            ("帮我 ~commit 这些变更", "commit [这些变更]"),
            ("~?", "help []"),
            ("~help?", "help [?]"),
            ("  ~status  ", "status []"),
            ("（~test）", "test [）]"),
            ("~auto x ~auto y", "auto [x ~auto y]"),
        ];
        for (input, expected) in table {
            assert_eq!(told(input), expected, "{input}");
        }
    }

    #[test]
    fn what_cannot_be_read_as_one_command_is_refused() {
        assert_eq!(told("~foo bar"), "unknown foo ");
        assert_eq!(told("~comit now"), "unknown comit commit");
        assert_eq!(told("~auto x ~plan y"), "ambiguous auto plan");
    }

    #[test]
    fn what_only_looks_like_a_token_is_words() {
        let table = [
            "see ~john",
            "copy to ~/bin",
            "what does `~commit` do?",
            "fix ~auto-save",
            "\\~auto x",
            "say \"~auto\" twice",
            "“~plan” 是什么",
            "what does '~auto' do",
            "'~auto x' in the docs",
            "‘~plan’ 是什么",
            "x~auto",
            "~~auto~~",
            "a_~auto",
            "~auto.txt",
            "",
        ];
        for input in table {
            assert_eq!(told(input), "words", "{input}");
        }
        assert_eq!(told("an open ` mark ~auto x"), "auto [an open ` mark x]");
        assert_eq!(told("don't wait ~auto it's x"), "auto [don't wait it's x]");
    }
}
