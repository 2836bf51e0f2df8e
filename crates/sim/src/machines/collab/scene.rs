//! Scenes: what a walk of the collab machine is about. Each has its plan and the ends that launches
//! may have, so few that all of it can be walked to the last state.

use kernel::agent::{Kind, Structured};
use kernel::collab::samples::{answered, failed, member, plan, session};
use kernel::collab::{
    Accept, Checked, Choice, Command, Flaw, Mode, Outcome, Participant, Phase, Plan, Rule,
    STOP_BOUND_MS, Scope, State, owed, timer_command,
};
use kernel::machine::{At, By, Said};
use kernel::owed::Owed;

/// When every run of a walk is made.
const MADE_AT: At = At(1_000_000);
/// How much a walk extends by, once.
const MORE_MS: u64 = 60_000;
/// The total time of every walk.
const TOTAL_MS: u64 = 600_000;

/// How a launch may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum End {
    Answered,
    NoId,
    SharedId,
    Broken,
    Network,
    Auth,
    ResumeUnknown,
    TimedOut,
    Stopped,
    SpawnFailed,
    Lost,
    Unknown,
}

/// What is said beside what the world reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Conversations are told of before their launch ends.
    Sessions,
    /// Participants and runs are cancelled.
    Cancels,
    /// The run is extended.
    Extends,
    /// The start gate finds something.
    Gates,
    /// Agents, guests and files speak too, and reports come for what is not owed.
    Voices,
}

/// One walk.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are the plan's own")]
pub struct Scene {
    pub name: &'static str,
    pub people: usize,
    pub mode: Mode,
    pub gate: Rule,
    pub max_retries: u32,
    pub lite: bool,
    pub accept: Accept,
    pub confirm_timeout_ms: u64,
    pub ends: &'static [End],
    pub words: &'static [Words],
}

const PAIR: Scene = Scene {
    name: "pair",
    people: 2,
    mode: Mode::Parallel,
    gate: Rule::Or,
    max_retries: 1,
    lite: false,
    accept: Accept::Ask,
    confirm_timeout_ms: 0,
    ends: &[End::Answered, End::Network, End::TimedOut, End::Auth, End::Unknown],
    words: &[],
};

/// Every walk of the tests.
pub const SCENES: [Scene; 8] = [
    PAIR,
    Scene {
        name: "stops",
        max_retries: 0,
        ends: &[End::Answered, End::Stopped, End::Auth, End::Unknown],
        words: &[Words::Cancels],
        ..PAIR
    },
    Scene { name: "serial", mode: Mode::Serial, words: &[Words::Cancels], ..PAIR },
    Scene {
        name: "and",
        gate: Rule::And,
        max_retries: 0,
        ends: &[End::Answered, End::NoId, End::SharedId, End::Auth],
        words: &[Words::Sessions, Words::Gates],
        ..PAIR
    },
    Scene {
        name: "alone",
        people: 1,
        max_retries: 3,
        ends: &[
            End::Answered,
            End::NoId,
            End::Broken,
            End::Network,
            End::ResumeUnknown,
            End::TimedOut,
            End::Stopped,
            End::SpawnFailed,
            End::Lost,
            End::Unknown,
        ],
        words: &[Words::Sessions, Words::Cancels],
        ..PAIR
    },
    Scene {
        name: "poor",
        max_retries: 0,
        ends: &[End::Answered, End::Broken, End::TimedOut],
        words: &[Words::Extends],
        ..PAIR
    },
    Scene {
        name: "lite",
        lite: true,
        confirm_timeout_ms: 60_000,
        words: &[Words::Gates, Words::Voices],
        ..PAIR
    },
    Scene {
        name: "voices",
        max_retries: 0,
        accept: Accept::Acceptable,
        ends: &[End::Answered, End::Auth],
        words: &[Words::Gates, Words::Voices],
        ..PAIR
    },
];

impl Scene {
    fn says(&self, words: Words) -> bool {
        self.words.contains(&words)
    }

    /// The plan of this scene.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let mut plan = Plan {
            mode: self.mode,
            gate: self.gate,
            max_retries: self.max_retries,
            lite: self.lite,
            accept: self.accept,
            confirm_timeout_ms: self.confirm_timeout_ms,
            timeout_ms: TOTAL_MS,
            ..plan()
        };
        if self.ends.contains(&End::Broken) {
            plan.schema = Some("{}".to_owned());
        }
        plan.participants.truncate(self.people);
        if self.people > 2 {
            plan.participants.push(member("claude", Kind::Claude, "backend"));
        }
        plan
    }

    /// Everything that may be said in this state, fitting or not.
    #[must_use]
    pub fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        let now = now(state);
        let seen = |command| Said { by: By::Engine, at: now, command };
        let mut all = self.made(now);
        all.extend(self.gates().into_iter().map(seen));
        for one in state.participants() {
            all.extend(self.reports(state, one).into_iter().map(seen));
        }
        all.extend(timers(state));
        all.extend(self.people(state, now));
        if self.says(Words::Voices) {
            all.extend(strangers(state, now));
        }
        all
    }

    fn made(&self, now: At) -> Vec<Said<Command>> {
        let create = |plan: Plan| {
            let command = Command::Create { plan: Box::new(plan), busy_sessions: Vec::new() };
            Said { by: By::Person, at: now, command }
        };
        let other = Plan { task: "another".to_owned(), ..self.plan() };
        let bad = Plan { task: String::new(), ..self.plan() };
        vec![create(self.plan()), create(other), create(bad)]
    }

    fn gates(&self) -> Vec<Command> {
        let flaw =
            |code: &str| Flaw { code: code.to_owned(), kind: String::new(), detail: String::new() };
        let mut all = vec![Command::GateChecked(Checked::default())];
        if self.says(Words::Gates) {
            let workdir = Checked { workdir: Some(flaw("E008")), ..Checked::default() };
            let one = Checked {
                participants: [("codex".to_owned(), flaw("E001"))].into(),
                ..Checked::default()
            };
            all.extend([workdir, one].map(Command::GateChecked));
        }
        all
    }

    /// What the world may tell of a participant: its launch starts, names a conversation, ends.
    fn reports(&self, state: &State, one: &Participant) -> Vec<Command> {
        let Some(launch) = one.launch().map(|launch| launch.n) else { return Vec::new() };
        let p = || one.name.clone();
        let call = format!("call-{}-{launch}", one.name);
        let mut all = vec![Command::CallStarted { p: p(), launch, call, at: now(state) }];
        if self.says(Words::Sessions) {
            all.push(Command::SessionSeen { p: p(), launch, id: session(&one.name) });
            all.push(Command::SessionSeen { p: p(), launch, id: session("codex") });
        }
        let ends = self.ends.iter().map(|end| outcome(*end, &one.name));
        all.extend(ends.map(|outcome| Command::CallEnded { p: p(), launch, outcome }));
        all
    }

    fn people(&self, state: &State, now: At) -> Vec<Said<Command>> {
        let mut all = Vec::new();
        if let State::Degraded { question, .. } = state {
            let answer = |choice: Choice, note: Option<&str>| Command::Answer {
                question: question.id.clone(),
                hash: question.hash.clone(),
                choice,
                note: note.map(str::to_owned),
            };
            all.extend(Choice::ALL.map(|choice| answer(choice, None)));
            all.push(answer(Choice::Override, Some("it will do")));
        }
        if self.says(Words::Cancels) {
            all.push(Command::Cancel { scope: Scope::All });
            let names = state.participants().iter().map(|one| one.name.clone());
            all.extend(names.map(|name| Command::Cancel { scope: Scope::One(name) }));
        }
        if self.says(Words::Extends) {
            all.push(Command::Extend { ms: MORE_MS });
        }
        all.into_iter().map(|command| Said { by: By::Person, at: now, command }).collect()
    }
}

/// How often this run was extended.
pub fn extensions(state: &State) -> u64 {
    match state {
        State::Running { started_at, due, .. } => (due.since(*started_at) - TOTAL_MS) / MORE_MS,
        State::New
        | State::Init { .. }
        | State::Degraded { .. }
        | State::Success { .. }
        | State::Failed { .. } => 0,
    }
}

/// How often the question of this run was put off.
pub fn deferrals(state: &State) -> u64 {
    match state {
        State::Degraded { run, ended_at, question, .. } => {
            let length = run.plan.confirm_timeout_ms.max(1);
            question.expires_at.map_or(0, |expires| expires.since(*ended_at) / length - 1)
        }
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Success { .. }
        | State::Failed { .. } => 0,
    }
}

fn outcome(end: End, p: &str) -> Outcome {
    let own = || Some(session(p));
    let issue = kernel::agent::Issue {
        pointer: "/x".to_owned(),
        expected: "a number".to_owned(),
        found: "text".to_owned(),
    };
    match end {
        End::Answered => answered(p, own(), Structured::NotAsked),
        End::NoId => answered(p, None, Structured::NotAsked),
        End::SharedId => answered(p, Some(session("codex")), Structured::NotAsked),
        End::Broken => {
            let (kind, issues) = ("schema".to_owned(), vec![issue]);
            answered(p, own(), Structured::Invalid { kind, issues })
        }
        End::Network => failed(p, "E010", "", None),
        End::Auth => failed(p, "E009", "auth", None),
        End::ResumeUnknown => failed(p, "E002", "resume_unknown", None),
        End::TimedOut => Outcome::TimedOut { report: None },
        End::Stopped => Outcome::Stopped { report: None },
        End::SpawnFailed => Outcome::SpawnFailed { detail: String::new() },
        End::Lost => Outcome::Lost,
        End::Unknown => Outcome::Unknown { survivors: Vec::new() },
    }
}

/// The last moment that the state knows of: in a walk nothing else takes time.
pub fn now(state: &State) -> At {
    let started = match state {
        State::Running { started_at, due, total_timed_out, .. } => {
            if *total_timed_out {
                *due
            } else {
                *started_at
            }
        }
        State::Degraded { ended_at, .. }
        | State::Success { ended_at, .. }
        | State::Failed { ended_at, .. } => *ended_at,
        State::New | State::Init { .. } => MADE_AT,
    };
    let of = |one: &Participant| {
        let phase = match &one.phase {
            Phase::Running { since, .. } => Some(*since),
            Phase::Ended { at, .. } => Some(*at),
            Phase::Stopping { stop_by, .. } => Some(At(stop_by.0 - STOP_BOUND_MS)),
            Phase::Pending | Phase::Starting { .. } | Phase::Backoff { .. } => None,
        };
        phase.max(one.errors.last().map(|fault| fault.at)).unwrap_or(MADE_AT)
    };
    state.participants().iter().map(of).max().unwrap_or(MADE_AT).max(started)
}

/// Every timer that is owed: as it falls due, and a moment too early.
pub fn timers(state: &State) -> Vec<Said<Command>> {
    let mut all = Vec::new();
    for owed in owed(state) {
        let Owed::Timer { slot, due } = owed else { continue };
        let Some(command) = timer_command(&slot) else { continue };
        let at = due.max(now(state));
        all.push(Said { by: By::Timer, at, command: command.clone() });
        all.push(Said { by: By::Timer, at: At(due.0 - 1), command });
    }
    all
}

/// Those who may not speak, and reports for what is not there.
fn strangers(state: &State, now: At) -> Vec<Said<Command>> {
    let (question, hash) = state_question(state);
    let answer = |question: &str, hash: &str| Command::Answer {
        question: question.to_owned(),
        hash: hash.to_owned(),
        choice: Choice::Accept,
        note: None,
    };
    let (p, launch, lost) = (|p: &str| p.to_owned(), 99, || Outcome::Lost);
    let (agent, parent) = (By::Agent { call: p("call-1") }, By::Parent { run: p("turn-1") });
    let voices = [agent, By::File, By::Guest, parent, By::Person];
    let mut all = Vec::new();
    for by in voices {
        let commands = [
            answer(&question, &hash),
            answer("another", &hash),
            answer(&question, "another"),
            Command::Cancel { scope: Scope::All },
            Command::Cancel { scope: Scope::One(p("codex")) },
            Command::Cancel { scope: Scope::One(p("nobody")) },
            Command::Extend { ms: MORE_MS },
            Command::Extend { ms: 0 },
            Command::Extend { ms: u64::MAX },
        ];
        all.extend(commands.map(|command| Said { by: by.clone(), at: now, command }));
    }
    let reports = [
        Command::CallEnded { p: p("codex"), launch, outcome: lost() },
        Command::CallEnded { p: p("nobody"), launch, outcome: lost() },
        Command::AttemptDue { p: p("codex"), launch },
        Command::BackoffDue { p: p("codex"), launch },
        Command::StopDue { p: p("nobody"), launch },
        Command::TotalDue,
        Command::QuestionDue { id: "another".to_owned() },
    ];
    all.extend(reports.map(|command| Said { by: By::Engine, at: now, command }));
    all
}

fn state_question(state: &State) -> (String, String) {
    match state {
        State::Degraded { question, .. } => (question.id.clone(), question.hash.clone()),
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Success { .. }
        | State::Failed { .. } => ("confirm".to_owned(), String::new()),
    }
}
