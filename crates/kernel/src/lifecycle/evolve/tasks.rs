//! Facts about tasks, their evidence and what was spent on them.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::event::Event;
use super::super::phase::{Doing, Phase, Step};
use super::super::state::{Life, Note, NoteKind, Work};
use super::super::task::{Status, Task};
use super::plans::note;
use crate::machine::At;

pub(super) fn apply(life: &mut Life, event: &Event, at: At) {
    if let Event::TurnSpent { spent, .. } = event {
        life.body.spent.add(*spent);
    }
    if let Event::StepBegan { doing } = event {
        step_began(life, doing);
    } else if let Event::ProgressClaimed { by, task, status, summary } = event {
        claimed(life, (by, task, *status), summary.as_deref(), at);
    } else if let Some(work) = life.phase.work_mut() {
        of_work(work, event, at);
    }
    if let Phase::AutoFix(fix) = &mut life.phase
        && let Event::TurnSpent { files_changed, .. } = event
    {
        fix.changed.clone_from(files_changed);
    }
}

fn step_began(life: &mut Life, doing: &Doing) {
    let n = match doing {
        Doing::Task {
            step: Step::Save { n, .. } | Step::Turn { n, .. } | Step::Check { n, .. },
            ..
        }
        | Doing::Seal { n, .. }
        | Doing::SealCheck { n, .. } => *n,
    };
    life.body.next.n = life.body.next.n.max(n + 1);
    if let Phase::Executing(now) = &mut life.phase {
        now.doing = doing.clone();
    }
}

fn claimed(life: &mut Life, (by, id, status): (&str, &str, Status), summary: Option<&str>, at: At) {
    if let Some(work) = life.phase.work_mut()
        && let Some(task) = work.task_mut(id)
    {
        task.claim = Some(status);
        if let Some(summary) = summary {
            task.summary = Some(summary.into());
        }
    }
    if let Some(summary) = summary {
        let text = String::from(summary);
        let (by, kind, task) = (by.into(), NoteKind::Progress, Some(id.into()));
        note(life, Note { at, by, kind, task, text });
    }
}

fn of_work(work: &mut Work, event: &Event, at: At) {
    if let Event::TaskStarted { task } = event {
        if let Some(task) = work.task_mut(task) {
            task.status = Status::InProgress;
            task.started_at.get_or_insert(at);
        }
    } else if let Event::CheckpointMade { task, checkpoint } = event {
        if let Some(task) = work.task_mut(task) {
            task.checkpoint = Some(checkpoint.clone());
        }
        work.last_checkpoint = Some(checkpoint.clone());
        work.checkpoints.push(checkpoint.clone());
    } else if let Event::TurnSpent { task, spent, files_changed } = event {
        if let Some(task) = task.as_deref().and_then(|id| work.task_mut(id)) {
            worked(task, spent.turns, files_changed);
        }
    } else if let Event::EvidenceRecorded { evidence, tasks } = event {
        seen(work, &evidence.covers, &evidence.digest);
        for task in tasks {
            if let Some(task) = work.task_mut(task) {
                task.evidence.push(evidence.evidence_id.clone());
            }
        }
        work.evidence.push(Arc::new((**evidence).clone()));
    } else if let Event::DigestsSeen { digests } = event {
        for digest in digests {
            seen(work, &digest.covers, &digest.digest);
        }
    } else if let Event::TaskClosed { task, status, why } = event {
        if let Some(task) = work.task_mut(task) {
            (task.status, task.closed, task.claim) = (*status, Some(*why), None);
            task.ended_at = Some(at);
        }
    } else if let Event::TaskReopened { task, .. } = event {
        reopened(work, task);
    }
}

/// What was proved of the task and of all that hangs on it counts no more.
fn reopened(work: &mut Work, id: &str) {
    let mut stale = work.dependants(id);
    stale.push(id.into());
    let records: Vec<String> = stale
        .iter()
        .filter_map(|id| work.task(id))
        .flat_map(|task| task.evidence.clone())
        .collect();
    for evidence in &mut work.evidence {
        if records.contains(&evidence.evidence_id) {
            Arc::make_mut(evidence).void = true;
        }
    }
    if let Some(task) = work.task_mut(id) {
        (task.status, task.closed, task.ended_at) = (Status::Pending, None, None);
        (task.satisfied, task.claim) = (false, None);
        task.reopened += 1;
    }
}

fn seen(work: &mut Work, covers: &[String], digest: &str) {
    match work.digests.iter_mut().find(|known| known.covers == covers) {
        Some(known) => known.digest = digest.into(),
        None => work
            .digests
            .push(super::super::check::Digest { covers: covers.to_vec(), digest: digest.into() }),
    }
}

/// Turns at a task have ended, and what they changed.
pub(super) fn worked(task: &mut Task, turns: u32, files: &[String]) {
    task.turns += turns;
    for path in files {
        if !task.files_changed.contains(path) {
            task.files_changed.push(path.clone());
        }
    }
}
