//! The facts of a living loop: which room each belongs to, and those about where it stands.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::event::{Event, Hold, Place};
use super::super::phase::{FailKind, Held, Paused, Phase, Subject};
use super::super::problem::problem;
use super::super::state::{Body, Course, Driver, Life, Mode, Progress, Work};
use super::super::task::{Run, Task, TaskStatus};
use super::{actions, reported, steps};
use crate::machine::{At, By};

/// Makes a fact of a living loop true.
pub(in super::super) fn apply(life: &mut Life, event: &Event, at: At) {
    life.body.updated_at = at.max(life.body.created_at);
    match event {
        Event::LoopCreated { .. }
        | Event::LoopImported(_)
        | Event::LoopDeleted
        | Event::ViewsRemoved
        | Event::MenuAnswered { .. } => {}
        Event::LoopEdited { title, description, max_iterations, labels } => {
            let body = &mut life.body;
            set(&mut body.title, title.as_ref());
            set(&mut body.description, description.as_ref());
            set(&mut body.max_iterations, max_iterations.as_ref());
            body.labels.patch(labels);
        }
        Event::TaskAdded { task, place } => added(&mut life.body, task, *place),
        Event::TaskEdited { task, patch, granted } => {
            if let Some(task) = find(&mut life.body, task) {
                reported::patch(task, patch, at);
                task.granted = *granted;
            }
        }
        Event::TaskRemoved { task } => life.body.tasks.retain(|t| t.id != *task),
        Event::TasksReordered { tasks } => {
            let place =
                |t: &Arc<Task>| tasks.iter().position(|id| *id == t.id).unwrap_or(tasks.len());
            life.body.tasks.sort_by_key(place);
        }
        Event::TaskRequeued { task } => requeued(&mut life.body, task, at),
        Event::LoopStarted { course } => started(life, course),
        Event::ModeSet { mode } => mode_set(&mut life.body, *mode),
        Event::LoopPaused { .. } => paused(life, event, at),
        Event::PauseCut => {
            if let Phase::Paused(Paused { held: Some(held), .. }) = &mut life.phase {
                held.cut = true;
            }
        }
        Event::LoopResumed { by } => went_on(life, by),
        Event::LoopRetried => retried(life, at),
        Event::LoopReopened => reopened(&mut life.body),
        Event::LoopFailed { kind, reason, .. } => failed(life, *kind, reason, at),
        Event::LoopCompleted { how } => life.phase = Phase::Completed { at, how: how.clone() },
        Event::LegBegan { leg, child, head, .. } => steps::began(life, leg, child, head.as_ref()),
        Event::LegEnded { leg, end, .. } => steps::ended(life, leg, end, at),
        Event::LegChosen { leg, reask, .. } => steps::chosen(life, leg, *reask),
        Event::ActionChosen { .. } => actions::chosen(life, event, at),
        Event::ActionEnded { .. } => actions::ended(life, event, at),
        Event::ActionDropped { n } => actions::dropped(life, *n, at),
        Event::MenuOpened { q, .. } => asked(life, *q),
        Event::ValidationStaled { why } => actions::staled(&mut life.body, why),
        Event::ValidationAccepted { hash, .. } => actions::accepted(&mut life.body, hash),
        Event::SkillReported { changes, .. } => reported::apply(&mut life.body, changes, at),
        Event::LeaseTaken { runner, until, n } => {
            used(&mut life.body, *n);
            let runner = runner.clone();
            life.phase = Phase::Lent { runner, lease_until: *until, n: *n, journalled_at: at };
        }
        Event::LeaseRenewed { until, n } => renewed(life, *until, *n, at),
    }
}

fn asked(life: &mut Life, q: u32) {
    used(&mut life.body, q);
    life.phase = Phase::Choosing { q };
}

fn set<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}

/// Serials are never used twice.
pub(super) fn used(body: &mut Body, n: u32) {
    body.next_n = body.next_n.max(n.saturating_add(1));
}

fn requeued(body: &mut Body, task: &str, at: At) {
    if let Some(task) = find(body, task) {
        task.status = TaskStatus::Pending;
        task.updated_at = at;
    }
}

/// Adds a task and takes its number out of use.
pub(super) fn added(body: &mut Body, task: &Task, place: Place) {
    let number = task.id.strip_prefix("task-").and_then(|digits| digits.parse::<u32>().ok());
    body.next_task = body.next_task.max(number.unwrap_or(0).saturating_add(1));
    match place {
        Place::First => body.tasks.insert(0, Arc::new(task.clone())),
        Place::Last => body.tasks.push(Arc::new(task.clone())),
    }
}

pub(super) fn find<'a>(body: &'a mut Body, id: &str) -> Option<&'a mut Task> {
    let found = body.tasks.iter_mut().find(|task| task.id == id || task.task_id == id);
    found.map(Arc::make_mut)
}

fn started(life: &mut Life, course: &Course) {
    let body = &mut life.body;
    for task in &mut body.tasks {
        // What Start listed is granted to the tasks it was listed for, so that an edit can take it
        // away again.
        if let (TaskStatus::Pending, Some(Run::Argv(argv))) = (&task.status, &task.run) {
            let granted = course.grants.iter().find(|granted| granted.is_of(argv, "."));
            let task = Arc::make_mut(task);
            task.granted = granted.is_some();
            task.pin = granted.map(|granted| granted.pin.clone()).unwrap_or_default();
        }
    }
    if course.driver == Driver::Engine {
        let held = life.phase.action().map(|action| &action.subject);
        back_to_pending(body, held);
    }
    body.progress = match core::mem::replace(&mut body.progress, Progress::Fresh) {
        Progress::Fresh => Progress::Begun { course: course.clone(), errors: Vec::new() },
        Progress::Begun { errors, .. } => Progress::Begun { course: course.clone(), errors },
        Progress::Ready { work, .. } => Progress::Ready { course: course.clone(), work },
    };
}

/// An outside skill may leave a task in progress; nobody is at it any more, unless it is the one
/// that a held action is about.
fn back_to_pending(body: &mut Body, held: Option<&Subject>) {
    for task in &mut body.tasks {
        let own = held == Some(&Subject::Task { id: task.id.clone() });
        if task.status == TaskStatus::InProgress && !own {
            Arc::make_mut(task).status = TaskStatus::Pending;
        }
    }
}

const fn mode_set(body: &mut Body, mode: Mode) {
    match &mut body.progress {
        Progress::Fresh => body.mode_wanted = Some(mode),
        Progress::Begun { course, .. } | Progress::Ready { course, .. } => course.mode = mode,
    }
}

fn paused(life: &mut Life, event: &Event, at: At) {
    let Event::LoopPaused { reason, by, code, detail, q, reset, hold, .. } = event else { return };
    for n in q.iter().chain(reset.iter().filter_map(|reset| reset.wake.as_ref())) {
        used(&mut life.body, *n);
    }
    let action = match core::mem::replace(&mut life.phase, Phase::Created) {
        Phase::Acting(action) => Some(action),
        Phase::Paused(Paused { held, .. }) => held.map(|held| held.action),
        Phase::Created
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Completed { .. }
        | Phase::Failed { .. } => None,
    };
    let held = match hold {
        Hold::Nothing => None,
        Hold::Keep => action.map(|action| Held { action, cut: false }),
        Hold::Cut => action.map(|action| Held { action, cut: true }),
    };
    life.phase = Phase::Paused(Paused {
        reason: *reason,
        by: by.clone(),
        at,
        code: code.clone(),
        detail: detail.clone(),
        held,
        q: *q,
        reset: *reset,
    });
}

/// A person has seen on which branch it goes on; a timer has not.
fn went_on(life: &mut Life, by: &str) {
    resumed(life);
    if by == By::Person.word() {
        life.body.head = None;
    }
}

/// Someone stepped in: the streak and the attempts at the present problem begin anew.
fn resumed(life: &mut Life) {
    if let Some(found) = problem(&life.body) {
        life.body.rounds.remove(&found.sig);
    }
    stepped_in(&mut life.body);
    if let Phase::Paused(Paused { held, .. }) = &mut life.phase
        && let Some(held) = held.take()
    {
        life.phase = Phase::Acting(held.action);
    }
}

const fn stepped_in(body: &mut Body) {
    body.errors_in_row = 0;
    if let Some(work) = body.work_mut() {
        work.seal_misses = 0;
        work.tree_moves = 0;
    }
}

fn retried(life: &mut Life, at: At) {
    resumed(life);
    let body = &mut life.body;
    body.head = None;
    body.rounds.clear();
    for task in &mut body.tasks {
        if let TaskStatus::Failed { .. } = task.status {
            let task = Arc::make_mut(task);
            task.status = TaskStatus::Pending;
            task.updated_at = at;
        }
    }
    // A loop that was stopped before it ever started has no course to go on with.
    if let (Progress::Fresh, Phase::Failed { .. }) = (&body.progress, &life.phase) {
        life.phase = Phase::Created;
    }
}

fn reopened(body: &mut Body) {
    body.head = None;
    stepped_in(body);
    actions::staled(body, "reopened");
}

fn failed(life: &mut Life, kind: FailKind, reason: &str, at: At) {
    let tail = life.phase.action().filter(|action| action.child.is_some()).cloned();
    if tail.is_none()
        && let Some(action) = life.phase.action().cloned()
    {
        // Nothing is left that could end it: its task waits for a retry.
        actions::release(&mut life.body, &action);
    }
    life.phase = Phase::Failed { at, kind, reason: reason.into(), tail };
}

fn renewed(life: &mut Life, until: At, n: u32, at: At) {
    used(&mut life.body, n);
    if let Phase::Lent { lease_until, n: serial, journalled_at, .. } = &mut life.phase {
        (*lease_until, *serial, *journalled_at) = (until, n, at);
    }
}

/// The work of a loop, made if this is the first that is heard of it.
pub(super) fn ready(body: &mut Body) -> Option<&mut Work> {
    if let Progress::Begun { course, errors } = &mut body.progress {
        let work = Work { errors: core::mem::take(errors), ..Work::default() };
        body.progress = Progress::Ready { course: course.clone(), work };
    }
    body.work_mut()
}
