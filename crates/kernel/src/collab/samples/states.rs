//! One sample a state and sub-phase of the table, and one for every guard that hangs on the plan or
//! on what was used up. Each is reached by saying something, so none is out of reach.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{Checked, Choice, Command, Flaw, Scope};
use super::super::decide::decide;
use super::super::evolve::evolve;
use super::super::outcome::Outcome;
use super::super::plan::{Mode, Plan, Rule};
use super::super::state::State;
use super::made::{answered, failed, plan, session};
use crate::agent::{Issue, Structured};
use crate::machine::{At, By, Said};

/// When the samples were made.
pub const MADE_AT: At = At(1_000_000);
/// When their first process started.
pub const STARTED_AT: At = At(1_001_000);

/// A state on its way.
struct Way(State);

impl Way {
    fn new(plan: Plan) -> Self {
        let plan = Box::new(plan);
        Self(State::New).say(MADE_AT, Command::Create { plan, busy_sessions: Vec::new() })
    }

    fn say(self, at: At, command: Command) -> Self {
        let by = match &command {
            Command::Create { .. }
            | Command::Answer { .. }
            | Command::Cancel { .. }
            | Command::Extend { .. } => By::Person,
            Command::GateChecked(_)
            | Command::CallStarted { .. }
            | Command::SessionSeen { .. }
            | Command::CallEnded { .. }
            | Command::AttemptDue { .. }
            | Command::BackoffDue { .. }
            | Command::StopDue { .. }
            | Command::TotalDue
            | Command::QuestionDue { .. } => By::Engine,
        };
        let mut state = self.0;
        let said = Said { by, at, command };
        for event in decide(&state, &said).unwrap_or_default() {
            evolve(&mut state, &event, at);
        }
        Self(state)
    }

    fn gate(self) -> Self {
        self.say(MADE_AT.plus(100), Command::GateChecked(Checked::default()))
    }

    fn start(self, p: &str, launch: u32) -> Self {
        let (at, call) = (STARTED_AT, alloc::format!("call-{p}-{launch}"));
        self.say(at, Command::CallStarted { p: p.to_string(), launch, call, at })
    }

    fn end(self, ms: u64, p: &str, launch: u32, outcome: Outcome) -> Self {
        let p = p.to_string();
        self.say(STARTED_AT.plus(ms), Command::CallEnded { p, launch, outcome })
    }

    fn answer(self, ms: u64, p: &str, launch: u32) -> Self {
        self.end(ms, p, launch, answered(p, Some(session(p)), Structured::NotAsked))
    }

    fn auth(self, ms: u64, p: &str, launch: u32) -> Self {
        self.end(ms, p, launch, failed(p, "E009", "auth", None))
    }

    fn cancel(self, ms: u64, scope: Scope) -> Self {
        self.say(STARTED_AT.plus(ms), Command::Cancel { scope })
    }
}

/// Both at work.
fn both(plan: Plan) -> Way {
    Way::new(plan).gate().start("codex", 1).start("gemini", 1)
}

fn broken() -> Structured {
    let issue = Issue {
        pointer: "/x".to_string(),
        expected: "a number".to_string(),
        found: "text".to_string(),
    };
    Structured::Invalid { kind: "schema".to_string(), issues: Vec::from([issue]) }
}

/// One sample a state, sub-phase and guard of the table, labelled as there.
#[must_use]
pub fn sample_states() -> Vec<(&'static str, State)> {
    let ways = before().into_iter().chain(running()).chain(stopping()).chain(over());
    ways.map(|(label, way)| (label, way.0)).collect()
}

fn before() -> Vec<(&'static str, Way)> {
    let with = |change: fn(&mut Plan)| {
        let mut plan = plan();
        change(&mut plan);
        Way::new(plan)
    };
    let serial = || with(|plan| plan.mode = Mode::Serial);
    let spawn = || Outcome::SpawnFailed { detail: "EAGAIN".to_string() };
    let flaw = Flaw { code: "E001".into(), kind: "not_found".into(), detail: "gemini".into() };
    let one_missing = Checked { participants: [("gemini".into(), flaw)].into(), ..<_>::default() };
    let alone = Way::new(plan()).say(MADE_AT.plus(100), Command::GateChecked(one_missing));
    Vec::from([
        ("New", Way(State::New)),
        ("INIT Checking", Way::new(plan())),
        ("INIT Checking, lite", with(|plan| plan.lite = true)),
        ("INIT Checking, gate and", with(|plan| plan.gate = Rule::And)),
        ("INIT Launching", Way::new(plan()).gate()),
        ("INIT Launching, only one left", alone),
        ("INIT Launching, serial", serial().gate()),
        ("INIT Launching, a retry waits", Way::new(plan()).gate().end(0, "codex", 1, spawn())),
        ("INIT Launching, cancelling", Way::new(plan()).gate().cancel(0, Scope::All)),
    ])
}

fn running() -> Vec<(&'static str, Way)> {
    let with = |change: fn(&mut Plan)| {
        let mut plan = plan();
        change(&mut plan);
        both(plan)
    };
    let mut schema = plan();
    schema.schema = Some("{}".to_string());
    let correction = || {
        let poor = answered("codex", Some(session("codex")), broken());
        both(schema.clone()).end(1_000, "codex", 1, poor)
    };
    let waits = || both(plan()).end(1_000, "codex", 1, failed("codex", "E010", "", None));
    Vec::from([
        ("RUNNING", both(plan())),
        ("RUNNING, no retries", with(|plan| plan.max_retries = 0)),
        ("RUNNING, gate and", with(|plan| plan.gate = Rule::And)),
        ("RUNNING, second not started", Way::new(plan()).gate().start("codex", 1)),
        ("RUNNING, serial", with(|plan| plan.mode = Mode::Serial)),
        ("RUNNING, last one, other answered", both(plan()).answer(1_000, "gemini", 1)),
        ("RUNNING, last one, other failed", both(plan()).auth(1_000, "gemini", 1)),
        ("RUNNING, a retry waits", waits()),
        ("RUNNING, a correction is owed", correction()),
        ("RUNNING, a correction runs", correction().start("codex", 2)),
    ])
}

fn stopping() -> Vec<(&'static str, Way)> {
    let half = STARTED_AT.plus(300_000);
    let whole = STARTED_AT.plus(600_000);
    let attempt = |way: Way| way.say(half, Command::AttemptDue { p: "codex".into(), launch: 1 });
    let last = || both(plan()).answer(1_000, "gemini", 1);
    let longer = last().say(STARTED_AT.plus(2_000), Command::Extend { ms: 1_000 });
    let late = Command::CallEnded {
        p: "codex".into(),
        launch: 1,
        outcome: Outcome::TimedOut { report: None },
    };
    let again = last().say(half, late);
    let (at, call) = (half, "call-codex-2".to_string());
    let again = again.say(at, Command::CallStarted { p: "codex".into(), launch: 2, call, at });
    Vec::from([
        ("RUNNING, extended", longer),
        ("RUNNING, stopping at its due", attempt(last())),
        ("RUNNING, last retry", Way(again.0.clone())),
        ("RUNNING, stopping at the total", again.say(whole, Command::TotalDue)),
        ("RUNNING, one cancelled", last().cancel(2_000, Scope::One("codex".into()))),
        ("RUNNING, cancelling", both(plan()).cancel(2_000, Scope::All)),
    ])
}

fn over() -> Vec<(&'static str, Way)> {
    let mut short = plan();
    short.confirm_timeout_ms = 60_000;
    let acceptable = || both(short.clone()).answer(1_000, "codex", 1).auth(2_000, "gemini", 1);
    let unacceptable = || both(plan()).auth(1_000, "codex", 1).answer(2_000, "gemini", 1);
    let marked = || {
        let way = acceptable();
        let hash = match &way.0 {
            State::Degraded { question, .. } => question.hash.clone(),
            State::New
            | State::Init { .. }
            | State::Running { .. }
            | State::Success { .. }
            | State::Failed { .. } => <_>::default(),
        };
        let (question, choice, note) = ("confirm".to_string(), Choice::Accept, None);
        way.say(STARTED_AT.plus(3_000), Command::Answer { question, hash, choice, note })
    };
    Vec::from([
        ("DEGRADED ACCEPTABLE", acceptable()),
        ("DEGRADED UNACCEPTABLE", unacceptable()),
        ("SUCCESS", both(plan()).answer(1_000, "codex", 1).answer(2_000, "gemini", 1)),
        ("SUCCESS, marked", marked()),
        ("FAILED", both(plan()).auth(1_000, "codex", 1).auth(2_000, "gemini", 1)),
    ])
}
