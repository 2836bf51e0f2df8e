//! Tells which files below the loop directory changed, on a thread of its own. It knows no views
//! and reads no file. News may be lost when very many come at once; then every view that is there
//! is named, and an edit that is never told of is still met by the next drawing.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use super::sealed::Room;

/// One read takes a few hundred names.
const BUFFER_BYTES: usize = 64 * 1024;
/// How temporary files of ours begin; their coming and going is no news.
const OWN: char = '.';

/// Directories of runs in a room that are watched from the start: those that came last. Older ones
/// have long ended, and an edit of theirs is met when they are drawn again.
const OLD_DIRS_MAX: usize = 64;

/// A watch; it ends when this is dropped.
#[derive(Debug)]
pub struct Watch {
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The other end of the pipe hears it.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Watches `loop_dir` and the directories of pages in it. `tell` is given names as seen from
/// `loop_dir` (`loop-a.json`, `loop-a.progress/develop.md`) and answers whether to go on.
///
/// # Errors
/// When the directory can't be watched.
pub fn watch(
    loop_dir: &Path,
    tell: impl FnMut(String) -> bool + Send + 'static,
) -> io::Result<Watch> {
    let notify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
    let mut eyes = Eyes { notify, loop_dir: loop_dir.to_owned(), dirs: HashMap::new() };
    eyes.open("")?;
    for name in eyes.names(loop_dir) {
        if eyes.open_pages(&name) && name == Room::Turns.name() {
            eyes.open_last(&name);
        }
    }
    let (ended, stop) = pipe_with(PipeFlags::CLOEXEC)?;
    let thread = std::thread::Builder::new()
        .name("view-watch".into())
        .spawn(move || eyes.look(&ended, tell))?;
    Ok(Watch { stop: Some(stop), thread: Some(thread) })
}

struct Eyes {
    notify: OwnedFd,
    loop_dir: PathBuf,
    /// Watched directories: what to put before a name.
    dirs: HashMap<i32, String>,
}

/// What one piece of news says.
enum News {
    Changed(String),
    /// A directory came.
    Directory(String),
    /// Some news were lost.
    Lost,
}

impl Eyes {
    /// Watches the directory whose names are told with this prefix.
    fn open(&mut self, prefix: &str) -> io::Result<()> {
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVED_FROM
            | WatchFlags::DELETE
            | WatchFlags::CREATE
            | WatchFlags::ONLYDIR;
        let id = inotify::add_watch(&self.notify, self.loop_dir.join(prefix), flags)?;
        self.dirs.insert(id, prefix.to_owned());
        Ok(())
    }

    /// Watches a directory of pages; one that has gone again is no loss.
    fn open_pages(&mut self, name: &str) -> bool {
        let sealed = |room: Room| {
            let own = name.strip_prefix(room.name());
            own.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (name.ends_with(".progress") || Room::ALL.into_iter().any(sealed))
            && self.open(&format!("{name}/")).is_ok()
    }

    /// Watches the directories of the runs that came last to a room; ids sort by time.
    fn open_last(&mut self, room: &str) {
        let mut runs = self.names(&self.loop_dir.join(room));
        runs.sort_unstable_by(|a, b| b.cmp(a));
        for run in runs.into_iter().take(OLD_DIRS_MAX) {
            self.open_pages(&format!("{room}/{run}"));
        }
    }

    fn names(&self, dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }

    fn look(mut self, ended: &OwnedFd, mut tell: impl FnMut(String) -> bool) {
        loop {
            let mut wait = [
                PollFd::new(&self.notify, PollFlags::IN),
                PollFd::from_borrowed_fd(ended.as_fd(), PollFlags::IN),
            ];
            match poll(&mut wait, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
            if !wait[1].revents().is_empty() {
                return;
            }
            for news in self.read() {
                if !self.pass_on(news).into_iter().all(&mut tell) {
                    return;
                }
            }
        }
    }

    fn read(&self) -> Vec<News> {
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let mut reader = Reader::new(&self.notify, &mut buffer);
        let mut all = Vec::new();
        while let Ok(event) = reader.next() {
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                all.push(News::Lost);
                continue;
            }
            let name = event.file_name().and_then(|name| name.to_str().ok());
            let (Some(prefix), Some(name)) = (self.dirs.get(&event.wd()), name) else { continue };
            if name.starts_with(OWN) {
                continue;
            }
            let flags = event.events();
            if flags.contains(ReadFlags::ISDIR) {
                all.push(News::Directory(format!("{prefix}{name}")));
            } else if !flags.contains(ReadFlags::CREATE) {
                // A file that was just made is told of when it is closed.
                all.push(News::Changed(format!("{prefix}{name}")));
            }
        }
        all
    }

    /// The names to tell.
    fn pass_on(&mut self, news: News) -> Vec<String> {
        match news {
            News::Changed(name) => vec![name],
            News::Directory(name) => {
                // Files may have come before the watch did.
                if self.open_pages(&name) { self.below(&name) } else { Vec::new() }
            }
            News::Lost => {
                let mut all = self.names(&self.loop_dir);
                for dir in all.clone().iter().filter(|name| name.ends_with(".progress")) {
                    all.extend(self.below(dir));
                }
                all.retain(|name| !name.starts_with(OWN));
                all
            }
        }
    }

    fn below(&self, dir: &str) -> Vec<String> {
        let names = self.names(&self.loop_dir.join(dir));
        let theirs = names.into_iter().filter(|name| !name.starts_with(OWN));
        theirs.map(|name| format!("{dir}/{name}")).collect()
    }
}
