//! Command lines of plans as words. Nothing is run by a shell, so whatever a shell would act on
//! makes a line invalid unless the shell is spelled out.

use alloc::string::String;
use alloc::vec::Vec;

/// What is wrong with a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLine {
    /// Nothing in it.
    Empty,
    /// A quote or a backslash is left open.
    Open,
    /// It needs a shell.
    Operator,
}

impl BadLine {
    /// What is wanted instead.
    #[must_use]
    pub const fn wanted(self) -> &'static str {
        match self {
            Self::Empty => "words",
            Self::Open => "closed quotes",
            Self::Operator => "words without shell operators",
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Open => "an open quote",
            Self::Operator => "a shell operator",
        }
    }
}

/// The words of a command line.
///
/// # Errors
/// What is wrong with it.
pub fn split(text: &str) -> Result<Vec<String>, BadLine> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => quoted(&mut chars, word.get_or_insert_default(), '\'')?,
            '"' => quoted(&mut chars, word.get_or_insert_default(), '"')?,
            '\\' => {
                let next = chars.next().ok_or(BadLine::Open)?;
                word.get_or_insert_default().push(next);
            }
            ';' | '&' | '|' | '>' | '<' | '`' | '(' | ')' | '\n' | '\0' => {
                return Err(BadLine::Operator);
            }
            '$' => return Err(BadLine::Operator),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let assigns = |word: &String| word.split_once('=').is_some_and(|(name, _)| !name.contains('/'));
    match words.first() {
        None => Err(BadLine::Empty),
        Some(first) if first.is_empty() => Err(BadLine::Empty),
        Some(first) if assigns(first) => Err(BadLine::Operator),
        Some(_) => Ok(words),
    }
}

/// Reads up to the closing quote. A shell would still act on `$` and backquotes in double quotes.
fn quoted(chars: &mut core::str::Chars<'_>, word: &mut String, quote: char) -> Result<(), BadLine> {
    while let Some(c) = chars.next() {
        match c {
            c if c == quote => return Ok(()),
            '$' | '`' if quote == '"' => return Err(BadLine::Operator),
            '\0' => return Err(BadLine::Operator),
            '\\' if quote == '"' => word.push(chars.next().ok_or(BadLine::Open)?),
            c => word.push(c),
        }
    }
    Err(BadLine::Open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_or_invalid() {
        let table: [(&str, Result<&[&str], BadLine>); 14] = [
            ("npm run lint", Ok(&["npm", "run", "lint"])),
            ("cargo test -p cli", Ok(&["cargo", "test", "-p", "cli"])),
            ("pytest -k 'a and b' \"c d\"", Ok(&["pytest", "-k", "a and b", "c d"])),
            ("sh -c 'npm test; true'", Ok(&["sh", "-c", "npm test; true"])),
            ("go vet ./...", Ok(&["go", "vet", "./..."])),
            ("npm test; rm -rf /", Err(BadLine::Operator)),
            ("pytest && curl x", Err(BadLine::Operator)),
            ("echo $(id)", Err(BadLine::Operator)),
            ("echo `id`", Err(BadLine::Operator)),
            ("echo \"$HOME\"", Err(BadLine::Operator)),
            ("a > b", Err(BadLine::Operator)),
            ("CI=1 npm test", Err(BadLine::Operator)),
            ("echo 'x", Err(BadLine::Open)),
            ("  ", Err(BadLine::Empty)),
        ];
        for (text, expected) in table {
            let found = split(text);
            let found = found.as_ref().map(|words| words.iter().map(String::as_str).collect());
            let expected = expected.map(<[&str]>::to_vec);
            assert_eq!(found.map_err(|bad| *bad), expected, "{text}");
        }
    }
}
