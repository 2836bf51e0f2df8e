//! A client's settings file: read whole, and written whole or not at all, with a copy of what was
//! there.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// New settings may come to hold secrets.
const MODE: u32 = 0o600;
const DIR_MODE: u32 = 0o700;
/// Copies that are kept before the person is asked to clear them away.
const COPIES_MAX: u32 = 1_000;

/// A file as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Old {
    /// Where it really is: a link is followed, so that it stays one.
    pub path: PathBuf,
    /// What it holds; none if there is no such file.
    pub bytes: Option<Vec<u8>>,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Unwritten {
    /// The file is not what was shown any more.
    Changed,
    /// It could not be.
    Io(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(why: io::Error) -> Self {
        Self::Io(why)
    }
}

/// Reads it.
///
/// # Errors
/// When there is something that cannot be read.
pub fn read(path: &Path) -> io::Result<Old> {
    match fs::read(path) {
        Ok(bytes) => Ok(Old { path: path.canonicalize()?, bytes: Some(bytes) }),
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            Ok(Old { path: path.to_owned(), bytes: None })
        }
        Err(why) => Err(why),
    }
}

/// Writes the text in the old one's place, and says where its copy is.
///
/// # Errors
/// A file that changed meanwhile, or that cannot be written.
pub fn write(old: &Old, text: &str) -> Result<Option<PathBuf>, Unwritten> {
    let dir = old.path.parent().unwrap_or(Path::new("/"));
    if !dir.exists() {
        fs::create_dir_all(dir)?;
        fs::set_permissions(dir, Permissions::from_mode(DIR_MODE))?;
    }
    let mode = match fs::metadata(&old.path) {
        Ok(found) => found.permissions().mode() & 0o777,
        Err(_) => MODE,
    };
    let name = old.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let temp = dir.join(format!(".{name}.loopwright-new"));
    let mut file = new_file(&temp, mode).or_else(|why| {
        // Left over from a try that was cut off.
        fs::remove_file(&temp).and_then(|()| new_file(&temp, mode)).map_err(|_| why)
    })?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let written = same(old).and_then(|()| {
        let copy = copied(old, mode)?;
        fs::rename(&temp, &old.path)?;
        File::open(dir)?.sync_all()?;
        Ok(copy)
    });
    if written.is_err() {
        // What could not be put in place is nobody's.
        drop(fs::remove_file(&temp));
    }
    written
}

fn new_file(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Whether it is still as it was shown.
fn same(old: &Old) -> Result<(), Unwritten> {
    let now = read(&old.path)?;
    if now.bytes == old.bytes { Ok(()) } else { Err(Unwritten::Changed) }
}

/// A copy of what was there, under a name that nothing has yet.
fn copied(old: &Old, mode: u32) -> Result<Option<PathBuf>, Unwritten> {
    let Some(bytes) = &old.bytes else { return Ok(None) };
    let base = format!("{}.before-loopwright", old.path.display());
    let names = (1..COPIES_MAX).map(|n| match n {
        1 => PathBuf::from(&base),
        n => PathBuf::from(format!("{base}.{n}")),
    });
    for path in names {
        match new_file(&path, mode) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                file.sync_all()?;
                return Ok(Some(path));
            }
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(why.into()),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_kept_and_a_change_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("below/settings.json");
        let old = read(&path).unwrap();
        assert!(matches!(write(&old, "1"), Ok(None)), "there was nothing to keep");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (MODE, DIR_MODE));
        assert!(matches!(write(&old, "2"), Err(Unwritten::Changed)), "it is there now");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        for (n, text) in ["2", "3"].into_iter().enumerate() {
            let copy = write(&read(&path).unwrap(), text).unwrap().unwrap();
            assert_eq!(fs::read_to_string(copy).unwrap(), (n + 1).to_string());
            assert_eq!((fs::read_to_string(&path).unwrap(), mode(&path)), (text.into(), 0o640));
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 3, "nothing is left");
    }

    #[test]
    fn a_link_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::write(&real, "1").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&read(&link).unwrap(), "2").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(real).unwrap(), "2");
    }
}
