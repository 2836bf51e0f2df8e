//! The facts about actions: chosen, ended, dropped, and what an end means for tasks, rounds,
//! errors and the validation.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::bounds::{ERRORS_VIEW, RECORDS_KEPT};
use super::super::event::{ActionResult, Event};
use super::super::finish::likeliest;
use super::super::phase::{Action, ActionRecord, Kind, Phase, RunRecord, Subject};
use super::super::problem::tests_problem;
use super::super::state::{
    Body, Debug, Entry, Hypothesis, HypothesisStatus, Life, Progress, TestsTask, Work,
};
use super::super::task::{Origin, Task, TaskStatus};
use super::super::validation::{Validation, Verdict};
use super::life::{find, ready, used};
use super::steps::changed;
use crate::machine::At;

pub(super) fn ended(life: &mut Life, event: &Event, at: At) {
    let Event::ActionEnded { n, kind, result, counted, summary, validation } = event else {
        return;
    };
    let action = take(life, *n);
    let body = &mut life.body;
    used(body, *n);
    body.iteration = body.iteration.saturating_add(u32::from(*counted));
    note(body, *kind, result, at);
    if let Some(action) = &action {
        settle(body, action, result, at);
    }
    by_kind(body, *kind, action.as_ref(), result, at);
    if let Some(validation) = validation {
        validated(body, validation);
    }
    let told = (result.clone(), *counted, summary.clone());
    let run = validation.as_deref().map(|found| Box::new(RunRecord::of(found)));
    write_down(body, (*n, *kind), (action.as_ref(), run), told, at);
}

pub(super) fn dropped(life: &mut Life, n: u32, at: At) {
    let Some(action) = take(life, n) else { return };
    let body = &mut life.body;
    release(body, &action);
    // A dropped develop may have changed the tree before it was stopped.
    if action.kind == Kind::Develop {
        staled(body, "dropped");
    }
    let told = (ActionResult::Dropped, false, String::new());
    write_down(body, (n, action.kind), (Some(&action), None), told, at);
}

pub(super) fn chosen(life: &mut Life, event: &Event, at: At) {
    let Event::ActionChosen { n, kind, subject, rule, legs } = event else { return };
    let body = &mut life.body;
    used(body, *n);
    match subject {
        Subject::Task { id } => begin_task(body, id, rule),
        Subject::Problem { text, .. } => {
            if let Some(work) = body.work_mut() {
                work.debug.active_bug = Some(text.clone());
            }
        }
        Subject::Loop => {}
    }
    life.phase = Phase::Acting(Action {
        n: *n,
        kind: *kind,
        subject: subject.clone(),
        rule: rule.clone(),
        legs: legs.clone(),
        at: 0,
        reask: 0,
        child: None,
        last_child: None,
        started_at: at,
        reports: Vec::new(),
        files_changed: Vec::new(),
        changes: Vec::new(),
        summary: String::new(),
        sealed: None,
        seen: None,
        failure: None,
        block: None,
        bad: None,
    });
}

fn begin_task(body: &mut Body, id: &str, rule: &str) {
    let verdict = body.work().and_then(Work::fresh).map(|found| found.verdict);
    let Some(task) = find(body, id) else { return };
    task.status = TaskStatus::InProgress;
    let (origin, fixes) = (task.origin, task.fixes.clone());
    if let (Origin::Tests, Some(verdict)) = (origin, verdict)
        && let Some(work) = body.work_mut()
    {
        work.tests_task = Some(TestsTask { id: String::from(id), verdict });
    }
    if let ("A7", Some(sig)) = (rule, fixes) {
        body.rounds.entry(sig).or_default().fix += 1;
    }
}

/// Takes the action of that serial out of the place that holds it. A running one stays where it
/// is: the next fact of its batch says what the loop does instead.
fn take(life: &mut Life, n: u32) -> Option<Action> {
    let action = life.phase.action().filter(|action| action.n == n)?.clone();
    match &mut life.phase {
        Phase::Paused(paused) => paused.held = None,
        Phase::Failed { tail, .. } => *tail = None,
        Phase::Acting(_)
        | Phase::Created
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Completed { .. } => {}
    }
    Some(action)
}

/// The streak, the errors, and what ended last.
fn note(body: &mut Body, kind: Kind, result: &ActionResult, at: At) {
    match result {
        ActionResult::Ok => {
            body.errors_in_row = 0;
            if let Some(work) = ready(body) {
                work.last_action = Some(kind);
                work.completed_actions.push(kind);
            }
        }
        ActionResult::Failed { message } | ActionResult::Blocked { message, .. } => {
            body.errors_in_row = body.errors_in_row.saturating_add(1);
            let entry = Entry { action: kind, message: message.clone(), at };
            let errors = match &mut body.progress {
                Progress::Fresh => return,
                Progress::Begun { errors, .. } => errors,
                Progress::Ready { work, .. } => {
                    work.last_action = Some(kind);
                    &mut work.errors
                }
            };
            errors.push(entry);
            if errors.len() > ERRORS_VIEW {
                errors.remove(0);
            }
        }
        ActionResult::Dropped => {}
    }
}

/// What the end means for the task it was about.
fn settle(body: &mut Body, action: &Action, result: &ActionResult, at: At) {
    let (Kind::Develop, Subject::Task { id }) = (action.kind, &action.subject) else { return };
    let Some(task) = find(body, id) else { return };
    task.status = match result {
        ActionResult::Ok => TaskStatus::Completed { at },
        ActionResult::Failed { message } => TaskStatus::Failed { at, error: message.clone() },
        ActionResult::Blocked { .. } | ActionResult::Dropped => TaskStatus::Pending,
    };
    task.updated_at = at;
    changed(&mut task.files_changed, &action.files_changed);
}

/// An action that will not go on gives its task back.
pub(super) fn release(body: &mut Body, action: &Action) {
    if let Subject::Task { id } = &action.subject
        && let Some(task) = find(body, id)
        && task.status == TaskStatus::InProgress
    {
        task.status = TaskStatus::Pending;
    }
}

fn by_kind(body: &mut Body, kind: Kind, action: Option<&Action>, result: &ActionResult, at: At) {
    match kind {
        Kind::Init => {}
        Kind::Validate => {
            if let Some(work) = body.work_mut() {
                work.last_run_at = Some(at);
            }
        }
        Kind::Develop => {
            staled(body, "develop");
            if let Some(work) = body.work_mut() {
                work.last_progress_at = Some(at);
            }
        }
        Kind::Debug => debugged(body, action, at),
        Kind::Complete => {
            // A digest that could not be read is a missed seal: it proves nothing either.
            if let (ActionResult::Failed { .. }, Some(work)) = (result, body.work_mut()) {
                work.seal_misses = work.seal_misses.saturating_add(1);
            }
        }
    }
}

fn debugged(body: &mut Body, action: Option<&Action>, at: At) {
    let sig = match action.map(|action| &action.subject) {
        Some(Subject::Problem { sig, .. }) => Some(sig.clone()),
        Some(Subject::Loop | Subject::Task { .. }) | None => None,
    };
    if let Some(sig) = &sig {
        body.rounds.entry(sig.clone()).or_default().debug += 1;
    }
    let Some(work) = body.work_mut() else { return };
    work.debug.iteration = work.debug.iteration.saturating_add(1);
    work.debug.last_analysis_at = Some(at);
    if let Some(found) = sig.and_then(|sig| likeliest(&work.debug.hypotheses, &sig)) {
        work.debug.confirmed = Some(found.id.clone());
    }
}

/// A validation takes the place of the one before, and judges the hypothesis that was acted on.
fn validated(body: &mut Body, validation: &Validation) {
    let sig = tests_problem(validation).map(|problem| problem.sig);
    let fix = sig.as_deref().and_then(|sig| applied(body, sig));
    let Some(work) = ready(body) else { return };
    work.tree_moves = if validation.fresh { 0 } else { work.tree_moves.saturating_add(1) };
    work.claimed_passed = false;
    if work.tests_task.as_ref().is_some_and(|task| task.verdict != validation.verdict) {
        work.tests_task = None;
    }
    if validation.passed() {
        work.debug.active_bug = None;
    } else if validation.verdict == Verdict::Failed {
        refuted(&mut work.debug, sig.as_deref(), fix.as_deref());
    }
    work.validation = Some(validation.clone());
}

/// The fix of a problem that was tried last, if it was done.
fn applied(body: &Body, sig: &str) -> Option<String> {
    let fixes = |task: &&Task| task.fixes.as_deref() == Some(sig);
    let last = body.listed().rev().find(fixes)?;
    matches!(last.status, TaskStatus::Completed { .. }).then(|| last.id.clone())
}

/// The same tests fail although the confirmed hypothesis was acted on, or others do. As long as
/// nothing was done about it, the same tests say nothing new of it.
fn refuted(debug: &mut Debug, sig: Option<&str>, fix: Option<&str>) {
    let Some(id) = debug.confirmed.take() else { return };
    let same = |h: &&mut Hypothesis| h.id == id && Some(h.problem.as_str()) == sig;
    match (debug.hypotheses.iter_mut().find(same), fix) {
        (Some(hypothesis), Some(fix)) => {
            hypothesis.status = HypothesisStatus::Inconclusive;
            hypothesis.verdict_reason = Some(format!("fix {fix} applied, still fails"));
        }
        (Some(_), None) => debug.confirmed = Some(id),
        (None, _) => {}
    }
}

/// The validation no longer speaks of this tree.
pub(super) fn staled(body: &mut Body, why: &str) {
    let Some(work) = body.work_mut() else { return };
    if why == "seal" {
        work.seal_misses = work.seal_misses.saturating_add(1);
    }
    if let Some(validation) = &mut work.validation {
        validation.fresh = false;
    }
}

/// A person vouches for exactly this run of exactly this tree.
pub(super) fn accepted(body: &mut Body, hash: &str) {
    if let Some(validation) = body.work_mut().and_then(|work| work.validation.as_mut())
        && validation.accept_hash == hash
    {
        validation.verdict = Verdict::Accepted;
    }
}

fn write_down(
    body: &mut Body,
    (n, kind): (u32, Kind),
    (action, run): (Option<&Action>, Option<Box<RunRecord>>),
    (result, counted, summary): (ActionResult, bool, String),
    at: At,
) {
    let task = match action.map(|action| &action.subject) {
        Some(Subject::Task { id }) => Some(id.clone()),
        Some(Subject::Loop | Subject::Problem { .. }) | None => None,
    };
    body.records.push(ActionRecord {
        n,
        iteration: body.iteration,
        kind,
        rule: action.map_or_else(|| String::from("report"), |action| action.rule.clone()),
        task,
        child: action.and_then(|action| action.last_child.clone()),
        started_at: action.map_or(at, |action| action.started_at),
        ended_at: at,
        result,
        counted,
        summary,
        files_changed: action.map(|action| action.files_changed.clone()).unwrap_or_default(),
        changes: action.map(|action| action.changes.clone()).unwrap_or_default(),
        run,
    });
    if body.records.len() > RECORDS_KEPT {
        body.records.remove(0);
    }
}
