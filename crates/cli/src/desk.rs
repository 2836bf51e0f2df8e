//! The way from a command to the engine: trust given, engine answering. It says nothing to the
//! engine itself; how an engine is had is the doors' business.

use std::io::IsTerminal as _;
use std::thread;
use std::time::{Duration, Instant};

use edge::door::{Ask, LoopSay, Speaks};
pub use edge::site::{Desk, io, own_speaker};
use edge::site::{Site, Visit};
use kernel::errors::{Code, Machine};
use runtime::shim::speaker::Speaker;
use runtime::workspace;
use serde_json::json;

use crate::commands::{Answer, Lists, ask_trust, give_trust};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// An engine that has said it leaves writes what it holds and is gone: moments, on a busy machine
/// too. Who starts next waits for the journal in any case.
const LEAVE_WAIT: Duration = Duration::from_secs(5);
/// Between two looks whether it is gone.
const LEAVE_LOOK_EVERY: Duration = Duration::from_millis(10);

/// A command speaks for whoever typed it.
fn visit<'a>(ctx: &Ctx, site: &'a Site) -> Visit<'a> {
    Visit { site, speaks: Speaks::Person, trace: ctx.asked.trace_id.clone() }
}

/// Asks for trust where it is missing, makes the workspace ready, and connects to its engine,
/// starting one when none answers.
///
/// # Errors
/// When the workspace can't be used, nobody trusts it, or no engine answers.
pub fn open(ctx: &Ctx) -> Result<Desk, Trouble> {
    if !matches!(own_speaker(), Speaker::Agent { .. }) {
        trusted(ctx)?;
    }
    visit(ctx, &ctx.site()?).open()
}

/// Below a shim nobody is a person, and who cannot be seen is not taken for one. What was tried is
/// told to the engine, if one runs.
///
/// # Errors
/// That it takes a person.
pub fn person(ctx: &Ctx, machine: Machine, word: &str) -> Result<(), Trouble> {
    match own_speaker() {
        Speaker::Person => return Ok(()),
        Speaker::Agent { .. } | Speaker::Unseen => {}
    }
    if let Ok(Some(mut desk)) = running(ctx) {
        let (trace, word) = (desk.trace(), word.to_owned());
        // An engine that goes away meanwhile changes nothing about the refusal.
        drop(desk.ask(&Ask::Tried { trace, machine: machine.name().to_owned(), word }));
    }
    Err(trouble::refused(machine, "needs_person", json!({})))
}

/// The same for what takes nothing into hands that has not been taken already: to hold, end or
/// judge work needs no trust, least of all when the work itself has changed the settings.
///
/// # Errors
/// When the workspace can't be used, or no engine answers.
pub fn steer(ctx: &Ctx) -> Result<Desk, Trouble> {
    visit(ctx, &ctx.site()?).steer()
}

/// A desk for these words: trust is asked for when one of them lets more happen than before.
///
/// # Errors
/// As [`open`] and [`steer`].
pub fn for_says(ctx: &Ctx, says: &[LoopSay]) -> Result<Desk, Trouble> {
    if says.iter().any(LoopSay::widens) { open(ctx) } else { steer(ctx) }
}

/// Connects to an engine that runs; none when none does.
///
/// # Errors
/// When the workspace can't be read, or the engine is of another build.
pub fn running(ctx: &Ctx) -> Result<Option<Desk>, Trouble> {
    visit(ctx, &ctx.site()?).running()
}

/// Whether there was an engine to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// One did.
    Engine,
    /// None ran.
    NoEngine,
}

/// Asks an engine that runs to leave, and waits until it has; what its calls run goes on.
///
/// # Errors
/// When it does not answer, or is of another build.
pub fn leave(ctx: &Ctx) -> Result<Left, Trouble> {
    let Some(mut desk) = running(ctx)? else { return Ok(Left::NoEngine) };
    let pid = desk.engine().pid;
    desk.ask(&Ask::Leave)?;
    drop(desk);
    let over = Instant::now() + LEAVE_WAIT;
    let stays = || matches!(running(ctx), Ok(Some(desk)) if desk.engine().pid == pid);
    while Instant::now() < over && stays() {
        thread::sleep(LEAVE_LOOK_EVERY);
    }
    Ok(Left::Engine)
}

/// Asks a person once, inline, on a terminal; elsewhere it waits for `workspace trust`. Nothing is
/// made before the answer.
fn trusted(ctx: &Ctx) -> Result<(), Trouble> {
    let site = ctx.site()?;
    let Err(untrusted) = visit(ctx, &site).trusted() else { return Ok(()) };
    let at_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let asked = untrusted.code == Code::refused(Machine::Workspace, "untrusted");
    if !asked || !at_terminal {
        return Err(untrusted);
    }
    let (root, places) = (&site.root, &site.places);
    let standing = workspace::standing(root, places).map_err(|why| trouble::of_workspace(&why))?;
    let lists = Lists::of(&standing, places).map_err(|why| trouble::of_workspace(&why))?;
    if ask_trust(ctx, root, &standing, &lists) == Answer::No {
        return Err(untrusted);
    }
    give_trust(ctx, root, places, (&standing, &lists)).map(drop)
}
