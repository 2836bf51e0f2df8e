//! What a failure is known by, so that the same one is recognised when it is seen again: what
//! differs from run to run is left out.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::bounds::{ANCHORS_MAX, TAIL_LINES};
use super::check::{CheckError, Verdict};
use crate::hash;

/// The signature of a check that failed: by its first errors, else by the end of its output.
#[must_use]
pub fn signature(
    check: &str,
    verdict: Verdict,
    errors: &[CheckError],
    tail: &str,
    root: &str,
) -> String {
    let mut known: Vec<String> = errors
        .iter()
        .take(ANCHORS_MAX)
        .map(|error| {
            let file = error.file.as_deref().unwrap_or_default();
            plain(&alloc::format!("{file} {}", error.message), root)
        })
        .collect();
    known.sort_unstable();
    if known.is_empty() {
        let lines: Vec<&str> = tail.lines().collect();
        let from = lines.len().saturating_sub(TAIL_LINES);
        known = lines.get(from..).unwrap_or_default().iter().map(|l| plain(l, root)).collect();
    }
    hash::of_json(&json!([check, verdict, known]))
}

/// The text without colours, the workspace, places, addresses, times and free numbers. A number
/// that belongs to a word (`E0308`) stays.
#[must_use]
pub fn plain(text: &str, root: &str) -> String {
    let text = uncoloured(text);
    let text = if root.is_empty() { text } else { text.replace(root, "") };
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let free = !before.is_alphanumeric() && before != '_';
        if c.is_ascii_digit() && free {
            let hex = c == '0' && chars.next_if(|next| matches!(next, 'x' | 'X')).is_some();
            let rest = |next: &char| {
                if hex { next.is_ascii_hexdigit() } else { next.is_ascii_digit() || *next == '.' }
            };
            while chars.next_if(|next| rest(next)).is_some() {}
            out.push('#');
            before = '#';
        } else {
            out.push(c);
            before = c;
        }
    }
    String::from(out.trim())
}

/// Without the escape sequences that colour a terminal.
fn uncoloured(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            for next in chars.by_ref() {
                if next.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_left_out() {
        let table = [
            ("\u{1b}[31merror\u{1b}[0m[E0308]: mismatched", "error[E0308]: mismatched"),
            ("/w/p/src/a.rs:12:5: bad", "src/a.rs:#:#: bad"),
            ("finished in 0.12s at 0x7fff12ab", "finished in #s at #"),
            ("expected 3, found 4", "expected #, found #"),
        ];
        for (text, expected) in table {
            assert_eq!(plain(text, "/w/p/"), expected);
        }
    }

    #[test]
    fn errors_count_whatever_their_order_and_place() {
        let error = |file: &str, line, message: &str| CheckError {
            file: Some(file.into()),
            line: Some(line),
            column: None,
            message: message.into(),
            context: None,
        };
        let one = [error("a.rs", 1, "bad"), error("b.rs", 2, "worse")];
        let two = [error("b.rs", 9, "worse"), error("a.rs", 8, "bad")];
        let of = |errors: &[CheckError]| signature("test", Verdict::Fail, errors, "", "");
        assert_eq!(of(&one), of(&two));
        assert_ne!(of(&one), of(&one[..1]));
    }
}
