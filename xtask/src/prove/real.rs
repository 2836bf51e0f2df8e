//! What the proofs against the real binary share: the binary itself, and what it does to the disk
//! in each scripted piece of work, counted once in a sitting.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use sim::real::asked::COLLAB;
use sim::real::census::{self, Census, Point, Thread};
use sim::real::changes::CHANGES;
use sim::real::collected;
use sim::real::debugged::DEBUG;
use sim::real::packaged::PACKAGES;
use sim::real::play::Play;
use sim::real::saves::SAVES;
use sim::real::script::LOOP;
use sim::real::sessions::SESSIONS;
use sim::real::skill::SKILL;
use sim::real::taken_in::TAKEN_IN;

use crate::root::root;

/// The threads of an engine that touch the disk.
pub const THREADS: [Thread; 6] = [
    Thread::Main,
    Thread::Engine,
    Thread::Hand(0),
    Thread::Hand(1),
    Thread::Hand(2),
    Thread::Hand(3),
];

/// The program under proof, built from what is here.
pub fn exe() -> Result<PathBuf, String> {
    static BUILT: OnceLock<Result<(), String>> = OnceLock::new();
    BUILT.get_or_init(build).clone()?;
    Ok(root().join("target/debug/loopwright"))
}

fn build() -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["build", "--locked", "--package", "loopwright"];
    let built = Command::new(cargo).args(args).current_dir(root()).status();
    let built = built.map_err(|why| format!("cargo: {why}"))?;
    if built.success() { Ok(()) } else { Err("loopwright does not build".to_owned()) }
}

/// Counts what the engine does in a loop, once.
pub fn census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &LOOP)
}

/// Counts what the engine does in a collab, once.
pub fn collab_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &COLLAB)
}

/// Counts what the engine does while files change, once.
pub fn change_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &CHANGES)
}

/// Counts what the engine does while packages move, once.
pub fn package_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &PACKAGES)
}

/// Counts what the engine does while it makes a checkpoint and goes back to it, once.
pub fn save_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &SAVES)
}

/// Counts what the engine does in a loop that debugs, once.
pub fn debug_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &DEBUG)
}

/// Counts what the engine does in a session, once.
pub fn session_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &SESSIONS)
}

/// Counts what the engine does for an outside skill, once.
pub fn skill_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &SKILL)
}

/// Counts what the engine does with a loop that is taken in, once.
pub fn import_census() -> Result<&'static Census, String> {
    static TAKEN: OnceLock<Result<Census, String>> = OnceLock::new();
    taken(&TAKEN, &TAKEN_IN)
}

/// Counts what the client does while it collects, once.
pub fn collection() -> Result<&'static [Point], String> {
    static TAKEN: OnceLock<Result<Vec<Point>, String>> = OnceLock::new();
    let take = || collected::points(&exe()?).map_err(|why| why.to_string());
    TAKEN.get_or_init(take).as_deref().map_err(Clone::clone)
}

fn taken(
    kept: &'static OnceLock<Result<Census, String>>,
    play: &Play,
) -> Result<&'static Census, String> {
    let take = || census::take(&exe()?, play).map_err(|why| why.to_string());
    kept.get_or_init(take).as_ref().map_err(Clone::clone)
}
