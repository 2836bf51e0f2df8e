//! The end of an action: what is recorded of it and what it makes the loop do. The rules of the
//! choice are in `choose`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::{ERROR_MAX, SEAL_MISSES_MAX, SUMMARY_MAX, TASKS_MAX, TREE_MOVES_MAX, cut};
use super::choose::Rule;
use super::draft::{Draft, Stopover};
use super::event::{ActionResult, Event};
use super::legs::Standing;
use super::merge;
use super::phase::{Action, FailKind, How, Kind, PauseReason, Reset, Subject};
use super::problem::done;
use super::state::{Hypothesis, HypothesisStatus};
use super::task::{OnError, Origin, Task, TaskStatus};
use super::validation::Validation;
use crate::call::Failure;
use crate::machine::At;

/// The legs of the action are done.
pub(super) fn action(draft: &mut Draft<'_>) {
    let standing = Standing::of(&draft.life.phase);
    let Some(action) = draft.life.phase.action().cloned() else { return };
    if let Some(block) = &action.block {
        return blocked(draft, standing, &block.failure, block.reset_at);
    }
    if let Some(failure) = &action.failure {
        return failed(draft, standing, failure);
    }
    match action.kind {
        Kind::Complete => sealed(draft, standing, &action),
        Kind::Validate => validated(draft, standing, &action),
        Kind::Debug => debugged(draft, standing, &action),
        Kind::Init | Kind::Develop => {
            record(draft, &action, ActionResult::Ok, action.summary.clone(), None);
            go_on(draft, standing);
        }
    }
}

fn record(
    draft: &mut Draft<'_>,
    action: &Action,
    result: ActionResult,
    summary: String,
    validation: Option<Box<Validation>>,
) {
    draft.push(Event::ActionEnded {
        n: action.n,
        kind: action.kind,
        result,
        counted: action.kind.counted(),
        summary: cut(&summary, SUMMARY_MAX),
        validation,
    });
}

/// Only a running loop chooses: a late end never moves a paused or failed one.
fn go_on(draft: &mut Draft<'_>, standing: Standing) {
    match standing {
        Standing::Acting => draft.next(),
        Standing::Held | Standing::Cut | Standing::Tail => {}
    }
}

/// The digest was read: it must be the validated one, or the proof is about another tree.
fn sealed(draft: &mut Draft<'_>, standing: Standing, action: &Action) {
    let validated = draft.life.body.work().and_then(|work| work.fresh());
    let digest = validated.map(|validation| validation.digest.clone());
    let same = digest.is_some() && digest == action.sealed;
    match (same, standing) {
        (true, Standing::Acting) if done(&draft.life.body) => {
            record(draft, action, ActionResult::Ok, String::new(), None);
            draft.push(Event::LoopCompleted {
                how: How::Validated { digest: digest.unwrap_or_default() },
            });
        }
        // A task was added while the digest was read: the proof holds, the work is not done.
        (true, Standing::Acting) => {
            draft.push(Event::ActionDropped { n: action.n });
            draft.next();
        }
        (true, Standing::Held | Standing::Cut | Standing::Tail) => {
            draft.push(Event::ActionDropped { n: action.n });
        }
        (false, Standing::Acting | Standing::Held | Standing::Cut | Standing::Tail) => {
            draft.push(Event::ActionDropped { n: action.n });
            draft.stale("seal");
            missed(draft, standing);
        }
    }
}

/// A seal that differs or could not be read counts as missed; the second one is for a person.
fn missed(draft: &mut Draft<'_>, standing: Standing) {
    let misses = draft.life.body.work().map_or(0, |work| work.seal_misses);
    match standing {
        Standing::Acting if misses >= SEAL_MISSES_MAX => {
            draft.pause(Stopover::new(PauseReason::TreeMoving, "seal".into()), None);
        }
        Standing::Acting | Standing::Held | Standing::Cut | Standing::Tail => {
            go_on(draft, standing);
        }
    }
}

fn validated(draft: &mut Draft<'_>, standing: Standing, action: &Action) {
    let Some(course) = draft.life.body.course() else { return };
    let validation = merge::merge(&course.checks, &course.settings, &action.reports, draft.at);
    let summary = merge::summary(&validation);
    record(draft, action, ActionResult::Ok, summary, Some(Box::new(validation)));
    let moves = draft.life.body.work().map_or(0, |work| work.tree_moves);
    match standing {
        Standing::Acting if moves >= TREE_MOVES_MAX => {
            draft.pause(Stopover::new(PauseReason::TreeMoving, "validate".into()), None);
        }
        // Complete asked for this validation; it passed, so the seal follows.
        Standing::Acting if action.rule == Rule::Complete.word() && done(&draft.life.body) => {
            draft.act(Kind::Complete, Subject::Loop, Rule::Complete);
        }
        Standing::Acting | Standing::Held | Standing::Cut | Standing::Tail => {
            go_on(draft, standing);
        }
    }
}

/// What a round of debugging came to, as facts.
fn judged(all: &[Hypothesis], sig: &str) -> String {
    let about = all.iter().filter(|one| one.problem == sig);
    let told: Vec<String> = about.map(|one| format!("{} {}", one.id, one.status.word())).collect();
    told.join(", ")
}

fn debugged(draft: &mut Draft<'_>, standing: Standing, action: &Action) {
    let Subject::Problem { sig, .. } = &action.subject else {
        record(draft, action, ActionResult::Ok, String::new(), None);
        return go_on(draft, standing);
    };
    let summary = draft.life.body.work().map(|work| judged(&work.debug.hypotheses, sig));
    let summary = summary.unwrap_or_default();
    record(draft, action, ActionResult::Ok, summary, None);
    append_fix(draft, action);
    go_on(draft, standing);
}

/// A confirmed hypothesis appends its fix at once, however the debugging that confirmed it ended,
/// so that it is developed and validated again.
fn append_fix(draft: &mut Draft<'_>, action: &Action) {
    let (Kind::Debug, Subject::Problem { sig, .. }) = (action.kind, &action.subject) else {
        return;
    };
    let body = &draft.life.body;
    let found = body.work().and_then(|work| likeliest(&work.debug.hypotheses, sig));
    let waits = |task: &Task| {
        task.origin == Origin::Fix
            && task.fixes.as_deref() == Some(sig.as_str())
            && task.status == TaskStatus::Pending
    };
    if let Some(h) = found
        && body.tasks.len() < TASKS_MAX
        && !body.listed().any(waits)
    {
        let description = format!("Fix {}: {}", h.id, h.description);
        draft.append(description, Origin::Fix, Some(sig.clone()));
    }
}

/// The likeliest confirmed hypothesis of a problem.
pub(super) fn likeliest<'a>(all: &'a [Hypothesis], sig: &str) -> Option<&'a Hypothesis> {
    all.iter()
        .filter(|h| h.problem == sig && h.status == HypothesisStatus::Confirmed)
        .min_by_key(|h| h.likelihood)
}

/// One line of a failure: its code, and the evidence if there is any.
pub(super) fn message(failure: &Failure) -> String {
    let told = [failure.detail.as_str(), failure.kind.as_str()];
    let text = match told.into_iter().find(|text| !text.is_empty()).unwrap_or_default() {
        "" => failure.code.clone(),
        detail => format!("{}: {detail}", failure.code),
    };
    cut(&text, ERROR_MAX)
}

/// A leg failed or timed out, and with it the action.
pub(super) fn failed(draft: &mut Draft<'_>, standing: Standing, failure: &Failure) {
    let Some(action) = draft.life.phase.action().cloned() else { return };
    let message = message(failure);
    record(
        draft,
        &action,
        ActionResult::Failed { message: message.clone() },
        message.clone(),
        None,
    );
    append_fix(draft, &action);
    match (standing, action.kind) {
        (Standing::Acting, Kind::Complete) => missed(draft, standing),
        (Standing::Acting, Kind::Develop) => develop_failed(draft, &action, &message),
        (Standing::Acting, Kind::Init | Kind::Debug | Kind::Validate) => draft.next(),
        (Standing::Held | Standing::Cut | Standing::Tail, _) => {}
    }
}

/// What a failed task does to its loop is its own setting, else the loop's.
fn develop_failed(draft: &mut Draft<'_>, action: &Action, message: &str) {
    let Subject::Task { id } = &action.subject else { return draft.next() };
    let body = &draft.life.body;
    let standard = body.course().map_or(OnError::Continue, |course| course.settings.on_error);
    match body.task(id).and_then(|task| task.on_error).unwrap_or(standard) {
        OnError::Continue => draft.next(),
        OnError::Pause => {
            let detail = format!("{id}: {message}");
            draft.pause(Stopover::new(PauseReason::TaskFailed, detail), None);
        }
        OnError::FailFast => {
            draft.fail(FailKind::FailFast, format!("{id} failed: {message}"), None);
        }
    }
}

/// Nothing is wrong with the work: it could not be done here and now.
pub(super) fn blocked(
    draft: &mut Draft<'_>,
    standing: Standing,
    failure: &Failure,
    reset_at: Option<At>,
) {
    let Some(action) = draft.life.phase.action().cloned() else { return };
    let tool = tool_of(draft, &action);
    let failure = &named(failure, &tool);
    let message = message(failure);
    let result = ActionResult::Blocked { code: failure.code.clone(), message: message.clone() };
    record(draft, &action, result, message, None);
    append_fix(draft, &action);
    match standing {
        Standing::Acting => {
            let course = draft.life.body.course();
            let wakes = course.is_some_and(|c| c.settings.resume_at_reset.contains(&tool));
            let reset =
                reset_at.map(|at| Reset { at, wake: wakes.then_some(draft.life.body.next_n) });
            let code = Some(failure.code.clone());
            let detail = failure.detail.clone();
            let stop = Stopover { code, reset, ..Stopover::new(PauseReason::Blocked, detail) };
            draft.pause(stop, None);
        }
        Standing::Held | Standing::Cut | Standing::Tail => {}
    }
}

/// A turn below does not say which agent it missed; the loop knows whom it asked for.
fn named(failure: &Failure, tool: &str) -> Failure {
    let detail = if failure.code == NO_AGENT { tool.into() } else { failure.detail.clone() };
    Failure { detail, ..failure.clone() }
}

/// An agent that is not there.
const NO_AGENT: &str = "E001";

fn tool_of(draft: &Draft<'_>, action: &Action) -> String {
    let body = &draft.life.body;
    let own = match &action.subject {
        Subject::Task { id } => body.task(id).map(|task| task.tool.clone()),
        Subject::Loop | Subject::Problem { .. } => None,
    };
    own.or_else(|| body.course().map(|course| course.settings.default_tool.clone()))
        .unwrap_or_default()
}

/// Someone stopped the child: nothing is counted and its task is pending again.
pub(super) fn dropped(draft: &mut Draft<'_>, standing: Standing) {
    let Some(action) = draft.life.phase.action().cloned() else { return };
    draft.push(Event::ActionDropped { n: action.n });
    match standing {
        Standing::Acting => {
            let detail = format!("a{}", action.n);
            draft.pause(Stopover::new(PauseReason::ChildCancelled, detail), None);
        }
        Standing::Held | Standing::Cut | Standing::Tail => {}
    }
}
