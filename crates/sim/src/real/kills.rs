//! kill -9 of the engine at its n-th call that changes the disk; then a fresh engine finds what is
//! there and goes on. Which calls there are, the census says.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::census::{Point, Thread};
use super::faults::Span;
use super::house::{Engine, House, LOOK_EVERY, PATIENCE, ended};
use super::play::{Play, Story, Whose};
use super::script;
use super::tracer::{self, Held, Hook};

/// The signal that nobody can catch.
const SIGKILL: i32 = 9;

/// Looks at a first engine that may live on: two seconds.
const FIRST_LOOKS_MAX: usize = 400;

/// What became of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Met {
    /// The engine died there.
    Killed,
    /// The thread made fewer such calls this time; the run was whole.
    NotReached,
}

/// A first kill, and perhaps a second: of the next engine, at any of its threads' `n`-th such call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Where the first engine dies.
    pub first: Point,
    /// Where the second does: name of the call, and which.
    pub second: Option<(String, u32)>,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.second {
            None => self.first.fmt(f),
            Some((call, n)) => write!(f, "{} then {call}:{n}", self.first),
        }
    }
}

/// Kills there and checks everything that must hold.
///
/// # Errors
/// What does not hold.
pub fn at(exe: &Path, play: &Play, plan: &Plan, story: &Story) -> Result<Met, Broken> {
    one(exe, play, plan, story).map_err(|why| why.at(plan))
}

fn one(exe: &Path, play: &Play, plan: &Plan, story: &Story) -> Result<Met, Broken> {
    let house = (play.house)(exe)?;
    let log = house.top.join("trace.log");
    let deed = ("signal=SIGKILL", Span::Once);
    let (mut engine, held) = hooked(&house, &plan.first, play.whose, &log, deed)?;
    let (id, second) = match &plan.second {
        None => (play.drive(&house)?, Met::Killed),
        Some((call, n)) => twice(play, &house, &mut engine, (call, *n))?,
    };
    drop(held);
    (play.holds)(&house, &id, story)?;
    sound(&house)?;
    house.empty()?;
    script::tidy(&house)?;
    let status = engine.child.wait()?;
    match (status.signal(), status.code()) {
        (Some(SIGKILL), _) => Ok(second),
        (_, Some(0)) => Ok(Met::NotReached),
        (_, _) => Err(Broken(format!("the engine ended by {status}"))),
    }
}

/// No call failed by the disk: a kill is no excuse for that, though a play goes on after it. One
/// that was cut off before it did anything is told as such, and its play asks again.
fn sound(house: &House) -> Result<(), Broken> {
    let all = house.ask(&["call", "list"])?;
    let failed = |call: &&Value| {
        let error = &call["result"]["error"];
        error["code"] == "E_IO" && error["details"]["kind"] != "not_applied"
    };
    let failed: Vec<_> = all.as_array().into_iter().flatten().filter(failed).collect();
    ensure(failed.is_empty(), || format!("failed by a disk that was whole: {failed:?}"))
}

/// Starts an engine with this done to it at that point.
///
/// # Errors
/// When it can't be started or traced.
pub fn hooked(
    house: &House,
    point: &Point,
    whose: Whose,
    log: &Path,
    (what, span): (&str, Span),
) -> Result<(Engine, Option<Held>), Broken> {
    let after = match span {
        Span::Once => "",
        Span::Stays => "+",
    };
    let hook = Hook::Inject(format!("{}:{what}:when={}{after}", point.call, point.n));
    match point.thread {
        Thread::Main => Ok((Engine::start(house, &tracer::words(log, &hook))?, None)),
        Thread::Engine | Thread::Hand(_) => {
            let engine = Engine::start(house, &[])?;
            let tids = tids(point.thread, whose, &engine.named()?);
            ensure(!tids.is_empty(), || format!("no thread {}", point.thread))?;
            let held = Held::hold(engine.pid(), &tids, log, &hook)?;
            Ok((engine, Some(held)))
        }
    }
}

/// The threads that are held; a tracer counts the calls of each by themselves.
fn tids(thread: Thread, whose: Whose, named: &[(i32, String)]) -> Vec<i32> {
    match (thread, whose) {
        (Thread::Hand(_), Whose::AnyHand) => {
            named.iter().filter(|(_, name)| name == "hand").map(|(tid, _)| *tid).collect()
        }
        (Thread::Main | Thread::Engine | Thread::Hand(_), Whose::Its | Whose::AnyHand) => {
            thread.tid(named).into_iter().collect()
        }
    }
}

/// The first engine works until it dies; the second starts on what it left and dies as well.
fn twice(
    play: &Play,
    house: &House,
    first: &mut Engine,
    (call, n): (&str, u32),
) -> Result<(String, Met), Broken> {
    let id = (play.begin)(house)?;
    // The first may live on if it makes fewer such calls: then it leaves, and the second comes.
    let mut looks = 0;
    while first.child.try_wait()?.is_none() && looks < FIRST_LOOKS_MAX {
        looks += 1;
        std::thread::sleep(LOOK_EVERY);
    }
    house.run(&["engine", "stop"])?;
    let log = house.top.join("second.log");
    let hook = Hook::Inject(format!("{call}:signal=SIGKILL:when={n}"));
    let mut words = tracer::words(&log, &hook);
    words.extend(["-f", "-b", "execve"].map(str::to_owned));
    let mut second = Engine::start(house, &words)?;
    (play.go_on)(house, &id)?;
    // A tracer ends as the traced one did; one that still lives was not killed.
    let met = match second.child.try_wait()?.and_then(|status| status.signal()) {
        Some(SIGKILL) => Met::Killed,
        Some(_) | None => Met::NotReached,
    };
    house.run(&["engine", "stop"])?;
    ended(&mut second.child, PATIENCE)?;
    Ok((id, met))
}

/// How many points were met, for whoever reads the report.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Engines that died where they should.
    pub killed: usize,
    /// Runs that made fewer such calls.
    pub not_reached: usize,
}

impl Tally {
    /// Counts one.
    pub const fn add(&mut self, met: Met) {
        match met {
            Met::Killed => self.killed += 1,
            Met::NotReached => self.not_reached += 1,
        }
    }

    /// Most points must be met, or the proof proves little.
    ///
    /// # Errors
    /// When too few were.
    pub fn enough(self) -> Result<(), Broken> {
        let Self { killed, not_reached } = self;
        ensure(killed > 4 * not_reached, || format!("{killed} killed, {not_reached} not reached"))
    }
}
