//! The way from a command to the engine: trust given, engine answering. It says nothing to the
//! engine itself; how an engine is had is the doors' business.

use std::io::IsTerminal as _;

use edge::door::{LoopSay, Speaks};
pub use edge::site::{Desk, io, own_speaker};
use edge::site::{Site, Visit};
use edge::workspace::{Lists, give};
use kernel::errors::{Code, Machine};
use runtime::shim::speaker::Speaker;
use runtime::workspace;

use crate::commands::{Answer, ask_trust};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// A command speaks for whoever typed it.
pub fn visit<'a>(ctx: &Ctx, site: &'a Site) -> Visit<'a> {
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

/// That a person speaks. What was tried is told to the engine, if one runs.
///
/// # Errors
/// That it takes a person.
pub fn person(ctx: &Ctx, machine: Machine, word: &str) -> Result<(), Trouble> {
    // A person needs no workspace to be one.
    if matches!(own_speaker(), Speaker::Person) {
        return Ok(());
    }
    visit(ctx, &ctx.site()?).person(machine, word)
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
    give(&visit(ctx, &site), (&standing, &lists)).map(drop)
}
