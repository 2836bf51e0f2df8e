//! The user's secret key and the marks made with it: a file that carries such a mark was written
//! by this user's program, not brought along by a clone. It hides nothing from the user.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use rustix::fs::{CWD, RenameFlags};
use sha2::{Digest as _, Sha256};

use super::places::Places;
use super::refusal::Refusal;
use crate::shim::durable;
use crate::shim::speaker::{Speaker, speaker};

/// Bytes of the key: as many as the hash gives.
const KEY_BYTES: usize = 32;
/// Bytes of the hash's block, by its definition.
const BLOCK_BYTES: usize = 64;

/// The key.
pub(super) struct Key([u8; KEY_BYTES]);

/// How the key is found.
pub(super) enum Sight {
    /// There.
    Seen(Key),
    /// Not made yet.
    Absent,
    /// Out of sight: we are behind the walls of a call.
    Hidden,
}

/// Whether a file is kept from us by the walls of a call, and by nothing else: it may not be
/// opened, and we descend from a shim.
pub(super) fn hidden(path: &Path) -> bool {
    let refused = fs::File::open(path).err().map(|why| why.kind());
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    refused == Some(io::ErrorKind::PermissionDenied)
        && matches!(speaker(own), Speaker::Agent { .. })
}

impl Key {
    /// The key, if there is one yet. Reads only.
    pub(super) fn read(places: &Places) -> Result<Option<Self>, Refusal> {
        let path = places.key();
        match durable::read(&path, KEY_BYTES as u64) {
            Ok(bytes) => bytes.try_into().map(|bytes| Some(Self(bytes))).map_err(|_| {
                Refusal::io(&path, &io::Error::new(io::ErrorKind::InvalidData, "not a key"))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Refusal::io(&path, &error)),
        }
    }

    /// The key as a process behind our walls finds it too.
    pub(super) fn sight(places: &Places) -> Result<Sight, Refusal> {
        match Self::read(places) {
            Ok(Some(key)) => Ok(Sight::Seen(key)),
            Ok(None) => Ok(Sight::Absent),
            Err(_) if hidden(&places.key()) => Ok(Sight::Hidden),
            Err(refusal) => Err(refusal),
        }
    }

    /// The key, made at first use. Of two that make one at once, the first wins for both.
    pub(super) fn read_or_make(places: &Places) -> Result<Self, Refusal> {
        if let Some(key) = Self::read(places)? {
            return Ok(key);
        }
        private_dir(&places.state)?;
        let path = places.key();
        make(&path).map_err(|error| Refusal::io(&path, &error))?;
        let lost = || io::Error::new(io::ErrorKind::NotFound, "the key that was just made");
        Self::read(places)?.ok_or_else(|| Refusal::io(&path, &lost()))
    }

    /// The mark of some parts (HMAC-SHA-256, hexadecimal). Parts are kept apart by their lengths.
    pub(super) fn mark(&self, parts: &[&str]) -> String {
        let mut text = Vec::new();
        for part in parts {
            text.extend_from_slice(&(part.len() as u64).to_be_bytes());
            text.extend_from_slice(part.as_bytes());
        }
        hex(&hmac(&self.0, &text))
    }

    /// Whether a mark is the one of these parts, in a time that tells nothing about it.
    pub(super) fn fits(&self, parts: &[&str], mark: &str) -> bool {
        let ours = self.mark(parts);
        let differ = ours.bytes().zip(mark.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
        ours.len() == mark.len() && differ == 0
    }
}

/// Makes a directory that only the user can enter, with what lies above it.
pub(super) fn private_dir(path: &Path) -> Result<(), Refusal> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| Refusal::io(path, &error))
}

fn make(path: &Path) -> io::Result<()> {
    let mut bytes = [0; KEY_BYTES];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let temp = path.with_extension(format!("new-{}", uuid::Uuid::new_v4().simple()));
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temp)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    match rustix::fs::renameat_with(CWD, &temp, CWD, path, RenameFlags::NOREPLACE) {
        Ok(()) => durable::sync_dir(path.parent().unwrap_or(Path::new("/"))),
        Err(rustix::io::Errno::EXIST) => fs::remove_file(&temp),
        Err(error) => {
            let _ = fs::remove_file(&temp);
            Err(error.into())
        }
    }
}

fn hmac(key: &[u8; KEY_BYTES], text: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK_BYTES];
    block[..KEY_BYTES].copy_from_slice(key);
    let inner = Sha256::new().chain_update(block.map(|b| b ^ 0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(block.map(|b| b ^ 0x5c)).chain_update(inner).finalize().into()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_the_standard_one() {
        // RFC 4231, case 1: a key of 20 bytes 0x0b, which zeros extend to the same block.
        let mut key = [0; KEY_BYTES];
        key[..20].fill(0x0b);
        assert_eq!(
            hex(&hmac(&key, b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn a_mark_fits_only_its_parts_and_key() {
        let (key, other) = (Key([1; 32]), Key([2; 32]));
        let mark = key.mark(&["ab", "c"]);
        assert!(key.fits(&["ab", "c"], &mark));
        assert!(!key.fits(&["a", "bc"], &mark));
        assert!(!other.fits(&["ab", "c"], &mark));
        assert!(!key.fits(&["ab", "c"], &mark[..10]));
        assert!(!key.fits(&["ab", "c"], ""));
    }

    #[test]
    fn the_key_is_made_once_and_is_private() {
        let temp = tempfile::tempdir().unwrap();
        let places = Places::of(|name| (name == "HOME").then(|| temp.path().into())).unwrap();
        assert!(Key::read(&places).unwrap().is_none());
        assert!(!places.state.exists(), "reading makes nothing");
        let first = Key::read_or_make(&places).unwrap();
        make(&places.key()).unwrap();
        assert_eq!(Key::read_or_make(&places).unwrap().0, first.0);
        let mode = fs::metadata(places.key()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(&places.state).unwrap().count(), 1, "nothing is left over");
    }
}
