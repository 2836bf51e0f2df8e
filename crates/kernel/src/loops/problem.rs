//! What is wrong with the work, and whether it is done: pure readings of a body that the choice,
//! the people's commands and the views share. It chooses nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::phase::Phase;
use super::state::{Body, Course, Progress, Work};
use super::task::{Origin, Task, TaskStatus};
use super::validation::{TestResult, TestStatus, Validation, Verdict};

/// Something that is wrong, with the signature its attempts are counted under.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Problem {
    pub sig: String,
    pub text: String,
}

impl Body {
    /// What the first Start fixed, once there was one.
    #[must_use]
    pub const fn course(&self) -> Option<&Course> {
        match &self.progress {
            Progress::Fresh => None,
            Progress::Begun { course, .. } | Progress::Ready { course, .. } => Some(course),
        }
    }

    /// What exists once init has ended.
    #[must_use]
    pub const fn work(&self) -> Option<&Work> {
        match &self.progress {
            Progress::Fresh | Progress::Begun { .. } => None,
            Progress::Ready { work, .. } => Some(work),
        }
    }

    pub(super) const fn work_mut(&mut self) -> Option<&mut Work> {
        match &mut self.progress {
            Progress::Fresh | Progress::Begun { .. } => None,
            Progress::Ready { work, .. } => Some(work),
        }
    }

    /// The tasks by order.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Task> {
        self.tasks.iter().map(AsRef::as_ref)
    }

    /// The task of either id.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.listed().find(|task| task.id == id || task.task_id == id)
    }

    /// The task to develop next: the first that is not finished.
    #[must_use]
    pub fn first_pending(&self) -> Option<&Task> {
        self.listed()
            .find(|task| matches!(task.status, TaskStatus::Pending | TaskStatus::InProgress))
    }

    /// Whether no counted action fits any more; a held counted one has its place already.
    #[must_use]
    pub fn at_limit(&self, phase: &Phase) -> bool {
        self.iteration.saturating_add(held_count(phase)) >= self.max_iterations
    }
}

/// One while a counted action is held or under way.
pub(super) fn held_count(phase: &Phase) -> u32 {
    u32::from(phase.action().is_some_and(|action| action.kind.counted()))
}

impl Work {
    /// The last validation, if nothing has changed since. A tree that debugging changed and has
    /// not put back is not the tree that was validated.
    #[must_use]
    pub fn fresh(&self) -> Option<&Validation> {
        self.validation.as_ref().filter(|found| found.fresh && self.debug.restore_owed.is_none())
    }
}

impl Validation {
    /// Whether it proves the work: passed, or accepted by a person.
    #[must_use]
    pub const fn passed(&self) -> bool {
        match self.verdict {
            Verdict::Passed | Verdict::Accepted => true,
            Verdict::Failed
            | Verdict::DefinitionChanged
            | Verdict::NoTests
            | Verdict::Unparsed
            | Verdict::CoverageBelow => false,
        }
    }
}

/// Whether a failed task still waits for its fix. An appended fix or test task is never open
/// itself: its problem is the one it was to fix.
pub(super) fn open_failed(body: &Body, task: &Task) -> bool {
    let own = match task.origin {
        Origin::Fix | Origin::Tests => false,
        Origin::Queue | Origin::Breakdown | Origin::Outside => true,
    };
    let sig = task_sig(&task.id);
    own && matches!(task.status, TaskStatus::Failed { .. })
        && !body.tasks.iter().any(|fix| {
            fix.fixes.as_deref() == Some(sig.as_str())
                && matches!(fix.status, TaskStatus::Completed { .. })
        })
}

/// Rule A3: nothing is pending or open, and the validation is fresh and passed.
#[must_use]
pub fn done(body: &Body) -> bool {
    body.first_pending().is_none()
        && !body.tasks.iter().any(|task| open_failed(body, task))
        && body.work().and_then(Work::fresh).is_some_and(Validation::passed)
}

/// What is wrong now, if anything: the first open failed task, else the failed tests of a fresh
/// validation.
#[must_use]
pub fn problem(body: &Body) -> Option<Problem> {
    if let Some(task) = body.tasks.iter().find(|task| open_failed(body, task)) {
        let text = match &task.status {
            TaskStatus::Failed { error, .. } => format!("{}: {error}", task.id),
            TaskStatus::Pending | TaskStatus::InProgress | TaskStatus::Completed { .. } => {
                task.description.clone()
            }
        };
        return Some(Problem { sig: task_sig(&task.id), text });
    }
    let validation = body.work()?.fresh()?;
    match validation.verdict {
        Verdict::Failed => tests_problem(validation),
        Verdict::DefinitionChanged
        | Verdict::NoTests
        | Verdict::Unparsed
        | Verdict::CoverageBelow
        | Verdict::Passed
        | Verdict::Accepted => None,
    }
}

/// The problem that a validation's failed tests are.
pub(super) fn tests_problem(validation: &Validation) -> Option<Problem> {
    let mut failed: Vec<&TestResult> =
        validation.results.iter().filter(|r| r.status == TestStatus::Failed).collect();
    let first = failed.first()?;
    let line = first.error_message.as_deref().and_then(|text| text.lines().next()).unwrap_or("");
    let text = match line {
        "" => first.test_name.clone(),
        line => format!("{}: {line}", first.test_name),
    };
    failed.sort_by(|a, b| (&a.suite, &a.test_name).cmp(&(&b.suite, &b.test_name)));
    let names: Vec<_> = failed.iter().map(|r| json!([r.suite, r.test_name])).collect();
    Some(Problem { sig: format!("tests:{}", crate::hash::of_json(&json!(names))), text })
}

/// The signature of a task's own failure.
pub(super) fn task_sig(id: &str) -> String {
    format!("task:{id}")
}

/// The signature of a problem that a person described.
pub(super) fn text_sig(text: &str) -> String {
    format!("text:{}", crate::hash::sha256_hex(text.as_bytes()))
}
