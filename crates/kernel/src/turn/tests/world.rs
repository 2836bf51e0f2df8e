//! A turn that is led through its life by hand: what is said is accepted, or the test fails.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{self, sample_commands};
use super::super::*;
use crate::machine::{At, By, Refusal as _, Said};
use crate::owed::Owed;

/// A turn, and everything it recorded.
#[derive(Clone)]
pub struct World {
    pub state: State,
    pub events: Vec<Event>,
    pub now: At,
}

impl World {
    /// Begun as a person would, changed.
    pub fn begun(change: impl FnOnce(&mut Start)) -> Self {
        let mut start = samples::start();
        change(&mut start);
        let mut world = Self { state: State::Idle, events: Vec::new(), now: At(1_000) };
        world.say(By::Person, Command::UserMessage(Box::new(start)));
        world
    }

    /// At work at the first step of the sample's plan, its tree kept.
    pub fn at_work(change: impl FnOnce(&mut Start)) -> Self {
        let world =
            Self::begun(change).labels(&["RESULT, ok", "RESULT, ok", "RESULT, plan allowed"]);
        let kept = matches!(world.life().body.work.as_ref().map(|work| work.kept), Some(Kept::Due));
        if kept { world.label("RESULT, ok") } else { world }
    }

    pub fn life(&self) -> &Life {
        self.state.life().expect("a turn that has begun")
    }

    pub fn try_say(&mut self, by: By, command: Command) -> Result<(), &'static str> {
        self.now = self.now.plus(1);
        let said = Said { by, at: self.now, command };
        self.take(&said)
    }

    fn take(&mut self, said: &Said<Command>) -> Result<(), &'static str> {
        self.now = self.now.max(said.at);
        let events = decide(&self.state, said).map_err(|refusal| refusal.reason())?;
        for event in events {
            evolve(&mut self.state, &event, said.at);
            self.events.push(event);
        }
        Ok(())
    }

    pub fn say(&mut self, by: By, command: Command) {
        let words = format!("{command:?}");
        if let Err(reason) = self.try_say(by, command) {
            panic!("{words} is refused {reason} in {:?}", self.state);
        }
    }

    /// Says the sample of this label.
    pub fn label(mut self, label: &str) -> Self {
        let found = sample_commands(&self.state).into_iter().find(|(name, _)| *name == label);
        let (_, said) = found.unwrap_or_else(|| panic!("no {label} in {}", self.state.name()));
        if let Err(reason) = self.take(&said) {
            panic!("{label} is refused {reason} in {:?}", self.state);
        }
        self
    }

    pub fn labels(self, labels: &[&str]) -> Self {
        labels.iter().fold(self, |world, label| world.label(label))
    }

    /// What the sample of this label is refused for.
    pub fn refused(&self, label: &str) -> &'static str {
        let found = sample_commands(&self.state).into_iter().find(|(name, _)| *name == label);
        let (_, said) = found.unwrap_or_else(|| panic!("no {label} in {}", self.state.name()));
        self.clone().take(&said).expect_err("it should be refused")
    }

    /// With checks of this kind, required or not.
    pub fn checks_as(mut self, mode: VerifyMode, required: bool) -> Self {
        let State::Begun(life) = &mut self.state else { panic!("not begun") };
        let policy = &mut life.body.work.as_mut().expect("a plan").plan.verification;
        (policy.mode, policy.required) = (mode, required);
        self
    }

    /// The result of what is awaited.
    pub fn result(mut self, ended: Ended) -> Self {
        let key = awaited(self.life()).expect("something is awaited");
        self.say(By::Engine, Command::ToolCallResult { key, ended, spent: Spent::default() });
        self
    }

    pub fn step_done(self, change: impl FnOnce(&mut StepFacts)) -> Self {
        let mut facts = samples::facts(Control::Done);
        change(&mut facts);
        self.result(Ended::Ok(Box::new(Payload::Step(Box::new(facts)))))
    }

    pub fn step_failed(self, code: &str, kind: &str, signature: &str) -> Self {
        let done = Some(Box::new(samples::facts(Control::Done)));
        let fault = Fault { signature: signature.to_string(), done, ..Fault::new(code, kind) };
        self.result(Ended::Failed(Box::new(fault)))
    }

    /// The timer of this slot falls due.
    pub fn fires(mut self, slot: &str) -> Self {
        let due = self.due(slot).unwrap_or_else(|| panic!("{slot} is not owed"));
        let command = Command::Timeout { slot: slot.to_string() };
        let said = Said { by: By::Timer, at: due.max(self.now), command };
        self.take(&said).unwrap_or_else(|reason| panic!("{slot} is refused {reason}"));
        self
    }

    pub fn due(&self, slot: &str) -> Option<At> {
        timers(self.life()).into_iter().find(|(name, _)| name == slot).map(|(_, due)| due)
    }

    /// Slots of the calls and acts that are owed.
    pub fn effects(&self) -> Vec<String> {
        owed(&self.state)
            .into_iter()
            .filter_map(|owed| match owed {
                Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
                Owed::Timer { .. } | Owed::Question { .. } => None,
            })
            .collect()
    }

    pub fn outcome(&self) -> String {
        let (outcome, verified) = if let Phase::Summarizing(now) = &self.life().phase {
            (&now.outcome, now.verified)
        } else if let Phase::Done(over) = &self.life().phase {
            (&over.outcome, over.verified)
        } else {
            panic!("{}", self.stands())
        };
        let code = match outcome {
            Outcome::Blocked { code, detail, .. } => format!(" {code} {detail}"),
            Outcome::Denied { by, rule, .. } => {
                format!(" {by} {}", rule.as_deref().unwrap_or("-"))
            }
            Outcome::Completed | Outcome::Answered | Outcome::Cancelled { .. } => String::new(),
        };
        format!("{}{code} {}", outcome.word(), verified.word())
    }

    /// Where it stands, in a few words.
    pub fn stands(&self) -> String {
        stands(&self.state)
    }
}

/// Where a turn stands, in a few words.
pub fn stands(state: &State) -> String {
    let Some(life) = state.life() else { return "IDLE".to_string() };
    let detail = match &life.phase {
        Phase::Clarifying { wait, .. } => match wait {
            Wait::Open { .. } => "Open".to_string(),
            Wait::Parked { .. } => "Parked".to_string(),
        },
        Phase::Planning { why, .. } => match why {
            Why::First => "First".to_string(),
            Why::Given { .. } => "Given".to_string(),
            Why::Direct => "Direct".to_string(),
            Why::Continued { .. } => "Continued".to_string(),
            Why::Revise { .. } => "Revise".to_string(),
            Why::Correct { .. } => "Correct".to_string(),
        },
        Phase::AwaitingConfirmation(prompt) => prompt.subject.word().to_string(),
        Phase::Executing(at) => at.step.clone(),
        Phase::Recovering(now) => {
            format!("{:?}", now.rung.kind()).replace("Some(", "").replace(')', "")
        }
        Phase::Summarizing(now) => now.outcome.word().to_string(),
        Phase::Done(over) => over.outcome.word().to_string(),
        Phase::Intake { round } => round.to_string(),
        Phase::Verifying(now) => now.index.to_string(),
        Phase::ContextBuilding { .. } => String::new(),
    };
    format!("{} {detail}", life.phase.name()).trim_end().to_string()
}
