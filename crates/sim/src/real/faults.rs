//! A disk that refuses one call of the engine, or every one from then on. The engine stops in a
//! named state, or the call or view that failed is told; with room again it goes on, nothing that
//! was acknowledged is lost and no task runs twice.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use super::broken::{Broken, ensure};
use super::census::Point;
use super::house::{House, Ran, ended};
use super::kills::hooked;
use super::play::{Play, Story, Whose};
use super::script;

/// What an engine ends with when its journal fails.
const EXIT_JOURNAL: i32 = 10;
/// How long a loop on a broken disk is watched before it is mended.
const WATCH: Duration = Duration::from_secs(4);
/// How often a paused or failed loop is told to go on.
const AGAIN_MAX: usize = 4;

/// How the disk refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// No room.
    NoSpace,
    /// The device failed.
    Io,
}

impl Refusal {
    /// Its word for strace.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoSpace => "ENOSPC",
            Self::Io => "EIO",
        }
    }
}

/// For how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// That one call.
    Once,
    /// That one and all after it, until it is mended.
    Stays,
}

/// How a loop ended after the disk was mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// As if nothing had happened.
    Completed,
    /// A task failed by the disk, was told as failed, and ran when asked again.
    Again,
}

/// Whether the engine went on or stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// It went on.
    WentOn,
    /// It stopped by its named code.
    Stopped,
}

/// Whether a refused disk makes sense at this call.
#[must_use]
pub fn applies(point: &Point) -> bool {
    !matches!(point.call.as_str(), "unlink" | "unlinkat")
}

/// Refuses there and checks everything that must hold.
///
/// # Errors
/// What does not hold.
pub fn at(
    exe: &Path,
    point: &Point,
    refusal: Refusal,
    span: Span,
) -> Result<(Engine, End), Broken> {
    let place = format!("{point} {} {span:?}", refusal.word());
    one(exe, point, refusal, span).map_err(|why| why.at(place))
}

fn one(exe: &Path, point: &Point, refusal: Refusal, span: Span) -> Result<(Engine, End), Broken> {
    let house = script::house(exe)?;
    let log = house.top.join("trace.log");
    let what = format!("error={}", refusal.word());
    let (mut engine, held) = hooked(&house, point, Whose::Its, &log, (&what, span))?;
    let id = script::create(&house)?;
    let started = house.run(&["loop", "start", &id, "--auto", "--detach", "--json"])?;
    told(&started)?;
    house.run_within(&["loop", "watch", &id], WATCH)?;
    drop(held);
    house.run(&["engine", "stop"])?;
    let status = ended(&mut engine.child, WATCH)?;
    let stopped = how_it_left(&house, status)?;
    let end = go_on(&house, &id, started.code == 0)?;
    house.empty()?;
    Ok((stopped, end))
}

/// By itself, or by its named code and with a word about it.
fn how_it_left(house: &House, status: Option<ExitStatus>) -> Result<Engine, Broken> {
    match status.map(|status| status.code()) {
        Some(Some(0)) => Ok(Engine::WentOn),
        Some(Some(EXIT_JOURNAL)) => {
            let said = std::fs::read_to_string(house.top.join("said").join("engine.err"))?;
            ensure(!said.trim().is_empty(), || "the engine stopped without a word".into())?;
            Ok(Engine::Stopped)
        }
        other => Err(Broken(format!("the engine ended by {other:?}"))),
    }
}

/// Refuses one call there while something else than a loop is played, and checks that it comes to
/// the same end: what failed by the disk is asked for anew.
///
/// # Errors
/// What does not hold.
pub fn during(
    exe: &Path,
    play: &Play,
    point: &Point,
    refusal: Refusal,
    story: &Story,
) -> Result<Engine, Broken> {
    let refused = || {
        let house = (play.house)(exe)?;
        let log = house.top.join("trace.log");
        let what = format!("error={}", refusal.word());
        let (mut engine, held) = hooked(&house, point, play.whose, &log, (&what, Span::Once))?;
        let id = play.drive(&house)?;
        drop(held);
        house.run(&["engine", "stop"])?;
        let left = how_it_left(&house, ended(&mut engine.child, WATCH)?)?;
        (play.holds)(&house, &id, story)?;
        house.empty()?;
        Ok(left)
    };
    refused().map_err(|why: Broken| why.at(format!("{point} {}", refusal.word())))
}

/// A command on a broken disk is answered, or refused by a code with a next step.
///
/// # Errors
/// When it is neither.
pub fn told(ran: &Ran) -> Result<(), Broken> {
    let value = ran.json();
    let error = &value["error"];
    let named = error["code"].is_string() && error["next_step"].is_string();
    ensure(ran.code == 0 || named, || format!("neither done nor told: {ran:?}"))
}

/// On a mended disk: what was acknowledged is there, the loop comes to its end, and each task ran
/// once.
///
/// # Errors
/// What does not hold.
pub fn go_on(house: &House, id: &str, acknowledged: bool) -> Result<End, Broken> {
    let status = script::status(house, id)?;
    ensure(!acknowledged || status != "created", || "an acknowledged start is lost".into())?;
    let mut end = End::Completed;
    if status == "created" {
        script::start(house, id)?;
    }
    for _ in 0..AGAIN_MAX {
        let ran = house.run(&["loop", "watch", id])?;
        once(house, id)?;
        if ran.code == 0 {
            script::whole(house)?;
            return Ok(end);
        }
        end = End::Again;
        again(house, id)?;
    }
    let shown = house.ask(&["loop", "show", id])?;
    Err(Broken(format!("the loop does not go on: {shown}")))
}

/// Asks for what failed once more, as a person would.
fn again(house: &House, id: &str) -> Result<(), Broken> {
    let shown = house.ask(&["loop", "show", id])?;
    let tasks = shown["skill_state"]["develop"]["tasks"].as_array().cloned().unwrap_or_default();
    for task in tasks.iter().filter(|task| task["status"] == "failed") {
        let task = task["id"].as_str().unwrap_or_default();
        house.run(&["loop", "task", "requeue", id, task])?;
    }
    let verb = if shown["status"] == "failed" { "retry" } else { "resume" };
    house.run(&["loop", verb, id]).map(drop)
}

/// Nothing ran twice, and what is told as completed ran.
fn once(house: &House, id: &str) -> Result<(), Broken> {
    let ran = std::fs::read_to_string(house.work.join(script::RAN)).unwrap_or_default();
    let shown = house.ask(&["loop", "show", id])?;
    let tasks = shown["skill_state"]["develop"]["tasks"].as_array().cloned().unwrap_or_default();
    for (task, line) in tasks.iter().zip(["ran a", "ran b"]) {
        let times = ran.lines().filter(|had| *had == line).count();
        let completed = task["status"] == "completed";
        ensure(times <= 1, || format!("{line} {times} times"))?;
        ensure(!completed || times == 1, || format!("completed without effect: {task}"))?;
    }
    Ok(())
}
