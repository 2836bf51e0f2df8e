//! What files of runs that ended long ago can go, and, unless only asked, lets them go. Needs no
//! engine; what a live or lost call may still need is never among them.

use kernel::errors::Machine;
use kernel::machine::At;
use runtime::checkpoints::{
    Always, Collected, Error, Gc, KeepDays, Keeper, Standing, collect, look,
};
use runtime::clock::Clock;
use runtime::query;
use runtime::tools::Misfit;
use serde_json::json;

use crate::checkpoints;
use crate::problem::Raised;
use crate::site::{Visit, of_query, refused};

/// What can go, and what went.
#[derive(Debug, Default)]
pub struct Swept {
    /// The plan.
    pub plan: Gc,
    /// What was done by it; nothing where it was only shown.
    pub done: Option<Collected>,
}

/// Whether files really go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// They do.
    Away,
    /// It is only told which would.
    Shown,
}

/// Looks, and removes what may go.
///
/// # Errors
/// A call at work, a speaker who is no person, or what could not be removed.
pub fn sweep(visit: &Visit<'_>, how: Sweep) -> Result<Swept, Raised> {
    visit.person(Machine::Workspace, "gc")?;
    let Some((dir, journal)) = visit.site.journal()? else {
        let done = (how == Sweep::Away).then(Collected::default);
        return Ok(Swept { plan: Gc::default(), done });
    };
    let mut keeper = checkpoints::keeper(visit.site)?;
    let settings = visit.site.settings()?.settings;
    let keep =
        KeepDays { calls: settings.call.keep_days, checkpoints: settings.checkpoint.keep_days };
    let looked = |keeper: &Keeper| -> Result<(Gc, Option<String>), Raised> {
        let now = Clock::start(At(0)).now();
        let facts = query::call_facts(&journal).map_err(|refusal| of_query(&refusal))?;
        let texts = query::texts(&journal, now, keep.calls).map_err(|why| of_query(&why))?;
        let live = facts.iter().find(|fact| fact.standing == Standing::Live);
        let plan = look(keeper, &facts, now, keep).with_texts(&dir.path, &texts, now, keep);
        Ok((plan, live.map(|fact| fact.call.clone())))
    };
    if how == Sweep::Shown {
        return Ok(Swept { plan: looked(&keeper)?.0, done: None });
    }
    let of = |error: Error| checkpoints::of(&Misfit::from(&error));
    // From here on nobody makes a mark or a checkpoint, so that whoever is not at work now, and
    // begins, finds what is left and not what is about to go.
    let lock = keeper.alone().map_err(of)?;
    let (plan, live) = looked(&keeper)?;
    // Repacking is for the time between calls.
    if let Some(call) = live {
        let details = json!({ "holder": call, "run": call });
        return Err(refused(Machine::Workspace, "busy", details));
    }
    let done = collect(&mut keeper, &plan, &lock, &mut Always).map_err(of)?;
    Ok(Swept { plan, done: Some(done) })
}
