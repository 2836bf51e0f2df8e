//! Takes the declared files out of a call's `tmp/` and puts the rest aside. The child may have put
//! anything there: links, pipes, devices, files without end. Only regular files are taken, up to
//! a cap, and no link is followed.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::durable;
use super::files::{self, COLLECT_BYTES_MAX, CollectResult, Collected};

/// Whether a name may be declared: one plain component.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}

/// Moves the named files to `collected/`, and what is left of `tmp/` to `rest`: a directory that
/// mounts of the call stand on is slow to remove, and the record of its end can come first.
pub fn collect(dir: &Path, names: &[String], rest: &Path) -> io::Result<Vec<Collected>> {
    let mut collected = Vec::new();
    if !names.is_empty() {
        let tmp = open_tmp(dir)?;
        let into = dir.join(files::COLLECTED);
        make_dir(&into)?;
        for name in names {
            let result = take(&tmp, &into, name);
            collected.push(Collected { name: name.clone(), result });
        }
        durable::sync_dir(&into)?;
    }
    let tmp = dir.join(files::TMP);
    match std::fs::rename(&tmp, rest) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) => remove(&tmp)?,
    }
    Ok(collected)
}

/// A directory only its owner may enter; one that is there already is fine.
pub fn make_dir(path: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Removes a tree without following links out of it; one that is not there is fine.
pub fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn open_tmp(dir: &Path) -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match rustix::fs::openat(CWD, dir.join(files::TMP), flags, Mode::empty()) {
        Ok(fd) => Ok(Some(fd)),
        // The child removed it or put something else there: then nothing is in it.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn take(tmp: &Option<OwnedFd>, into: &Path, name: &str) -> CollectResult {
    let Some(tmp) = tmp else { return CollectResult::Missing };
    if !is_plain(name) {
        return CollectResult::NotRegular;
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::openat(tmp, name, flags, Mode::empty()) {
        Ok(fd) => File::from(fd),
        Err(Errno::NOENT) => return CollectResult::Missing,
        Err(Errno::LOOP | Errno::NXIO) => return CollectResult::NotRegular,
        Err(_) => return CollectResult::Unreadable,
    };
    match rustix::fs::fstat(&file).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Ok(FileType::RegularFile) => copy(file, &into.join(name)),
        Ok(_) => CollectResult::NotRegular,
        Err(_) => CollectResult::Unreadable,
    }
}

fn copy(from: File, to: &Path) -> CollectResult {
    let copied = || -> io::Result<CollectResult> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let mut to = durable::open(to, flags)?;
        let bytes = io::copy(&mut (&from).take(COLLECT_BYTES_MAX), &mut to)?;
        to.sync_all()?;
        let more = (&from).read(&mut [0u8; 1])? > 0;
        Ok(if more { CollectResult::Cut { bytes } } else { CollectResult::Kept { bytes } })
    };
    copied().unwrap_or(CollectResult::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::REPORT_BYTES_MAX;

    #[test]
    fn only_plain_regular_files_come_out() {
        let dir = tempfile::tempdir().unwrap();
        let (tmp, secret) = (dir.path().join(files::TMP), dir.path().join("secret"));
        make_dir(&tmp).unwrap();
        std::fs::write(&secret, "s").unwrap();
        std::fs::write(tmp.join("report.xml"), "ok").unwrap();
        std::fs::create_dir(tmp.join("folder")).unwrap();
        std::os::unix::fs::symlink(&secret, tmp.join("link")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(tmp.join("pipe")).status().unwrap();
        assert!(made.success());
        let large = File::create(tmp.join("large")).unwrap();
        large.set_len(COLLECT_BYTES_MAX + 1).unwrap();
        File::create(tmp.join("report.json")).unwrap().set_len(REPORT_BYTES_MAX).unwrap();
        let table = [
            ("report.xml", CollectResult::Kept { bytes: 2 }),
            // The largest report that is read comes out whole.
            ("report.json", CollectResult::Kept { bytes: REPORT_BYTES_MAX }),
            ("folder", CollectResult::NotRegular),
            ("link", CollectResult::NotRegular),
            ("pipe", CollectResult::NotRegular),
            ("none", CollectResult::Missing),
            ("../secret", CollectResult::NotRegular),
            ("..", CollectResult::NotRegular),
            ("large", CollectResult::Cut { bytes: COLLECT_BYTES_MAX }),
        ];
        let names: Vec<String> = table.iter().map(|(name, _)| (*name).to_owned()).collect();
        let rest = dir.path().join("rest");
        let got = collect(dir.path(), &names, &rest).unwrap();
        for (got, (name, result)) in got.iter().zip(table) {
            assert_eq!((got.name.as_str(), &got.result), (name, &result));
        }
        assert!(!tmp.exists() && rest.join("folder").is_dir() && secret.exists());
        let kept = std::fs::read(dir.path().join(files::COLLECTED).join("report.xml")).unwrap();
        assert_eq!(kept, b"ok");
    }
}
