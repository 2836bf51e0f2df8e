//! Which words of a command may name files. Search patterns, messages and formats are left out,
//! so that looking for a dangerous text is not taken for touching a dangerous path.

use alloc::string::String;
use alloc::vec::Vec;

use super::flags::base_name;
use super::sed;
use super::shell::{self, is_shell};

/// Programs whose words name no file.
const NO_FILES: [&str; 14] = [
    "echo", "printf", "true", "false", "sleep", "seq", "expr", "kill", "pkill", "killall", "tr",
    "date", "uname", "whoami",
];
/// Programs whose first operand is a pattern or a program of their own.
const SEARCHES: [&str; 9] = ["grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "jq", "yq"];
/// Their flags that bring the pattern themselves.
const PATTERNS: [&str; 5] = ["-e", "-f", "--regexp", "--file", "--files"];
/// Flags whose next word is a text, for any of the programs below.
const SEARCH_TEXTS: [&str; 13] = [
    "-e",
    "--regexp",
    "-g",
    "--glob",
    "--iglob",
    "--include",
    "--exclude",
    "--exclude-dir",
    "-A",
    "-B",
    "-C",
    "-m",
    "-t",
];
const GIT_TEXTS: [&str; 17] = [
    "-m",
    "--message",
    "-S",
    "-G",
    "--grep",
    "--format",
    "--pretty",
    "--author",
    "--committer",
    "--since",
    "--until",
    "--after",
    "--before",
    "--date",
    "-n",
    "-b",
    "--trailer",
];
const FIND_TEXTS: [&str; 12] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-type",
    "-size",
    "-mtime",
    "-newermt",
    "-perm",
];

/// The words of a command that may name files, as written.
#[must_use]
pub fn operands(words: &[String]) -> Vec<&str> {
    let name = words.first().map(|word| base_name(word)).unwrap_or_default();
    let text = is_shell(&name) && shell::asked(words) != shell::Asked::File;
    if NO_FILES.contains(&name.as_str()) || text {
        return Vec::new();
    }
    let texts: &[&str] = match name.as_str() {
        "git" => &GIT_TEXTS,
        "find" | "gfind" | "fd" => &FIND_TEXTS,
        name if SEARCHES.contains(&name) => &SEARCH_TEXTS,
        _other => &[],
    };
    let scripts = match name.as_str() {
        "sed" | "gsed" => sed::scripts(words).unwrap_or_default(),
        _other => Vec::new(),
    };
    let finds = name == "find" || name == "gfind";
    let mut pattern = SEARCHES.contains(&name.as_str()) && !brings_pattern(words);
    let mut found = Vec::new();
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        let flag = word.len() > 1 && word.starts_with('-');
        if finds && (word.starts_with("-exec") || word.starts_with("-ok")) {
            // What follows is a command of its own, and looked at as one.
            rest.by_ref().take_while(|word| *word != ";" && *word != "+").for_each(drop);
        } else if texts.contains(&word) {
            rest.next();
        } else if flag {
            let named = word.split('=').next().unwrap_or_default();
            if !texts.contains(&named) {
                found.push(word);
            }
        } else if pattern {
            pattern = false;
        } else if !scripts.contains(&word) {
            found.push(word);
        }
    }
    found
}

fn brings_pattern(words: &[String]) -> bool {
    words.iter().any(|word| PATTERNS.contains(&word.split('=').next().unwrap_or_default()))
}

/// Flags of one letter that may stand before one that brings its value in the same word.
const BUNDLE_MAX: usize = 4;

/// Every path a word may name: itself, and what stands behind `=`, `@` and any `:`, or right behind
/// the letters of a flag. What git reads in brackets after a `:` is no part of a path. An address
/// on the network is none.
#[must_use]
pub fn spellings(word: &str) -> Vec<&str> {
    if word.contains("://") {
        return Vec::new();
    }
    let behind = |mark: char| word.split_once(mark).map(|(_, rest)| rest);
    let mut found: Vec<&str> = Vec::new();
    if !word.starts_with('-') {
        found.push(word);
    } else if !word.starts_with("--") {
        found.extend(glued(word));
    }
    for mark in ['=', '@'] {
        found.extend(behind(mark));
    }
    for (at, _) in word.match_indices(':') {
        let rest = word.get(at + 1..).unwrap_or_default();
        found.push(rest);
        found.extend(rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|it| it.1));
    }
    found.extend(behind('=').and_then(|value| value.strip_prefix('@')));
    found.retain(|path| !path.is_empty());
    found
}

/// What a flag of letters may bring in its own word: all behind its first letter where that begins
/// as a path does, else also less, for the letter that brings it may be a later one.
fn glued(word: &str) -> Vec<&str> {
    let tail = |(at, _): (usize, char)| word.get(at..);
    let mut tails = word.char_indices().skip(2).filter_map(tail);
    let Some(first) = tails.next() else { return Vec::new() };
    if first.starts_with(['/', '.', '~']) {
        return Vec::from([first]);
    }
    // A slash there is more often one within a path than the start of another.
    let later = tails.take(BUNDLE_MAX).filter(|value| !value.starts_with('/'));
    core::iter::once(first).chain(later).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::spelled;

    #[test]
    fn texts_are_not_taken_for_files() {
        let table: [(&str, &[&str]); 11] = [
            ("grep -r 'rm -rf /' src", &["-r", "src"]),
            ("rg /api/v1 src", &["src"]),
            ("rg -e /api -e /b src", &["src"]),
            ("grep -f .env src", &["-f", ".env", "src"]),
            ("git commit -m '.loop docs'", &["commit"]),
            ("git log -S /x --grep=/y", &["log"]),
            ("sed -n 1,5p f", &["-n", "f"]),
            ("find . -name .env", &["."]),
            ("find . -exec grep .loop {} ; -o x", &[".", "-o", "x"]),
            ("echo .loop", &[]),
            ("cat a b", &["a", "b"]),
        ];
        for (text, expected) in table {
            let words = spelled::words(text).unwrap();
            assert_eq!(operands(&words), expected, "{text}");
        }
    }

    #[test]
    fn a_word_may_name_several_paths() {
        let table: [(&str, &[&str]); 11] = [
            ("-hf.env", &["f.env", ".env", "env", "nv", "v"]),
            ("-n5", &["5"]),
            (":0:.env", &[":0:.env", "0:.env", ".env"]),
            (":(glob).env", &[":(glob).env", "(glob).env", ".env"]),
            ("--file=.env", &[".env"]),
            ("-f/etc/passwd", &["/etc/passwd"]),
            ("@.env", &["@.env", ".env"]),
            ("HEAD:.env", &["HEAD:.env", ".env"]),
            ("if=@a", &["if=@a", "@a", "a", "a"]),
            ("https://a/b", &[]),
            ("-v", &[]),
        ];
        for (word, expected) in table {
            assert_eq!(spellings(word), expected, "{word}");
        }
    }
}
