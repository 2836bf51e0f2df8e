//! A loop without what no rule looks at: times, history, and how high the serials already are.

use std::sync::Arc;

use kernel::loops::{Action, Body, Life, Phase, Progress, State, TaskStatus, Work};
use kernel::machine::At;

/// The one moment of a canonical state.
const THEN: At = At(0);

/// The words by which two states are the same.
pub fn of(state: &State) -> String {
    let State::Alive(life) = state else { return format!("{state:?}") };
    let mut life: Life = Life::clone(life);
    phase(&mut life.phase, life.body.next_n);
    body(&mut life.body);
    format!("{life:?}")
}

/// Serials are told by how far they lie behind the next one.
fn phase(phase: &mut Phase, next: u32) {
    let behind = |n: &mut u32| *n = next.saturating_sub(*n);
    match phase {
        Phase::Created => {}
        Phase::Acting(action) => actions(action, next),
        Phase::Choosing { q } => behind(q),
        Phase::Lent { lease_until, n, journalled_at, .. } => {
            (*lease_until, *journalled_at) = (THEN, THEN);
            behind(n);
        }
        Phase::Paused(paused) => {
            (paused.at, paused.by, paused.detail) = (THEN, String::new(), String::new());
            paused.q.iter_mut().for_each(behind);
            if let Some(reset) = &mut paused.reset {
                reset.at = THEN;
                reset.wake.iter_mut().for_each(behind);
            }
            if let Some(held) = &mut paused.held {
                actions(&mut held.action, next);
            }
        }
        Phase::Completed { at, .. } => *at = THEN,
        Phase::Failed { at, tail, .. } => {
            *at = THEN;
            if let Some(action) = tail {
                actions(action, next);
            }
        }
    }
}

fn actions(action: &mut Action, next: u32) {
    action.n = next.saturating_sub(action.n);
    action.started_at = THEN;
    action.summary.clear();
    action.child = action.child.take().map(|_| String::new());
    action.last_child = None;
    action.changes.clear();
}

fn body(body: &mut Body) {
    body.next_n = 0;
    (body.created_at, body.updated_at) = (THEN, THEN);
    body.records.clear();
    for task in body.tasks.iter_mut().map(Arc::make_mut) {
        (task.created_at, task.updated_at) = (THEN, THEN);
        // Made of the moment it was made in.
        task.task_id.clear();
        match &mut task.status {
            TaskStatus::Completed { at } => *at = THEN,
            TaskStatus::Failed { at, error } => {
                *at = THEN;
                error.clear();
            }
            TaskStatus::Pending | TaskStatus::InProgress => {}
        }
    }
    match &mut body.progress {
        Progress::Fresh => {}
        Progress::Begun { errors, .. } => errors.clear(),
        Progress::Ready { work, .. } => worked(work),
    }
}

fn worked(work: &mut Work) {
    work.last_action = None;
    work.completed_actions.clear();
    work.errors.clear();
    (work.last_progress_at, work.last_run_at) = (None, None);
    work.debug.last_analysis_at = None;
    work.debug.iteration = 0;
    work.debug.logs.clear();
    work.debug.instrumented.clear();
    work.debug.restore_owed = work.debug.restore_owed.take().map(|_| String::new());
    if let Some(validation) = &mut work.validation {
        validation.at = THEN;
    }
}
