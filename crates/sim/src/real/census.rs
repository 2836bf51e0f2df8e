//! Counts what each thread of an engine does to the disk in one play, so that every such
//! call can be met again in another run. Which of the equal threads gets a job may differ from run
//! to run: a point that is not met is told as such.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::broken::{Broken, ensure};
use super::house::{Engine, House};
use super::play::{Play, Story};
use super::tracer::{self, Held, Hook};

/// A thread of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thread {
    /// The one that opens the journal and listens, while it starts.
    Main,
    /// The one that decides and appends.
    Engine,
    /// One of those that prepare and look.
    Hand(usize),
}

impl Thread {
    /// Its id among these; none for the first, which is traced from its start.
    #[must_use]
    pub fn tid(self, threads: &[(i32, String)]) -> Option<i32> {
        let named = |name: &str| -> Vec<i32> {
            threads.iter().filter(|(_, comm)| comm == name).map(|(tid, _)| *tid).collect()
        };
        match self {
            Self::Main => None,
            Self::Engine => named("engine").first().copied(),
            Self::Hand(n) => named("hand").get(n).copied(),
        }
    }
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => f.write_str("main"),
            Self::Engine => f.write_str("engine"),
            Self::Hand(n) => write!(f, "hand{n}"),
        }
    }
}

/// One call of one thread: its `n`-th of that name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Whose.
    pub thread: Thread,
    /// Which call.
    pub call: String,
    /// Which of them, from 1.
    pub n: u32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.thread, self.call, self.n)
    }
}

impl FromStr for Point {
    type Err = Broken;

    fn from_str(text: &str) -> Result<Self, Broken> {
        let none = || Broken(format!("no point: {text}"));
        let mut parts = text.splitn(3, ':');
        let (thread, call) = (parts.next().ok_or_else(none)?, parts.next().ok_or_else(none)?);
        let n = parts.next().and_then(|n| n.parse().ok()).ok_or_else(none)?;
        let thread = match (thread, thread.strip_prefix("hand")) {
            ("main", _) => Thread::Main,
            ("engine", _) => Thread::Engine,
            (_, Some(n)) => Thread::Hand(n.parse().map_err(|_| none())?),
            (_, None) => return Err(none()),
        };
        Ok(Self { thread, call: call.to_owned(), n })
    }
}

/// What one run does to the disk, and the story it tells.
pub struct Census {
    /// Every call, by thread.
    pub points: Vec<Point>,
    /// What the run tells of itself.
    pub story: Story,
}

/// Plays it once and counts.
///
/// # Errors
/// When there is no tracer, or the play does not end well even so.
pub fn take(exe: &Path, play: &Play) -> Result<Census, Broken> {
    tracer::there()?;
    let house = (play.house)(exe)?;
    let (start, later) = (house.top.join("start.log"), house.top.join("later.log"));
    let mut points = started(&house, &start)?;
    let mut engine = Engine::start(&house, &[])?;
    let pid = engine.pid();
    let all = threads(engine.named()?);
    let tids: Vec<i32> = all.iter().map(|(tid, _)| *tid).collect();
    let held = Held::hold(pid, &tids, &later, &Hook::Note)?;
    let id = play.drive(&house)?;
    let story = (play.story)(&house, &id)?;
    (play.holds)(&house, &id, &story)?;
    held.release();
    house.empty()?;
    engine.child.wait()?;
    let text = std::fs::read_to_string(&later)?;
    for (tid, thread) in all {
        let prefix = format!("{tid} ");
        let own = text.lines().filter_map(|line| line.strip_prefix(&prefix));
        points.extend(count(thread, own.map(str::trim_start)));
    }
    Ok(Census { points, story })
}

/// The threads that touch the disk once the engine listens.
fn threads(named: Vec<(i32, String)>) -> Vec<(i32, Thread)> {
    let mut found = Vec::new();
    let mut hands = 0;
    for (tid, name) in named {
        match name.as_str() {
            "engine" => found.push((tid, Thread::Engine)),
            "hand" => {
                found.push((tid, Thread::Hand(hands)));
                hands += 1;
            }
            _ => {}
        }
    }
    found
}

/// What the first thread does until the engine listens, in a workspace without a journal.
fn started(house: &House, log: &Path) -> Result<Vec<Point>, Broken> {
    let mut engine = Engine::start(house, &tracer::words(log, &Hook::Note))?;
    ensure(engine.line.contains("ready"), || format!("not ready: {}", engine.line))?;
    house.empty()?;
    engine.child.wait()?;
    std::fs::remove_dir_all(house.state().join("journal"))?;
    let text = std::fs::read_to_string(log)?;
    Ok(count(Thread::Main, text.lines()))
}

/// The calls of a tracer's lines.
pub(super) fn count<'a>(thread: Thread, lines: impl Iterator<Item = &'a str>) -> Vec<Point> {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut points = Vec::new();
    for line in lines {
        let Some((call, rest)) = line.split_once('(') else { continue };
        if !tracer::DURABLE.contains(&call) {
            continue;
        }
        let n = seen.entry(call).or_insert(0);
        *n += 1;
        if call != "openat" || rest.contains("O_CREAT") {
            points.push(Point { thread, call: call.to_owned(), n: *n });
        }
    }
    points
}

/// At most `most` of them, spread evenly.
#[must_use]
pub fn spread(points: &[Point], most: usize) -> Vec<Point> {
    let stride = points.len().div_ceil(most.max(1)).max(1);
    points.iter().step_by(stride).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_as_strace_counts_them() {
        let log = [
            "openat(AT_FDCWD, \"/x\", O_RDONLY) = 3",
            "write(3, \"\"..., 4 <unfinished ...>",
            "<... write resumed>) = 4",
            "openat(AT_FDCWD, \"/y\", O_WRONLY|O_CREAT, 0600) = 3",
            "--- SIGCHLD {si_signo=SIGCHLD} ---",
            "write(3, \"\"..., 4) = 4",
        ];
        let points = count(Thread::Hand(2), log.into_iter());
        let told: Vec<String> = points.iter().map(Point::to_string).collect();
        assert_eq!(told, ["hand2:write:1", "hand2:openat:2", "hand2:write:2"]);
        for (text, point) in told.iter().zip(&points) {
            assert_eq!(text.parse::<Point>().unwrap(), *point);
        }
        assert!("hand:write:1".parse::<Point>().is_err());
        assert_eq!(spread(&points, 2).len(), 2);
    }
}
