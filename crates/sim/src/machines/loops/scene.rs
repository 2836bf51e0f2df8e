//! Scenes: what a walk of the loop machine is about. Each has its settings and a small alphabet,
//! and is walked so deep that its own rules are all met.

use kernel::loops::{
    ActionResult, Change, Command, Driver, EndedAction, Kind, LabelsPatch, Mode, OnError,
    OnNoTests, PauseHow, Place, Report, Settings, State, samples,
};
use kernel::machine::{At, By, Said};

use super::ends;

/// The one moment of a walk. A lease of no length lets every timer fall due in it.
pub const NOW: At = At(1_000);

/// What is said beside what the world reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Words {
    Steer,
    Answers,
    Outside,
    Lists,
    Voices,
}

/// How far a loop has come when its walk begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Begins {
    New,
    Started,
    TaskFailed,
}

/// One walk.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Scene {
    pub name: &'static str,
    /// Commands behind each other in the short walk.
    pub depth: usize,
    /// Where it begins, besides with nothing.
    pub begins: Begins,
    pub words: &'static [Words],
    pub drivers: &'static [Driver],
    pub modes: &'static [Mode],
    pub max_iterations: u32,
    pub tasks_max: usize,
    pub debug_rounds_max: u32,
    pub fix_tasks_max: u32,
    pub on_no_tests: OnNoTests,
    pub on_error: OnError,
    pub checks: usize,
}

const ENGINE: &[Driver] = &[Driver::Engine];
const EITHER: &[Driver] = &[Driver::Engine, Driver::External { runner: None }];
const AUTO: &[Mode] = &[Mode::Auto];
const MENU: &[Mode] = &[Mode::Interactive];
const BOTH: &[Mode] = &[Mode::Auto, Mode::Interactive];

const PLAIN: Scene = Scene {
    name: "auto",
    depth: 7,
    begins: Begins::Started,
    words: &[Words::Steer],
    drivers: ENGINE,
    modes: AUTO,
    max_iterations: 2,
    tasks_max: 1,
    debug_rounds_max: 0,
    fix_tasks_max: 1,
    on_no_tests: OnNoTests::AddTask,
    on_error: OnError::Continue,
    checks: 1,
};

/// Every scene.
pub const SCENES: [Scene; 7] = [
    PLAIN,
    Scene {
        name: "debug",
        depth: 6,
        begins: Begins::TaskFailed,
        words: &[],
        max_iterations: 3,
        debug_rounds_max: 2,
        ..PLAIN
    },
    Scene {
        name: "menu",
        depth: 6,
        words: &[Words::Answers],
        modes: MENU,
        fix_tasks_max: 0,
        ..PLAIN
    },
    Scene {
        name: "lent",
        begins: Begins::New,
        depth: 6,
        words: &[Words::Outside],
        drivers: EITHER,
        ..PLAIN
    },
    Scene { name: "lists", depth: 4, words: &[Words::Lists], tasks_max: 2, ..PLAIN },
    Scene {
        name: "voices",
        depth: 4,
        checks: 0,
        words: &[Words::Steer, Words::Answers, Words::Voices],
        drivers: EITHER,
        modes: BOTH,
        max_iterations: 1,
        fix_tasks_max: 0,
        on_error: OnError::Pause,
        ..PLAIN
    },
    Scene {
        name: "asking",
        depth: 6,
        max_iterations: 3,
        words: &[Words::Steer, Words::Answers],
        on_no_tests: OnNoTests::Ask,
        on_error: OnError::FailFast,
        fix_tasks_max: 0,
        ..PLAIN
    },
];

impl Scene {
    fn settings(&self) -> Settings {
        Settings {
            error_limit: 2,
            debug_rounds_max: self.debug_rounds_max,
            fix_tasks_max: self.fix_tasks_max,
            on_no_tests: self.on_no_tests,
            on_error: self.on_error,
            lease_ms: 0,
            resume_at_reset: vec!["bash".to_owned()],
            ..samples::sample_settings()
        }
    }

    /// Where the walk begins.
    pub fn roots(&self) -> Vec<State> {
        let mut all = vec![State::New];
        if self.begins >= Begins::Started {
            let task = Command::AddTask { task: ends::task("w1"), place: Place::Last };
            let created = after(&State::New, [create(self.max_iterations), task]);
            all.extend(self.starts().into_iter().map(|start| after(&created, [start])));
        }
        if self.begins >= Begins::TaskFailed
            && let Some((state, (_, n, leg))) =
                all.last().and_then(|state| Some((state.clone(), state.awaited()?)))
        {
            let end = ends::of(&leg, NOW).swap_remove(0);
            all.push(after(&state, [Command::LegEnded { n, leg, end }]));
        }
        all
    }

    /// Everything that may be said in this state.
    pub fn says(&self, state: &State) -> Vec<Said<Command>> {
        let mut all = self.plain(state);
        if self.words.contains(&Words::Voices) {
            let voices = [
                By::Guest,
                By::Agent { call: "call-1".to_owned() },
                By::Parent { run: "session-1".to_owned() },
                By::File,
            ];
            let people: Vec<_> =
                all.iter().filter(|command| !command.is_engines()).cloned().collect();
            let mut said: Vec<_> = voices
                .into_iter()
                .flat_map(|by| people.iter().map(move |command| (by.clone(), command.clone())))
                .map(|(by, command)| Said { by, at: NOW, command })
                .collect();
            said.extend(all.drain(..).map(own));
            return said;
        }
        all.into_iter().map(own).collect()
    }

    fn plain(&self, state: &State) -> Vec<Command> {
        let mut all = vec![create(self.max_iterations)];
        let Some(life) = state.life() else {
            all.push(Command::ViewsRemoved);
            if self.words.contains(&Words::Lists) {
                all.extend(lists(state));
            }
            return all;
        };
        if life.body.tasks.len() < self.tasks_max {
            let word = format!("w{}", life.body.next_task);
            all.push(Command::AddTask { task: ends::task(&word), place: Place::Last });
        }
        all.extend(self.starts());
        all.extend(happenings(state));
        all.extend(steering());
        for words in self.words {
            match words {
                Words::Steer => all.extend(rare()),
                Words::Answers => all.extend(answers(state)),
                Words::Outside => all.extend(outside(state)),
                Words::Lists => all.extend(lists(state)),
                Words::Voices => {}
            }
        }
        all
    }

    fn starts(&self) -> Vec<Command> {
        let mut all = Vec::new();
        for driver in self.drivers {
            for mode in self.modes {
                let checks = vec![samples::sample_check(); self.checks];
                let (driver, mode) = (driver.clone(), *mode);
                let settings = Box::new(self.settings());
                let (programs, busy_with) = (Vec::new(), None);
                all.push(Command::Start { driver, mode, settings, checks, programs, busy_with });
            }
        }
        all
    }
}

/// The state behind some commands; one that is refused changes nothing.
fn after<const N: usize>(state: &State, commands: [Command; N]) -> State {
    let mut state = state.clone();
    for command in commands {
        let said = own(command);
        for event in kernel::loops::decide(&state, &said).unwrap_or_default() {
            kernel::loops::evolve(&mut state, &event, said.at);
        }
    }
    state
}

fn own(command: Command) -> Said<Command> {
    let by = if let Command::Timeout { .. } = command {
        By::Timer
    } else if command.is_engines() {
        By::Engine
    } else {
        By::Person
    };
    Said { by, at: NOW, command }
}

fn create(max_iterations: u32) -> Command {
    Command::Create {
        id: "loop-walk".to_owned(),
        title: "Walk".to_owned(),
        description: String::new(),
        max_iterations,
        max_iterations_ceiling: 10,
        parent: None,
    }
}

/// What the world can report of the leg at work, and of one that is not.
fn happenings(state: &State) -> Vec<Command> {
    let mut all = Vec::new();
    if let Some((_, n, leg)) = state.awaited() {
        let child = format!("call-{n}-{}", leg.word());
        all.push(Command::LegBegan { n, leg: leg.clone(), child, head: None });
        let ends = ends::of(&leg, NOW).into_iter();
        all.extend(ends.map(|end| Command::LegEnded { n, leg: leg.clone(), end }));
        let end = kernel::loops::LegEnd::Cancelled;
        all.push(Command::LegEnded { n: n.saturating_sub(1), leg, end });
    }
    for owed in kernel::loops::owed(state) {
        if let kernel::owed::Owed::Timer { slot, .. } = owed {
            all.push(Command::Timeout { slot });
        }
    }
    all.push(Command::Timeout { slot: "lease/0".to_owned() });
    all
}

fn steering() -> Vec<Command> {
    vec![
        Command::Pause { how: PauseHow::Finish },
        Command::Pause { how: PauseHow::Now },
        Command::Resume { busy_with: None },
        Command::Retry { busy_with: None },
        Command::Stop { why: None },
    ]
}

fn rare() -> Vec<Command> {
    let busy_with = Some("loop-other".to_owned());
    vec![
        Command::Resume { busy_with },
        Command::Reopen { busy_with: None },
        Command::Complete { force: None },
        Command::Complete { force: Some("shown".to_owned()) },
        Command::SetMode { mode: Mode::Auto },
        Command::SetMode { mode: Mode::Interactive },
    ]
}

fn answers(state: &State) -> Vec<Command> {
    let (q, hash) = state.open_question().unwrap_or((0, None));
    let given = |key: &str, text: Option<&str>, hash: Option<String>| Command::Answer {
        q,
        key: key.to_owned(),
        text: text.map(str::to_owned),
        hash,
        task_id: String::new(),
    };
    let keys = ["1", "debug", "validate", "status", "complete", "complete_forced", "exit", "x"];
    let mut all: Vec<_> = keys.iter().map(|key| given(key, None, None)).collect();
    all.push(given("debug", Some("it hangs"), None));
    all.extend(["validate_again", "stop"].map(|key| given(key, None, None)));
    all.push(given("accept", None, hash));
    all.push(given("accept", None, None));
    all.push(given("accept", None, Some("stale".to_owned())));
    all
}

fn outside(state: &State) -> Vec<Command> {
    let report = |runner: Option<&str>, changes, ended| {
        let runner = runner.map(str::to_owned);
        Command::Report(Box::new(Report { runner, base_rev: None, changes, ended }))
    };
    let ended = |kind, result| EndedAction { kind, result, summary: String::new() };
    let failed = ActionResult::Failed { message: "red".to_owned() };
    let mut all = vec![
        report(None, vec![], vec![]),
        report(None, vec![Change::ClaimedPassed(true)], vec![]),
        report(None, vec![], vec![ended(Kind::Develop, ActionResult::Ok)]),
        report(Some("a"), vec![], vec![ended(Kind::Init, ActionResult::Ok)]),
        report(None, vec![], vec![ended(Kind::Validate, ActionResult::Ok)]),
        report(None, vec![], vec![ended(Kind::Debug, failed)]),
        Command::Signal { runner: "a".to_owned() },
        Command::Signal { runner: "b".to_owned() },
        Command::Complete { force: None },
        Command::Complete { force: Some("shown".to_owned()) },
    ];
    if let Some(task) = state.life().and_then(|life| life.body.tasks.first()) {
        for status in ["completed", "failed", "in_progress", "lost"] {
            let (id, status) = (task.id.clone(), status.to_owned());
            let change = Change::TaskStatus { id, status, files_changed: vec![] };
            all.push(report(Some("a"), vec![change], vec![]));
        }
    }
    all
}

/// The samples of the task commands, imports, edits and the removal.
fn lists(state: &State) -> Vec<Command> {
    let wanted =
        ["Import", "Edit", "EditTask", "RemoveTask", "ReorderTasks", "RequeueTask", "Delete"];
    let mut all: Vec<_> = samples::sample_commands(state)
        .into_iter()
        .filter(|(label, _)| wanted.contains(label))
        .map(|(_, said)| said.command)
        .collect();
    if let Some(task) = state.life().and_then(|life| life.body.tasks.first()) {
        all.push(Command::RemoveTask { task: task.id.clone() });
        all.push(Command::RequeueTask { task: task.id.clone() });
    }
    for max in [1, 3] {
        all.push(Command::Edit {
            title: None,
            description: None,
            max_iterations: Some(max),
            max_iterations_ceiling: 10,
            labels: LabelsPatch::default(),
        });
    }
    all
}
