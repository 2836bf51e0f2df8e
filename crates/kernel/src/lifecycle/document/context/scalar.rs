//! One value of the front matter: the scalars of YAML that we write and that people write instead.
//! Collections, block texts, anchors and tags are not read: no key of ours has one.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use core::str::Chars;

use super::super::text::Unread;

/// A value as read. How it was quoted says only whether `null` is a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Null,
    Text(String),
}

/// A value, and whether a comment stood behind it.
pub(super) type Valued = (Scalar, bool);

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if unprintable(c) => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// What an editor or another reader might drop, move or take for a line end.
const fn unprintable(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Reads what stands behind the colon of a key.
pub(super) fn read(text: &str) -> Result<Valued, Unread> {
    let text = text.trim();
    let mut chars = text.chars();
    match chars.next() {
        None => Ok((Scalar::Null, false)),
        Some('#') => Ok((Scalar::Null, true)),
        Some('"') => double(chars),
        Some('\'') => single(chars),
        Some('&' | '*') => Err(Unread::Anchor),
        Some('!') => Err(Unread::Tag),
        Some('[' | '{') => Err(Unread::Collection),
        Some('|' | '>') => Err(Unread::BlockText),
        Some('-' | '?' | ':') if matches!(chars.next(), None | Some(' ')) => {
            Err(Unread::Collection)
        }
        Some('%' | '@' | '`') => Err(Unread::NotAPair),
        Some(_) => plain(text),
    }
}

fn plain(text: &str) -> Result<Valued, Unread> {
    let (value, comment) = match text.find(" #").or_else(|| text.find("\t#")) {
        Some(at) => (text[..at].trim_end(), true),
        None => (text, false),
    };
    // A second pair on the line means a quote or a line end was lost.
    if value.contains(": ") || value.ends_with(':') {
        return Err(Unread::NotAPair);
    }
    let scalar = match value {
        "null" | "Null" | "NULL" | "~" => Scalar::Null,
        word => Scalar::Text(word.to_owned()),
    };
    Ok((scalar, comment))
}

fn single(mut chars: Chars<'_>) -> Result<Valued, Unread> {
    let mut out = String::new();
    loop {
        match chars.next().ok_or(Unread::OpenQuote)? {
            '\'' if chars.as_str().starts_with('\'') => {
                chars.next();
                out.push('\'');
            }
            '\'' => return behind(&chars).map(|comment| (Scalar::Text(out), comment)),
            c => out.push(c),
        }
    }
}

fn double(mut chars: Chars<'_>) -> Result<Valued, Unread> {
    let mut out = String::new();
    loop {
        match chars.next().ok_or(Unread::OpenQuote)? {
            '"' => return behind(&chars).map(|comment| (Scalar::Text(out), comment)),
            '\\' => out.push(escape(&mut chars)?),
            c => out.push(c),
        }
    }
}

fn escape(chars: &mut Chars<'_>) -> Result<char, Unread> {
    let digits = match chars.next().ok_or(Unread::OpenQuote)? {
        c @ ('"' | '\\' | '/' | ' ') => return Ok(c),
        '0' => return Ok('\0'),
        'a' => return Ok('\u{7}'),
        'b' => return Ok('\u{8}'),
        't' => return Ok('\t'),
        'n' => return Ok('\n'),
        'v' => return Ok('\u{b}'),
        'f' => return Ok('\u{c}'),
        'r' => return Ok('\r'),
        'e' => return Ok('\u{1b}'),
        'N' => return Ok('\u{85}'),
        '_' => return Ok('\u{a0}'),
        'L' => return Ok('\u{2028}'),
        'P' => return Ok('\u{2029}'),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _other => return Err(Unread::BadEscape),
    };
    let mut value = 0;
    for _ in 0..digits {
        let digit = chars.next().and_then(|c| c.to_digit(16)).ok_or(Unread::BadEscape)?;
        value = value * 16 + digit;
    }
    char::from_u32(value).ok_or(Unread::BadEscape)
}

/// What follows a closing quote: nothing, or a comment.
fn behind(chars: &Chars<'_>) -> Result<bool, Unread> {
    let rest = chars.as_str();
    match rest.trim_start() {
        "" => Ok(false),
        comment if comment.starts_with('#') && comment.len() < rest.len() => Ok(true),
        _other => Err(Unread::AfterQuote),
    }
}
