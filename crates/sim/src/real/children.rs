//! Tasks that misbehave: they hang, ignore the signal, leave children behind, read their input,
//! print without end, or go away into the background. Each must come to the right end by its
//! deadline, leave nobody alive, and cost the engine next to no memory.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use super::broken::{Broken, ensure};
use super::house::{Engine, House, Tenant};
use super::procs;
use super::script;

/// What the engine may grow while a child floods.
const GROWTH_KIB_MAX: u64 = 64 << 10;
const MIB: u64 = 1 << 20;
/// The spool of these houses, far below what a flood prints.
const SPOOL_BYTES: u64 = MIB;

/// How a task misbehaves, and how it must end.
#[derive(Debug, Clone)]
pub struct Child {
    /// For the report.
    pub name: &'static str,
    /// What it does, as a shell script; `MARK` is a number nobody else uses.
    pub script: String,
    /// The outcome of its call.
    pub outcome: &'static str,
    /// How its process ended, as the exit record says.
    pub ended: &'static str,
    /// Whether more was printed than is kept.
    pub flood: bool,
}

fn child(name: &'static str, script: &str, outcome: &'static str, ended: &'static str) -> Child {
    Child { name, script: script.to_owned(), outcome, ended, flood: false }
}

/// All of them; a flood prints this much.
#[must_use]
pub fn all(flood_mib: u64) -> Vec<Child> {
    let flood = format!("head -c {flood_mib}M /dev/zero | tr '\\0' 'x' | fold -w 200");
    vec![
        child("hangs", "sleep MARK", "timed_out", "deadline"),
        child("ignores TERM", "trap '' TERM; while :; do sleep 1; done", "timed_out", "deadline"),
        child(
            "leaves setsid children",
            "setsid sleep MARK & setsid sleep MARK & echo",
            "ok",
            "exit",
        ),
        child("setsid and hangs", "setsid sleep MARK & sleep MARK", "timed_out", "deadline"),
        child("reads stdin", "read line; test -z \"$line\"", "ok", "exit"),
        child(
            "daemonises",
            "(setsid sh -c '(setsid sleep MARK >/dev/null 2>&1 </dev/null &)' &) ; sleep 0.3",
            "ok",
            "exit",
        ),
        child(
            "daemonises without its environment",
            "(cd / && setsid env -i sh -c 'env -i sleep MARK &' >/dev/null 2>&1 &) ; sleep 0.3",
            "ok",
            "exit",
        ),
        child("fails", "exit 7", "failed", "exit"),
        child("dies by a signal", "kill -SEGV $$", "failed", "signal"),
        Child { flood: true, ..child("floods", &flood, "ok", "exit") },
        Child {
            flood: true,
            ..child("one endless line", "yes | tr -d '\\n'", "timed_out", "deadline")
        },
    ]
}

fn settings(deadline_ms: u64) -> String {
    format!(
        "[loop.develop]\ntimeout = \"{deadline_ms}ms\"\non_error = \"pause\"\n[call]\ngrace = \
         \"500ms\"\nspool_bytes = {SPOOL_BYTES}\n"
    )
}

/// Lets one misbehave and checks its end. A flood of much needs a later deadline.
///
/// # Errors
/// What does not hold.
pub fn one(exe: &Path, child: &Child, deadline_ms: u64) -> Result<(), Broken> {
    lived(exe, child, deadline_ms).map_err(|why| why.at(child.name))
}

fn lived(exe: &Path, child: &Child, deadline_ms: u64) -> Result<(), Broken> {
    let house = House::new(exe, &settings(deadline_ms), Tenant::Us)?;
    let mark = mark();
    let script = child.script.replace("MARK", &mark);
    house.script("task.sh", &format!("#!/bin/bash\n{script}\n"))?;
    house.ask(&["workspace", "trust"])?;
    let mut engine = Engine::start(&house, &[])?;
    let before = memory(&engine, "VmRSS")?;
    let made = house.ask(&["loop", "create", "--title", "t", "--task", "./task.sh"])?;
    let id = made["loop_id"].as_str().unwrap_or_default().to_owned();
    house.ask(&["loop", "start", &id, "--auto", "--detach"])?;
    house.run(&["loop", "watch", &id])?;
    let peak = memory(&engine, "VmHWM")?;
    ended_well(&house, &id, child)?;
    ensure(peak.saturating_sub(before) < GROWTH_KIB_MAX, || {
        format!("the engine grew from {before} to {peak} KiB")
    })?;
    let alive = procs::living(&house.top);
    let others: Vec<_> = alive.iter().filter(|one| one.pid != engine.pid()).collect();
    ensure(others.is_empty(), || format!("survivors: {others:?}"))?;
    let naked = procs::with_argument(&mark);
    ensure(naked.is_empty(), || format!("survivors without a trace: {naked:?}"))?;
    house.empty()?;
    engine.child.wait()?;
    script::whole(&house)
}

/// How long the sleepers of one house sleep: a number by which even one that threw away its
/// environment and its directory is found.
pub(super) fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("7{}{:03}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst))
}

fn memory(engine: &Engine, name: &str) -> Result<u64, Broken> {
    procs::memory_kib(engine.pid(), name)
        .ok_or_else(|| Broken(format!("the engine is not there: {}", engine.line)))
}

/// The call says what happened, and so does the loop.
fn ended_well(house: &House, id: &str, child: &Child) -> Result<(), Broken> {
    let calls = house.ask(&["call", "list", "--run", id])?;
    let calls = calls.as_array().cloned().unwrap_or_default();
    let of_task = |call: &&Value| call["key"].as_str().is_some_and(|key| key.ends_with("/work"));
    let works: Vec<&Value> = calls.iter().filter(of_task).collect();
    ensure(works.len() == 1, || format!("calls of the task: {calls:?}"))?;
    let call = house.ask(&["call", "show", works[0]["run_id"].as_str().unwrap_or_default()])?;
    let exit = &call["result"]["exit"];
    let told = (call["state"].as_str(), call["outcome"].as_str(), exit["ended"].as_str());
    let right = (Some("Settled"), Some(child.outcome), Some(child.ended));
    ensure(told == right, || format!("{told:?}, not {right:?}: {call}"))?;
    ensure(exit["survivors"].as_array().is_some_and(Vec::is_empty), || format!("{exit}"))?;
    if child.flood {
        let kept = exit["stdout_bytes"].as_u64().unwrap_or_default();
        let dropped = exit["dropped_bytes"].as_u64().unwrap_or_default();
        ensure(kept == SPOOL_BYTES && dropped > 0, || format!("kept {kept}, dropped {dropped}"))?;
        ensure(call["result"]["truncated"] == true, || "not told as truncated".into())?;
    }
    let shown = house.ask(&["loop", "show", id])?;
    let task = shown["skill_state"]["develop"]["tasks"][0]["status"].clone();
    let right = if child.outcome == "ok" { "completed" } else { "failed" };
    ensure(task == right, || format!("the task is {task}, not {right}"))?;
    ensure(shown["status"] == "paused", || format!("the loop is {}", shown["status"]))
}
