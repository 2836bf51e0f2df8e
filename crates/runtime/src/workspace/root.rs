//! Where a workspace begins, and which directories cannot be one. Nothing is written.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::places::Places;
use super::refusal::{Refusal, WhyRoot};
use super::trust::SETTINGS_FILE;

/// Names that make a directory the root of what lies below it.
const LANDMARKS: [&str; 2] = [SETTINGS_FILE, ".git"];

/// The directory everybody writes to; a workspace there would be everybody's.
const TEMPORARY: &str = "/tmp";

/// Whose directory may be a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerRule {
    /// Only the user's own.
    Own,
    /// Anybody's: the user said so.
    Anyone,
}

/// A root: its path without links, and which directory stood there when it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The path, absolute and without links.
    pub path: PathBuf,
    /// The device it is on.
    pub dev: u64,
    /// Its inode.
    pub inode: u64,
}

impl Root {
    /// The directory that stands at a path now.
    ///
    /// # Errors
    /// When nothing that can be looked at does.
    pub fn at(path: &Path) -> io::Result<Self> {
        let path = std::fs::canonicalize(path)?;
        let meta = std::fs::metadata(&path)?;
        Ok(Self { dev: meta.dev(), inode: meta.ino(), path })
    }

    /// Whether the directory that was found still stands there.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let now = std::fs::symlink_metadata(&self.path);
        now.is_ok_and(|now| (now.dev(), now.ino()) == (self.dev, self.inode))
    }
}

/// The root: the directory that was named, else the nearest one at or above `cwd` with one of
/// the landmarks, else `cwd` itself.
///
/// # Errors
/// When that directory does not exist or cannot be a workspace.
pub fn find(
    named: Option<&Path>,
    cwd: &Path,
    places: &Places,
    rule: OwnerRule,
) -> Result<Root, Refusal> {
    let start = named.map_or_else(|| cwd.to_owned(), |named| cwd.join(named));
    let start = std::fs::canonicalize(&start)
        .ok()
        .filter(|path| path.is_dir())
        .ok_or(Refusal::NoDirectory { path: start })?;
    let path = match named {
        Some(_) => start,
        None => start.ancestors().find(|dir| has_landmark(dir)).unwrap_or(&start).to_owned(),
    };
    let meta = std::fs::metadata(&path).map_err(|error| Refusal::io(&path, &error))?;
    let root = Root { dev: meta.dev(), inode: meta.ino(), path };
    match refused(&root.path, meta.uid(), places, rule) {
        Some(why) => Err(Refusal::Root { path: root.path, why }),
        None => Ok(root),
    }
}

fn has_landmark(dir: &Path) -> bool {
    LANDMARKS.iter().any(|name| dir.join(name).symlink_metadata().is_ok())
}

fn refused(path: &Path, uid: u32, places: &Places, rule: OwnerRule) -> Option<WhyRoot> {
    let home = std::fs::canonicalize(&places.home).unwrap_or_else(|_| places.home.clone());
    let temporary = std::fs::canonicalize(TEMPORARY).unwrap_or_else(|_| TEMPORARY.into());
    if path.parent().is_none() {
        return Some(WhyRoot::FileSystem);
    }
    if home.starts_with(path) {
        return Some(WhyRoot::Home);
    }
    if path == temporary {
        return Some(WhyRoot::Temporary);
    }
    match rule {
        OwnerRule::Own if uid != rustix::process::geteuid().as_raw() => {
            Some(WhyRoot::Owner { uid })
        }
        OwnerRule::Own | OwnerRule::Anyone => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn places(home: &Path) -> Places {
        Places::of(|name| (name == "HOME").then(|| home.into())).unwrap()
    }

    #[test]
    fn the_nearest_landmark_is_the_root() {
        let temp = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(temp.path()).unwrap();
        fs::create_dir_all(top.join("home/outer/inner/deep")).unwrap();
        fs::create_dir_all(top.join("home/plain/deep")).unwrap();
        fs::create_dir(top.join("home/outer/.git")).unwrap();
        fs::write(top.join("home/outer/inner/loopwright.toml"), "").unwrap();
        let places = places(&top.join("home"));
        let table: [(Option<&str>, &str, &str); 6] = [
            (None, "home/outer/inner/deep", "home/outer/inner"),
            (None, "home/outer/inner", "home/outer/inner"),
            (None, "home/outer", "home/outer"),
            (None, "home/plain/deep", "home/plain/deep"),
            (Some("deep"), "home/outer/inner", "home/outer/inner/deep"),
            (Some("../plain"), "home/outer", "home/plain"),
        ];
        for (named, cwd, expected) in table {
            let root = find(named.map(Path::new), &top.join(cwd), &places, OwnerRule::Own).unwrap();
            assert_eq!(root.path, top.join(expected), "{named:?} from {cwd}");
        }
    }

    #[test]
    fn some_directories_are_never_a_root() {
        let temp = tempfile::tempdir().unwrap();
        let home = fs::canonicalize(temp.path()).unwrap().join("a/home");
        fs::create_dir_all(&home).unwrap();
        let places = places(&home);
        let above = home.parent().unwrap().to_owned();
        let table = [
            (Path::new("/"), WhyRoot::FileSystem),
            (home.as_path(), WhyRoot::Home),
            (above.as_path(), WhyRoot::Home),
        ];
        for (path, expected) in table {
            let refusal = find(Some(path), Path::new("/"), &places, OwnerRule::Own).unwrap_err();
            assert!(
                matches!(refusal, Refusal::Root { why, .. } if why == expected),
                "{path:?}: {refusal:?}"
            );
        }
        let elsewhere = self::places(Path::new("/nobody/here"));
        let refusal = find(Some(Path::new("/tmp")), Path::new("/"), &elsewhere, OwnerRule::Anyone);
        assert!(matches!(refusal, Err(Refusal::Root { why: WhyRoot::Temporary, .. })));
        let missing = find(Some(Path::new("none")), &home, &places, OwnerRule::Own);
        assert!(matches!(missing, Err(Refusal::NoDirectory { .. })));
        let others = refused(Path::new("/srv/x"), u32::MAX, &places, OwnerRule::Own);
        assert_eq!(others, Some(WhyRoot::Owner { uid: u32::MAX }));
        assert_eq!(refused(Path::new("/srv/x"), u32::MAX, &places, OwnerRule::Anyone), None);
    }
}
