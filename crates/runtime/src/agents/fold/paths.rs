//! Paths that an agent names: told relative to where it works, by their letters alone. Nothing is
//! looked up on disk, because the file may be gone and the claim decides nothing.

use std::path::{Component, Path, PathBuf};

use kernel::agent::FileKind;

/// The longest path that is believed.
const PATH_BYTES_MAX: usize = 1024;

/// `path` below `workdir`, or as it is where it lies elsewhere; none if it is no path.
pub(super) fn relative(workdir: &Path, path: &str) -> Option<String> {
    if path.trim().is_empty() || path.len() > PATH_BYTES_MAX || path.contains('\0') {
        return None;
    }
    let whole = plain(&workdir.join(path));
    let told = match whole.strip_prefix(plain(workdir)) {
        Ok(below) if below.as_os_str().is_empty() => Path::new("."),
        Ok(below) => below,
        Err(_) => &whole,
    };
    Some(told.to_string_lossy().into_owned())
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// Two changes of one file, as one.
pub(super) const fn merged(first: FileKind, then: FileKind) -> FileKind {
    match (first, then) {
        (_, FileKind::Delete) => FileKind::Delete,
        (FileKind::Add, FileKind::Add | FileKind::Update) => FileKind::Add,
        (FileKind::Update | FileKind::Delete, FileKind::Add | FileKind::Update) => FileKind::Update,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_below_the_workdir() {
        let table = [
            ("/w/a/src/x.rs", Some("src/x.rs")),
            ("src/x.rs", Some("src/x.rs")),
            ("./src/../x.rs", Some("x.rs")),
            ("/w/a", Some(".")),
            ("/w/ab/x", Some("/w/ab/x")),
            ("../../../../etc/passwd", Some("/etc/passwd")),
            ("  ", None),
            ("a\0b", None),
        ];
        for (path, expected) in table {
            assert_eq!(relative(Path::new("/w/a"), path).as_deref(), expected, "{path}");
        }
        assert_eq!(relative(Path::new("/w"), &"x".repeat(PATH_BYTES_MAX + 1)), None);
    }
}
