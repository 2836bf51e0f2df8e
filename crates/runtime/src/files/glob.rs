//! One glob over paths below the root: `*` stays within a part, `**` does not. A glob without a
//! `/` speaks of names alone.

use globset::{GlobBuilder, GlobMatcher};

use super::fault::Fault;

/// Which paths are meant; all of them where no glob was given.
pub(super) enum Globbed {
    All,
    Name(GlobMatcher),
    Path(GlobMatcher),
}

impl Globbed {
    pub(super) fn new(glob: Option<&str>) -> Result<Self, Fault> {
        let Some(glob) = glob else { return Ok(Self::All) };
        let bad = || Fault::Args { at: "/glob".to_owned(), expected: "a glob".to_owned() };
        let bare = glob.strip_prefix('/').unwrap_or(glob);
        if bare.is_empty() {
            return Err(bad());
        }
        let built = GlobBuilder::new(bare).literal_separator(true).build().map_err(|_| bad())?;
        let matcher = built.compile_matcher();
        Ok(if glob.contains('/') { Self::Path(matcher) } else { Self::Name(matcher) })
    }

    pub(super) fn has(&self, path: &[u8]) -> bool {
        use std::os::unix::ffi::OsStrExt as _;
        let fits = |matcher: &GlobMatcher, bytes: &[u8]| {
            matcher.is_match(std::path::Path::new(std::ffi::OsStr::from_bytes(bytes)))
        };
        match self {
            Self::All => true,
            Self::Name(matcher) => {
                fits(matcher, path.rsplit(|byte| *byte == b'/').next().unwrap_or(path))
            }
            Self::Path(matcher) => fits(matcher, path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_speaks_of_names_or_of_whole_paths() {
        let table = [
            (None, "a/b.rs", true),
            (Some("*.rs"), "a/b.rs", true),
            (Some("*.rs"), "a/b.rst", false),
            (Some("*.{rs,toml}"), "x.toml", true),
            (Some("a/*.rs"), "a/b.rs", true),
            (Some("a/*.rs"), "a/c/b.rs", false),
            (Some("a/**/*.rs"), "a/c/d/b.rs", true),
            (Some("/a/*"), "a/b.rs", true),
            (Some("**/b.rs"), "a/b.rs", true),
            (Some("b.rs"), "ab.rs", false),
        ];
        for (glob, path, expected) in table {
            assert_eq!(
                Globbed::new(glob).unwrap().has(path.as_bytes()),
                expected,
                "{glob:?} {path}"
            );
        }
        for bad in ["", "/", "a[", "{a"] {
            assert!(matches!(Globbed::new(Some(bad)), Err(Fault::Args { .. })), "{bad}");
        }
    }
}
