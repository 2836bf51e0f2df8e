//! `update_progress`: what agents, files and people say of a task. A word is a claim; only a
//! person's word can open, skip or take for fixed.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::batch::{Batch, Decision, halted};
use super::bounds;
use super::command::{Command, Dependants, Help, Intervention};
use super::event::{Event, Halted};
use super::help;
use super::phase::{AutoFix, Blocked, Executing, Failure, Why};
use super::refusal::Refusal;
use super::rows::shared::needed;
use super::state::{Life, Work};
use super::task::{CloseWhy, Status, Task};
use crate::errors::nearest;
use crate::machine::Said;

/// An unknown id, with those that look like it.
pub(super) fn no_such<'a>(ids: impl Iterator<Item = &'a str>, id: &str) -> Refusal {
    let near = nearest(id, ids).into_iter().map(ToString::to_string).collect();
    Refusal::NoSuch { id: id.into(), near }
}

/// What was said, once more as one thing.
struct Word<'a> {
    task: &'a Task,
    status: Status,
    summary: Option<String>,
}

fn word<'a>(work: &'a Work, command: &Command) -> Result<Word<'a>, Refusal> {
    let Command::UpdateProgress { task, status, summary } = command else {
        return Err(Refusal::NoRun);
    };
    let ids = work.tasks.iter().map(|task| task.spec.id.as_str());
    let found = work.task(task).ok_or_else(|| no_such(ids, task))?;
    let kept = |text: &String| bounds::cut(text, bounds::TASK_SUMMARY_BYTES_MAX).into();
    Ok(Word { task: found, status: *status, summary: summary.as_ref().map(kept) })
}

fn not_current(life: &Life, task: &str) -> Decision {
    let current = life.phase.current_task().map(Into::into);
    Err(Refusal::NotCurrent { task: task.into(), current, allowed: vec![] })
}

fn needs_person(life: &Life, said: &Said<Command>) -> Decision {
    let (command, state) = (said.command.name(), life.phase.name());
    Err(Refusal::NeedsPerson { command, state, speaker: said.by.word() })
}

fn not_now(life: &Life, said: &Said<Command>) -> Decision {
    let why = super::refusal::NotNow::Needs(needed(&said.command).to_vec());
    let (command, state) = (said.command.name(), life.phase.name());
    Err(Refusal::NotNow { command, state, why, allowed: vec![] })
}

/// Records the claim; the same word again is no news.
fn claim(batch: &mut Batch<'_>, word: &Word<'_>) {
    let same = word.task.claim == Some(word.status)
        && (word.summary.is_none() || word.summary == word.task.summary);
    if same {
        return;
    }
    let (by, task) = (batch.who(), word.task.spec.id.clone());
    let (status, summary) = (word.status, word.summary.clone());
    batch.push(Event::ProgressClaimed { by, task, status, summary });
}

fn claimed(life: &Life, said: &Said<Command>, word: &Word<'_>) -> Decision {
    let mut batch = Batch::new(life, said);
    claim(&mut batch, word);
    batch.done()
}

/// What an agent's word that it failed is known by.
fn reported(word: &Word<'_>) -> Failure {
    let summary = word.summary.clone().unwrap_or_default();
    Failure {
        code: "agent".into(),
        kind: "reported".into(),
        signature: format!("reported:{}", word.task.spec.id),
        summary,
        repeat: false,
        check: None,
        errors: Vec::new(),
        digest: None,
    }
}

fn stuck(batch: &mut Batch<'_>, word: &Word<'_>) {
    let task = Some(word.task.spec.id.clone());
    let detail = word.summary.clone().unwrap_or_default();
    batch.halt(Halted { task, detail, ..halted(Why::AgentBlocked) });
}

pub(super) fn executing(life: &Life, now: &Executing, said: &Said<Command>) -> Decision {
    let word = word(&now.work, &said.command)?;
    let current = now.doing.task() == Some(word.task.spec.id.as_str());
    let ready = now.work.is_ready(word.task);
    match word.status {
        Status::Done if current || ready => claimed(life, said, &word),
        Status::InProgress if current => claimed(life, said, &word),
        Status::Failed if current => {
            let mut batch = Batch::new(life, said);
            claim(&mut batch, &word);
            let id = word.task.spec.id.clone();
            batch.detected(&id, reported(&word));
            batch.done()
        }
        Status::Blocked if current => {
            let mut batch = Batch::new(life, said);
            claim(&mut batch, &word);
            stuck(&mut batch, &word);
            batch.done()
        }
        Status::Pending => reopen(life, said, word.task),
        Status::Skipped => skip(life, said, word.task),
        Status::Done | Status::InProgress | Status::Failed | Status::Blocked => {
            not_current(life, &word.task.spec.id)
        }
    }
}

pub(super) fn fixing(life: &Life, now: &AutoFix, said: &Said<Command>) -> Decision {
    let word = word(&now.work, &said.command)?;
    let current = word.task.spec.id == now.task;
    match word.status {
        Status::Done | Status::InProgress if current => claimed(life, said, &word),
        Status::Failed if current => {
            let mut batch = Batch::new(life, said);
            claim(&mut batch, &word);
            batch.fix_failed(reported(&word), Vec::new());
            batch.done()
        }
        Status::Blocked if current => {
            let mut batch = Batch::new(life, said);
            claim(&mut batch, &word);
            stuck(&mut batch, &word);
            batch.done()
        }
        Status::Pending => reopen(life, said, word.task),
        Status::Skipped => not_now(life, said),
        Status::Done | Status::InProgress | Status::Failed | Status::Blocked => {
            not_current(life, &word.task.spec.id)
        }
    }
}

pub(super) fn blocked(life: &Life, now: &Blocked, said: &Said<Command>) -> Decision {
    let word = word(&now.work, &said.command)?;
    let current = now.task.as_ref() == Some(&word.task.spec.id);
    match word.status {
        Status::Done if !said.by.may_approve() => needs_person(life, said),
        Status::Done if current => {
            let unsettled = now.work.unknown_calls.last().cloned();
            let given = Intervention {
                help: Help::Fixed,
                add_budget: None,
                accept_definition: None,
                unsettled,
            };
            help::intervene(life, now, said, &given)
        }
        Status::InProgress => not_now(life, said),
        Status::Failed | Status::Blocked if current => claimed(life, said, &word),
        Status::Pending => reopen(life, said, word.task),
        Status::Skipped if !said.by.may_approve() => needs_person(life, said),
        Status::Skipped if current => help::skip(life, now, said, Dependants::Skip),
        Status::Done | Status::Failed | Status::Blocked | Status::Skipped => {
            not_current(life, &word.task.spec.id)
        }
    }
}

/// A closed task is open again; what hangs on it has to be proved again.
fn reopen(life: &Life, said: &Said<Command>, task: &Task) -> Decision {
    if !said.by.may_approve() {
        return needs_person(life, said);
    }
    if task.status == Status::Pending {
        return Ok(vec![]);
    }
    if !task.status.closed() {
        let tasks = vec![task.spec.id.clone()];
        return Err(Refusal::Immutable { tasks, allowed: vec![] });
    }
    let mut batch = Batch::new(life, said);
    let (by, task) = (batch.who(), task.spec.id.clone());
    batch.push(Event::TaskReopened { by, task });
    batch.reopen_queue();
    batch.done()
}

/// A person leaves out a task that has not started, and what hangs on it.
fn skip(life: &Life, said: &Said<Command>, task: &Task) -> Decision {
    if !said.by.may_approve() {
        return needs_person(life, said);
    }
    match task.status {
        Status::Skipped => Ok(vec![]),
        Status::Pending => {
            let mut batch = Batch::new(life, said);
            let id = task.spec.id.clone();
            let (status, why) = (Status::Skipped, CloseWhy::Person);
            batch.push(Event::TaskClosed { task: id.clone(), status, why });
            batch.skip_dependants(&id);
            batch.done()
        }
        Status::InProgress | Status::Done | Status::Failed | Status::Blocked => {
            let tasks = vec![task.spec.id.clone()];
            Err(Refusal::Immutable { tasks, allowed: vec![] })
        }
    }
}
