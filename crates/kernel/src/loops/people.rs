//! What people are asked and what their answers do: the menu, the question about an unverified
//! end, and Complete.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds::{self, TASKS_MAX};
use super::choose::Rule;
use super::command::Command;
use super::draft::{Decision, Draft, Stopover};
use super::event::{Event, Place};
use super::phase::{FailKind, How, Kind, PauseReason, Paused, Phase, Subject};
use super::problem::{Problem, done, problem, text_sig};
use super::refusal::{Refusal, Wrong};
use super::state::{Body, Life, Work};
use super::steer::{self, stopped_text};
use super::task::{Origin, Task};
use crate::machine::Said;

/// The menu, in its fixed order; a number or a key is taken.
pub const MENU_KEYS: [&str; 6] = ["develop", "debug", "validate", "status", "complete", "exit"];
/// Answers to the question about an unverified end. `accept` is not always offered.
pub const UNVERIFIED_KEYS: [&str; 4] = ["accept", "validate_again", "complete_forced", "stop"];

/// Answers to whoever is above a loop that has paused.
pub const PAUSED_KEYS: [&str; 2] = ["resume", "stop"];

/// The answers that the question about an unverified end offers now.
pub(super) fn unverified_keys(body: &Body) -> Vec<&'static str> {
    let may = body.work().and_then(Work::fresh).is_some_and(|found| found.acceptable);
    UNVERIFIED_KEYS.into_iter().filter(|key| may || *key != "accept").collect()
}

/// An answer as it arrives.
pub(super) struct Given<'a> {
    pub(super) q: u32,
    pub(super) key: &'a str,
    pub(super) text: Option<&'a str>,
    pub(super) hash: Option<&'a str>,
    pub(super) task_id: &'a str,
}

pub(super) const fn closed(q: u32) -> Refusal {
    Refusal::QuestionClosed { q, allowed: vec![] }
}

/// An answer to the menu.
pub(super) fn menu(life: &Life, said: &Said<Command>, given: &Given<'_>) -> Decision {
    let text = given.text.map(str::trim).filter(|text| !text.is_empty());
    let mut draft = Draft::new(life, said);
    let (q, key) = (given.q, numbered(given.key));
    draft.push(Event::MenuAnswered { q, key: key.into() });
    match key {
        "develop" => develop(&mut draft, text, given.task_id)?,
        "debug" => debug(&mut draft, text)?,
        "validate" => {
            counted(life)?;
            draft.act_now(Kind::Validate, Subject::Loop, Rule::Person);
        }
        // A look changes nothing: the menu stays open.
        "status" => return Ok(vec![]),
        "complete" => complete_or_refuse(&mut draft, life)?,
        "complete_forced" => forced(&mut draft, life, text)?,
        "exit" => draft.pause(Stopover::new(PauseReason::UserExit, String::new()), None),
        other => {
            return Err(Refusal::UnknownOption { given: other.into(), options: MENU_KEYS.into() });
        }
    }
    draft.done()
}

fn numbered(key: &str) -> &str {
    let number = key.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    number.and_then(|n| MENU_KEYS.get(n).copied()).unwrap_or(key)
}

/// A counted choice needs room for one more.
fn counted(life: &Life) -> Result<(), Refusal> {
    let body = &life.body;
    if body.iteration < body.max_iterations {
        return Ok(());
    }
    let (iteration, max_iterations) = (body.iteration, body.max_iterations);
    Err(Refusal::IterationLimit { iteration, max_iterations, allowed: vec![] })
}

fn develop(draft: &mut Draft<'_>, text: Option<&str>, task_id: &str) -> Result<(), Refusal> {
    counted(&draft.life)?;
    let id = match text {
        Some(text) => new_first(draft, text, task_id)?,
        None => match draft.life.body.first_pending() {
            Some(task) => task.id.clone(),
            None => return Err(Refusal::NothingPending { allowed: vec![] }),
        },
    };
    draft.act_now(Kind::Develop, Subject::Task { id }, Rule::Person);
    Ok(())
}

/// The text becomes the first task of the list.
fn new_first(draft: &mut Draft<'_>, text: &str, task_id: &str) -> Result<String, Refusal> {
    bounds::description(text)?;
    if draft.life.body.tasks.len() >= TASKS_MAX {
        let wrong = Wrong::TooMany { max: TASKS_MAX };
        return Err(Refusal::InvalidArgs { field: String::from("tasks"), wrong });
    }
    let bare = draft.bare_task(text.into(), Origin::Queue);
    let tool = draft.life.body.course().map(|course| course.settings.default_tool.clone());
    let known = task_id.is_empty() || draft.life.body.task(task_id).is_some();
    let task_id = if known { bare.task_id.clone() } else { task_id.into() };
    let task = Task { task_id, tool: tool.unwrap_or_default(), ..bare };
    let id = task.id.clone();
    draft.push(Event::TaskAdded { task: Box::new(task), place: Place::First });
    Ok(id)
}

fn debug(draft: &mut Draft<'_>, text: Option<&str>) -> Result<(), Refusal> {
    counted(&draft.life)?;
    let given = text
        .map(|text| Problem { sig: text_sig(text), text: bounds::cut(text, bounds::ERROR_MAX) });
    let Some(Problem { sig, text }) = given.or_else(|| problem(&draft.life.body)) else {
        return Err(Refusal::NothingToDebug { allowed: vec![] });
    };
    draft.act_now(Kind::Debug, Subject::Problem { sig, text }, Rule::Person);
    Ok(())
}

fn complete_or_refuse(draft: &mut Draft<'_>, life: &Life) -> Result<(), Refusal> {
    if !done(&life.body) {
        let last = life.body.work().and_then(|work| work.validation.as_ref());
        let verdict = last.map(|validation| validation.verdict.word());
        return Err(Refusal::ValidationRequired { verdict, allowed: vec![] });
    }
    drop_held(draft, life);
    draft.act_now(Kind::Complete, Subject::Loop, Rule::Person);
    Ok(())
}

fn drop_held(draft: &mut Draft<'_>, life: &Life) {
    if let Phase::Paused(Paused { held: Some(held), .. }) = &life.phase {
        draft.push(Event::ActionDropped { n: held.action.n });
    }
}

/// A person's word instead of a proof, recorded as such.
fn forced(draft: &mut Draft<'_>, life: &Life, why: Option<&str>) -> Result<(), Refusal> {
    if !draft.by.may_approve() {
        let speaker = draft.by.word();
        return Err(Refusal::NeedsPerson { command: "complete", speaker });
    }
    let Some(why) = why.map(str::trim).filter(|why| !why.is_empty()) else {
        let (field, wrong) = (String::from("why"), Wrong::Empty);
        return Err(Refusal::InvalidArgs { field, wrong });
    };
    drop_held(draft, life);
    let why = bounds::cut(why, bounds::ERROR_MAX);
    draft.push(Event::LoopCompleted { how: How::Forced { by: draft.by.word().into(), why } });
    Ok(())
}

/// Complete, from a state where no action is under way.
pub(super) fn complete(life: &Life, said: &Said<Command>, force: Option<&str>) -> Decision {
    let mut draft = Draft::new(life, said);
    match (force, &life.phase) {
        (Some(why), _) => forced(&mut draft, life, Some(why))?,
        // The outside skill says it is done: the engine validates for itself.
        (None, Phase::Lent { .. }) if !done(&life.body) => {
            counted(life)?;
            draft.act_now(Kind::Validate, Subject::Loop, Rule::Complete);
        }
        (None, _) => complete_or_refuse(&mut draft, life)?,
    }
    draft.done()
}

/// An answer to the question about an unverified end.
pub(super) fn unverified(life: &Life, said: &Said<Command>, given: &Given<'_>) -> Decision {
    let options = unverified_keys(&life.body);
    if !options.contains(&given.key) {
        return Err(Refusal::UnknownOption { given: given.key.into(), options });
    }
    let q = given.q;
    let mut draft = Draft::new(life, said);
    draft.push(Event::MenuAnswered { q, key: given.key.into() });
    match given.key {
        "accept" => return accept(life, said, given),
        "validate_again" => {
            counted(life)?;
            draft.act_now(Kind::Validate, Subject::Loop, Rule::Person);
        }
        "complete_forced" => forced(&mut draft, life, given.text)?,
        "stop" => draft.fail(FailKind::Stopped, stopped_text(given.text), None),
        // `options` holds no other key.
        other => return Err(Refusal::UnknownOption { given: other.into(), options }),
    }
    draft.done()
}

/// Accepting is bound to what was shown: another hash is another run.
fn accept(life: &Life, said: &Said<Command>, given: &Given<'_>) -> Decision {
    let found = life.body.work().and_then(Work::fresh).map(|found| found.accept_hash.clone());
    let Some(hash) = found.filter(|hash| given.hash.is_none_or(|shown| shown == hash)) else {
        return Err(Refusal::StaleApproval { q: given.q });
    };
    let mut draft = Draft::new(life, said);
    draft.push(Event::ValidationAccepted { q: given.q, hash });
    draft.next();
    draft.done()
}

/// An answer to a loop that stands still, given above it: the same as the command of that name.
pub(super) fn standing_still(life: &Life, said: &Said<Command>, given: &Given<'_>) -> Decision {
    let facts = match given.key {
        "resume" => {
            let resumed = Event::LoopResumed { by: said.by.word().into() };
            steer::again(life, said, resumed, None)?
        }
        "stop" => steer::stop(life, said, given.text)?,
        other => {
            let options = PAUSED_KEYS.to_vec();
            return Err(Refusal::UnknownOption { given: other.into(), options });
        }
    };
    let answered = Event::MenuAnswered { q: given.q, key: given.key.into() };
    Ok([answered].into_iter().chain(facts).collect())
}
