//! The head file: how far the journal was acknowledged. SQLite drops the tail of a damaged log
//! without a word; this file, kept apart from it, is what notices. It is written after each
//! durable commit and not synced then: behind the journal is normal, ahead of it is a loss.
//!
//! A missing head file is only accepted beside a journal without records. Otherwise it counts as
//! damage, since a log that was cut short and a head that was deleted would together be a silent
//! loss; a person can have it written anew after a complete check (`repair_head`).

use crate::chain::{self, Hash, Tip};
use crate::fault::{Damage, Fault};
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// The name of the head file.
pub(crate) const HEAD_FILE: &str = "head";

/// The name under which a head file comes into being.
const NEW_FILE: &str = "head.new";

/// The first bytes of a head file, its format among them.
const MAGIC: &[u8; 8] = b"LWHEAD01";

/// Magic, position, epoch, hash, check. Far below a sector, so a write is not torn.
const BYTES: usize = 8 + 8 + 8 + 32 + 32;

/// What was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) pos: u64,
    pub(crate) epoch: u64,
    pub(crate) hash: Hash,
}

impl Mark {
    /// Everything up to here, under this epoch.
    pub(crate) fn of(epoch: u64, tip: Tip) -> Self {
        Self { pos: tip.pos, epoch, hash: tip.hash }
    }

    fn encode(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..16].copy_from_slice(&self.pos.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.epoch.to_le_bytes());
        bytes[24..56].copy_from_slice(&self.hash);
        bytes[56..].copy_from_slice(&chain::mark(self.pos, self.epoch, &self.hash));
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; BYTES] = bytes.try_into().ok()?;
        let number = |at: usize| bytes[at..at + 8].try_into().ok().map(u64::from_le_bytes);
        let (pos, epoch) = (number(8)?, number(16)?);
        let hash: Hash = bytes[24..56].try_into().ok()?;
        let mark = Self { pos, epoch, hash };
        (mark.encode() == *bytes).then_some(mark)
    }
}

/// Reads the head file; `None` when there is none.
pub(crate) fn read(dir: &Path) -> Result<Option<Mark>, Fault> {
    match std::fs::read(dir.join(HEAD_FILE)) {
        Ok(bytes) => match Mark::decode(&bytes) {
            Some(mark) => Ok(Some(mark)),
            None => Err(Damage::HeadUnreadable.into()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::io("read the head file", &error)),
    }
}

/// Writes the mark and syncs it, and opens the head file to be written in place from then on: its
/// blocks exist, and a power cut leaves one of its versions, never none. A head file comes into
/// being under another name, so that a crash leaves a whole one or none.
pub(crate) fn establish(dir: &Path, mark: &Mark) -> Result<File, Fault> {
    let failed = |error: std::io::Error| Fault::io("write the head file", &error);
    let (new, path) = (dir.join(NEW_FILE), dir.join(HEAD_FILE));
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&new)
        .map_err(failed)?;
    write(&file, mark)?;
    file.sync_all().map_err(Fault::sync)?;
    std::fs::rename(new, path).map_err(failed)?;
    sync_dir(dir)?;
    Ok(file)
}

/// Writes the mark in place.
pub(crate) fn write(file: &File, mark: &Mark) -> Result<(), Fault> {
    file.write_all_at(&mark.encode(), 0).map_err(|error| Fault::io("write the head file", &error))
}

/// Makes names in the directory durable.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), Fault> {
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(Fault::sync)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_a_mark_with_any_bit_flipped_or_any_byte_missing_is_refused() {
        let mark = Mark { pos: 7, epoch: 3, hash: [9; 32] };
        let bytes = mark.encode();
        assert_eq!(Mark::decode(&bytes), Some(mark));
        for at in 0..BYTES {
            for bit in 0..8 {
                let mut flipped = bytes;
                flipped[at] ^= 1 << bit;
                assert_eq!(Mark::decode(&flipped), None, "byte {at} bit {bit}");
            }
            assert_eq!(Mark::decode(&bytes[..at]), None, "cut at {at}");
        }
    }
}
