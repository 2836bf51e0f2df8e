//! What the system says about one entry of a directory, and whether it may be replaced. Facts of
//! one moment; whoever acts on them holds the descriptor they came from.

use rustix::fs::{FileType, Stat};
use serde::Serialize;

use super::fault::Fault;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A fifo, socket or device.
    Other,
}

impl Kind {
    /// The kind in the words of a listing.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dir => "dir",
            Self::Symlink => "symlink",
            Self::Other => "other",
        }
    }

    pub(super) fn of(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Dir,
            FileType::Symlink => Self::Symlink,
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Self::Other,
        }
    }
}

/// Why a file may only be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnlyRead {
    /// Somebody else owns it.
    Owner {
        /// Whose it is.
        uid: u32,
    },
    /// It runs with the rights of its owner or group.
    SetId,
}

impl OnlyRead {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Owner { .. } => "owner",
            Self::SetId => "set_id",
        }
    }
}

/// What becomes of a file with several names when it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HardLinks {
    /// It is left alone.
    Refuse,
    /// This name gets a file of its own (`policy.break_hardlinks`).
    Break,
}

/// What the system says about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// What it is.
    pub kind: Kind,
    /// Bytes of a file, or of a link's target.
    pub size: u64,
    /// Permission bits, set-id and sticky among them.
    pub mode: u32,
    /// Whose it is.
    pub uid: u32,
    /// How many names it has.
    pub links: u64,
    /// The device it is on.
    pub dev: u64,
    /// Its inode.
    pub inode: u64,
}

/// Permission bits with set-id and sticky.
const MODE_BITS: u32 = 0o7777;
/// Set-uid and set-gid.
const SET_ID_BITS: u32 = 0o6000;

impl Facts {
    #[expect(
        clippy::unnecessary_cast,
        reason = "the widths of these fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            kind: Kind::of(FileType::from_raw_mode(stat.st_mode)),
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            mode: stat.st_mode as u32 & MODE_BITS,
            uid: stat.st_uid,
            links: stat.st_nlink as u64,
            dev: stat.st_dev as u64,
            inode: stat.st_ino as u64,
        }
    }

    /// Why the file may only be read, if so.
    #[must_use]
    pub fn only_read(&self) -> Option<OnlyRead> {
        if self.uid != rustix::process::geteuid().as_raw() {
            return Some(OnlyRead::Owner { uid: self.uid });
        }
        (self.mode & SET_ID_BITS != 0).then_some(OnlyRead::SetId)
    }

    /// Whether the file at `path` may be given other content: a regular file of ours, with one
    /// name unless the rule says otherwise.
    ///
    /// # Errors
    /// Which of these it is not.
    pub fn replaceable(&self, path: &str, rule: HardLinks) -> Result<(), Fault> {
        let path = path.to_owned();
        match self.kind {
            Kind::Symlink => return Err(Fault::Symlink { path }),
            Kind::Dir | Kind::Other => return Err(Fault::NotAFile { path, kind: self.kind }),
            Kind::File => {}
        }
        if let Some(why) = self.only_read() {
            return Err(Fault::OnlyRead { path, why });
        }
        match rule {
            HardLinks::Refuse if self.links > 1 => Err(Fault::Hardlink { path, links: self.links }),
            HardLinks::Refuse | HardLinks::Break => Ok(()),
        }
    }
}
