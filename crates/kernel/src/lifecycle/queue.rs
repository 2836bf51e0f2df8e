//! What follows from the tasks: which is ready, which waits, which can never be reached, and what
//! of their evidence is fresh. Derived, never stored.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::check::{ARTIFACT, Check, CheckSource, Evidence, Level, Verdict};
use super::state::Work;
use super::task::{Status, Task, Verify};

impl Work {
    /// The task of that id, compared whole.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.spec.id == id).map(AsRef::as_ref)
    }

    pub(super) fn task_mut(&mut self, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.spec.id == id).map(Arc::make_mut)
    }

    /// Whether something that a task needs was given up, however far. Each task is looked at once,
    /// however many ways lead to it; what only waits for itself is never reached.
    fn is_lost<'a>(&'a self, task: &'a Task, known: &mut BTreeMap<&'a str, bool>) -> bool {
        if let Some(lost) = known.get(task.spec.id.as_str()) {
            return *lost;
        }
        known.insert(&task.spec.id, true);
        let lost = task.spec.depends.iter().any(|need| match self.task(need) {
            None => true,
            Some(other) if other.satisfies() => false,
            Some(other) => match other.status {
                Status::Failed | Status::Skipped | Status::Blocked => true,
                Status::Pending | Status::InProgress => self.is_lost(other, known),
                Status::Done => false,
            },
        });
        known.insert(&task.spec.id, lost);
        lost
    }

    /// Whether everything that a task needs is done.
    #[must_use]
    pub fn is_ready(&self, task: &Task) -> bool {
        task.status == Status::Pending && self.waiting_on(task).is_empty()
    }

    /// What a task waits for.
    #[must_use]
    pub fn waiting_on(&self, task: &Task) -> Vec<String> {
        let open = |id: &&String| !self.task(id).is_some_and(Task::satisfies);
        task.spec.depends.iter().filter(open).cloned().collect()
    }

    /// The first task that may start.
    #[must_use]
    pub fn next_task(&self) -> Option<&Task> {
        self.tasks.iter().map(AsRef::as_ref).find(|task| self.is_ready(task))
    }

    /// Pending tasks that can never be reached.
    #[must_use]
    pub fn unreachable(&self) -> Vec<String> {
        let mut known = BTreeMap::new();
        let pending = self.tasks.iter().filter(|task| task.status == Status::Pending);
        let lost =
            pending.filter(|task| self.is_lost(task, &mut known)).map(|task| task.spec.id.clone());
        lost.collect()
    }

    /// Tasks that hang on this one, however far, in the order of the document.
    #[must_use]
    pub fn dependants(&self, id: &str) -> Vec<String> {
        let mut found: Vec<&str> = vec![id];
        loop {
            let hangs = |task: &&Arc<Task>| {
                !found.contains(&task.spec.id.as_str())
                    && task.spec.depends.iter().any(|need| found.contains(&need.as_str()))
            };
            let Some(next) = self.tasks.iter().find(hangs) else { break };
            found.push(&next.spec.id);
        }
        let hanging =
            |task: &&Arc<Task>| task.spec.id != id && found.contains(&task.spec.id.as_str());
        self.tasks.iter().filter(hanging).map(|task| task.spec.id.clone()).collect()
    }

    /// The checks of a task: its own, else the plan's, else a look at its files.
    #[must_use]
    pub fn checks_of(&self, task: &Task) -> Vec<Check> {
        let checks = match &task.spec.verify {
            Verify::Checks(checks) => checks,
            Verify::Inherit => &self.plan.checks,
        };
        if checks.is_empty() { vec![artifact(task)] } else { checks.clone() }
    }

    /// The check of that id, with the tasks that use it.
    #[must_use]
    pub fn check(&self, id: &str) -> Option<(Check, Vec<String>)> {
        let mut found = None;
        let mut users = Vec::new();
        for task in &self.tasks {
            if let Some(check) = self.checks_of(task).into_iter().find(|check| check.id == id) {
                found = Some(check);
                users.push(task.spec.id.clone());
            }
        }
        found.map(|check| (check, users))
    }

    /// The record of that id.
    #[must_use]
    pub fn record(&self, id: &str) -> Option<&Evidence> {
        self.evidence.iter().find(|evidence| evidence.evidence_id == id).map(AsRef::as_ref)
    }

    /// The digest of a set of files as it was last seen.
    #[must_use]
    pub fn digest(&self, covers: &[String]) -> Option<&str> {
        let seen = self.digests.iter().find(|digest| digest.covers == covers);
        seen.map(|digest| digest.digest.as_str())
    }

    /// Whether a record speaks of the files as they were last seen. One of a tree that could not be
    /// read speaks of none.
    #[must_use]
    pub fn fresh(&self, evidence: &Evidence) -> bool {
        !evidence.void
            && !evidence.digest.is_empty()
            && self.digest(&evidence.covers) == Some(evidence.digest.as_str())
    }

    /// Whether a task has a fresh pass of a check.
    #[must_use]
    pub fn passed(&self, task: &Task, check: &Check) -> bool {
        let records = task.evidence.iter().rev().filter_map(|id| self.record(id));
        let mut own = records.filter(|evidence| evidence.check_id == check.id);
        own.next().is_some_and(|evidence| {
            let enough = match evidence.verdict {
                Verdict::Pass => true,
                Verdict::Empty => self.may_be_empty(check),
                Verdict::Fail | Verdict::Moved | Verdict::Unavailable | Verdict::NotRun => false,
            };
            enough && self.fresh(evidence)
        })
    }

    /// Whether a check that ran no test is only a warning: nobody named it, and it never had any.
    fn may_be_empty(&self, check: &Check) -> bool {
        let found = match check.source {
            CheckSource::Plan | CheckSource::Detected => true,
            CheckSource::Task | CheckSource::Config | CheckSource::Fallback => false,
        };
        found && !self.had_tests(&check.id)
    }

    /// The first required check of a task without a fresh pass.
    #[must_use]
    pub fn missing(&self, task: &Task) -> Option<u32> {
        let lacks = |check: &Check| check.required && !self.passed(task, check);
        let at = self.checks_of(task).iter().position(lacks)?;
        u32::try_from(at).ok()
    }

    /// Checks of done tasks that have no fresh pass, each once.
    #[must_use]
    pub fn stale_checks(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for task in self.tasks.iter().filter(|task| task.status == Status::Done) {
            for check in self.checks_of(task) {
                if check.required && !self.passed(task, &check) && !found.contains(&check.id) {
                    found.push(check.id);
                }
            }
        }
        found
    }

    /// The done task closed last that uses a check.
    #[must_use]
    pub fn closed_last(&self, check: &str) -> Option<&Task> {
        let uses = |task: &&Task| {
            task.status == Status::Done && self.checks_of(task).iter().any(|one| one.id == check)
        };
        let done = self.tasks.iter().map(AsRef::as_ref).filter(uses);
        done.max_by_key(|task| task.ended_at)
    }

    /// Sets of files that evidence in use speaks of, each once.
    #[must_use]
    pub fn covers_in_use(&self) -> Vec<Vec<String>> {
        let mut found: Vec<Vec<String>> = Vec::new();
        for task in self.tasks.iter().filter(|task| task.status == Status::Done) {
            for check in self.checks_of(task) {
                if !found.contains(&check.covers) {
                    found.push(check.covers);
                }
            }
        }
        found
    }

    /// Whether every task is closed.
    #[must_use]
    pub fn all_closed(&self) -> bool {
        self.tasks.iter().all(|task| task.status.closed())
    }
}

/// The look at the files of a task that no command checks. Its files are those that it names or
/// has changed; one that names none covers everything.
fn artifact(task: &Task) -> Check {
    let mut covers = task.spec.files.clone();
    for path in &task.files_changed {
        if !covers.contains(path) {
            covers.push(path.clone());
        }
    }
    if covers.is_empty() {
        covers.push("**".into());
    }
    Check {
        id: alloc::format!("{ARTIFACT}/{}", task.spec.id),
        argv: Vec::new(),
        cwd: ".".into(),
        level: Level::Custom,
        required: true,
        timeout_s: 0,
        covers,
        source: CheckSource::Fallback,
        definition_hash: None,
    }
}

impl Check {
    /// Whether it is a look at files and no command.
    #[must_use]
    pub const fn is_look(&self) -> bool {
        match self.source {
            CheckSource::Fallback => true,
            CheckSource::Task | CheckSource::Config | CheckSource::Plan | CheckSource::Detected => {
                false
            }
        }
    }
}
