//! A batch in the making: each fact is made true on a copy at once, so that what follows it in the
//! same batch is decided from what it changed.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::command::Command;
use super::event::{Accepted, Event};
use super::evidence::{CheckError, Failure, FailureKind};
use super::evolve;
use super::ladder::Fall;
use super::plan::{OnFailure, Plan, Runner, Status, Step, VerifyMode};
use super::refusal::Refusal;
use super::risk;
use super::setup::Judged;
use super::state::{Back, Life, Origin, Outcome, Phase, Prompt, Recovering, Resume, Rung, Subject};
use super::subject::{self, Reach};
use crate::machine::{At, By, Said};
use crate::policy::Verdict;

/// What a row answers.
pub(super) type Decision = Result<Vec<Event>, Refusal>;

/// A batch in the making.
pub(super) struct Draft<'a> {
    /// The turn as the facts so far leave it.
    pub(super) life: Life,
    /// Who speaks.
    pub(super) by: &'a By,
    /// When.
    pub(super) at: At,
    events: Vec<Event>,
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

    pub(super) fn word(&self) -> String {
        self.by.word().to_string()
    }

    pub(super) fn fail(&mut self, code: &str, detail: &str) {
        self.push(Event::Failed { code: code.into(), detail: detail.into() });
    }

    pub(super) fn deny(&mut self, by: &str, rule: &str) {
        let rule = (!rule.is_empty()).then(|| rule.to_string());
        self.push(Event::Denied { code: "E_POLICY_DENIED".into(), by: by.into(), rule });
    }

    /// Asks a person, bound to exactly this.
    pub(super) fn ask(&mut self, subject: Subject, hash: String, reach: Reach, resume: Resume) {
        let (k, until) = (self.life.body.next.confirm, self.life.body.expiry(self.at));
        let prompt = Box::new(Prompt { k, subject, hash, reach, until, resume });
        self.push(Event::ConfirmationAsked { prompt });
    }

    /// The plan as it is recorded: its risk is ours to say, and a verdict about another plan is
    /// none, so that a person is asked.
    pub(super) fn accepted(&self, mut plan: Plan, judged: &Judged) -> (Accepted, Verdict) {
        let body = &self.life.body;
        let seen = risk::of(&judged.reach, &body.start.detected);
        let foreseen = body.intake.as_ref().map(|report| report.risk_level).unwrap_or_default();
        plan.risk_level = plan.risk_level.max(seen).max(foreseen);
        let hash = subject::plan(&plan, &judged.reach);
        let above = body.risk_ceiling().is_some_and(|most| plan.risk_level > most);
        let verdict = match &judged.verdict {
            Verdict::Allow { .. } | Verdict::Ask { .. } if above => {
                Verdict::Deny { rule: "risk_max".into() }
            }
            verdict if judged.hash == hash => verdict.clone(),
            Verdict::Deny { rule } => Verdict::Deny { rule: rule.clone() },
            Verdict::Allow { .. } | Verdict::Ask { .. } => {
                Verdict::Ask { rule: "turn.other_subject".into() }
            }
        };
        let rule = match &verdict {
            Verdict::Allow { rule } => Some(rule.clone()),
            Verdict::Ask { .. } | Verdict::Deny { .. } => None,
        };
        let (reach, definitions) = (judged.reach.clone(), judged.definitions.clone());
        (Accepted { plan, hash, reach, definitions, rule }, verdict)
    }

    /// Goes on with the first step that is ready, or with the checks.
    pub(super) fn go_on(&mut self) {
        let ready = self.life.body.work.as_ref().and_then(|work| work.plan.ready());
        match ready.map(|step| step.step_id.clone()) {
            Some(step) => self.start(&step, Origin::Main),
            None => self.finish(),
        }
    }

    pub(super) fn start(&mut self, step: &str, origin: Origin) {
        let attempts = self.life.body.work.as_ref().map(|work| &work.attempts);
        let before = attempts.and_then(|all| all.get(step)).copied().unwrap_or(0);
        self.push(Event::StepStarted { step: step.into(), attempt: before + 1, origin });
    }

    /// Whether a step that failed is still to be done: a person may have left it out.
    pub(super) fn still_wanted(&self, step: &str) -> bool {
        let work = self.life.body.work.as_deref();
        let step = work.and_then(|work| work.plan.step(step));
        step.is_some_and(|step| !step.satisfies())
    }

    /// Everything has run that can run.
    pub(super) fn finish(&mut self) {
        self.push(Event::ExecutionFinished);
        let Some(work) = &self.life.body.work else { return };
        let policy = &work.plan.verification;
        if policy.mode == VerifyMode::None || policy.commands.is_empty() {
            let outcome = work.outcome();
            self.push(Event::VerificationSkipped { outcome });
        }
    }

    /// Where a step's failure leads.
    pub(super) fn fall(&mut self, failure: Failure) {
        let rung = self.rung_of(&failure);
        let (failure, rung) = (Box::new(failure), Box::new(rung));
        self.push(Event::StepFailed { failure, rung });
        self.land();
    }

    pub(super) fn rung_of(&self, failure: &Failure) -> Rung {
        let at = self.life.position();
        let back = at.map_or(Back::Verify, super::state::Position::back);
        if let Back::Step(id) = &back
            && !self.still_wanted(id)
        {
            return Rung::Spent;
        }
        let body = &self.life.body;
        Fall { body, failure, back: &back, at, now: self.at }.rung()
    }

    /// Leaves the rungs that are left in the batch in which they are chosen.
    pub(super) fn land(&mut self) {
        let Phase::Recovering(now) = &self.life.phase else { return };
        let now = now.clone();
        match &now.rung {
            Rung::Degrade { to } => self.degrade(&now, to),
            Rung::Spent => self.give_up(&now),
            Rung::Fix { .. } | Rung::Undo { .. } | Rung::Replan { .. } | Rung::Help { .. } => {}
        }
    }

    fn degrade(&mut self, now: &Recovering, to: &str) {
        let Some(id) = now.failure.step_id.clone() else { return self.give_up(now) };
        let from = now.failure.tool.clone().unwrap_or_default();
        self.push(Event::Degraded { step: id.clone(), from, to: to.into() });
        let fix = id.strip_prefix("fix-").and_then(|n| n.parse().ok());
        match fix.filter(|_| now.back != Back::Step(id.clone())) {
            Some(n) => self.start(&id, Origin::Fix { n, back: now.back.clone() }),
            None => self.start(&id, Origin::Main),
        }
    }

    /// Nothing is left: the turn ends here, or goes on with what does not hang on it.
    pub(super) fn give_up(&mut self, now: &Recovering) {
        let failure = &now.failure;
        let step = match &now.back {
            Back::Step(id) => Some(id.clone()),
            Back::Verify => None,
        };
        let plan = self.life.body.work.as_ref().map(|work| work.plan.on_failure);
        // What nobody wants any more blocks nothing.
        let left_out = step.as_ref().is_some_and(|id| !self.still_wanted(id));
        let goes_on = left_out || (plan == Some(OnFailure::Continue) && step.is_some());
        let (code, detail) = (failure.code.clone(), failure.detail.clone());
        let ends = !goes_on;
        self.push(Event::GaveUp { code: code.clone(), detail, step: step.clone(), ends });
        if let Some(step) = step.filter(|_| goes_on) {
            if !left_out {
                self.push(Event::StepBlocked { step, code });
            }
            self.go_on();
        }
    }

    /// The step that a fix is.
    pub(super) fn fix_step(&self, n: u32, failure: &Failure) -> Step {
        let said = failure.errors.iter().map(|error| error.message.as_str());
        let mut intent = format!("{} {}", failure.code, failure.detail);
        said.for_each(|line| {
            intent.push('\n');
            intent.push_str(line);
        });
        Step {
            step_id: format!("fix-{n}"),
            title: format!("fix-{n}"),
            intent,
            tool_calls: Vec::new(),
            expected_artifacts: Vec::new(),
            status: Status::Pending,
            rollback_hint: None,
            depends_on: Vec::new(),
            runner: Runner::Agent,
            agent: None,
            verify: Vec::new(),
            attempt: 0,
            error: None,
            skip_reason: None,
            evidence: None,
        }
    }

    /// A failure of the step at work.
    pub(super) fn failure(&self, kind: FailureKind, code: &str, detail: &str) -> Failure {
        let step_id = self.life.position().map(|at| at.step.clone());
        Failure {
            kind,
            code: code.into(),
            detail: detail.into(),
            signature: format!("{code}:{detail}"),
            step_id,
            call_id: None,
            tool: None,
            errors: Vec::<CheckError>::new(),
        }
    }

    /// How everything ends once it has run.
    pub(super) fn outcome(&self) -> Outcome {
        self.life.body.work.as_ref().map_or(Outcome::Completed, |work| work.outcome())
    }
}
