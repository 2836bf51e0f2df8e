//! A collection of what no run needs any more, cut off or refused at every call that changes the
//! disk: what stays is whole, and the next collection comes to the same end. The client collects;
//! no engine runs meanwhile.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use serde_json::{Value, json};

use super::broken::{Broken, ensure};
use super::census::{Point, Thread, count};
use super::faults::Refusal;
use super::house::{House, Tenant};
use super::tracer::{self, Hook};
use crate::dice::Dice;

/// A command that nobody is asked about, so that calls leave marks.
const RULES: &str = "[[policy.rule]]\nid = \"touch\"\ntool = \"run\"\n\
    argv = [\"touch\", \"*\"]\nverdict = \"allow\"\nmatch = [\"touch a\"]\n\
    not_match = [\"touch\"]\n";
/// The least that a quota may be; two marks of [`NOISE`] take more.
const QUOTA: &str = "[checkpoint]\nquota_bytes = \"1MiB\"\n";
const QUOTA_BYTES: u64 = 1 << 20;
/// Bytes that no packing makes smaller.
const NOISE: u64 = 700 << 10;

/// A house in which marks of calls that are over take more than they may, beside a checkpoint.
fn house(exe: &Path) -> Result<House, Broken> {
    let house = House::new(exe, "", Tenant::Us)?;
    house.configure(RULES)?;
    house.ask(&["workspace", "trust"])?;
    let mut dice = Dice::new(1);
    for name in ["one", "two"] {
        let noise: Vec<u8> = (0..NOISE / 8).flat_map(|_| dice.next().to_le_bytes()).collect();
        fs::write(house.work.join("large"), noise)?;
        let args = json!({ "argv": ["touch", name] }).to_string();
        house.ask(&["tool", "run", "run", "--args", &args])?;
    }
    fs::remove_file(house.work.join("large"))?;
    house.ask(&["checkpoint", "create"])?;
    house.empty()?;
    house.configure(&format!("{RULES}{QUOTA}"))?;
    let taken = packed(&house)?;
    ensure(taken > QUOTA_BYTES, || format!("there is nothing to collect: {taken}"))?;
    Ok(house)
}

/// What marks and checkpoints take.
fn packed(house: &House) -> Result<u64, Broken> {
    let mut sum = 0;
    for entry in fs::read_dir(house.state().join("checkpoints.git/objects/pack"))? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum)
}

fn collect(house: &House, hook: &Hook) -> Result<ExitStatus, Broken> {
    let words = tracer::words(&house.top.join("trace.log"), hook);
    let mut command = house.command_behind(&words, &["workspace", "gc", "--json"]);
    Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).status()?)
}

/// Every call that changes the disk while it collects.
///
/// # Errors
/// When there is no tracer, or it does not collect even so.
pub fn points(exe: &Path) -> Result<Vec<Point>, Broken> {
    tracer::there()?;
    let house = house(exe)?;
    let status = collect(&house, &Hook::Note)?;
    ensure(status.success(), || format!("it does not collect: {status}"))?;
    let log = fs::read_to_string(house.top.join("trace.log"))?;
    holds(&house)?;
    Ok(count(Thread::Main, log.lines()))
}

/// Cuts it off there.
///
/// # Errors
/// What does not hold.
pub fn killed(exe: &Path, point: &Point) -> Result<(), Broken> {
    done(exe, point, "signal=SIGKILL").map_err(|why| why.at(point))
}

/// Refuses that one call.
///
/// # Errors
/// What does not hold.
pub fn refused(exe: &Path, point: &Point, refusal: Refusal) -> Result<(), Broken> {
    let what = format!("error={}", refusal.word());
    done(exe, point, &what).map_err(|why| why.at(format!("{point} {what}")))
}

fn done(exe: &Path, point: &Point, what: &str) -> Result<(), Broken> {
    let house = house(exe)?;
    let status = collect(&house, &Hook::Inject(format!("{}:{what}:when={}", point.call, point.n)))?;
    // Killed, or told by a documented code.
    ensure(status.code().is_none_or(|code| (0..=10).contains(&code)), || status.to_string())?;
    holds(&house)
}

/// The next one comes to the end, and all that had to stay is there.
fn holds(house: &House) -> Result<(), Broken> {
    house.ask(&["workspace", "gc"])?;
    let taken = packed(house)?;
    ensure(taken < QUOTA_BYTES, || format!("it was not collected: {taken}"))?;
    let all: Value = house.ask(&["checkpoint", "verify"])?;
    let whole = |all: &Vec<Value>| all.len() == 1 && all[0]["state"] == "made";
    ensure(all.as_array().is_some_and(whole), || format!("a checkpoint is damaged: {all}"))?;
    let dir = house.state().join("checkpoints.git");
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(dir).args(["fsck", "--strict", "--full"]);
    let said = git.output()?;
    ensure(said.status.success(), || String::from_utf8_lossy(&said.stderr).into_owned())?;
    house.ask(&["checkpoint", "create"])?;
    let verified = house.run(&["journal", "verify"])?;
    ensure(verified.code == 0, || format!("{verified:?}"))?;
    house.empty()
}
