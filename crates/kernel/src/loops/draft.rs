//! A batch in the making: each fact is made true on a copy at once, so that what follows it in the
//! same batch is decided from what it changed. There is no instant without an owner.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds;
use super::choose::{Choice, Chosen, Rule, choose};
use super::command::Command;
use super::event::{Event, Hold, Place};
use super::evolve;
use super::finish;
use super::legs;
use super::phase::{FailKind, Kind, PauseReason, Phase, Reset, Subject};
use super::refusal::Refusal;
use super::state::{Driver, Life};
use super::task::{Origin, Task, TaskMode, TaskStatus};
use super::validation::Verdict;
use crate::machine::{At, By, Said};
use crate::policy::grant::Pin;

/// What a row answers.
pub(super) type Decision = Result<Vec<Event>, Refusal>;

/// A batch in the making.
pub(super) struct Draft<'a> {
    /// The loop as the facts so far leave it.
    pub(super) life: Life,
    /// Who speaks.
    pub(super) by: &'a By,
    /// When.
    pub(super) at: At,
    events: Vec<Event>,
}

/// Why a loop pauses by itself.
pub(super) struct Stopover {
    pub(super) reason: PauseReason,
    pub(super) rule: Option<Rule>,
    pub(super) code: Option<String>,
    pub(super) detail: String,
    pub(super) reset: Option<Reset>,
}

impl Stopover {
    pub(super) const fn new(reason: PauseReason, detail: String) -> Self {
        Self { reason, rule: None, code: None, detail, reset: None }
    }
}

impl<'a> Draft<'a> {
    pub(super) fn new(life: &Life, said: &'a Said<Command>) -> Self {
        Self { life: life.clone(), by: &said.by, at: said.at, events: Vec::new() }
    }

    pub(super) fn push(&mut self, event: Event) {
        evolve::apply(&mut self.life, &event, self.at);
        self.events.push(event);
    }

    pub(super) fn done(self) -> Decision {
        Ok(self.events)
    }

    /// Chooses what comes next. An action without legs ends where it begins and chooses again; it
    /// has moved the loop on by then (init makes it ready, an empty validation counts), so that
    /// this ends.
    pub(super) fn next(&mut self) {
        let Chosen { rule, choice } = choose(&self.life.body);
        self.take(rule, choice);
        self.end_if_empty();
    }

    fn end_if_empty(&mut self) {
        if let Phase::Acting(action) = &self.life.phase
            && action.leg().is_none()
        {
            finish::action(self);
        }
    }

    fn take(&mut self, rule: Rule, choice: Choice) {
        match choice {
            Choice::Act { kind, subject } => self.act(kind, subject, rule),
            Choice::Append { description, origin, fixes } => {
                let id = self.append(description, origin, fixes);
                self.act(Kind::Develop, Subject::Task { id }, rule);
            }
            Choice::Menu => {
                let q = self.life.body.next_n;
                self.push(Event::MenuOpened { q, rule: rule.word().into() });
            }
            Choice::Lend => self.lend(),
            Choice::Pause { reason, detail, ask } => {
                let q = ask.then_some(self.life.body.next_n);
                let stop = Stopover { rule: Some(rule), ..Stopover::new(reason, detail) };
                self.pause(stop, q);
            }
            Choice::Fail { kind, reason } => self.fail(kind, reason, Some(rule)),
            // Only a loop that never started has no driver; evolve has put it back to created.
            Choice::Unstarted => {}
        }
    }

    /// Begins an action.
    pub(super) fn act(&mut self, kind: Kind, subject: Subject, rule: Rule) {
        let legs = legs::plan(&self.life.body, kind, &subject);
        let n = self.life.body.next_n;
        self.push(Event::ActionChosen { n, kind, subject, rule: rule.word().into(), legs });
    }

    /// Begins an action that a person or Complete asked for, and ends it if it has no legs.
    pub(super) fn act_now(&mut self, kind: Kind, subject: Subject, rule: Rule) {
        self.act(kind, subject, rule);
        self.end_if_empty();
    }

    /// Appends a task that the loop itself came up with, and gives its id.
    pub(super) fn append(
        &mut self,
        description: String,
        origin: Origin,
        fixes: Option<String>,
    ) -> String {
        let tool = self.life.body.course().map_or("", |course| &course.settings.default_tool);
        let task = Task {
            tool: tool.into(),
            fixes,
            ..self.bare_task(bounds::cut(&description, bounds::DESCRIPTION_MAX), origin)
        };
        let id = task.id.clone();
        self.push(Event::TaskAdded { task: Box::new(task), place: Place::Last });
        id
    }

    /// A pending write task with the next number.
    pub(super) fn bare_task(&self, description: String, origin: Origin) -> Task {
        let body = &self.life.body;
        let id = alloc::format!("task-{:03}", body.next_task);
        Task {
            task_id: bounds::own_task_id(&body.id, &id, self.at.0),
            id,
            description,
            tool: String::new(),
            mode: TaskMode::Write,
            prompt_template: None,
            command: None,
            run: None,
            on_error: None,
            status: TaskStatus::Pending,
            files_changed: vec![],
            created_at: self.at,
            updated_at: self.at,
            origin,
            fixes: None,
            granted: false,
            pin: Pin::default(),
        }
    }

    /// Lends the loop to the outside skill, or leaves it lent.
    pub(super) fn lend(&mut self) {
        if matches!(self.life.phase, Phase::Lent { .. }) {
            return;
        }
        let runner = match self.life.body.course().map(|course| &course.driver) {
            Some(Driver::External { runner }) => runner.clone(),
            Some(Driver::Engine) | None => None,
        };
        self.lease(runner);
    }

    /// Records a lease for a runner, from now.
    pub(super) fn lease(&mut self, runner: Option<String>) {
        let lease_ms = self.life.body.course().map_or(0, |course| course.settings.lease_ms);
        let (until, n) = (self.at.plus(lease_ms), self.life.body.next_n);
        self.push(Event::LeaseTaken { runner, until, n });
    }

    /// Pauses with nothing under way.
    pub(super) fn pause(&mut self, stop: Stopover, q: Option<u32>) {
        let q = q.or_else(|| self.asks_above(stop.reason));
        let by = self.by.word().into();
        let Stopover { reason, rule, code, detail, reset } = stop;
        let rule = rule.map(|rule| rule.word().into());
        let hold = Hold::Nothing;
        let detail = bounds::cut(&detail, bounds::ERROR_MAX);
        self.push(Event::LoopPaused { reason, by, code, detail, rule, q, reset, hold });
    }

    /// The serial of the question that a pause asks whoever is above: a loop that nobody looks at
    /// for itself would stand still unseen. Its parent's own pause asks nothing.
    pub(super) fn asks_above(&self, reason: PauseReason) -> Option<u32> {
        let body = &self.life.body;
        (body.parent.is_some() && reason != PauseReason::Parent).then_some(body.next_n)
    }

    pub(super) fn fail(&mut self, kind: FailKind, reason: String, rule: Option<Rule>) {
        let rule = rule.map(|rule| rule.word().into());
        let reason = bounds::cut(&reason, bounds::ERROR_MAX);
        self.push(Event::LoopFailed { kind, reason, rule });
    }

    /// Records that a validation no longer speaks of this tree.
    pub(super) fn stale(&mut self, why: &str) {
        self.push(Event::ValidationStaled { why: why.into() });
    }

    /// The verdict of the fresh validation, if there is one.
    pub(super) fn fresh_verdict(&self) -> Option<Verdict> {
        self.life.body.work()?.fresh().map(|validation| validation.verdict)
    }
}
