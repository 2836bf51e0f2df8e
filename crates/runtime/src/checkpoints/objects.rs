//! Objects as git gives them back: over one `cat-file --batch`, each checked against its own name
//! before anybody sees it. Names are SHA-256, so nothing git says has to be believed.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use sha2::{Digest, Sha256};

use super::error::Error;
use super::git::{Git, failed};
use crate::tree::Hash;

/// The name of an object: the SHA-256 of its kind, size and bytes.
pub type Id = Hash;

/// A tree of 200,000 names in one directory stays below this; files are bounded by the walk.
const OBJECT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The name git gives to this object.
pub(super) fn id_of(kind: &str, bytes: &[u8]) -> Id {
    let mut sha = Sha256::new();
    sha.update(format!("{kind} {}\0", bytes.len()));
    sha.update(bytes);
    Hash(sha.finalize().into())
}

/// Reads objects. Ends its git when dropped.
#[derive(Debug)]
pub struct Reader {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reader {
    pub(super) fn start(git: &Git, dir: &Path) -> Result<Self, Error> {
        let mut command = git.command(dir);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(Error::io(git.path()))?;
        let (ask, answers) = (child.stdin.take(), child.stdout.take());
        let (ask, answers) = ask.zip(answers).ok_or_else(|| failed("cat-file", b"no pipes"))?;
        Ok(Self { child, ask, answers: BufReader::new(answers) })
    }

    /// The bytes of an object of this kind; anything else than exactly that is damage.
    ///
    /// # Errors
    /// When it is missing, of another kind, or not what its name says.
    pub fn get(&mut self, kind: &str, id: Id) -> Result<Vec<u8>, Error> {
        let bytes = self.ask(kind, id).map_err(|_| Error::Damaged(format!("{kind} {id}")))?;
        match bytes {
            Some(bytes) if id_of(kind, &bytes) == id => Ok(bytes),
            Some(_) | None => Err(Error::Damaged(format!("{kind} {id}"))),
        }
    }

    fn ask(&mut self, kind: &str, id: Id) -> std::io::Result<Option<Vec<u8>>> {
        writeln!(self.ask, "{id}")?;
        self.ask.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let mut words = line.split_whitespace();
        let (Some(_), Some(found), Some(size)) = (words.next(), words.next(), words.next()) else {
            return Ok(None);
        };
        let size: u64 = size.parse().map_err(|_| std::io::ErrorKind::InvalidData)?;
        if size > OBJECT_BYTES_MAX {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        let mut bytes = Vec::new();
        let read = (&mut self.answers).take(size + 1).read_to_end(&mut bytes)?;
        if read as u64 != size + 1 || bytes.pop() != Some(b'\n') {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        Ok((found == kind).then_some(bytes))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // A git that waits for our next question is ended; there is nothing it could lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
