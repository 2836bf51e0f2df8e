//! A batch in the making: each fact is made true on a copy at once, so that what follows it in the
//! same batch is decided from what it changed. There is no instant without an owner.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::command::Command;
use super::event::{Event, Halted};
use super::evolve;
use super::phase::{Doing, Failure, FixStep, OnFail, Phase, Step, Why, WorkResult};
use super::refusal::Refusal;
use super::rows::shared::what;
use super::setup::{OnFailure, Switch};
use super::standing::POLICY;
use super::state::{Life, NoteKind, Work};
use super::task::{CloseWhy, Status};
use crate::machine::{At, By, Said};

/// What a row answers.
pub(super) type Decision = Result<Vec<Event>, Refusal>;

/// A batch in the making.
pub(super) struct Batch<'a> {
    /// The lifecycle as the facts so far leave it.
    pub(super) life: Life,
    /// Who speaks.
    pub(super) by: &'a By,
    /// When.
    pub(super) at: At,
    events: Vec<Event>,
    /// The turn that was owed before, unless this is its end.
    turn: Option<String>,
}

/// Whether a finished queue may be closed without another look at the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    /// If no task is done: then there is no proof that could have gone stale unseen.
    AtOnce,
    /// The tree is looked at.
    Sealed,
}

impl<'a> Batch<'a> {
    pub(super) fn new(life: &Life, said: &'a Said<Command>) -> Self {
        let turn = life.turn_owed().filter(|key| key != what(&said.command));
        Self { life: life.clone(), by: &said.by, at: said.at, events: Vec::new(), turn }
    }

    pub(super) fn push(&mut self, event: Event) {
        evolve::apply(&mut self.life, &event, self.at);
        self.events.push(event);
    }

    /// The facts. A turn that is not owed any more goes on to its end: that is awaited.
    pub(super) fn done(mut self) -> Decision {
        if let Some(key) = self.turn.take()
            && self.life.phase.ended().is_none()
            && !self.life.owes_step(&key)
            && !self.life.settling().contains(&key)
        {
            self.push(Event::TurnLeft { key });
        }
        Ok(self.events)
    }

    pub(super) fn who(&self) -> String {
        self.by.word().into()
    }

    pub(super) fn work(&self) -> Option<&Work> {
        self.life.phase.work()
    }

    fn n(&self) -> u32 {
        self.life.body.next.n
    }

    /// Chooses what comes next: the first ready task, or the end.
    pub(super) fn advance(&mut self, close: Close) {
        let Some(work) = self.work() else { return };
        if let Some(task) = work.next_task() {
            let id = task.spec.id.clone();
            return self.start(&id);
        }
        for task in work.unreachable() {
            let (status, why) = (Status::Skipped, CloseWhy::Dependency);
            self.push(Event::TaskClosed { task, status, why });
        }
        // The digests on record are those of the last look. Files may have changed since then by
        // hands that no turn reports, so that a done task is never archived on their word.
        let done = |work: &Work| work.tasks.iter().any(|task| task.status == Status::Done);
        if close == Close::AtOnce && !self.work().is_some_and(done) {
            return self.all_done();
        }
        self.seal(0);
    }

    /// A queue that was about to be closed goes on, if there is something to do or to skip again.
    pub(super) fn reopen_queue(&mut self) {
        let closing = if let Phase::Executing(now) = &self.life.phase {
            matches!(now.doing, Doing::Seal { .. } | Doing::SealCheck { .. })
        } else {
            false
        };
        if closing && self.has_pending() {
            self.advance(Close::Sealed);
        }
    }

    pub(super) fn has_pending(&self) -> bool {
        let pending = |work: &Work| work.tasks.iter().any(|task| task.status == Status::Pending);
        self.work().is_some_and(pending)
    }

    /// A task leaves pending: the tree is kept first.
    fn start(&mut self, id: &str) {
        self.push(Event::TaskStarted { task: id.into() });
        self.save(id, None);
    }

    pub(super) fn save(&mut self, id: &str, guidance: Option<String>) {
        let step = Step::Save { n: self.n(), guidance };
        self.push(Event::StepBegan { doing: Doing::Task { task: id.into(), step } });
    }

    /// The tree is kept: the task is done, or only checked if somebody says that it is done.
    pub(super) fn begin_work(&mut self, id: &str, guidance: Option<String>) {
        let claimed = self
            .work()
            .and_then(|work| work.task(id))
            .is_some_and(|task| task.claim == Some(Status::Done));
        if claimed && guidance.is_none() {
            self.check(id, 0, OnFail::Turn);
        } else {
            self.turn(id, guidance);
        }
    }

    /// A turn at a task, if there is anything left to spend.
    pub(super) fn turn(&mut self, id: &str, guidance: Option<String>) {
        if self.spent_all() {
            return self.out_of_budget(id);
        }
        let step = Step::Turn { n: self.n(), guidance };
        self.push(Event::StepBegan { doing: Doing::Task { task: id.into(), step } });
    }

    fn spent_all(&self) -> bool {
        let (budget, spent) = (self.life.body.budget, self.life.body.spent);
        spent.turns >= budget.turns
            || spent.wall_ms >= budget.wall_ms
            || budget.cost_micros.is_some_and(|most| spent.cost_micros >= most)
    }

    fn out_of_budget(&mut self, id: &str) {
        self.halt(Halted { task: Some(id.into()), ..halted(Why::Budget) });
    }

    /// Checks from number `i` on.
    pub(super) fn check(&mut self, id: &str, i: u32, on_fail: OnFail) {
        let step = Step::Check { n: self.n(), i, on_fail, moved: false, rounds: 0 };
        self.push(Event::StepBegan { doing: Doing::Task { task: id.into(), step } });
    }

    pub(super) fn begin(&mut self, doing: Doing) {
        self.push(Event::StepBegan { doing });
    }

    pub(super) fn seal(&mut self, rounds: u32) {
        let n = self.n();
        self.begin(Doing::Seal { n, rounds });
    }

    /// Every task is closed and what proves it is fresh.
    pub(super) fn all_done(&mut self) {
        let all = |work: &Work| work.tasks.iter().all(|task| task.status == Status::Done);
        let result = match self.work() {
            Some(work) if all(work) => WorkResult::Completed,
            Some(_) | None => WorkResult::Partial,
        };
        self.push(Event::AllTasksDone { result });
    }

    /// The evidence of a task is there.
    pub(super) fn close(&mut self, id: &str) {
        let (status, why) = (Status::Done, CloseWhy::Evidence);
        self.push(Event::TaskClosed { task: id.into(), status, why });
        self.advance(Close::Sealed);
    }

    pub(super) fn halt(&mut self, halted: Halted) {
        self.push(Event::Halt { halted: Box::new(halted) });
    }

    pub(super) fn warn(&mut self, task: Option<&str>, text: String) {
        let (by, kind, task) = (self.who(), NoteKind::Warning, task.map(Into::into));
        self.push(Event::NoteTaken { by, kind, task, text });
    }

    /// A failure of a task that is not being fixed yet. The first failure is no fix.
    pub(super) fn detected(&mut self, id: &str, failure: Failure) {
        let failure = self.known(id, failure);
        let repeat = failure.repeat;
        let boxed = Box::new(failure.clone());
        self.push(Event::ErrorDetected { task: id.into(), failure: boxed });
        if repeat && self.life.body.begin.options.stop_on_repeat == Switch::On {
            return self.same_failure(id, failure);
        }
        self.next_fix(id, 0, failure);
    }

    /// A fix that failed.
    pub(super) fn fix_failed(&mut self, failure: Failure, files_changed: Vec<String>) {
        let Phase::AutoFix(fix) = &self.life.phase else { return };
        let (id, attempt) = (fix.task.clone(), fix.attempt);
        let failure = self.known(&id, failure);
        let repeat = failure.repeat;
        let boxed = Box::new(failure.clone());
        self.push(Event::FixAttempted { failure: boxed, files_changed });
        if repeat && self.life.body.begin.options.stop_on_repeat == Switch::On {
            return self.same_failure(&id, failure);
        }
        self.next_fix(&id, attempt, failure);
    }

    fn same_failure(&mut self, id: &str, failure: Failure) {
        let (task, failure) = (Some(id.into()), Some(failure));
        self.halt(Halted { task, failure, ..halted(Why::SameFailure) });
    }

    /// Whether this failure was seen before on this task.
    fn known(&self, id: &str, failure: Failure) -> Failure {
        let task = self.work().and_then(|work| work.task(id));
        let repeat = task.is_some_and(|task| task.seen.contains(&failure.signature));
        Failure { repeat, ..failure }
    }

    /// The next fix, or the end of fixing.
    fn next_fix(&mut self, id: &str, attempt: u32, failure: Failure) {
        let options = &self.life.body.begin.options;
        let total = self.work().map_or(0, |work| work.fixes_total);
        let of_task = self.work().and_then(|work| work.task(id)).map_or(0, |task| task.fixes);
        if attempt >= options.fix_limit
            || of_task >= options.fix_total_per_task
            || total >= options.fix_total_per_run
        {
            return self.give_up(id, failure);
        }
        if self.spent_all() {
            return self.out_of_budget(id);
        }
        let (attempt, step) = (attempt + 1, FixStep::Turn { k: self.life.body.next.k });
        self.push(Event::FixBegan { attempt, counts: true, step });
    }

    /// No fix is left: a person is needed, or the setting goes on without the task.
    fn give_up(&mut self, id: &str, failure: Failure) {
        let on_failure = self.life.body.begin.options.on_failure;
        self.push(Event::FixFailed3x { failure: Box::new(failure) });
        match on_failure {
            OnFailure::Stop => {}
            OnFailure::Continue => {
                let (by, task) = (POLICY.into(), id.into());
                let (status, satisfied) = (Status::Failed, false);
                self.push(Event::SkipTask { by, task, status, satisfied });
                self.skip_dependants(id);
                self.advance(Close::AtOnce);
            }
        }
    }

    /// Pending tasks that hang on this one are skipped with it.
    pub(super) fn skip_dependants(&mut self, id: &str) {
        let Some(work) = self.work() else { return };
        let open = |id: &String| work.task(id).is_some_and(|task| task.status == Status::Pending);
        let all: Vec<String> = work.dependants(id).into_iter().filter(open).collect();
        for task in all {
            let (status, why) = (Status::Skipped, CloseWhy::Dependency);
            self.push(Event::TaskClosed { task, status, why });
        }
    }
}

/// A halt with nothing more to say.
pub(super) const fn halted(why: Why) -> Halted {
    Halted {
        why,
        task: None,
        detail: String::new(),
        failure: None,
        reset_at: None,
        agent: None,
        unknown_call: None,
    }
}
