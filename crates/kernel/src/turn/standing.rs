//! What others and the rules ask of where a turn stands. Reads only; decides nothing.

use alloc::format;
use alloc::string::String;

use super::event::Event;
use super::models::Intent;
use super::plan::{Risk, Runner, Status, Step};
use super::setup::{Mode, Planner};
use super::state::{
    Approval, Back, Body, Kept, Life, Origin, Outcome, Phase, Position, Prompt, Resume, State,
    Subject, Work,
};
use crate::call::{self, Acts};
use crate::machine::At;

/// What the next call of a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// One of its templates, from 0.
    Template(usize),
    /// Its agent.
    Agent,
    /// Its run of several agents.
    Collab,
    /// One of its own checks, from 0.
    Verify(usize),
}

/// How many calls a step makes by itself.
pub fn calls_of(step: &Step) -> usize {
    let own = match step.runner {
        Runner::Tools => step.tool_calls.len(),
        Runner::Agent | Runner::Collab => 1,
    };
    own + step.verify.len()
}

/// The call at this place of a step.
pub fn next_call(step: &Step, at: u32) -> Option<Next> {
    let at = usize::try_from(at).ok()?;
    let own = calls_of(step) - step.verify.len();
    if at >= own {
        return (at - own < step.verify.len()).then_some(Next::Verify(at - own));
    }
    match step.runner {
        Runner::Tools => Some(Next::Template(at)),
        Runner::Agent => Some(Next::Agent),
        Runner::Collab => Some(Next::Collab),
    }
}

impl Prompt {
    /// Its id, by which it is answered.
    #[must_use]
    pub fn id(&self) -> String {
        super::slot::confirm(self.k)
    }

    /// Where the agent stands that waits for this prompt.
    #[must_use]
    pub fn position(&self) -> Option<&Position> {
        match (&self.resume, self.subject) {
            (Resume::At(at), Subject::Call) => Some(at),
            (Resume::At(_), Subject::Plan | Subject::Patch | Subject::Git)
            | (Resume::Ready | Resume::Fix { .. } | Resume::Commit(_), _) => None,
        }
    }
}

impl Position {
    /// What a failure here leads back to: a step that repairs leads back to what it repairs.
    #[must_use]
    pub fn back(&self) -> Back {
        match &self.origin {
            Origin::Main => Back::Step(self.step.clone()),
            Origin::Fix { back, .. } => back.clone(),
        }
    }
}

impl Body {
    /// The most that may be risked: what was asked for, and nothing but reading for what intake
    /// took for a mere question about the repository.
    #[must_use]
    pub fn risk_ceiling(&self) -> Option<Risk> {
        let asked = self.start.risk_max;
        if self.only_reads() { Some(Risk::Low) } else { asked }
    }

    /// Whether intake took the words for a question that reading answers.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        let intent = self.intake.as_ref().map(|report| report.intent);
        self.start.mode == Mode::Write && intent == Some(Intent::RepoAnalysis)
    }

    /// The id of the turn's one plan.
    #[must_use]
    pub fn plan_id(&self) -> String {
        let id = self.start.id.strip_prefix("turn-").unwrap_or(&self.start.id);
        format!("plan-{id}")
    }

    /// The step at work.
    #[must_use]
    pub fn step(&self, at: &Position) -> Option<&Step> {
        let work = self.work.as_deref()?;
        match at.origin {
            Origin::Main => work.plan.step(&at.step),
            Origin::Fix { .. } => work.fixes.iter().find(|step| step.step_id == at.step),
        }
    }

    /// Whether the tree has to be kept before the next call of the step.
    #[must_use]
    pub fn checkpoint_due(&self, at: &Position) -> bool {
        if self.work.as_deref().is_none_or(|work| work.kept != Kept::Due) {
            return false;
        }
        let step = self.step(at);
        let Some(next) = step.and_then(|step| next_call(step, at.at)) else { return false };
        match next {
            Next::Agent | Next::Verify(_) => true,
            Next::Collab => false,
            Next::Template(n) => {
                let name = step.and_then(|step| step.tool_calls.get(n)).map(|call| &call.name);
                let acts = name.and_then(|name| call::named(name)).map(|tool| tool.acts);
                acts != Some(Acts::Reads)
            }
        }
    }

    /// Whether several agents are at work at the step.
    #[must_use]
    pub fn by_several(&self, at: &Position) -> bool {
        self.step(at).and_then(|step| next_call(step, at.at)) == Some(Next::Collab)
    }

    /// The time of the check of this number.
    #[must_use]
    pub fn check_ms(&self, index: u32) -> u64 {
        let limits = &self.start.limits;
        let commands = self.work.as_ref().map(|work| &work.plan.verification.commands);
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let command = commands.and_then(|commands| commands.get(at));
        command.map_or(limits.verify_ms, |command| limits.check_ms(command))
    }

    /// The agent that does a step: its own or the first, then those it falls back to.
    #[must_use]
    pub fn agent_of<'a>(&'a self, step: &'a Step) -> Option<&'a str> {
        let fallen = self.work.as_deref().and_then(|work| work.fallen.get(&step.step_id));
        let from = self.fallback_start(step);
        let at = usize::try_from(fallen.copied().unwrap_or(0)).ok()?;
        match (&step.agent, at) {
            (Some(own), 0) => Some(own),
            (Some(_) | None, at) => {
                self.start.agents.get(from.saturating_add(at)).map(String::as_str)
            }
        }
    }

    /// The agent that comes after the one that failed.
    #[must_use]
    pub fn fallback_of(&self, step: &Step) -> Option<&str> {
        let fallen = self.work.as_deref().and_then(|work| work.fallen.get(&step.step_id));
        let at = usize::try_from(fallen.copied().unwrap_or(0)).ok()?;
        let next = self.fallback_start(step).saturating_add(at).saturating_add(1);
        self.start.agents.get(next).map(String::as_str)
    }

    fn fallback_start(&self, step: &Step) -> usize {
        let own = step.agent.as_ref();
        own.and_then(|own| self.start.agents.iter().position(|name| name == own)).unwrap_or(0)
    }

    /// The planner at this place of the list.
    #[must_use]
    pub fn planner(&self, at: u32) -> Option<&str> {
        match &self.start.planner {
            Planner::Agents(names) => names.get(usize::try_from(at).ok()?).map(String::as_str),
            Planner::File { .. } | Planner::Direct => None,
        }
    }

    /// Who makes another plan once the turn runs.
    #[must_use]
    pub fn replanner(&self) -> Option<&str> {
        self.planner(0).or_else(|| self.start.agents.first().map(String::as_str))
    }

    /// When a question that is asked now closes.
    #[must_use]
    pub fn expiry(&self, at: At) -> Option<At> {
        let ms = self.start.limits.question_expiry_ms;
        (ms > 0).then(|| at.plus(ms))
    }

    /// When the turn's own time is up, while it counts.
    #[must_use]
    pub fn deadline(&self) -> Option<At> {
        let left = self.start.limits.active_ms.saturating_sub(self.clock.active_ms);
        self.clock.since.map(|since| since.plus(left))
    }

    /// When the effect that is owed has taken too long, while that counts.
    #[must_use]
    pub fn limit(&self) -> Option<At> {
        self.clock.since.map(|since| since.plus(self.clock.left_ms))
    }
}

impl State {
    /// Whether the work tree is its own: from its first word to its end, if it may change it.
    #[must_use]
    pub fn holds_tree(&self) -> bool {
        self.life().is_some_and(|life| {
            life.body.start.mode == Mode::Write && !matches!(life.phase, Phase::Done(_))
        })
    }

    /// Whether it goes on by itself: nobody is waited for, and nothing holds it.
    #[must_use]
    pub fn at_work(&self) -> bool {
        self.life().is_some_and(|life| {
            let over = matches!(life.phase, Phase::Done(_));
            !over && life.body.hold.is_none() && !life.waits()
        })
    }
}

impl Event {
    /// Whether it makes a turn the holder of the work tree.
    #[must_use]
    pub const fn takes_tree(&self) -> bool {
        matches!(self, Self::Asked { .. })
    }
}

impl Work {
    /// Whether somebody said yes to exactly this plan.
    #[must_use]
    pub fn approved(&self) -> bool {
        self.approval.as_ref().is_some_and(|Approval { hash, .. }| *hash == self.hash)
    }

    /// How the turn ends once everything has run: never as completed while a step is not done.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.plan.finished() {
            return Outcome::Completed;
        }
        let blocked = self.plan.steps.iter().find(|step| step.status == Status::Blocked);
        let error = blocked.and_then(|step| step.error.as_ref());
        Outcome::Blocked {
            code: error.map_or_else(|| String::from("E_REFUSED"), |error| error.code.clone()),
            detail: error.map_or_else(String::new, |error| error.detail.clone()),
            step: blocked.map(|step| step.step_id.clone()),
        }
    }
}

impl Life {
    /// Whether only a person can move it on.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.phase.waits() || self.body.unknown.is_some() || self.body.asks.is_some()
    }

    /// The position, also behind a prompt about one call.
    #[must_use]
    pub fn position(&self) -> Option<&Position> {
        match &self.phase {
            Phase::Executing(at) => Some(at),
            Phase::AwaitingConfirmation(prompt) => prompt.position(),
            Phase::Intake { .. }
            | Phase::Clarifying { .. }
            | Phase::ContextBuilding { .. }
            | Phase::Planning { .. }
            | Phase::Verifying(_)
            | Phase::Recovering(_)
            | Phase::Summarizing(_)
            | Phase::Done(_) => None,
        }
    }
}

impl Phase {
    pub(super) fn position_mut(&mut self) -> Option<&mut Position> {
        match self {
            Self::Executing(at) => Some(at),
            Self::AwaitingConfirmation(prompt) if prompt.subject == Subject::Call => {
                match &mut prompt.resume {
                    Resume::At(at) => Some(at),
                    Resume::Ready | Resume::Fix { .. } | Resume::Commit(_) => None,
                }
            }
            Self::Intake { .. }
            | Self::Clarifying { .. }
            | Self::ContextBuilding { .. }
            | Self::Planning { .. }
            | Self::AwaitingConfirmation(_)
            | Self::Verifying(_)
            | Self::Recovering(_)
            | Self::Summarizing(_)
            | Self::Done(_) => None,
        }
    }
}
