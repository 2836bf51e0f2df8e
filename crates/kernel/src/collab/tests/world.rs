//! A run that is led through its life by hand: what is said is accepted, or the test fails.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{answered, failed, plan, session};
use super::super::{
    Checked, Choice, Collab, Command, Event, Flaw, How, Mode, Outcome, Participant, Phase, Plan,
    Scope, State, decide, evolve, owed, timer_command,
};
use crate::agent::{Issue, Structured};
use crate::machine::{At, By, Machine as _, Refusal as _, Said};
use crate::owed::Owed;

/// When every run of these tests starts its first process.
pub const ZERO: At = At(1_000_000);

/// A run, and everything it recorded.
#[derive(Clone)]
pub struct World {
    pub state: State,
    pub events: Vec<Event>,
}

/// The seed's pair, changed.
pub fn planned(change: impl FnOnce(&mut Plan)) -> Plan {
    let mut plan = plan();
    change(&mut plan);
    plan
}

pub fn serial() -> Plan {
    planned(|plan| plan.mode = Mode::Serial)
}

pub fn flaw(code: &str) -> Flaw {
    Flaw { code: code.to_string(), kind: String::new(), detail: String::new() }
}

/// A form that was not met.
pub fn broken() -> Structured {
    let issue = Issue {
        pointer: "/count".to_string(),
        expected: "a number".to_string(),
        found: "text".to_string(),
    };
    Structured::Invalid { kind: "schema".to_string(), issues: Vec::from([issue]) }
}

impl World {
    pub fn created(plan: Plan) -> Self {
        let mut world = Self { state: State::New, events: Vec::new() };
        let command = Command::Create { plan: Box::new(plan), busy_sessions: Vec::new() };
        world.say(0, By::Person, command);
        world
    }

    /// Past its start gate.
    pub fn launching(plan: Plan) -> Self {
        Self::created(plan).gate(Checked::default())
    }

    /// With everybody started whose turn it is.
    pub fn running(plan: Plan) -> Self {
        let mut world = Self::launching(plan);
        for (p, n) in world.starting() {
            world = world.start(0, &p, n);
        }
        world
    }

    /// What the machine answers, recorded if it is a yes.
    pub fn try_say(&mut self, ms: u64, by: By, command: Command) -> Result<(), &'static str> {
        let said = Said { by, at: ZERO.plus(ms), command };
        let events = decide(&self.state, &said).map_err(|refusal| refusal.reason())?;
        for event in events {
            evolve(&mut self.state, &event, said.at);
            self.events.push(event);
        }
        Ok(())
    }

    pub fn say(&mut self, ms: u64, by: By, command: Command) {
        let words = format!("{command:?}");
        if let Err(reason) = self.try_say(ms, by, command) {
            panic!("{words} is refused {reason} in {:?}", self.state);
        }
    }

    fn said(mut self, ms: u64, by: By, command: Command) -> Self {
        self.say(ms, by, command);
        self
    }

    /// What a refused command is refused for.
    pub fn refused(&self, ms: u64, by: By, command: Command) -> &'static str {
        let before = self.state.clone();
        let mut copy = self.clone();
        let reason = copy.try_say(ms, by, command).expect_err("it should be refused");
        assert_eq!(copy.state, before, "a refusal changes nothing");
        reason
    }

    pub fn gate(self, found: Checked) -> Self {
        self.said(0, By::Engine, Command::GateChecked(found))
    }

    pub fn start(self, ms: u64, p: &str, launch: u32) -> Self {
        let (call, at) = (format!("call-{p}-{launch}"), ZERO.plus(ms));
        self.said(ms, By::Engine, Command::CallStarted { p: p.into(), launch, call, at })
    }

    pub fn seen(self, ms: u64, p: &str, launch: u32) -> Self {
        let id = session(p);
        self.said(ms, By::Engine, Command::SessionSeen { p: p.into(), launch, id })
    }

    pub fn end(self, ms: u64, p: &str, launch: u32, outcome: Outcome) -> Self {
        self.said(ms, By::Engine, Command::CallEnded { p: p.into(), launch, outcome })
    }

    pub fn answer(self, ms: u64, p: &str, launch: u32) -> Self {
        self.end(ms, p, launch, answered(p, Some(session(p)), Structured::NotAsked))
    }

    pub fn fail(self, ms: u64, p: &str, launch: u32, code: &str, kind: &str) -> Self {
        self.end(ms, p, launch, failed(p, code, kind, None))
    }

    /// The launch is stopped, as it is once it is no longer owed.
    pub fn stopped(self, ms: u64, p: &str, launch: u32) -> Self {
        self.end(ms, p, launch, Outcome::Stopped { report: None })
    }

    pub fn cancel(self, ms: u64, scope: Scope) -> Self {
        self.said(ms, By::Person, Command::Cancel { scope })
    }

    pub fn extend(self, ms: u64, by_ms: u64) -> Self {
        self.said(ms, By::Person, Command::Extend { ms: by_ms })
    }

    /// The timer of this slot falls due, exactly when it is owed.
    pub fn fires(self, slot: &str) -> Self {
        let due = self.due(slot).unwrap_or_else(|| panic!("{slot} is not owed"));
        let command = timer_command(slot).expect("a timer's slot");
        self.said(due, By::Timer, command)
    }

    /// When this timer is owed, from zero.
    pub fn due(&self, slot: &str) -> Option<u64> {
        self.timers().into_iter().find(|(name, _)| name == slot).map(|(_, due)| due)
    }

    pub fn timers(&self) -> Vec<(String, u64)> {
        let timer = |owed: Owed| match owed {
            Owed::Timer { slot, due } => Some((slot, due.since(ZERO))),
            Owed::Child { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        };
        owed(&self.state).into_iter().filter_map(timer).collect()
    }

    /// The calls that are owed.
    pub fn calls(&self) -> Vec<String> {
        let call = |owed: Owed| match owed {
            Owed::Child { slot, .. } => Some(slot),
            Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        };
        Collab::owed(&self.state).into_iter().filter_map(call).collect()
    }

    pub fn starting(&self) -> Vec<(String, u32)> {
        let all = self.state.participants().iter();
        all.filter_map(|one| match &one.phase {
            Phase::Starting { launch } => Some((one.name.clone(), launch.n)),
            Phase::Pending
            | Phase::Running { .. }
            | Phase::Backoff { .. }
            | Phase::Stopping { .. }
            | Phase::Ended { .. } => None,
        })
        .collect()
    }

    pub fn one(&self, p: &str) -> &Participant {
        self.state.participant(p).expect("a participant")
    }

    pub fn codes(&self, p: &str) -> Vec<&str> {
        self.one(p).errors.iter().map(|fault| fault.code.as_str()).collect()
    }

    /// An answer to the open question.
    pub fn decision(&self, choice: Choice, note: Option<&str>) -> Command {
        let State::Degraded { question, .. } = &self.state else { panic!("{:?}", self.state) };
        Command::Answer {
            question: question.id.clone(),
            hash: question.hash.clone(),
            choice,
            note: note.map(ToString::to_string),
        }
    }

    pub fn decide(self, ms: u64, choice: Choice, note: Option<&str>) -> Self {
        let command = self.decision(choice, note);
        self.said(ms, By::Person, command)
    }

    /// Where the run stands, in a few words.
    pub fn stands(&self) -> String {
        match &self.state {
            State::New | State::Init { .. } | State::Running { .. } => {
                self.state.variant().to_string()
            }
            State::Degraded { shortfall, .. } => {
                let missing = shortfall.missing.items().join(", ");
                format!("DEGRADED {} [{missing}]", shortfall.level.word())
            }
            State::Success { mark: None, .. } => "SUCCESS".to_string(),
            State::Success { mark: Some(mark), .. } => {
                let how = if mark.overridden { "overridden" } else { "accepted" };
                format!("SUCCESS {how} by {}", mark.accepted_by)
            }
            State::Failed { cause, code, .. } => format!("FAILED {} {code}", cause.word()),
        }
    }
}

/// How a participant stands, in a word.
pub fn stands(one: &Participant) -> &'static str {
    match &one.phase {
        Phase::Pending => "Pending",
        Phase::Starting { .. } => "Starting",
        Phase::Running { .. } => "Running",
        Phase::Backoff { .. } => "Backoff",
        Phase::Stopping { .. } => "Stopping",
        Phase::Ended { how, .. } => match how {
            How::Answered { .. } => "Answered",
            How::Unproven { .. } => "Unproven",
            How::Poor { .. } => "Poor",
            How::TimedOut { .. } => "TimedOut",
            How::Failed { .. } => "Failed",
            How::Cancelled { .. } => "Cancelled",
            How::Skipped { .. } => "Skipped",
        },
    }
}
