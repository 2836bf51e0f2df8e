//! One pattern of protected names: parts that must follow each other, `*` within a part, `/` in
//! front for the root only. Also the short forms that some file systems give a long name.

use alloc::string::String;
use alloc::vec::Vec;

use super::fold::fold;
use crate::stars;

/// What a short name keeps of a long one.
const SHORT_STEM: usize = 6;
/// A short name before its extension.
const SHORT_BYTES: usize = 8;
/// What it keeps when several names begin alike; a hash of four digits follows.
const HASHED_STEM: usize = 2;
const HASH_DIGITS: usize = 4;

/// Where parts may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Root,
    Anywhere,
}

/// A compiled pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    anchor: Anchor,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    text: String,
    /// How its short form begins, if it has one.
    stem: Option<String>,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        let (anchor, rest) = match text.strip_prefix('/') {
            Some(rest) => (Anchor::Root, rest),
            None => (Anchor::Anywhere, text),
        };
        let parts = rest.split('/').map(fold).filter(|part| !part.is_empty()).map(Part::new);
        Self { anchor, parts: parts.collect() }
    }

    /// Whether folded parts hold it.
    pub(super) fn is_in(&self, parts: &[String]) -> bool {
        let fits = |window: &[String]| {
            self.parts.iter().zip(window).all(|(pattern, part)| pattern.fits(part))
        };
        match self.anchor {
            _other if self.parts.is_empty() => false,
            Anchor::Root => parts.get(..self.parts.len()).is_some_and(fits),
            Anchor::Anywhere => parts.windows(self.parts.len()).any(fits),
        }
    }
}

impl Part {
    fn new(text: String) -> Self {
        let stem = stem(&text);
        Self { text, stem }
    }

    fn fits(&self, part: &str) -> bool {
        stars::fits(&self.text, part)
            || self.stem.as_ref().is_some_and(|stem| is_short_of(stem, part))
    }
}

/// The letters a short name of this one begins with. Names that fit the short form as they are
/// have no other.
fn stem(name: &str) -> Option<String> {
    let bare = name.trim_start_matches('.');
    let base = bare.rsplit_once('.').map_or(bare, |(base, _)| base);
    let base = base.split('*').next().unwrap_or(base);
    let fits_as_is = bare.len() == name.len() && base.len() <= SHORT_BYTES;
    if base.is_empty() || fits_as_is || !base.is_ascii() {
        return None;
    }
    Some(base.chars().filter(|letter| *letter != '.').take(SHORT_STEM).collect())
}

/// `git~1`, `gitmod~2`, `mcp~1.jso`, `gitmo~10`, `gi7eba~1`; any extension.
fn is_short_of(stem: &str, part: &str) -> bool {
    let Some((head, tail)) = part.split_once('~') else { return false };
    let digits = tail.split('.').next().unwrap_or(tail);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    let room = SHORT_BYTES.saturating_sub(digits.len() + 1).max(1);
    let cut = &stem[..stem.len().min(room)];
    head == stem || head == cut || is_hashed(stem, head)
}

fn is_hashed(stem: &str, head: &str) -> bool {
    let begin = &stem[..stem.len().min(HASHED_STEM)];
    head.strip_prefix(begin).is_some_and(|hash| {
        hash.len() == HASH_DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
    })
}

/// The folded parts of a path; bytes that are no UTF-8 are replaced, which fits no name.
pub(super) fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_have_stems_and_short_ones_have_none() {
        let table = [
            (".git", Some("git")),
            (".gitmodules", Some("gitmod")),
            (".mcp.json", Some("mcp")),
            ("loopwright.toml", Some("loopwr")),
            ("id_ed25519*", Some("id_ed2")),
            (".env.*", Some("env")),
            ("*.pem", None),
            ("infra", None),
            ("payments", None),
            ("workflows", Some("workfl")),
        ];
        for (name, expected) in table {
            assert_eq!(stem(name).as_deref(), expected, "{name}");
        }
    }
}
