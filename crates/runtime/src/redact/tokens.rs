//! Tokens that say what they are: well-known prefixes followed by enough token letters. It knows
//! no provider's checksums; looking like one is enough.

use super::scan::{Tail, Verdict, yes};
use super::{marks::Label, rules::MATCH_BYTES_MAX};

struct Prefix {
    text: &'static str,
    letters_min: usize,
    edge: Edge,
}

/// Whether a prefix must begin a word. Short ones must: `task-…` is no `sk-…`.
enum Edge {
    Word,
    /// Nor may a token letter or a dot stand before it: a long run is looked at once, not at
    /// each of its parts.
    Run,
    Any,
}

const fn prefix(text: &'static str, letters_min: usize, edge: Edge) -> Prefix {
    Prefix { text, letters_min, edge }
}

const PREFIXES: &[Prefix] = &[
    prefix("sk-", 20, Edge::Word),
    prefix("sk_live_", 16, Edge::Any),
    prefix("sk_test_", 16, Edge::Any),
    prefix("rk_live_", 16, Edge::Any),
    prefix("ghp_", 20, Edge::Any),
    prefix("gho_", 20, Edge::Any),
    prefix("ghu_", 20, Edge::Any),
    prefix("ghs_", 20, Edge::Any),
    prefix("ghr_", 20, Edge::Any),
    prefix("github_pat_", 20, Edge::Any),
    prefix("glpat-", 16, Edge::Any),
    prefix("xoxa-", 10, Edge::Any),
    prefix("xoxb-", 10, Edge::Any),
    prefix("xoxp-", 10, Edge::Any),
    prefix("xoxr-", 10, Edge::Any),
    prefix("xoxs-", 10, Edge::Any),
    prefix("xapp-", 10, Edge::Any),
    prefix("AKIA", 16, Edge::Word),
    prefix("ASIA", 16, Edge::Word),
    prefix("AIza", 30, Edge::Word),
    prefix("ya29.", 20, Edge::Word),
    prefix("hf_", 20, Edge::Word),
    prefix("npm_", 30, Edge::Word),
    prefix("pypi-", 30, Edge::Word),
    prefix("dop_v1_", 30, Edge::Any),
    prefix("SG.", 30, Edge::Word),
    prefix("eyJ", 30, Edge::Run),
];

/// Prefixes whose tokens have dots inside.
const DOTTED: [&str; 3] = ["ya29.", "SG.", "eyJ"];

/// The first letters of all prefixes.
pub(super) fn first_bytes() -> impl Iterator<Item = u8> {
    PREFIXES.iter().filter_map(|prefix| prefix.text.bytes().next())
}

/// A token that begins at `at`.
pub(super) fn at(text: &[u8], at: usize, tail: Tail) -> Verdict {
    let mut verdict = Verdict::No;
    let first = text[at];
    for prefix in PREFIXES {
        if prefix.text.as_bytes()[0] != first {
            continue;
        }
        let begins = match prefix.edge {
            Edge::Any => true,
            Edge::Word => begins_word(text, at),
            Edge::Run => begins_word(text, at) && !(at > 0 && b"-.".contains(&text[at - 1])),
        };
        if !begins {
            continue;
        }
        match one(text, at, prefix, tail) {
            Verdict::No => {}
            Verdict::More => verdict = Verdict::More,
            found @ Verdict::Yes { .. } => return found,
        }
    }
    verdict
}

fn one(text: &[u8], at: usize, prefix: &Prefix, tail: Tail) -> Verdict {
    let (rest, name) = (&text[at..], prefix.text.as_bytes());
    if !rest.starts_with(name) {
        let open = tail == Tail::Open && name.starts_with(rest);
        return if open { Verdict::More } else { Verdict::No };
    }
    let dotted = DOTTED.contains(&prefix.text);
    let letter = |b: &u8| b.is_ascii_alphanumeric() || b"_-".contains(b) || dotted && *b == b'.';
    let room = MATCH_BYTES_MAX.min(rest.len());
    let run = rest[name.len()..room].iter().take_while(|b| letter(b)).count();
    let end = name.len() + run;
    if end == rest.len() && end < MATCH_BYTES_MAX && tail == Tail::Open {
        return Verdict::More;
    }
    // Three or more parts make a signed token; `eyJ` alone begins any encoded JSON.
    let parts = rest[..end].iter().filter(|b| **b == b'.').count();
    let whole = prefix.text != "eyJ" || parts >= 2;
    if run >= prefix.letters_min && whole { yes(at, at + end, Label::Token) } else { Verdict::No }
}

/// No letter, digit or underscore before; but the letter of an escape like `\n` is no letter.
fn begins_word(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|i| text[i]);
    let escaped = at.checked_sub(2).is_some_and(|i| text[i] == b'\\');
    before.is_none_or(|b| escaped || !(b.is_ascii_alphanumeric() || b == b'_'))
}
