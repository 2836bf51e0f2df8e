//! A path as a tool may write it: relative, `/`-separated, without tricks. Checked once here and
//! carried as proof; it says nothing about what stands there.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// What the system takes as one path.
pub const PATH_BYTES_MAX: usize = 4096;
/// What common file systems take as one name.
pub const PART_BYTES_MAX: usize = 255;

/// How the root itself is written where a directory is meant.
const ROOT: &str = ".";

/// Why a text is no path for a tool. Found before anything is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Bad {
    /// Nothing was written.
    #[error("empty")]
    Empty,
    /// It begins with `/`.
    #[error("absolute")]
    Absolute,
    /// It begins with `~`, which a shell would make a home directory of.
    #[error("home")]
    Home,
    /// It begins with a drive letter.
    #[error("drive")]
    Drive,
    /// A backslash, which separates parts elsewhere.
    #[error("backslash")]
    Backslash,
    /// NUL or another control character.
    #[error("control")]
    Control,
    /// A part is `.` or `..`.
    #[error("dot_part")]
    DotPart,
    /// Two slashes in a row.
    #[error("empty_part")]
    EmptyPart,
    /// A file's path ends in `/`.
    #[error("trailing_slash")]
    TrailingSlash,
    /// More than [`PATH_BYTES_MAX`].
    #[error("path_too_long")]
    PathTooLong,
    /// A part has more than [`PART_BYTES_MAX`].
    #[error("part_too_long")]
    PartTooLong,
    /// The root was named where a file is meant.
    #[error("root")]
    Root,
}

impl Bad {
    /// Every reason, for lists and tests.
    pub const ALL: [Self; 12] = [
        Self::Empty,
        Self::Absolute,
        Self::Home,
        Self::Drive,
        Self::Backslash,
        Self::Control,
        Self::DotPart,
        Self::EmptyPart,
        Self::TrailingSlash,
        Self::PathTooLong,
        Self::PartTooLong,
        Self::Root,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Absolute => "absolute",
            Self::Home => "home",
            Self::Drive => "drive",
            Self::Backslash => "backslash",
            Self::Control => "control",
            Self::DotPart => "dot_part",
            Self::EmptyPart => "empty_part",
            Self::TrailingSlash => "trailing_slash",
            Self::PathTooLong => "path_too_long",
            Self::PartTooLong => "part_too_long",
            Self::Root => "root",
        }
    }
}

/// A checked path below the root, or the root itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rel(String);

impl Rel {
    /// The root.
    #[must_use]
    pub fn root() -> Self {
        Self(ROOT.to_owned())
    }

    /// The path of something below the root: a file, or whatever is to be written or deleted.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn file(text: &str) -> Result<Self, Bad> {
        match text {
            ROOT => Err(Bad::Root),
            _other if text.len() > 1 && text.ends_with('/') && !text.starts_with('/') => {
                check(text.trim_end_matches('/')).and(Err(Bad::TrailingSlash))
            }
            _other => check(text).map(|()| Self(text.to_owned())),
        }
    }

    /// The path of a directory: `.` is the root, and one `/` at the end is dropped.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn dir(text: &str) -> Result<Self, Bad> {
        let text = match text.strip_suffix('/') {
            Some(before) if !before.is_empty() => before,
            Some(_) | None => text,
        };
        if text == ROOT {
            return Ok(Self::root());
        }
        check(text).map(|()| Self(text.to_owned()))
    }

    /// As written; `.` for the root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == ROOT
    }

    /// Its parts from the top; none for the root.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|part| *part != ROOT)
    }

    /// The directory it stands in and its name; nothing for the root, which has neither here.
    #[must_use]
    pub fn split(&self) -> Option<(Self, &str)> {
        if self.is_root() {
            return None;
        }
        match self.0.rsplit_once('/') {
            Some((above, name)) => Some((Self(above.to_owned()), name)),
            None => Some((Self::root(), &self.0)),
        }
    }
}

impl fmt::Display for Rel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Rel> for String {
    fn from(path: Rel) -> Self {
        path.0
    }
}

impl TryFrom<String> for Rel {
    type Error = Bad;

    fn try_from(text: String) -> Result<Self, Bad> {
        if text == ROOT { Ok(Self(text)) } else { check(&text).map(|()| Self(text)) }
    }
}

fn check(text: &str) -> Result<(), Bad> {
    let bytes = text.as_bytes();
    let whole = [
        (text.is_empty(), Bad::Empty),
        (bytes.len() > PATH_BYTES_MAX, Bad::PathTooLong),
        (text.starts_with('/'), Bad::Absolute),
        (text.starts_with('~'), Bad::Home),
        (text.chars().any(char::is_control), Bad::Control),
        (text.contains('\\'), Bad::Backslash),
        (has_drive(bytes), Bad::Drive),
    ];
    if let Some((_, bad)) = whole.into_iter().find(|(broken, _)| *broken) {
        return Err(bad);
    }
    for part in text.split('/') {
        match part {
            "" => return Err(Bad::EmptyPart),
            "." | ".." => return Err(Bad::DotPart),
            _other if part.len() > PART_BYTES_MAX => return Err(Bad::PartTooLong),
            _other => {}
        }
    }
    Ok(())
}

fn has_drive(bytes: &[u8]) -> bool {
    matches!(bytes, [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn each_rule_refuses_its_spellings() {
        let long_part = "a".repeat(PART_BYTES_MAX + 1);
        let long_path = "ab/".repeat(PATH_BYTES_MAX / 3) + "abcd";
        let table: &[(&str, Bad)] = &[
            ("", Bad::Empty),
            ("/", Bad::Absolute),
            ("/etc/passwd", Bad::Absolute),
            ("//server/share", Bad::Absolute),
            ("/proc/self/root/etc/passwd", Bad::Absolute),
            ("~", Bad::Home),
            ("~/x", Bad::Home),
            ("~root/x", Bad::Home),
            ("C:", Bad::Drive),
            ("c:x", Bad::Drive),
            ("Z:/x", Bad::Drive),
            ("C:\\x", Bad::Backslash),
            ("a\\b", Bad::Backslash),
            ("..\\x", Bad::Backslash),
            ("a\0b", Bad::Control),
            ("a\nb", Bad::Control),
            ("a\u{7f}", Bad::Control),
            ("a\u{85}b", Bad::Control),
            ("a\u{9f}", Bad::Control),
            ("..", Bad::DotPart),
            ("../x", Bad::DotPart),
            ("a/../b", Bad::DotPart),
            ("a/..", Bad::DotPart),
            ("./a", Bad::DotPart),
            ("a/./b", Bad::DotPart),
            ("a/.", Bad::DotPart),
            ("a//b", Bad::EmptyPart),
            ("a/", Bad::TrailingSlash),
            ("a/b/", Bad::TrailingSlash),
            (".", Bad::Root),
            (&long_part, Bad::PartTooLong),
            (&long_path, Bad::PathTooLong),
        ];
        for (text, bad) in table {
            assert_eq!(Rel::file(text), Err(*bad), "{text:?}");
        }
        for bad in Bad::ALL {
            assert!(table.iter().any(|(_, known)| *known == bad), "{bad:?} has no case");
            assert_eq!(bad.word(), bad.to_string());
        }
    }

    #[test]
    fn plain_paths_pass() {
        let long_part = "a".repeat(PART_BYTES_MAX);
        let good = ["a", "a/b", "...", "a..b", "a b", "-x", "é/日本", "a~", "ab:c", "x/c:y"];
        for text in good.into_iter().chain([&*long_part]) {
            assert_eq!(Rel::file(text).map(|rel| rel.to_string()).as_deref(), Ok(text));
            assert_eq!(Rel::dir(text).map(|rel| rel.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_directory_may_be_the_root_or_end_in_a_slash() {
        let table = [
            (".", Ok(".")),
            ("./", Ok(".")),
            ("a/", Ok("a")),
            ("a/b/", Ok("a/b")),
            ("a//", Err(Bad::EmptyPart)),
            ("", Err(Bad::Empty)),
            ("/", Err(Bad::Absolute)),
            ("..", Err(Bad::DotPart)),
            ("../", Err(Bad::DotPart)),
            ("a/./", Err(Bad::DotPart)),
        ];
        for (text, expected) in table {
            assert_eq!(
                Rel::dir(text).map(|rel| rel.to_string()),
                expected.map(|text| text.to_string()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_path_splits_into_its_directory_and_its_name() {
        let table = [("a/b/c", Some(("a/b", "c"))), ("a", Some((".", "a"))), (".", None)];
        for (text, expected) in table {
            let rel = Rel::dir(text).unwrap();
            let split = rel.split();
            assert_eq!(split.as_ref().map(|(above, name)| (above.as_str(), *name)), expected);
        }
        assert_eq!(Rel::root().parts().count(), 0);
    }

    #[test]
    fn a_stored_path_is_checked_again() {
        assert!(serde_json::from_str::<Rel>("\"a/b\"").is_ok());
        assert!(serde_json::from_str::<Rel>("\"../b\"").is_err());
    }
}
