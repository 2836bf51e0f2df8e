//! The page that a run shows: what its state says, and what only the world around it knows. The
//! sentences and the local time come from outside.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::super::phase::{Ended, Phase};
use super::super::super::plan::{Plan, Source};
use super::super::super::shown::attempts;
use super::super::super::state::{Life, Note, NoteKind};
use super::super::super::task::{Spec, Status};
use super::scratch;
use super::{Head, Page, Task, goal, page::one_line};
use crate::machine::At;

/// What a run does not know of itself.
pub struct Around<'a> {
    /// What comes next, as a sentence.
    pub next_action: String,
    /// What was noted, in the reader's words.
    pub noted: &'a dyn Fn(&Note) -> String,
    /// Local time, to the minute.
    pub minute: &'a dyn Fn(At) -> String,
    /// Ends of runs, the newest first.
    pub history: Vec<String>,
    /// When the last client left, as local time.
    pub last_session_end: Option<String>,
}

/// The page of a run.
#[must_use]
pub fn show(life: &Life, around: Around<'_>) -> Page {
    let (body, work, plan) = (&life.body, life.phase.work(), plan(&life.phase));
    let begin = &body.begin;
    Page {
        head: Head {
            session_id: begin.session_id.clone().unwrap_or_else(|| begin.id.clone()),
            task_status: life.phase.name().to_owned(),
            auto_fix_attempts: attempts(&life.phase),
            last_checkpoint: work.and_then(|work| work.last_checkpoint.clone()),
            run_id: begin.id.clone(),
            seq: body.seq,
            paused: body.hold.is_some(),
            current_task: life.phase.current_task().map(ToOwned::to_owned),
            next_action: one_line(&around.next_action),
            last_session_end: around.last_session_end,
        },
        goal: shown_goal(life, plan),
        queue: queue(&life.phase),
        scratch: pad(&body.notes, around.noted, around.minute),
        history: around.history.iter().map(|line| one_line(line)).collect(),
    }
}

/// The line that a run leaves in the history: when, what, how it ended, how much was done.
#[must_use]
pub fn history_line(life: &Life, ended: &Ended, minute: &dyn Fn(At) -> String) -> String {
    let tasks = ended.work.as_ref().map_or(&[][..], |work| &work.tasks);
    let done = tasks.iter().filter(|task| task.status == Status::Done).count();
    let plan = plan(&life.phase);
    // What never came to work had tasks all the same.
    let all = if ended.work.is_some() { tasks.len() } else { plan.map_or(0, |p| p.tasks.len()) };
    let first = shown_goal(life, plan).into_iter().next().unwrap_or_default();
    let first = first.split(" **PRD**").next().unwrap_or_default();
    let (minute, outcome) = (minute(ended.at), ended.outcome.word());
    format!("{minute}: {first}, {outcome}, {done} of {all}")
}

fn shown_goal(life: &Life, plan: Option<&Plan>) -> Vec<String> {
    let ask = &life.body.ask;
    let path = plan.and_then(|plan| plan.path.as_deref()).or(ask.path.as_deref());
    let text = match (ask.source, plan) {
        (Source::File | Source::Package, Some(plan)) => plan.goal.clone(),
        (Source::Text, _) | (Source::File | Source::Package, None) => ask.whole(),
    };
    goal(&text, path)
}

fn plan(phase: &Phase) -> Option<&Plan> {
    match phase {
        Phase::Idle(ended) => ended.plan.as_deref().or_else(|| phase.work().map(|work| &work.plan)),
        Phase::Planning(planning) => planning.before.as_deref(),
        Phase::Confirming(confirming) => Some(&confirming.plan),
        Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) | Phase::Archiving(_) => {
            phase.work().map(|work| &work.plan)
        }
    }
}

/// The tasks; a run that is over has emptied its queue.
fn queue(phase: &Phase) -> Vec<Task> {
    let line = |spec: &Spec, status| Task::new(status, &spec.id, &spec.title, &spec.files);
    match phase {
        Phase::Idle(_) | Phase::Planning(_) => Vec::new(),
        Phase::Confirming(confirming) => {
            confirming.plan.tasks.iter().map(|spec| line(spec, Status::Pending)).collect()
        }
        Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) | Phase::Archiving(_) => {
            let tasks = phase.work().map_or(&[][..], |work| &work.tasks);
            tasks.iter().map(Arc::as_ref).map(|task| line(&task.spec, task.status)).collect()
        }
    }
}

/// The scratchpad: what a person last made of it, and what was noted since.
fn pad(
    notes: &[Note],
    noted: &dyn Fn(&Note) -> String,
    minute: &dyn Fn(At) -> String,
) -> Vec<String> {
    let last = notes.iter().rposition(|note| note.kind == NoteKind::Scratch);
    let base = last.map_or_else(Vec::new, |at| scratch::lines(&notes[at].text));
    let since = &notes[last.map_or(0, |at| at + 1)..];
    let more: Vec<String> = since
        .iter()
        .map(|note| {
            let task = note.task.as_ref().map_or_else(String::new, |task| format!("{task}: "));
            format!("- {}: {task}{}", minute(note.at), one_line(&noted(note)))
        })
        .collect();
    scratch::added(&base, &more)
}
