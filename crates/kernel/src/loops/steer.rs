//! Start, pause, resume, retry, stop, reopen, edit and delete: how people and parents steer.
//! Which state allows which is in the rows.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds;
use super::command::{Command, PauseHow};
use super::draft::{Decision, Draft};
use super::event::{Event, Hold};
use super::labels::LabelsPatch;
use super::phase::{FailKind, Kind, PauseReason, Phase};
use super::problem::{done, held_count};
use super::refusal::Refusal;
use super::state::{Course, Driver, Life, Mode, Settings};
use super::task::{Run, TaskStatus};
use super::validation::{Check, Verdict};
use crate::machine::{By, Said};
use crate::policy::{Backing, Granted};

/// What Start carries.
pub(super) struct Start<'a> {
    pub(super) driver: &'a Driver,
    pub(super) mode: Mode,
    pub(super) settings: &'a Settings,
    pub(super) checks: &'a [Check],
    pub(super) programs: &'a [Granted],
    pub(super) busy_with: Option<&'a str>,
}

/// The other holder of the work tree, if there is one.
pub(super) fn free(busy_with: Option<&str>) -> Result<(), Refusal> {
    match busy_with {
        Some(holder) => Err(Refusal::Busy { holder: holder.into() }),
        None => Ok(()),
    }
}

/// The commands that a Start with these checks lists: the checks and the pending `bash` tasks.
/// Scripts are no part of it: they are asked each time.
pub(super) fn listed<'a>(life: &Life, checks: impl IntoIterator<Item = &'a Check>) -> Vec<Granted> {
    let tasks = life.body.tasks.iter().filter_map(|task| match (&task.status, &task.run) {
        (TaskStatus::Pending, Some(Run::Argv(argv))) => Some(Granted::new(argv, ".")),
        (_, _) => None,
    });
    let checks = checks.into_iter().map(|check| Granted::new(&check.argv, &check.cwd));
    let mut all: Vec<Granted> = tasks.chain(checks).collect();
    all.sort();
    all.dedup();
    all
}

/// What a Start grants. A person's word covers exactly the commands that the Start lists, each for
/// the program it starts now. It does so in both modes: interactively each action is chosen by a
/// person once more, and asking again for what was just listed would only teach people to say yes.
/// Nobody else's Start grants anything.
fn grants(life: &Life, by: &By, checks: &[Check], programs: &[Granted]) -> Vec<Granted> {
    if !by.may_approve() {
        return vec![];
    }
    let mut all = listed(life, checks);
    for granted in &mut all {
        let found = programs.iter().find(|known| known.is_of(&granted.argv, &granted.cwd));
        granted.pin = found.map(|known| known.pin.clone()).unwrap_or_default();
    }
    all
}

/// A Start of a loop that has not begun, or of one that stands still with nothing alive.
pub(super) fn start(life: &Life, said: &Said<Command>, start: &Start<'_>) -> Decision {
    free(start.busy_with)?;
    let mut draft = Draft::new(life, said);
    let external = matches!(start.driver, Driver::External { .. });
    if let Some(action) = life.phase.action() {
        // Another driver, or other checks than those the held legs count, make it another action.
        let checks = life.body.course().map_or(&[][..], |course| &course.checks);
        if external || (action.kind == Kind::Validate && checks != start.checks) {
            draft.push(Event::ActionDropped { n: action.n });
        }
    }
    draft.push(Event::LoopStarted { course: Box::new(course(life, &said.by, start)) });
    if external {
        limit(&draft.life)?;
        draft.lend();
        return draft.done();
    }
    match life.phase {
        Phase::Paused(_) => go_on(draft, Event::LoopResumed { by: said.by.word().into() }),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Completed { .. }
        | Phase::Failed { .. } => {
            draft.next();
            draft.done()
        }
    }
}

fn course(life: &Life, by: &By, start: &Start<'_>) -> Course {
    Course {
        driver: start.driver.clone(),
        mode: start.mode,
        grants: grants(life, by, start.checks, start.programs),
        settings: start.settings.clone(),
        checks: start.checks.to_vec(),
        backing: if by.may_approve() { Backing::Person } else { Backing::None },
    }
}

/// A Start by the engine while a held child lives: it goes on under the new course. A validation
/// that is under way keeps the checks whose legs it counts.
pub(super) fn start_held(life: &Life, said: &Said<Command>, start: &Start<'_>) -> Decision {
    free(start.busy_with)?;
    let mut course = course(life, &said.by, start);
    if life.phase.action().is_some_and(|action| action.kind == Kind::Validate)
        && let Some(old) = life.body.course()
    {
        course.checks.clone_from(&old.checks);
        course.grants = grants(life, &said.by, &course.checks, start.programs);
    }
    let mut draft = Draft::new(life, said);
    draft.push(Event::LoopStarted { course: Box::new(course) });
    draft.push(Event::LoopResumed { by: said.by.word().into() });
    draft.done()
}

/// Resume, Retry or Reopen: `fact` says which.
pub(super) fn again(
    life: &Life,
    said: &Said<Command>,
    fact: Event,
    busy_with: Option<&str>,
) -> Decision {
    free(busy_with)?;
    go_on(Draft::new(life, said), fact)
}

/// Goes on with the held action, or chooses anew.
fn go_on(mut draft: Draft<'_>, fact: Event) -> Decision {
    let unverified = matches!(
        &draft.life.phase,
        Phase::Paused(paused) if paused.reason == PauseReason::Unverified
    );
    let held = matches!(&draft.life.phase, Phase::Paused(paused) if paused.held.is_some());
    draft.push(fact);
    if held {
        return draft.done();
    }
    limit(&draft.life)?;
    // A person may have mended the tree by hand while the loop stood still, which no rule can see;
    // judged by the old red result a resumed loop could only get stuck again. Resuming from the
    // question about an unverified end asks for a new validation, whoever does it.
    if draft.fresh_verdict().is_some_and(not_green) && (unverified || draft.by.may_approve()) {
        draft.stale("resumed");
    }
    draft.next();
    draft.done()
}

const fn not_green(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Passed | Verdict::Accepted => false,
        Verdict::Failed
        | Verdict::DefinitionChanged
        | Verdict::NoTests
        | Verdict::Unparsed
        | Verdict::CoverageBelow => true,
    }
}

/// Nothing starts again at the limit unless only the seal is missing.
pub(super) fn limit(life: &Life) -> Result<(), Refusal> {
    let body = &life.body;
    if body.iteration < body.max_iterations || done(body) || body.course().is_none() {
        return Ok(());
    }
    let (iteration, max_iterations) = (body.iteration, body.max_iterations);
    Err(Refusal::IterationLimit { iteration, max_iterations, allowed: vec![] })
}

/// Pauses a running loop.
pub(super) fn pause(life: &Life, said: &Said<Command>, how: PauseHow) -> Decision {
    let mut draft = Draft::new(life, said);
    let live = life.phase.action().map(|action| (action.n, action.child.is_some()));
    let hold = match (live, how) {
        (None, PauseHow::Finish | PauseHow::Now) => Hold::Nothing,
        (Some(_), PauseHow::Finish) => Hold::Keep,
        (Some((_, true)), PauseHow::Now) => Hold::Cut,
        (Some((n, false)), PauseHow::Now) => {
            draft.push(Event::ActionDropped { n });
            Hold::Nothing
        }
    };
    let reason = match said.by {
        By::Parent { .. } => PauseReason::Parent,
        By::Person | By::Guest | By::Agent { .. } | By::File | By::Timer | By::Engine => {
            PauseReason::User
        }
    };
    let q = draft.asks_above(reason);
    draft.push(Event::LoopPaused {
        reason,
        by: said.by.word().into(),
        code: None,
        detail: String::new(),
        rule: None,
        q,
        reset: None,
        hold,
    });
    draft.done()
}

/// Stops a loop for good; a child that lives is stopped by no longer being owed.
pub(super) fn stop(life: &Life, said: &Said<Command>, why: Option<&str>) -> Decision {
    let mut draft = Draft::new(life, said);
    if let Some(action) = life.phase.action()
        && action.child.is_none()
    {
        draft.push(Event::ActionDropped { n: action.n });
    }
    let (kind, reason) = match &said.by {
        By::Parent { run } => (FailKind::Cancelled, format!("Cancelled by parent {run}")),
        By::Person | By::Guest | By::Agent { .. } | By::File | By::Timer | By::Engine => {
            (FailKind::Stopped, stopped_text(why))
        }
    };
    draft.fail(kind, reason, None);
    draft.done()
}

/// What is stored of a person's stop; people see the kind in their own language.
pub(super) fn stopped_text(why: Option<&str>) -> String {
    match why.map(str::trim).filter(|why| !why.is_empty()) {
        Some(why) => format!("Manually stopped by user: {why}"),
        None => String::from("Manually stopped by user"),
    }
}

/// New words or a new bound for a loop that is not running.
pub(super) fn edit(
    life: &Life,
    (title, description): (Option<&String>, Option<&String>),
    (max_iterations, ceiling): (Option<u32>, u32),
    labels: &LabelsPatch,
) -> Decision {
    if let Some(title) = title {
        bounds::title(title)?;
    }
    if let Some(description) = description {
        bounds::description(description)?;
    }
    if let Some(max) = max_iterations {
        let least = life.body.iteration.saturating_add(held_count(&life.phase));
        bounds::max_iterations(max, least, ceiling)?;
    }
    labels.check()?;
    Ok(vec![Event::LoopEdited {
        title: title.cloned(),
        description: description.cloned(),
        max_iterations,
        labels: labels.clone(),
    }])
}

/// Who chooses from now on. Before the first Start it is only a wish.
pub(super) fn set_mode(life: &Life, said: &Said<Command>, mode: Mode) -> Decision {
    let now = life.body.course().map_or(life.body.mode_wanted, |course| Some(course.mode));
    if now == Some(mode) {
        return Ok(vec![]);
    }
    let mut draft = Draft::new(life, said);
    draft.push(Event::ModeSet { mode });
    if matches!(life.phase, Phase::Choosing { .. }) {
        draft.next();
    }
    draft.done()
}
