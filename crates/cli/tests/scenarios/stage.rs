//! A scenario played with the real binary: an engine that this test started and may kill, a look at
//! the journal without it, and what a person does. Says what was seen; judges nothing but exits.

use std::fmt::Write as _;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use journal::{Head, Journal as _, Reader, Sqlite};
use kernel::run::{Kind, State};
use runtime::query;
use serde_json::Value;

use super::form::{Machine, Scenario, Step};
use super::kit::{House, PATIENCE};

/// Stands for our program in the files of a scenario.
const BINARY: &str = "@LOOPWRIGHT@";
/// The state of a run that is over; that of a turn has this name too.
const OVER: &str = "DONE";
const EVERY: Duration = Duration::from_millis(10);

/// What was seen of a run that ended.
#[derive(Debug)]
pub struct Seen {
    /// As its own command tells it.
    pub shown: Value,
    pub log: Vec<String>,
    pub effects: Vec<String>,
}

/// Where a scenario is played.
pub struct Stage {
    pub house: House,
    kind: Kind,
    engine: Mutex<Child>,
    /// The engine was killed by the watch.
    struck: AtomicBool,
    over: AtomicBool,
}

impl Stage {
    /// The repository, settings and agents of a scenario, and an engine.
    pub fn set(scenario: &Scenario) -> Self {
        let house = House::new();
        let said = &scenario.said;
        for (path, text) in &said.files {
            let file = house.work.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text.replace(BINARY, env!("CARGO_BIN_EXE_loopwright"))).unwrap();
        }
        let mut config = said.settings.clone();
        for (name, script) in &said.agents {
            let script = scenario.dir.join(script).canonicalize().unwrap();
            let script = script.to_str().unwrap();
            writeln!(config, "\n[agents.{name}]\nkind = \"script\"\nscenario = {script:?}")
                .unwrap();
            if said.waits.contains(name) {
                config.push_str("resume_at_reset = true\n");
            }
        }
        let dir = house.home.join("config/loopwright");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("config.toml"), config).unwrap();
        if said.git {
            repository(&house);
        }
        let engine = Mutex::new(engine(&house));
        let kind = match said.machine {
            Machine::Turn => Kind::Turn,
            Machine::Lifecycle => Kind::Lifecycle,
        };
        let (struck, over) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { house, kind, engine, struck, over }
    }

    /// Plays it; the engine is killed once when the turn has so many records.
    pub fn play(&self, scenario: &Scenario, kill_at: Option<u64>) -> Seen {
        std::thread::scope(|scope| {
            if let Some(seq) = kill_at {
                scope.spawn(move || self.watch(seq));
            }
            let seen =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.act(scenario)));
            self.over.store(true, Ordering::SeqCst);
            seen.unwrap_or_else(|why| std::panic::resume_unwind(why))
        })
    }

    fn act(&self, scenario: &Scenario) -> Seen {
        let start = scenario.said.start.iter().map(String::as_str);
        let alone = (self.kind == Kind::Turn).then_some("--no-wait");
        let args: Vec<&str> =
            [self.kind.name(), "start"].into_iter().chain(start).chain(alone).collect();
        self.command(&args, 0, "");
        for step in &scenario.said.steps {
            self.step(step);
        }
        self.until(OVER, |state, _| state == OVER);
        let id = self.run().unwrap().1.run;
        let effects = self.house.read("effects").lines().map(str::to_owned).collect();
        let verb = if self.kind == Kind::Turn { "show" } else { "status" };
        let shown = self.house.data(&[self.kind.name(), verb, &id]);
        Seen { shown, log: self.lines(), effects }
    }

    fn step(&self, step: &Step) {
        if let Some(wanted) = &step.until {
            self.until(wanted, |state, _| state == wanted);
        }
        if let Some(line) = &step.effect {
            self.until(line, |_, effects| effects.lines().any(|one| one == line));
        }
        if let Some(line) = &step.log {
            self.until(line, |_, _| self.lines().contains(line));
        }
        if let Some(kind) = &step.asked {
            self.until(kind, |_, _| self.asks(kind));
        }
        if let Some((path, text)) = &step.write {
            self.house.write(path, text);
        }
        if step.kill {
            self.strike();
        }
        if !step.run.is_empty() {
            let id = self.run().unwrap().1.run;
            let args: Vec<String> = step.run.iter().map(|arg| arg.replace('@', &id)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            self.command(&args, step.exit, &step.code);
        }
    }

    /// A command that ends so. One whose engine was killed under it is said again; that its first
    /// word counted already is then no fault.
    fn command(&self, args: &[&str], exit: i32, code: &str) {
        let before = self.struck.load(Ordering::SeqCst);
        let said = || self.house.run(&[args, &["--json"]].concat());
        let fits = |ran: &super::kit::Ran| {
            ran.code == exit && ran.json()["error"]["code"].as_str().unwrap_or_default() == code
        };
        let told = self.lines().len();
        let first = said();
        if fits(&first) {
            return;
        }
        let struck = !before && self.struck.load(Ordering::SeqCst);
        assert!(struck, "{args:?}: wanted {exit} {code:?}: {first:?}");
        if args[1] == "start" && self.run().is_some() {
            return;
        }
        // A wish said twice is two wishes.
        if args[1] == "modify" && self.lines().len() > told {
            return;
        }
        let again = said();
        let own = format!("{}.", self.kind.name());
        let refused = again.json()["error"]["code"].as_str().is_some_and(|c| c.starts_with(&own));
        assert!(fits(&again) || refused, "{args:?}: wanted {exit} {code:?}: {again:?}");
    }

    /// The run as the journal has it.
    fn run(&self) -> Option<(Reader, Head)> {
        let journal = Sqlite::open_reader(&self.house.work.join(".loop/journal")).ok()?;
        let own = |head: &Head| head.machine == self.kind.name() && head.parent.is_none();
        let head = journal.heads().ok()?.into_iter().find(own)?;
        Some((journal, head))
    }

    fn until(&self, what: &str, is: impl Fn(&str, &str) -> bool) {
        let over = Instant::now() + PATIENCE;
        loop {
            let state = self.state();
            if is(&state, &self.house.read("effects")) {
                return;
            }
            let late = Instant::now() > over || (state == OVER && what != OVER);
            assert!(!late, "never {what}: {state}\n{}", self.told());
            std::thread::sleep(EVERY);
        }
    }

    fn state(&self) -> String {
        let Some((journal, head)) = self.run() else { return String::new() };
        match query::fold(&journal, &head, None).map(|folded| folded.state) {
            Ok(state) if state.ended() => OVER.to_owned(),
            Ok(State::Turn(state)) => state.name().to_owned(),
            Ok(State::Lifecycle(state)) => state.name().to_owned(),
            Ok(_) | Err(_) => String::new(),
        }
    }

    /// Whether the turn, or something below it, asks such a question.
    fn asks(&self, kind: &str) -> bool {
        let Some((journal, head)) = self.run() else { return false };
        let open = query::questions(&journal, Some(&head.run)).unwrap();
        open.iter().any(|one| one.question.kind == kind)
    }

    /// The audit log as an expected one is written.
    fn lines(&self) -> Vec<String> {
        let Some((journal, head)) = self.run() else { return Vec::new() };
        if self.kind == Kind::Lifecycle {
            return journal.read_run(&head.run, 0).unwrap().iter().map(fact).collect();
        }
        query::audit(&journal, &head, 0).unwrap().iter().map(line).collect()
    }

    /// The log so far, for whoever reads a failure.
    fn told(&self) -> String {
        let Some((journal, head)) = self.run() else { return "no run".to_owned() };
        let log = query::log(&journal, &head, 0).unwrap();
        let lines = log.iter().map(|one| format!("  {} {}", one.kind, one.summary));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn watch(&self, seq: u64) {
        while !self.over.load(Ordering::SeqCst) {
            if self.run().is_some_and(|(_, head)| head.seq >= seq) {
                return self.strike();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the engine and starts the next.
    fn strike(&self) {
        let mut child = self.engine.lock().unwrap();
        self.struck.store(true, Ordering::SeqCst);
        child.kill().unwrap();
        child.wait().unwrap();
        *child = engine(&self.house);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // Calls of a turn that failed are stopped with it.
        self.house.write("go", "");
        if let Some((_, head)) = self.run()
            && !head.ended
        {
            self.house.run(&[self.kind.name(), "cancel", &head.run]);
        }
        self.house.run(&["engine", "stop"]);
        let mut child = self.engine.lock().unwrap();
        drop(child.kill());
        drop(child.wait());
    }
}

/// An engine that answers. One that another command was quicker to start is as good.
fn engine(house: &House) -> Child {
    let mut command = house.command(&["engine"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    super::kit::until("an engine answers", || {
        house.run(&["engine", "status", "--json"]).out.contains("\"running\":true")
    });
    child
}

fn git(house: &House, args: &[&str]) -> String {
    let mut command = std::process::Command::new("git");
    command.args(args).current_dir(&house.work).env("HOME", &house.home);
    let out = command.output().unwrap();
    assert!(out.status.success(), "git {args:?}: {out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn repository(house: &House) {
    house.write(".gitignore", ".loop/\neffects\n");
    git(house, &["-c", "init.defaultBranch=main", "init", "-q"]);
    git(house, &["config", "user.name", "a"]);
    git(house, &["config", "user.email", "a@b"]);
    git(house, &["add", "-A"]);
    git(house, &["commit", "-qm", "first"]);
}

/// The paths of each commit, the newest first.
pub fn commits(house: &House) -> Vec<Vec<String>> {
    let paths = |id: &str| {
        let shown = git(house, &["show", "--format=", "--name-only", id]);
        shown.lines().map(str::to_owned).collect()
    };
    git(house, &["log", "--format=%H"]).lines().map(paths).collect()
}

/// A fact of a lifecycle without times and ids: its name, and the task, status, verdict and reason
/// it has.
fn fact(record: &journal::Record) -> String {
    let data: Value = serde_json::from_str(&record.body).unwrap_or_default();
    let data = data.as_object().and_then(|all| all.values().next()).cloned().unwrap_or_default();
    let key = data["doing"].as_object().and_then(|doing| doing.keys().next());
    let step = data["doing"]["task"]["step"].as_object().and_then(|step| step.keys().next());
    let more = [
        data["task"].as_str().or(data["doing"]["task"]["task"].as_str()),
        step.or(key).map(String::as_str),
        data["status"].as_str(),
        data["evidence"]["verdict"].as_str(),
        data["halted"]["why"].as_str(),
        data["result"].as_str(),
        data["attempt"].as_u64().map(|n| ["0", "1", "2", "3"][usize::try_from(n).unwrap().min(3)]),
    ];
    let words = std::iter::once(record.kind.as_str()).chain(more.into_iter().flatten());
    words.collect::<Vec<_>>().join(" ")
}

/// An entry of the audit log without times and ids: its event, and the step, verdict and code it
/// has.
fn line(entry: &kernel::turn::AuditLogEntry) -> String {
    let data = serde_json::to_value(&entry.data).unwrap();
    let step = [&data["step"], &data["step"]["step_id"], &data["failure"]["step_id"]];
    let more = [
        step.iter().find_map(|value| value.as_str()),
        data["result"]["verdict"].as_str(),
        data["failure"]["code"].as_str().or(data["code"].as_str()),
        data["next"]["recover"][0]["code"].as_str(),
    ];
    let words = std::iter::once(entry.event.as_str()).chain(more.into_iter().flatten());
    words.collect::<Vec<_>>().join(" ")
}
