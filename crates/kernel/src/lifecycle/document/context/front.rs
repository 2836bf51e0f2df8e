//! The front matter: key and value, one pair a line, between two fences. Which keys there are and
//! what they mean is in `head`.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::text::{Broken, Numbered, Unread};
use super::scalar::{self, Scalar};

pub(super) const FENCE: &str = "---";

/// One pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub line: usize,
    pub key: String,
    pub value: Scalar,
}

/// The front matter of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Front {
    pub pairs: Vec<Pair>,
    /// Lines with a comment.
    pub comments: Vec<usize>,
    /// The line of the second fence.
    pub end: usize,
}

impl Front {
    pub(super) fn pair(&self, key: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.key == key)
    }
}

/// Reads the front matter; answers it and the lines behind it.
pub(super) fn read<'a, 'b>(
    lines: &'b [Numbered<'a>],
) -> Result<(Front, &'b [Numbered<'a>]), Broken> {
    let Some((_, rest)) = lines.split_first().filter(|((_, first), _)| is_fence(first)) else {
        return Err(Broken::new(1, Unread::NoFence, ""));
    };
    let Some(close) = rest.iter().position(|(_, line)| is_fence(line)) else {
        let last = rest.last().map_or(1, |(line, _)| *line);
        return Err(Broken::new(last, Unread::OpenFence, ""));
    };
    let mut front = Front { pairs: Vec::new(), comments: Vec::new(), end: rest[close].0 };
    for (line, text) in &rest[..close] {
        one(*line, text, &mut front)?;
    }
    Ok((front, &rest[close + 1..]))
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix(FENCE).is_some_and(|rest| rest.trim().is_empty())
}

fn one(line: usize, text: &str, front: &mut Front) -> Result<(), Broken> {
    let broken = |why, found: &str| Broken::new(line, why, found);
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(());
    }
    if trimmed.starts_with('#') {
        front.comments.push(line);
        return Ok(());
    }
    if text.starts_with([' ', '\t']) {
        return Err(broken(Unread::Nested, trimmed));
    }
    let (key, value) = pair(text).map_err(|why| broken(why, trimmed))?;
    if front.pair(&key).is_some() {
        return Err(broken(Unread::DuplicateKey, &key));
    }
    let (value, comment) = scalar::read(value).map_err(|why| broken(why, &key))?;
    if comment {
        front.comments.push(line);
    }
    front.pairs.push(Pair { line, key, value });
    Ok(())
}

/// A key, and what stands behind its colon. A key may be quoted as a value may.
fn pair(text: &str) -> Result<(String, &str), Unread> {
    let first = text.chars().next();
    match first {
        Some('&' | '*') => return Err(Unread::Anchor),
        Some('!') => return Err(Unread::Tag),
        Some('-' | '[' | '{' | '?') => return Err(Unread::Collection),
        Some(_) | None => {}
    }
    let at = text.find(": ").or_else(|| text.find(":\t"));
    let at = at.or_else(|| text.trim_end().strip_suffix(':').map(str::len));
    let (key, value) = at.map(|at| (&text[..at], &text[at + 1..])).ok_or(Unread::NotAPair)?;
    let key = key.trim_end();
    let bare = match first {
        Some(quote @ ('"' | '\'')) => key
            .strip_prefix(quote)
            .and_then(|key| key.strip_suffix(quote))
            .ok_or(Unread::OpenQuote)?,
        Some(_) | None => key,
    };
    if bare.is_empty() || bare.contains(['"', '\'', '#', ',', '[', '{']) {
        return Err(Unread::NotAPair);
    }
    Ok((bare.to_owned(), value))
}
