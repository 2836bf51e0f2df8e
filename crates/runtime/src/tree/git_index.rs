//! Reads which paths git tracks from the index file itself (versions 2 to 4). No git program runs,
//! and nothing but names and modes is taken. An index that cannot be read tracks nothing; entries
//! of a split index that live in its shared file are not seen.

/// An index of 200,000 long names is well below this.
pub(super) const INDEX_BYTES_MAX: u64 = 128 * 1024 * 1024;

const GITLINK: u32 = 0o160_000;
const EXTENDED: u16 = 0x4000;
/// Times, device, inode, mode, owner, size: what stands before the object id.
const STAT_BYTES: usize = 40;
const MODE_AT: usize = 24;

/// The tracked paths below one directory of a repository, sorted by bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracked {
    known: bool,
    files: Vec<Vec<u8>>,
    links: Vec<Vec<u8>>,
}

impl Tracked {
    /// The paths of `index` that lie below `prefix` (empty, or ending in `/`), without it.
    pub(super) fn parse(index: &[u8], prefix: &[u8]) -> Self {
        // The index does not say how long its object ids are: SHA-1 first, then SHA-256.
        let entries = entries(index, 20).or_else(|| entries(index, 32));
        let mut tracked = Self { known: entries.is_some(), ..Self::default() };
        for (mode, path) in entries.unwrap_or_default() {
            if let Some(path) = path.strip_prefix(prefix) {
                let list = if mode == GITLINK { &mut tracked.links } else { &mut tracked.files };
                list.push(path.to_vec());
            }
        }
        tracked.files.sort();
        tracked.links.sort();
        tracked
    }

    /// Whether an index was there and could be read.
    pub(crate) fn is_known(&self) -> bool {
        self.known
    }

    pub(crate) fn has(&self, path: &[u8]) -> bool {
        self.files.binary_search_by(|file| file.as_slice().cmp(path)).is_ok()
    }

    pub(crate) fn is_submodule(&self, path: &[u8]) -> bool {
        self.links.binary_search_by(|link| link.as_slice().cmp(path)).is_ok()
    }

    pub(crate) fn has_below(&self, directory: &[u8]) -> bool {
        let mut start = directory.to_vec();
        start.push(b'/');
        let at = self.files.partition_point(|file| *file < start);
        self.files.get(at).is_some_and(|file| file.starts_with(&start))
    }
}

fn entries(index: &[u8], id_bytes: usize) -> Option<Vec<(u32, Vec<u8>)>> {
    let version = number(index.strip_prefix(b"DIRC")?)?;
    let count = number(index.get(8..)?)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut found: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut rest = index.get(12..)?;
    for _ in 0..count {
        let mode = number(rest.get(MODE_AT..)?)?;
        let flags_at = STAT_BYTES + id_bytes;
        let flags = u16::from_be_bytes(rest.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let name_at = flags_at + if flags & EXTENDED == 0 { 2 } else { 4 };
        let last = found.last().map_or(&[][..], |(_, path)| path.as_slice());
        let (path, end) = match version {
            4 => compressed_name(rest, name_at, last)?,
            _ => padded_name(rest, name_at)?,
        };
        // Entries are sorted; a wrong id length shows here at the latest.
        if path.is_empty() || path.as_slice() < last {
            return None;
        }
        found.push((mode, path));
        rest = rest.get(end..)?;
    }
    Some(found)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn name_end(entry: &[u8], from: usize) -> Option<usize> {
    Some(from + entry.get(from..)?.iter().position(|&byte| byte == 0)?)
}

/// The whole name, then one to eight NULs up to a multiple of eight bytes.
fn padded_name(entry: &[u8], from: usize) -> Option<(Vec<u8>, usize)> {
    let end = name_end(entry, from)?;
    Some((entry[from..end].to_vec(), (end / 8 + 1) * 8))
}

/// How many bytes of the last name to drop (a varint), the rest of this one, one NUL.
fn compressed_name(entry: &[u8], from: usize, last: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut at = from;
    let mut drop = 0usize;
    loop {
        let byte = *entry.get(at)?;
        at += 1;
        drop = drop.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            break;
        }
        drop = drop.checked_add(1)?;
    }
    let end = name_end(entry, at)?;
    let mut path = last.get(..last.len().checked_sub(drop)?)?.to_vec();
    path.extend_from_slice(&entry[at..end]);
    Some((path, end + 1))
}
