//! What stands at a name: kind, hash and mode. Hashes are taken from the descriptor that was
//! opened, never from a name twice.

use std::fs::File;
use std::io::{self, Read};

use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::{self, Facts, Fault, Parent};
use crate::tree::Hash;

/// How much is read at once; a file may be larger than memory.
pub(super) const CHUNK_BYTES: usize = 64 << 10;
/// The bits of a mode that are kept; set-id files are never written.
pub(super) const MODE_BITS: u32 = 0o777;

/// What can be written and undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A symbolic link; its bytes are its target.
    Symlink,
    /// A directory, without what is in it.
    Dir,
}

/// What stands somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// What it is.
    pub kind: Kind,
    /// Of its bytes; of a directory, of nothing.
    pub sha256: Hash,
    /// Permission bits.
    #[serde(with = "octal")]
    pub mode: u32,
}

impl Content {
    /// Whether both are the same to a user: kind, bytes and the executable bit. Other bits of a
    /// mode depend on who asked for it.
    pub fn is(&self, other: &Self) -> bool {
        let mode = match self.kind {
            Kind::File => self.mode & 0o100 == other.mode & 0o100,
            Kind::Symlink | Kind::Dir => true,
        };
        self.kind == other.kind && self.sha256 == other.sha256 && mode
    }

    /// Whether the bytes are the same, whatever the mode.
    pub(super) fn has_bytes_of(&self, other: &Self) -> bool {
        self.kind == other.kind && self.sha256 == other.sha256
    }
}

/// Whether both hold the same, or both nothing.
pub(super) fn same(a: Option<&Content>, b: Option<&Content>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.is(b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// What stands at a name in the directory of `parent`.
pub(super) fn at(parent: &Parent, name: &str) -> Result<Option<Content>, Fault> {
    let stat = match rustix::fs::statat(parent.dir(), name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(Fault::errno(parent.path(), errno)),
    };
    let found = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => parent.open_named(name).and_then(|(mut file, facts)| {
            let sha256 = hash(&mut file).map_err(|error| Fault::io(parent.path(), &error))?;
            Ok(of_file(sha256, &facts))
        }),
        FileType::Symlink => target(parent, name).map(|target| Content {
            kind: Kind::Symlink,
            sha256: Hash::of(&target),
            mode: 0o777,
        }),
        FileType::Directory => Ok(directory(stat.st_mode & MODE_BITS)),
        FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => {
            let path = parent.path().to_owned();
            Err(Fault::NotAFile { path, kind: files::Kind::Other })
        }
    };
    match found {
        Ok(content) => Ok(Some(content)),
        // Gone or swapped between the two looks: as if it had been so before the first.
        Err(Fault::Io { kind: "not_found", .. }) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// The content of a regular file with these facts.
pub(super) fn of_file(sha256: Hash, facts: &Facts) -> Content {
    Content { kind: Kind::File, sha256, mode: facts.mode & MODE_BITS }
}

/// A directory.
pub(super) fn directory(mode: u32) -> Content {
    Content { kind: Kind::Dir, sha256: Hash::of(b""), mode }
}

/// The target of a link.
pub(super) fn target(parent: &Parent, name: &str) -> Result<Vec<u8>, Fault> {
    rustix::fs::readlinkat(parent.dir(), name, Vec::new())
        .map(std::ffi::CString::into_bytes)
        .map_err(|errno| Fault::errno(parent.path(), errno))
}

/// The hash of the rest of a file.
pub(super) fn hash(file: &mut File) -> io::Result<Hash> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(Hash(hasher.finalize().into())),
            Ok(length) => hasher.update(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Modes as people write them.
pub(super) mod octal {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(mode: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{mode:04o}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = String::deserialize(from)?;
        let mode = u32::from_str_radix(&text, 8).ok().filter(|mode| *mode <= super::MODE_BITS);
        mode.ok_or_else(|| de::Error::custom("not the permission bits of a mode in octal"))
    }
}
