//! One output stream on its way to disk: a file up to the cap, then a count of what is dropped
//! and a ring with its end. Memory does not grow with the output, and a full disk costs output,
//! never the child.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use super::durable;

/// One read from a pipe: the size of a pipe.
pub const CHUNK_BYTES: usize = 64 << 10;
/// Reads in a row from one stream, so that a flood cannot keep timers and signals waiting.
const READS_MAX: u32 = 16;

/// A stream, its file and its tail.
pub struct Spool {
    /// The pipe; nothing once it has ended.
    pub pipe: Option<OwnedFd>,
    file: File,
    room: u64,
    tail_path: PathBuf,
    tail: VecDeque<u8>,
    tail_max: usize,
    tail_changed: bool,
    /// Bytes in the file.
    pub kept: u64,
    /// Bytes that are not.
    pub dropped: u64,
}

/// The sizes of a spool.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// Of the file.
    pub spool_bytes: u64,
    /// Of the tail.
    pub tail_bytes: u64,
}

impl Spool {
    /// Creates the empty file `dir/name`; the tail file is made once something is dropped.
    pub fn create(dir: &Path, name: &str, caps: Caps) -> io::Result<Self> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let file = durable::open(&dir.join(name), flags)?;
        Ok(Self {
            pipe: None,
            file,
            room: caps.spool_bytes,
            tail_path: dir.join(format!("{name}.tail")),
            tail: VecDeque::new(),
            tail_max: usize::try_from(caps.tail_bytes).unwrap_or(0),
            tail_changed: false,
            kept: 0,
            dropped: 0,
        })
    }

    /// Takes what the pipe holds, up to a bound; tells whether anything came.
    pub fn pump(&mut self, buffer: &mut [u8]) -> bool {
        let mut came = false;
        for _ in 0..READS_MAX {
            let Some(pipe) = &self.pipe else { break };
            match rustix::io::read(pipe, &mut *buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    came = true;
                    self.take(&buffer[..count]);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.pipe = None,
            }
        }
        came
    }

    fn take(&mut self, bytes: &[u8]) {
        let fits = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        let written = self.write(&bytes[..fits]);
        if written < fits {
            // The disk refused: what follows would leave a hole, so the file ends here.
            self.room = 0;
        }
        self.drop_bytes(&bytes[written..]);
    }

    fn write(&mut self, bytes: &[u8]) -> usize {
        let mut written = 0;
        while written < bytes.len() {
            match self.file.write(&bytes[written..]) {
                Ok(count @ 1..) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
            }
        }
        self.kept += written as u64;
        self.room -= written as u64;
        written
    }

    fn drop_bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.dropped += bytes.len() as u64;
        let last = &bytes[bytes.len().saturating_sub(self.tail_max)..];
        let over = (self.tail.len() + last.len()).saturating_sub(self.tail_max);
        self.tail.drain(..over);
        self.tail.extend(last);
        self.tail_changed = true;
    }

    /// Whether the tail on disk is behind.
    pub fn tail_is_behind(&self) -> bool {
        self.tail_changed
    }

    /// Shows the tail to readers: whole, by rename, not yet durable.
    pub fn show_tail(&mut self) -> io::Result<()> {
        if !self.tail_changed {
            return Ok(());
        }
        let temp = self.tail_path.with_extension("tail.new");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let mut file = durable::open(&temp, flags)?;
        let (front, back) = self.tail.as_slices();
        file.write_all(front)?;
        file.write_all(back)?;
        std::fs::rename(&temp, &self.tail_path)?;
        self.tail_changed = false;
        Ok(())
    }

    /// The last writes: tail shown, both files synced (their names by the directory's next sync).
    pub fn close(&mut self) -> io::Result<()> {
        self.show_tail()?;
        if self.kept > 0 {
            self.file.sync_all()?;
        }
        if self.dropped > 0 {
            durable::open(&self.tail_path, OFlags::RDONLY)?.sync_all()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spooled(cap: u64, tail: u64, chunks: &[&[u8]]) -> (Spool, Vec<u8>, Option<Vec<u8>>) {
        let dir = tempfile::tempdir().unwrap();
        let caps = Caps { spool_bytes: cap, tail_bytes: tail };
        let mut spool = Spool::create(dir.path(), "stdout", caps).unwrap();
        for chunk in chunks {
            spool.take(chunk);
        }
        spool.close().unwrap();
        let file = std::fs::read(dir.path().join("stdout")).unwrap();
        (spool, file, std::fs::read(dir.path().join("stdout.tail")).ok())
    }

    #[test]
    fn spool_and_tail_split_at_the_cap() {
        type Row<'a> = (u64, u64, &'a [&'a [u8]], &'a [u8], Option<&'a [u8]>, u64);
        let table: [Row; 6] = [
            (8, 4, &[b"abc", b"de"], b"abcde", None, 0),
            (5, 4, &[b"abc", b"de"], b"abcde", None, 0),
            (4, 4, &[b"abc", b"de"], b"abcd", Some(b"e"), 1),
            (2, 4, &[b"abc", b"defghij"], b"ab", Some(b"ghij"), 8),
            (0, 3, &[b"abcdef", b"g"], b"", Some(b"efg"), 7),
            (1, 0, &[b"abc"], b"a", Some(b""), 2),
        ];
        for (cap, tail, chunks, file, tail_file, dropped) in table {
            let (spool, got, got_tail) = spooled(cap, tail, chunks);
            assert_eq!(got, file, "cap {cap}");
            assert_eq!(got_tail.as_deref(), tail_file, "cap {cap} tail {tail}");
            assert_eq!((spool.kept, spool.dropped), (file.len() as u64, dropped));
        }
    }

    #[test]
    fn memory_stays_flat_in_a_flood() {
        let dir = tempfile::tempdir().unwrap();
        let caps = Caps { spool_bytes: 10, tail_bytes: 1000 };
        let mut spool = Spool::create(dir.path(), "stdout", caps).unwrap();
        for _ in 0..1000 {
            spool.take(&[b'x'; 4096]);
        }
        assert!(spool.tail.capacity() < 4096, "{}", spool.tail.capacity());
        assert_eq!(spool.kept + spool.dropped, 4096 * 1000);
    }
}
