//! Draws the document of a loop from its state and nothing else.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::super::bounds::ERRORS_VIEW;
use super::super::labels::Priority;
use super::super::phase::{Action, How, Kind, Paused, Phase, Subject};
use super::super::problem::problem;
use super::super::state::{Body, Driver, Entry, Hypothesis, Life, Progress, Work};
use super::super::task::{Task, TaskMode, TaskStatus};
use super::super::validation::{TestResult, Validation};
use super::document::{
    ActionExt, Completion, CountsExt, Criteria, DebugState, DevelopState, DevelopTask, Document,
    ErrorEntry, HypothesisExt, HypothesisView, LoopExt, PauseExt, ProblemExt, SkillExt, SkillState,
    TaskExt, Tenths, TestResultView, ValidateExt, ValidateState,
};
use super::time::rfc3339;
use crate::machine::At;

/// The document as one value. Object keys are unordered in a `Value`; files use `draw_text`.
#[must_use]
pub fn draw(life: &Life, rev: u64) -> Value {
    serde_json::to_value(document(life, rev)).unwrap_or(Value::Null)
}

/// The bytes of `.loop/{id}.json`: the seed's field order, LF at the end.
#[must_use]
pub fn draw_text(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

/// The document; `rev` is the run's sequence number when it is drawn.
#[must_use]
pub fn document(life: &Life, rev: u64) -> Document {
    let Life { body, phase } = life;
    let (completed_at, failure_reason) = match phase {
        Phase::Completed { at, .. } => (Some(rfc3339(*at)), None),
        Phase::Failed { at, reason, .. } => (Some(rfc3339(*at)), Some(reason.clone())),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Paused(_) => (None, None),
    };
    Document {
        loop_id: body.id.clone(),
        title: body.title.clone(),
        description: body.description.clone(),
        max_iterations: body.max_iterations,
        status: phase.status(),
        current_iteration: body.iteration,
        created_at: rfc3339(body.created_at),
        updated_at: rfc3339(body.updated_at),
        completed_at,
        failure_reason,
        skill_state: skill_state(life),
        tags: body.labels.tags.clone(),
        priority: body.labels.priority.map(Priority::word),
        notes: body.labels.notes.clone(),
        ext: ext(life, rev),
    }
}

/// The action whose child is, or is about to be, at work.
fn in_flight(phase: &Phase) -> Option<&Action> {
    match phase {
        Phase::Acting(action) => Some(action),
        Phase::Created
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => phase.action().filter(|action| action.child.is_some()),
    }
}

fn skill_state(life: &Life) -> Option<SkillState> {
    let Life { body, phase } = life;
    let unborn = Work::default();
    let (course, work, errors, last) = match &body.progress {
        Progress::Fresh => return None,
        Progress::Begun { course, errors } => {
            (course, &unborn, errors, errors.last().map(|entry| entry.action))
        }
        Progress::Ready { course, work } => (course, work, &work.errors, work.last_action),
    };
    let flying = in_flight(phase);
    let current = match phase {
        Phase::Completed { .. } => Some(Kind::Complete),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Lent { .. }
        | Phase::Paused(_)
        | Phase::Failed { .. } => flying.map(|action| action.kind),
    };
    Some(SkillState {
        current_action: current.map(Kind::word),
        last_action: last.map(Kind::action_word),
        completed_actions: work.completed_actions.iter().map(|kind| kind.action_word()).collect(),
        mode: course.mode.word(),
        develop: develop(body, work, flying),
        debug: debug(work),
        validate: validate(work),
        errors: errors.iter().rev().take(ERRORS_VIEW).rev().map(error).collect(),
        ext: SkillExt {
            errors_in_row: body.errors_in_row,
            problem: problem(body).map(|found| ProblemExt { sig: found.sig, text: found.text }),
            validate: work.validation.as_ref().map(|found| validate_ext(work, found)),
            instrumented: work.debug.in_tree(),
        },
    })
}

fn error(entry: &Entry) -> ErrorEntry {
    ErrorEntry {
        action: entry.action.action_word(),
        message: entry.message.clone(),
        timestamp: rfc3339(entry.at),
    }
}

fn develop(body: &Body, work: &Work, flying: Option<&Action>) -> DevelopState {
    let current_task = match flying.map(|action| &action.subject) {
        Some(Subject::Task { id }) => Some(id.clone()),
        Some(Subject::Loop | Subject::Problem { .. }) | None => None,
    };
    let tasks = &body.tasks;
    DevelopState {
        total: tasks.len(),
        completed: tasks.iter().filter(|task| completed(task).is_some()).count(),
        current_task,
        tasks: tasks.iter().enumerate().map(|(order, task)| develop_task(order, task)).collect(),
        last_progress_at: work.last_progress_at.map(rfc3339),
    }
}

const fn completed(task: &Task) -> Option<At> {
    match task.status {
        TaskStatus::Completed { at } => Some(at),
        TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Failed { .. } => None,
    }
}

fn develop_task(order: usize, task: &Task) -> DevelopTask {
    DevelopTask {
        id: task.id.clone(),
        description: task.description.clone(),
        tool: task.tool.clone(),
        mode: match task.mode {
            // The seed's develop list knows two modes; the control side keeps the third.
            TaskMode::Analysis | TaskMode::Review => TaskMode::Analysis.word(),
            TaskMode::Write => TaskMode::Write.word(),
        },
        status: task.status.word(),
        files_changed: task.files_changed.clone(),
        created_at: rfc3339(task.created_at),
        completed_at: completed(task).map(rfc3339),
        ext: TaskExt {
            task_id: task.task_id.clone(),
            order,
            origin: task.origin.word(),
            prompt_template: task.prompt_template.clone(),
            command: task.command.clone(),
            on_error: task.on_error.map(|on_error| on_error.word()),
            fixes: task.fixes.clone(),
            error: match &task.status {
                TaskStatus::Failed { error, .. } => Some(error.clone()),
                TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Completed { .. } => None,
            },
        },
    }
}

fn debug(work: &Work) -> DebugState {
    let debug = &work.debug;
    DebugState {
        active_bug: debug.active_bug.clone(),
        hypotheses_count: debug.hypotheses.len(),
        hypotheses: debug.hypotheses.iter().map(hypothesis).collect(),
        confirmed_hypothesis: debug.confirmed.clone(),
        iteration: debug.iteration,
        last_analysis_at: debug.last_analysis_at.map(rfc3339),
    }
}

fn hypothesis(one: &Hypothesis) -> HypothesisView {
    HypothesisView {
        id: one.id.clone(),
        description: one.description.clone(),
        testable_condition: one.testable_condition.clone(),
        logging_point: one.logging_point.clone(),
        evidence_criteria: Criteria { confirm: one.confirm.clone(), reject: one.reject.clone() },
        likelihood: one.likelihood,
        status: one.status.word(),
        evidence: one.evidence.clone(),
        verdict_reason: one.verdict_reason.clone(),
        ext: HypothesisExt { problem: one.problem.clone(), round: one.round },
    }
}

fn validate(work: &Work) -> ValidateState {
    let last = work.validation.as_ref();
    ValidateState {
        pass_rate: Tenths(last.map_or(0, |found| found.pass_rate_tenths)),
        coverage: Tenths(last.map_or(0, |found| found.coverage_tenths)),
        test_results: last.map(|found| results(&found.results)).unwrap_or_default(),
        passed: last.is_some_and(Validation::passed) || work.claimed_passed,
        failed_tests: last.map(|found| found.failed_tests.clone()).unwrap_or_default(),
        last_run_at: work.last_run_at.map(rfc3339),
    }
}

fn results(all: &[TestResult]) -> Vec<TestResultView> {
    let one = |result: &TestResult| TestResultView {
        test_name: result.test_name.clone(),
        suite: result.suite.clone(),
        status: result.status.word(),
        duration_ms: result.duration_ms,
        error_message: result.error_message.clone(),
        stack_trace: result.stack_trace.clone(),
    };
    all.iter().map(one).collect()
}

fn validate_ext(work: &Work, found: &Validation) -> ValidateExt {
    ValidateExt {
        verdict: found.verdict.word(),
        pass_rate_known: found.pass_rate_known,
        coverage_available: found.coverage_available,
        counts: CountsExt {
            total: found.counts.total,
            passed: found.counts.passed,
            failed: found.counts.failed,
            skipped: found.counts.skipped,
        },
        duration_ms: found.duration_ms,
        argv: found.argv.clone(),
        digest: found.digest.clone(),
        fresh: work.fresh().is_some(),
        truncated: found.truncated,
    }
}

fn ext(life: &Life, rev: u64) -> LoopExt {
    let Life { body, phase } = life;
    let (driver, runner) = match body.course().map(|course| &course.driver) {
        Some(Driver::External { runner }) => ("external", runner.clone()),
        Some(Driver::Engine) | None => ("engine", None),
    };
    let runner = match phase {
        Phase::Lent { runner, .. } => runner.clone(),
        Phase::Created
        | Phase::Acting(_)
        | Phase::Choosing { .. }
        | Phase::Paused(_)
        | Phase::Completed { .. }
        | Phase::Failed { .. } => runner,
    };
    let action = phase.action().map(|action| ActionExt {
        n: action.n,
        leg: action.leg().map(|leg| leg.word()),
        child: action.child.clone(),
    });
    let (pause, failure_kind, completion) = match phase {
        Phase::Paused(paused) => (Some(pause_ext(paused)), None, None),
        Phase::Failed { kind, .. } => (None, Some(kind.word()), None),
        Phase::Completed { how, .. } => (None, None, Some(completion(how))),
        Phase::Created | Phase::Acting(_) | Phase::Choosing { .. } | Phase::Lent { .. } => {
            (None, None, None)
        }
    };
    LoopExt {
        rev,
        driver,
        runner,
        action,
        pause,
        failure_kind,
        completion,
        waiting: None,
        unknown_calls: Vec::new(),
        parent: body.parent.clone(),
        imported_from: body.imported_from.clone(),
    }
}

fn pause_ext(paused: &Paused) -> PauseExt {
    PauseExt {
        reason: paused.reason.word(),
        by: paused.by.clone(),
        at: rfc3339(paused.at),
        code: paused.code.clone(),
        reset_at: paused.reset.map(|reset| rfc3339(reset.at)),
        draining: paused.live().is_some(),
    }
}

fn completion(how: &How) -> Completion {
    match how {
        How::Validated { digest } => {
            Completion { how: "validated", by: None, why: None, digest: Some(digest.clone()) }
        }
        How::Forced { by, why } => {
            Completion { how: "forced", by: Some(by.clone()), why: Some(why.clone()), digest: None }
        }
        How::Imported { .. } => Completion { how: "imported", by: None, why: None, digest: None },
    }
}
