//! Taking calls back, as far as doors have to do with it: whether one may be, what it would do, and
//! what came of it. The taking back itself is the engine's.

use std::time::Duration;

use kernel::call::{self, Command, Done as Kept, Foreign, TakeBack};
use kernel::errors::{Code, Machine};
use kernel::machine::{At, By, Refusal as _, Said};
use kernel::run::Kind;
use runtime::change::Record;
use runtime::clock::Clock;
use runtime::files;
use runtime::tools::{self, Misfit, Taken, Trees, Would};
use serde_json::{Value, json};

use super::end::{REPORT_BYTES_MAX, payload};
use super::wait::{Done, folded, undo_of, until_ended};
use crate::checkpoints;
use crate::door::{Ask, CallSay};
use crate::problem::{Place, Raised};
use crate::site::{Known, Site, Visit, run_of};

/// Where a call stands.
///
/// # Errors
/// A record that cannot be read.
pub fn state(known: &Known) -> Result<call::State, Raised> {
    folded(known).map(|(state, _)| state)
}

/// Whether an undo could begin now.
///
/// # Errors
/// What the machine would answer.
pub fn may(known: &Known, state: &call::State) -> Result<(), call::Refusal> {
    let how = TakeBack { call: known.head.run.clone(), foreign: Foreign::Refuse };
    let at = Clock::start(At(0)).now();
    call::decide(state, &Said { by: By::Person, at, command: Command::Undo(how) }).map(drop)
}

/// A call as its undo would find it.
#[must_use]
pub fn taken(known: &Known, state: &call::State) -> Taken {
    let trees = state.trees();
    let call_id = known.head.run.clone();
    let record = Record { dir: known.dir.call(&call_id), call_id };
    Taken { record, trees: Trees::of(trees.before, trees.after) }
}

/// What the machine answers to an undo, as the engine would tell it.
#[must_use]
pub fn refused(id: &str, state: &call::State, refusal: &call::Refusal) -> Raised {
    let mut details = refusal.details();
    details["state"] = json!(state.name());
    let mut raised = Raised::new(Code::refused(Machine::Call, refusal.reason()), details);
    raised.allowed = Some(refusal.allowed().into_iter().map(str::to_owned).collect());
    raised.at(Place {
        run_id: Some(id.to_owned()),
        call_id: Some(id.to_owned()),
        machine: Some(Machine::Call.name().to_owned()),
        state: Some(state.name().to_owned()),
        ..Place::default()
    })
}

/// What taking back these calls, the newest first, would do.
///
/// # Errors
/// When bytes or records that it needs are gone.
pub fn planned(site: &Site, calls: &[Taken]) -> Result<Would, Raised> {
    let of = |misfit: Misfit| checkpoints::of(&misfit);
    let root = files::Root::hold(&site.root).map_err(|fault| of((&fault).into()))?;
    let Some(dir) = site.state_dir()? else { return Ok(Would::default()) };
    let mut keeper = checkpoints::keeper(site)?;
    tools::would_undo(&root, &mut keeper, &dir.marks(), calls).map_err(of)
}

/// What taking back one call would do, as data.
///
/// # Errors
/// No such call, one that cannot be taken back, or bytes that are gone.
pub fn plan(site: &Site, id: &str) -> Result<Value, Raised> {
    let known = run_of(site, id, Kind::Call)?;
    let state = state(&known)?;
    may(&known, &state).map_err(|refusal| refused(&known.head.run, &state, &refusal))?;
    let mut data = json!(planned(site, &[taken(&known, &state)])?);
    data["calls"] = json!([known.head.run]);
    Ok(data)
}

/// A call that was taken back, with what was not: paths no mark holds, and whatever a process did
/// elsewhere.
#[must_use]
pub fn took_back(id: &str, key: &str, undo: Option<&Done>) -> Value {
    let mut told = Value::Null;
    if let Some(undo) = undo
        && let call::State::Settled { exit: Some(exit), .. } = &undo.state
        && let Some(Kept::Payload(kept)) = exit.done.as_deref()
    {
        told = payload(undo, kept, REPORT_BYTES_MAX);
    }
    json!({
        "call": id, "undo": key, "level": told["level"], "aside": told["aside"],
        "not_undone": told["not_undone"],
    })
}

/// What came of taking a call back.
pub enum TookBack {
    /// It is done; what is to be told of it.
    Back(Value),
    /// It is not: the try itself, where there was one, else the call.
    Not(Box<Done>),
}

/// Takes a call back and waits for that.
///
/// # Errors
/// No such call, a refusal, or that no engine answers.
pub fn take_back(
    visit: &Visit<'_>,
    id: &str,
    force: bool,
    limit: Duration,
) -> Result<TookBack, Raised> {
    let run = run_of(visit.site, id, Kind::Call)?.head.run;
    let mut desk = visit.open()?;
    let (trace, say) = (desk.trace(), CallSay::Undo { force });
    desk.take(&Ask::Call { run: run.clone(), trace, say })?;
    let done = until_ended(visit.site, &mut desk, &run, limit)?;
    let tried = undo_of(visit.site, &done.known)?;
    if let call::State::Undone { undo_key, .. } = &done.state {
        return Ok(TookBack::Back(took_back(&run, undo_key, tried.as_ref())));
    }
    Ok(TookBack::Not(Box::new(tried.unwrap_or(done))))
}
