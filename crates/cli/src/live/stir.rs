//! Waiting until something is recorded. The kernel tells of the journal's files, so whoever follows
//! a run sees its end when it comes; what changed is for the follower to read.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

/// Looks are no closer than this: a busy journal must not keep a follower busy.
const APART: Duration = Duration::from_millis(2);
/// One read takes the news of many records.
const BUFFER_BYTES: usize = 16 << 10;

/// Tells when the journal changed.
pub struct Stir {
    /// None where the kernel gives no watch; then time alone is waited for.
    news: Option<OwnedFd>,
    woke: Instant,
}

impl Stir {
    /// Watches the journal in this directory from now on.
    pub fn of(journal: &Path) -> Self {
        let news = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).and_then(|news| {
            inotify::add_watch(&news, journal, WatchFlags::MODIFY)?;
            Ok(news)
        });
        Self { news: news.ok(), woke: Instant::now() }
    }

    /// Waits until something was written, but not longer than this. What is written after it
    /// returns wakes the next wait, so a look in between misses nothing.
    pub fn wait(&mut self, at_most: Duration) {
        let Some(news) = &self.news else { return sleep(at_most) };
        let mut fds = [PollFd::new(news, PollFlags::IN)];
        let wait = Timespec::try_from(at_most).ok();
        match poll(&mut fds, wait.as_ref()) {
            Ok(0) | Err(Errno::INTR) => return,
            Ok(_) => {}
            Err(_) => return sleep(at_most),
        }
        sleep(APART.saturating_sub(self.woke.elapsed()));
        let mut buffer = [0; BUFFER_BYTES];
        while rustix::io::read(news, &mut buffer).is_ok_and(|bytes| bytes > 0) {}
        self.woke = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far longer than a test may take: only news ends such a wait.
    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn what_was_written_before_a_wait_ends_it_and_is_told_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut stir = Stir::of(dir.path());
        for _ in 0..3 {
            std::fs::write(dir.path().join("file"), "text").unwrap();
            stir.wait(LONG);
        }
        let began = Instant::now();
        stir.wait(Duration::from_millis(20));
        assert!(began.elapsed() >= Duration::from_millis(20), "told twice");
    }

    #[test]
    fn without_a_directory_time_is_waited_for() {
        let mut stir = Stir::of(Path::new("/no/such/journal"));
        let began = Instant::now();
        stir.wait(Duration::from_millis(20));
        assert!(began.elapsed() >= Duration::from_millis(20));
    }
}
