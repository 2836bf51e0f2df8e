//! File names as diffs write them: with `a/` or `b/` before, quoted where a byte is unusual, with
//! a time behind. What git would read in two ways is refused here instead of guessed.

use alloc::string::String;
use alloc::vec::Vec;

/// A name on one side of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// `/dev/null`: there is no file on this side.
    Null,
    /// A file, its prefix taken off.
    Prefixed(String),
    /// A file named without prefix and without any directory.
    Bare(String),
}

impl Name {
    /// The path, if there is a file.
    pub(super) fn path(&self) -> Option<&str> {
        match self {
            Self::Null => None,
            Self::Prefixed(path) | Self::Bare(path) => Some(path),
        }
    }
}

/// Which side a name stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// `---`
    Old,
    /// `+++`
    New,
}

/// Reads the rest of a `--- ` or `+++ ` line.
pub(super) fn of_line(rest: &[u8], side: Side) -> Option<Name> {
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    if rest.first() == Some(&b'"') {
        let (name, after) = unquote(rest)?;
        return if after.is_empty() || after[0] == b'\t' { named(&name, side) } else { None };
    }
    let end = rest.iter().position(|&byte| byte == b'\t').unwrap_or(rest.len());
    let (name, time) = rest.split_at(end);
    // The epoch is how some programs say that there is no file; others mean it.
    if contains(time, b"1970-01-01") || contains(time, b"1969-12-31") || has_time(name) {
        return None;
    }
    if name == b"/dev/null" { Some(Name::Null) } else { named(name, side) }
}

/// Reads a name of an extended header, which has no prefix.
pub(super) fn whole(rest: &[u8]) -> Option<String> {
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    if rest.first() == Some(&b'"') {
        let (name, after) = unquote(rest)?;
        return if after.is_empty() { text(&name) } else { None };
    }
    text(rest)
}

/// The one name in the rest of a `diff --git ` line, if both sides have it.
pub(super) fn of_both(rest: &[u8]) -> Option<String> {
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    let (old, new) = if rest.first() == Some(&b'"') {
        let (old, after) = unquote(rest)?;
        let (new, end) = unquote(after.strip_prefix(b" ")?)?;
        if !end.is_empty() {
            return None;
        }
        (old, new)
    } else {
        let middle = rest.len() / 2;
        if rest.get(middle) != Some(&b' ') || rest.len().is_multiple_of(2) {
            return None;
        }
        (rest[..middle].to_vec(), rest[middle + 1..].to_vec())
    };
    let (Name::Prefixed(old), Name::Prefixed(new)) =
        (named(&old, Side::Old)?, named(&new, Side::New)?)
    else {
        return None;
    };
    (old == new).then_some(old)
}

fn named(name: &[u8], side: Side) -> Option<Name> {
    let prefix: &[u8] = match side {
        Side::Old => b"a/",
        Side::New => b"b/",
    };
    match name.strip_prefix(prefix) {
        Some(path) => text(path).map(Name::Prefixed),
        None if name.contains(&b'/') => None,
        None => text(name).map(Name::Bare),
    }
}

fn text(name: &[u8]) -> Option<String> {
    let usual = !name.is_empty() && !name.iter().any(u8::is_ascii_control);
    core::str::from_utf8(name).ok().filter(|_| usual).map(String::from)
}

/// A time written behind the name with blanks: where the name ends is anyone's guess.
fn has_time(name: &[u8]) -> bool {
    name.split(|&byte| byte == b' ').any(|word| {
        let shape = [b'9', b'9', b':', b'9', b'9', b':', b'9', b'9'];
        word.len() >= shape.len()
            && shape.iter().zip(word).all(|(&shape, &byte)| match shape {
                b'9' => byte.is_ascii_digit(),
                colon => byte == colon,
            })
    })
}

fn contains(hay: &[u8], needle: &[u8]) -> bool {
    hay.windows(needle.len()).any(|window| window == needle)
}

/// A quoted name and what follows the closing quote.
fn unquote(quoted: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = quoted.strip_prefix(b"\"")?;
    let mut out = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((out, rest)),
            b'\\' => {
                let (escaped, after) = escape(rest)?;
                out.push(escaped);
                rest = after;
            }
            plain => out.push(plain),
        }
    }
}

fn escape(rest: &[u8]) -> Option<(u8, &[u8])> {
    let (&byte, after) = rest.split_first()?;
    let plain = match byte {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'"' | b'\\' => byte,
        b'0'..=b'3' => {
            let digits = rest.get(..3).filter(|it| it.iter().all(|b| matches!(b, b'0'..=b'7')))?;
            let value = digits.iter().fold(0u8, |value, digit| value << 3 | (digit - b'0'));
            return Some((value, &rest[3..]));
        }
        _other => return None,
    };
    Some((plain, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixed(path: &str) -> Option<Name> {
        Some(Name::Prefixed(path.into()))
    }

    #[test]
    fn names_are_read_in_one_way_or_not_at_all() {
        let table: [(&str, Option<Name>); 14] = [
            ("a/x.rs\n", prefixed("x.rs")),
            ("a/x y.rs\t\n", prefixed("x y.rs")),
            ("a/x.rs\t2024-01-01 10:00:00 +0000\n", prefixed("x.rs")),
            ("\"a/\\303\\244 \\\"q\\\".rs\"\n", prefixed("ä \"q\".rs")),
            ("/dev/null\n", Some(Name::Null)),
            ("/dev/null\t2024-01-01\n", Some(Name::Null)),
            ("x.rs\n", Some(Name::Bare("x.rs".into()))),
            ("src/x.rs\n", None),
            ("b/x.rs\n", None),
            ("a/x.rs 2024-01-01 10:00:00\n", None),
            ("a/x.rs\t1970-01-01 00:00:00 +0000\n", None),
            ("a/x\r\n", None),
            ("\"a/x\\n\"\n", None),
            ("a/\n", None),
        ];
        for (line, expected) in table {
            assert_eq!(of_line(line.as_bytes(), Side::Old), expected, "{line:?}");
        }
    }

    #[test]
    fn a_header_names_one_file_or_none() {
        let table = [
            ("a/x b/x\n", Some("x")),
            ("a/x y b/x y\n", Some("x y")),
            ("\"a/\\303\\244\" \"b/\\303\\244\"\n", Some("ä")),
            ("a/x b/y\n", None),
            ("x x\n", None),
            ("a/x\n", None),
        ];
        for (rest, expected) in table {
            assert_eq!(of_both(rest.as_bytes()).as_deref(), expected, "{rest:?}");
        }
    }
}
