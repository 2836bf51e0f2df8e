//! The flags of a command in any order and grouping: `-rf`, `-r -f`, `--recursive`, `--rec`. It
//! does not know which flags take a value, so a value may show up among the operands.

use alloc::string::String;
use alloc::vec::Vec;

/// A command's words after the program, sorted by what they look like.
#[derive(Debug, Default)]
pub struct Flags<'a> {
    short: Vec<char>,
    long: Vec<(&'a str, Option<&'a str>)>,
    /// Everything that is no flag.
    pub operands: Vec<&'a str>,
}

/// Sorts the words after the program.
#[must_use]
pub fn flags(words: &[String]) -> Flags<'_> {
    let mut flags = Flags::default();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            flags.operands.extend(words.by_ref().map(String::as_str));
        } else if let Some(name) = word.strip_prefix("--") {
            let (name, value) = name.split_once('=').map_or((name, None), |(n, v)| (n, Some(v)));
            flags.long.push((name, value));
        } else if word.len() > 1 && word.starts_with('-') {
            flags.short.extend(word.chars().skip(1));
        } else {
            flags.operands.push(word);
        }
    }
    flags
}

impl<'a> Flags<'a> {
    /// Whether one of these letters is given, in whatever group.
    #[must_use]
    pub fn any(&self, letters: &str) -> bool {
        self.short.iter().any(|letter| letters.contains(*letter))
    }

    /// Whether a long flag is given, whole or as an abbreviation that programs accept.
    #[must_use]
    pub fn long(&self, name: &str) -> bool {
        self.long.iter().any(|(given, _)| !given.is_empty() && name.starts_with(given))
    }

    /// Whether a long flag that begins so is given.
    #[must_use]
    pub fn begins(&self, start: &str) -> bool {
        self.long.iter().any(|(given, _)| given.starts_with(start))
    }

    /// Whether a letter or its long form is given.
    #[must_use]
    pub fn has(&self, letters: &str, name: &str) -> bool {
        self.any(letters) || self.long(name)
    }

    /// The values written with `=` behind long flags.
    pub fn values(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.long.iter().filter_map(|(_, value)| *value)
    }

    /// Whether an operand is this word.
    #[must_use]
    pub fn names(&self, word: &str) -> bool {
        self.operands.contains(&word)
    }
}

/// A program by its bare name, whatever directory, case or ending it is written with.
#[must_use]
pub fn base_name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    name.strip_suffix(".exe").map_or_else(|| name.clone(), String::from)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn flags_are_found_in_any_form() {
        for text in ["rm -rf x", "rm -f x -r", "rm -fR x", "rm --recursive x", "rm --rec x"] {
            let words: Vec<String> = text.split(' ').map(|word| word.to_string()).collect();
            let found = flags(&words);
            assert!(found.has("rR", "recursive"), "{text}");
            assert_eq!(found.operands, ["x"], "{text}");
        }
        let words: Vec<String> = "rm -- -r".split(' ').map(|word| word.to_string()).collect();
        assert!(!flags(&words).any("r") && flags(&words).names("-r"));
    }

    #[test]
    fn a_program_is_known_by_its_name() {
        let table = [("/bin/rm", "rm"), ("./RM", "rm"), ("rm.exe", "rm"), ("", ""), ("r\\m", "m")];
        for (word, name) in table {
            assert_eq!(base_name(word), name);
        }
    }
}
