//! Credentials on a command line: they end up in process lists and records.

use alloc::string::{String, ToString as _};

use super::find::shown;
use super::finding::{Level, Look, Reach, Risk};
use crate::policy::argv::Segment;

/// Beginnings of tokens that well-known services hand out.
const TOKENS: [&str; 11] = [
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "npm_",
];
/// Shorter than this it is a word that happens to begin so.
const TOKEN_CHARS_MIN: usize = 16;
/// Names of values that are secret.
const NAMES: [&str; 6] = ["password", "passwd", "token", "secret", "api_key", "apikey"];

pub(super) fn look(segment: &Segment, look: &mut Look) {
    let mut before = "";
    for word in segment.words.iter().skip(1) {
        let named = before.starts_with("--") && !word.starts_with('-') && is_secret_name(before);
        if named || masked(word) != *word {
            look.add(Risk::Sensitive, Level::High, Reach::Machine, shown(segment));
            return;
        }
        before = word;
    }
}

/// The word with a credential in it left out; the same word if there is none.
pub(super) fn masked(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    if let Some(at) = lower.find("authorization:").or_else(|| lower.find("bearer ")) {
        return alloc::format!("{}***", word.get(..at).unwrap_or_default());
    }
    if let Some((scheme, rest)) = word.split_once("://")
        && let Some((user, host)) = rest.split('/').next().unwrap_or_default().split_once('@')
        && user.contains(':')
    {
        return alloc::format!("{scheme}://***@{host}");
    }
    if let Some((name, value)) = word.split_once('=')
        && !value.is_empty()
        && (is_secret_name(name) || is_token(value))
        && !name.contains([' ', '/'])
    {
        return alloc::format!("{name}=***");
    }
    if is_token(word) { "***".to_string() } else { word.to_string() }
}

fn is_secret_name(name: &str) -> bool {
    let name = name.trim_start_matches('-').to_ascii_lowercase().replace('-', "_");
    let ends = |known: &&str| name == **known || name.ends_with(&alloc::format!("_{known}"));
    NAMES.iter().any(ends)
}

fn is_token(word: &str) -> bool {
    word.len() >= TOKEN_CHARS_MIN
        && TOKENS.iter().any(|start| word.starts_with(start))
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_left_out() {
        let table = [
            ("--password=x", "--password=***"),
            ("DB_PASSWORD=x", "DB_PASSWORD=***"),
            ("https://u:p@h/x", "https://***@h"),
            ("Authorization: Bearer abc", "***"),
            ("ghp_0123456789abcdef", "***"),
            ("--token-type=jwt", "--token-type=jwt"),
            ("test_token.py", "test_token.py"),
            ("sk-short", "sk-short"),
            ("https://h/x@y:z", "https://h/x@y:z"),
        ];
        for (word, expected) in table {
            assert_eq!(masked(word), expected, "{word}");
        }
    }
}
