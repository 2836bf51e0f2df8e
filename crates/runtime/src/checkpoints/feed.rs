//! One `git fast-import`, fed over a pipe: files first, then one commit that names them. Git opens
//! no file of the user's, so no attribute, filter or encoding rule can change or run anything.

use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};

use kernel::rollback::RawPath;

use super::error::Error;
use super::git::{Git, failed};
use super::info::Info;
use super::objects::{Id, id_of};
use super::repo::NEW_REF;
use super::snapshot::Node;
use crate::tree::{Hash, Kind};

/// Large enough that one file is few writes.
const BUFFER_BYTES: usize = 256 * 1024;

/// What a commit changes in the tree it starts from.
#[derive(Debug)]
pub(super) enum Edit {
    /// The path goes.
    Delete,
    /// This goes there.
    Put(Node),
}

/// The stream. A git that is not finished is ended when this is dropped, and has written nothing
/// that counts.
pub(super) struct Feed {
    child: Child,
    pipe: Option<BufWriter<ChildStdin>>,
}

impl Feed {
    pub(super) fn start(git: &Git, dir: &Path) -> Result<Self, Error> {
        let mut command = git.command(dir);
        command.args(["fast-import", "--quiet", "--done", "--force", "--depth=0"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Error::io(git.path()))?;
        let pipe = child.stdin.take().map(|pipe| BufWriter::with_capacity(BUFFER_BYTES, pipe));
        Ok(Self { child, pipe })
    }

    fn write(&mut self, parts: &[&[u8]]) -> Result<(), Error> {
        let Some(pipe) = &mut self.pipe else { return Err(self.ended()) };
        let written = parts.iter().try_for_each(|part| pipe.write_all(part));
        written.map_err(|_| self.ended())
    }

    /// The bytes of one file; answers the name git knows them by from now on.
    pub(super) fn blob(&mut self, bytes: &[u8]) -> Result<Id, Error> {
        let head = format!("blob\ndata {}\n", bytes.len());
        self.write(&[head.as_bytes(), bytes, b"\n"])?;
        Ok(id_of("blob", bytes))
    }

    /// One commit without parents: the files of `base`, edited. Ends the stream; answers the
    /// commit and its tree.
    pub(super) fn commit(
        mut self,
        info: &Info,
        base: Option<Id>,
        edits: &[(RawPath, Edit)],
    ) -> Result<(Id, Id), Error> {
        let message =
            serde_json::to_vec(info).map_err(|e| failed("message", &e.to_string().into_bytes()))?;
        let seconds = info.made_at_ms / 1000;
        let head = format!(
            "commit {NEW_REF}\nmark :1\ncommitter loopwright <loopwright@localhost> {seconds} \
             +0000\ndata {}\n",
            message.len()
        );
        self.write(&[head.as_bytes(), &message, b"\n"])?;
        if let Some(tree) = base {
            self.write(&[format!("M 040000 {tree} \"\"\n").as_bytes()])?;
        }
        // Deletions first: a file may become a directory, and the other way round.
        for (path, edit) in edits {
            if let Edit::Delete = edit {
                self.write(&[b"D ", &quoted(path.bytes()), b"\n"])?;
            }
        }
        for (path, edit) in edits {
            if let Edit::Put(Node { kind, blob }) = edit {
                let head = format!("M {} {blob} ", mode(*kind));
                self.write(&[head.as_bytes(), &quoted(path.bytes()), b"\n"])?;
            }
        }
        self.write(&[b"ls \"\"\nget-mark :1\ndone\n"])?;
        self.finish()
    }

    fn finish(mut self) -> Result<(Id, Id), Error> {
        let flushed = self.pipe.take().map(|mut pipe| pipe.flush());
        if !matches!(flushed, Some(Ok(()))) {
            return Err(self.ended());
        }
        let mut said = String::new();
        if let Some(answers) = &mut self.child.stdout {
            answers.read_to_string(&mut said).map_err(|_| failed("fast-import", b"no answer"))?;
        }
        let status = self.child.wait();
        if !status.is_ok_and(|status| status.success()) {
            return Err(self.ended());
        }
        let mut lines = said.lines();
        let (tree, commit) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let tree = match tree.strip_prefix("040000 tree ") {
            Some(rest) => Hash::from_hex(rest.trim_end()),
            None => tree.starts_with("missing").then(|| id_of("tree", b"")),
        };
        Hash::from_hex(commit).zip(tree).ok_or_else(|| failed("fast-import", said.as_bytes()))
    }

    /// What git said before it ended.
    fn ended(&mut self) -> Error {
        self.pipe = None;
        let _ = self.child.wait();
        let mut said = Vec::new();
        if let Some(errors) = &mut self.child.stderr {
            let _ = errors.read_to_end(&mut said);
        }
        failed("fast-import", &said)
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const fn mode(kind: Kind) -> &'static str {
    match kind {
        Kind::File | Kind::Stamped => "100644",
        Kind::Executable => "100755",
        Kind::Link => "120000",
    }
}

/// A path as the stream takes it: quoted, with every byte that is not a plain one in octal.
fn quoted(path: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in path {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            0x20..=0x7e => out.push(byte),
            _ => out.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_quoted_as_git_reads_them() {
        assert_eq!(quoted(b"a b"), b"\"a b\"");
        assert_eq!(quoted(b"a\"\\\n\xff"), b"\"a\\\"\\\\\\012\\377\"");
    }
}
