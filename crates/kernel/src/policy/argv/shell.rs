//! Texts for a shell. They are opaque: never allowed by a rule, granted only once. Where a text is
//! nothing but plain words and separators its commands are still looked at, to say what is risky.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::flags::base_name;

/// Programs that take a text to run.
pub const SHELLS: [&str; 10] =
    ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "rbash"];

/// Whether a word names a shell.
#[must_use]
pub fn is_shell(word: &str) -> bool {
    SHELLS.contains(&base_name(word).as_str())
}

/// What a shell is asked to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// To run this text.
    Text(String),
    /// To run a file.
    File,
    /// Nothing that could be found in its words.
    Unclear,
}

/// What the words of a shell ask for.
#[must_use]
pub fn asked(words: &[String]) -> Asked {
    let mut text = false;
    for word in words.iter().skip(1) {
        let flag = word.len() > 1 && (word.starts_with('-') || word.starts_with('+'));
        if !flag {
            return if text { Asked::Text(word.clone()) } else { Asked::File };
        }
        let long = word.starts_with("--");
        // `-o` and a file of settings take the next word, which is not told apart here.
        if (long && !["--norc", "--noprofile", "--posix", "--login"].contains(&word.as_str()))
            || (!long && word.contains(['o', 'O', 's']))
        {
            return Asked::Unclear;
        }
        text |= !long && word.contains('c');
    }
    Asked::Unclear
}

/// One command of a plain text, and the program its output goes to.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    /// Its words.
    pub words: Vec<String>,
    /// The program behind the pipe.
    pub into: Option<String>,
}

/// The commands of a text of plain words between `;`, `&`, `|`, `&&`, `||` and line ends; none if
/// anything in it would need a shell to be understood.
#[must_use]
pub fn commands(text: &str) -> Option<Vec<Command>> {
    let plain = |c: char| c.is_alphanumeric() || "_./=,:@%+-~*?$ \t\n;&|".contains(c);
    if !text.chars().all(plain) {
        return None;
    }
    let mut found: Vec<Command> = Vec::new();
    let mut piped = false;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find([';', '&', '|', '\n']).unwrap_or(rest.len());
        let (here, after) = rest.split_at(end);
        let words: Vec<String> = here.split_whitespace().map(|word| word.to_string()).collect();
        if let Some(program) = words.first() {
            if let Some(before) = found.last_mut().filter(|_| piped) {
                before.into = Some(base_name(program));
            }
            found.push(Command { words, into: None });
        }
        let taken = if after.starts_with("&&") || after.starts_with("||") { 2 } else { 1 };
        piped = after.starts_with('|') && taken == 1;
        rest = after.get(taken..).unwrap_or_default();
    }
    Some(found)
}

/// How far around a definition is looked; a longer one is no prank, and opaque all the same.
const BODY_BYTES_MAX: usize = 256;

/// Whether a text defines a function that pipes into itself.
#[must_use]
pub fn is_fork_bomb(text: &str) -> bool {
    let tight: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    tight.windows(3).enumerate().filter(|(_, window)| *window == b"(){").any(|(at, _)| {
        let before = &tight[at.saturating_sub(BODY_BYTES_MAX)..at];
        let start = before.iter().rposition(|b| b";&|}'\"".contains(b)).map_or(0, |i| i + 1);
        let name = &before[start..];
        let name = name.strip_prefix(b"function").filter(|n| !n.is_empty()).unwrap_or(name);
        let body = &tight[at + 3..tight.len().min(at + 3 + BODY_BYTES_MAX)];
        let body = body.split(|b| *b == b'}').next().unwrap_or_default();
        let call = [name, b"|", name].concat();
        !name.is_empty() && body.windows(call.len()).any(|window| window == call)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(|word| word.to_string()).collect()
    }

    #[test]
    fn the_text_is_found_behind_any_flags() {
        let table = [
            ("sh -c ls", Asked::Text("ls".into())),
            ("bash -lc ls", Asked::Text("ls".into())),
            ("bash -x --norc -ec ls", Asked::Text("ls".into())),
            ("sh run.sh -c x", Asked::File),
            ("bash --rcfile x -c ls", Asked::Unclear),
            ("bash -O extglob -c ls", Asked::Unclear),
            ("sh", Asked::Unclear),
            ("sh -s", Asked::Unclear),
        ];
        for (text, expected) in table {
            assert_eq!(asked(&words(text)), expected, "{text}");
        }
    }

    #[test]
    fn plain_texts_are_seen_through() {
        let found = commands("npm test; rm -rf / && curl x | sh").unwrap();
        let programs: Vec<&str> = found.iter().map(|c| c.words[0].as_str()).collect();
        assert_eq!(programs, ["npm", "rm", "curl", "sh"]);
        assert_eq!(found[2].into.as_deref(), Some("sh"));
        assert_eq!((&found[0].into, &found[1].into), (&None, &None));
        for text in ["echo 'a'", "echo \"$(x)\"", "(ls)", "a > b", "r\\m", "`x`"] {
            assert_eq!(commands(text), None, "{text}");
        }
    }

    #[test]
    fn fork_bombs_are_known() {
        for text in [":(){ :|:& };:", "bomb() { bomb | bomb & }; bomb", "function f(){ f|f & };f"] {
            assert!(is_fork_bomb(text), "{text}");
        }
        for text in ["f(){ ls | wc; }; f", "a|a", "", "(){ | }"] {
            assert!(!is_fork_bomb(text), "{text}");
        }
    }
}
