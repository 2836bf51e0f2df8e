//! Searches many files at once and answers in the order of paths. One thread walks and hands out
//! runs of files; a few search. Whatever was handed out is finished, so what is known is always
//! everything up to some path, and the same tree gives the same answer.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kernel::paths::{Class, Rel};
use rustix::fs::OFlags;

use super::super::beneath::{self, Links};
use super::super::desk::Desk;
use super::super::facts::{Facts, Kind};
use super::super::fault::Fault;
use super::super::glob::Globbed;
use super::super::walk::{self, Ended, Ground, Node, Step};
use super::hit::Bound;
use super::scan::{Scratch, Seen, Wanted};

/// Files of one search at most.
pub(super) const FILES_MAX: usize = 100_000;
/// How long a search may take.
pub(super) const TIME_MAX: Duration = Duration::from_secs(10);
/// More threads than this wait for the disk, not for each other.
const THREADS_MAX: usize = 8;
/// Files handed out together: enough to make handing out cheap, few enough to share them.
const RUN_FILES: usize = 64;
/// Runs that wait to be searched. Each holds its directory open.
const QUEUE: usize = 64;

/// What is swept, and how far.
pub(super) struct Plan<'a> {
    pub start: &'a Rel,
    pub glob: &'a Globbed,
    pub wanted: Wanted<'a>,
    /// No more files are handed out once so many hits are known.
    pub enough: usize,
    pub files_max: usize,
    pub until: Instant,
}

/// One entry, in the order of paths.
pub(super) enum Item {
    File(Seen),
    Ignored,
    Protected,
}

/// What a sweep came to.
pub(super) struct Swept {
    pub items: Vec<Item>,
    pub bounds: Vec<Bound>,
}

/// Files of one directory that follow each other, with what was left out between them.
struct Run {
    at: usize,
    dir: Arc<OwnedFd>,
    prefix: Vec<u8>,
    parts: Vec<Part>,
}

enum Part {
    Name(CString),
    Ignored,
    Protected,
}

/// What the threads share.
struct Shared {
    hits: AtomicUsize,
    late: AtomicBool,
}

/// Sweeps the directory of the plan.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn sweep(desk: &Desk<'_>, plan: &Plan<'_>) -> Result<Swept, Fault> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let (give, take) = sync_channel::<Run>(QUEUE);
    let take = Mutex::new(take);
    let shared = Shared { hits: AtomicUsize::new(0), late: AtomicBool::new(false) };
    let (walked, mut done) = std::thread::scope(|scope| {
        let work = || search_runs(plan, &take, &shared);
        let hands: Vec<_> = (0..threads.min(THREADS_MAX)).map(|_| scope.spawn(work)).collect();
        let walked = hand_out(desk, plan, give, &shared);
        let done: Vec<(usize, Vec<Item>)> =
            hands.into_iter().flat_map(|hand| hand.join().unwrap_or_default()).collect();
        (walked, done)
    });
    let mut bounds = walked?;
    if shared.late.load(Ordering::Relaxed) && !bounds.contains(&Bound::Time) {
        bounds.push(Bound::Time);
    }
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(Swept { items: done.into_iter().flat_map(|(_, items)| items).collect(), bounds })
}

/// Searches runs until there are no more.
fn search_runs(
    plan: &Plan<'_>,
    take: &Mutex<Receiver<Run>>,
    shared: &Shared,
) -> Vec<(usize, Vec<Item>)> {
    let mut scratch = Scratch::new(plan.wanted.matcher);
    let mut done = Vec::new();
    loop {
        let next = match take.lock() {
            Ok(runs) => runs.recv(),
            Err(_) => return done,
        };
        let Ok(run) = next else { return done };
        done.push((run.at, search_run(plan, run, &mut scratch, shared)));
    }
}

fn search_run(plan: &Plan<'_>, run: Run, scratch: &mut Scratch, shared: &Shared) -> Vec<Item> {
    let mut items = Vec::with_capacity(run.parts.len());
    let mut path = run.prefix;
    let length = path.len();
    for part in run.parts {
        let name = match part {
            Part::Name(name) => name,
            Part::Ignored => {
                items.push(Item::Ignored);
                continue;
            }
            Part::Protected => {
                items.push(Item::Protected);
                continue;
            }
        };
        if shared.late.load(Ordering::Relaxed) || Instant::now() >= plan.until {
            shared.late.store(true, Ordering::Relaxed);
            return items;
        }
        path.extend_from_slice(name.as_bytes());
        let seen = match open(&run.dir, name.as_bytes()) {
            Some((file, size)) => scratch.scan(&plan.wanted, file, size, &path),
            None => Seen::Gone,
        };
        path.truncate(length);
        if let Seen::Searched { hits, .. } = &seen {
            shared.hits.fetch_add(hits.len(), Ordering::Relaxed);
        }
        items.push(Item::File(seen));
    }
    items
}

/// A regular file of a held directory; a fifo in its place is not waited for.
fn open(dir: &OwnedFd, name: &[u8]) -> Option<(File, u64)> {
    let fd = beneath::open(dir, name, OFlags::RDONLY | OFlags::NONBLOCK, Links::None).ok()?;
    let facts = Facts::of(&rustix::fs::fstat(&fd).ok()?);
    (facts.kind == Kind::File).then(|| (File::from(fd), facts.size))
}

/// Walks and hands out; says which bounds ended it.
fn hand_out(
    desk: &Desk<'_>,
    plan: &Plan<'_>,
    give: SyncSender<Run>,
    shared: &Shared,
) -> Result<Vec<Bound>, Fault> {
    let mut giver = Giver { plan, give, shared, run: None, given: 0, files: 0, bounds: Vec::new() };
    let ground = Ground { root: desk.root, names: desk.names };
    let ended = walk::walk(&ground, plan.start, |node| giver.visit(node))?;
    giver.flush();
    if ended == Ended::TooDeep {
        giver.bounds.push(Bound::Depth);
    }
    Ok(giver.bounds)
}

struct Giver<'a> {
    plan: &'a Plan<'a>,
    give: SyncSender<Run>,
    shared: &'a Shared,
    run: Option<Run>,
    given: usize,
    files: usize,
    bounds: Vec<Bound>,
}

impl Giver<'_> {
    fn visit(&mut self, node: &Node<'_>) -> Step {
        if is_ours_or_gits(node) {
            return Step::Past;
        }
        let part = if node.classes.has(Class::Secret) || node.classes.has(Class::Control) {
            Part::Protected
        } else if node.ignored {
            Part::Ignored
        } else {
            match node.kind {
                Kind::Dir => return Step::Into,
                Kind::Symlink | Kind::Other => return Step::Past,
                Kind::File if !self.plan.glob.has(node.path) => return Step::Past,
                Kind::File => Part::Name(node.name.to_owned()),
            }
        };
        if matches!(part, Part::Name(_)) {
            if self.files == self.plan.files_max {
                self.bounds.push(Bound::Files);
                return Step::Stop;
            }
            self.files += 1;
        }
        self.add(node, part)
    }

    fn add(&mut self, node: &Node<'_>, part: Part) -> Step {
        let fits = |run: &Run| Arc::ptr_eq(&run.dir, node.dir) && run.parts.len() < RUN_FILES;
        if let Some(run) = self.run.as_mut().filter(|run| fits(run)) {
            run.parts.push(part);
            return Step::Past;
        }
        self.flush();
        if self.shared.hits.load(Ordering::Relaxed) > self.plan.enough {
            return Step::Stop;
        }
        if Instant::now() >= self.plan.until {
            self.shared.late.store(true, Ordering::Relaxed);
            return Step::Stop;
        }
        let prefix = node.path[..node.path.len() - node.name.to_bytes().len()].to_vec();
        let run = Run { at: self.given, dir: Arc::clone(node.dir), prefix, parts: vec![part] };
        self.given += 1;
        self.run = Some(run);
        Step::Past
    }

    fn flush(&mut self) {
        if let Some(run) = self.run.take() {
            // Nobody takes it only if every thread is gone, and then the answer shows it.
            drop(self.give.send(run));
        }
    }
}

/// They stand in every workspace, so naming them each time would say nothing.
fn is_ours_or_gits(node: &Node<'_>) -> bool {
    matches!(node.name.to_bytes(), b".git" | b".loop")
}
