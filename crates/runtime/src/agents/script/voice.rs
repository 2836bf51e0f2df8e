//! The two streams of the scripted agent, and what its dialects know of the launch. Every line is
//! one write and leaves at once: a reader may look at any moment.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Instant;

use rustix::io::Errno;

use super::object::Object;
use super::step::Stream;

/// The streams and the launch.
pub(super) struct Voice {
    /// The working directory.
    pub(super) cwd: String,
    /// The model it claims to be.
    pub(super) model: String,
    /// What it was asked.
    pub(super) prompt: String,
    /// The arguments of the program it stands in for.
    pub(super) args: Vec<String>,
    /// When it began.
    pub(super) began: Instant,
}

impl Voice {
    /// One object on a line of standard output.
    pub(super) fn line(&self, object: Object) -> io::Result<()> {
        let mut line = object.finish();
        line.push('\n');
        self.bytes(Stream::Stdout, line.as_bytes())
    }

    /// A line on standard error.
    pub(super) fn err(&self, text: &str) -> io::Result<()> {
        self.bytes(Stream::Stderr, format!("{text}\n").as_bytes())
    }

    /// Bytes as they are.
    pub(super) fn bytes(&self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        match stream {
            Stream::Stdout => write_all(io::stdout().as_fd(), bytes),
            Stream::Stderr => write_all(io::stderr().as_fd(), bytes),
        }
    }

    /// Milliseconds since it began.
    pub(super) fn elapsed_ms(&self) -> u128 {
        self.began.elapsed().as_millis()
    }
}

/// Past the buffers of the standard library: nothing is ever left in one when the process is
/// killed or ends by a signal.
fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Now, to the millisecond, as the CLIs write it.
pub(super) fn timestamp() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// A new random id.
pub(super) fn random_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
