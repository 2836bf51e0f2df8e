//! What in a text can be found in a work tree or in a program: paths, identifiers, literals. Found
//! by their form alone; nothing is looked up.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::lists::EXTENSIONS;
use super::shape::quoted;
use super::text::{Text, is_cjk};

/// What a text holds on to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// Paths, each once.
    pub paths: Vec<String>,
    /// Identifiers, each once.
    pub identifiers: Vec<String>,
    /// Whether there is quoted text, or a number outside paths.
    pub literal: bool,
}

impl Anchors {
    /// Of a text.
    #[must_use]
    pub fn of(text: &Text) -> Self {
        let mut found = Self::default();
        let said = text.said.as_str();
        found.literal = quotes(said);
        for (inside, word) in words(said) {
            found.take(inside, word);
        }
        found
    }

    /// Whether there is any.
    #[must_use]
    pub fn any(&self) -> bool {
        self.literal || !self.paths.is_empty() || !self.identifiers.is_empty()
    }

    /// How many directories the paths lie in.
    #[must_use]
    pub fn directories(&self) -> usize {
        let mut dirs: Vec<&str> = self
            .paths
            .iter()
            .map(|path| path.trim_end_matches('/').rsplit_once('/').map_or("", |(dir, _)| dir))
            .collect();
        dirs.sort_unstable();
        dirs.dedup();
        dirs.len()
    }

    fn take(&mut self, inside: Inside, word: &str) {
        let bare = word.trim_end_matches(['.', '-']).trim_start_matches('.');
        if is_path(bare) {
            push(&mut self.paths, bare);
        } else if inside == Inside::Code && !word.is_empty() {
            push(&mut self.identifiers, word);
        } else if is_identifier(bare) {
            push(&mut self.identifiers, bare);
        } else if number(bare) {
            self.literal = true;
        }
    }
}

fn push(list: &mut Vec<String>, word: &str) {
    if !list.iter().any(|known| known == word) {
        list.push(word.to_string());
    }
}

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// In backticks.
    Code,
    /// In the text.
    Prose,
}

/// The words of a text: what stands in backticks whole, the rest by the letters of paths.
fn words(said: &str) -> Vec<(Inside, &str)> {
    let code = quoted(said).into_iter().filter(|(from, _)| said[..*from].ends_with('`'));
    let mut found = Vec::new();
    let mut at = 0;
    for (from, to) in code {
        found.extend(pieces(&said[at..from]).map(|word| (Inside::Prose, word)));
        found.push((Inside::Code, said[from..to].trim()));
        at = to;
    }
    found.extend(pieces(&said[at..]).map(|word| (Inside::Prose, word)));
    found
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "_./@+-()".contains(c)))
        .filter(|word| !word.is_empty())
}

fn is_path(word: &str) -> bool {
    let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    if !letters || word.contains(['(', ')']) || word.contains(char::is_whitespace) {
        return false;
    }
    if let Some((dir, _)) = word.split_once('/') {
        return !dir.is_empty() && !word.contains("//") && !word.chars().any(is_cjk);
    }
    word.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty() && EXTENSIONS.contains(&end.to_ascii_lowercase().as_str())
    })
}

/// `snake_case`, `camelCase` or `f()`.
fn is_identifier(word: &str) -> bool {
    let call = word.strip_suffix("()");
    let name = call.unwrap_or(word);
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(fits) || !name.starts_with(char::is_alphabetic) {
        return false;
    }
    let snake = name.trim_matches('_').contains('_');
    let mut pairs = name.chars().zip(name.chars().skip(1));
    let camel = pairs.any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    call.is_some() || snake || camel
}

/// A number that is no part of a name.
fn number(word: &str) -> bool {
    word.trim_matches(['(', ')', '-', '+']).starts_with(|c: char| c.is_ascii_digit())
}

/// Whether there is text in quotes.
fn quotes(said: &str) -> bool {
    let full = |(from, to): &(usize, usize)| {
        !said[..*from].ends_with('`') && !said[*from..*to].trim().is_empty()
    };
    quoted(said).iter().any(full) || said.split(" '").skip(1).any(closes)
}

/// Whether single quotes that were opened are closed at the end of a word.
fn closes(rest: &str) -> bool {
    rest.match_indices('\'')
        .any(|(at, _)| at > 0 && !rest[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn anchors_are_found_by_their_form() {
        let table = [
            ("把 src/net/client.rs 的超时从 30 改为 60", "src/net/client.rs | | literal"),
            ("在README.md中修正拼写", "README.md | | "),
            ("Rename `load_cfg` in src/config.rs.", "src/config.rs | load_cfg | "),
            ("call getUser() and load_cfg, then v2", " | getUser() load_cfg | "),
            ("see `src/a.rs` and `--json`", "src/a.rs | --json | "),
            ("添加“记住我”复选框", " | | literal"),
            ("use 'dark mode' here", " | | literal"),
            ("don't do what it's for", " | | "),
            ("open http://x.y/z now", " | | "),
            ("look at src/ and e.g. this", "src/ | | "),
            ("the GitHub API", " | GitHub | "),
        ];
        for (input, expected) in table {
            let found = Anchors::of(&Text::of(input));
            let literal = if found.literal { "literal" } else { "" };
            let (paths, names) = (found.paths.join(" "), found.identifiers.join(" "));
            let names = if names.is_empty() { names } else { format!("{names} ") };
            assert_eq!(format!("{paths} | {names}| {literal}"), expected, "{input}");
        }
    }
}
