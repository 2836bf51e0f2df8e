//! A loop with its views, without an engine: commands are decided and evolved here, and what edits
//! ask for is said to the machine just as the host does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::loops::samples::{sample_check, sample_settings};
use kernel::loops::{
    Change, Command, Driver, Mode, NewTask, Origin, PauseHow, Place, Refusal, Run, State, TaskMode,
    decide, evolve,
};
use kernel::machine::{At, By, Said};
use kernel::policy::grant::Pin;
use loopwright_runtime::redact::{Redactor, Secrets};
use loopwright_runtime::view_file::Age;
use loopwright_runtime::views::{Seen, View, Views, Wish};
use serde_json::Value;

pub const ID: &str = "loop-v2-20260122T020000-1a2b3c4d";
/// 2026-01-22T02:00:00Z.
const START_MS: u64 = 1_769_047_200_000;

pub struct World {
    pub dir: tempfile::TempDir,
    pub views: Views,
    pub state: State,
    pub seq: u64,
    pub now: At,
    /// Every wish so far, with what the machine said to it.
    pub said: Vec<(Wish, Result<(), Refusal>)>,
}

/// In memory where there is such a place: every drawing syncs.
pub fn place() -> tempfile::TempDir {
    let shm = Path::new("/dev/shm");
    if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.expect("a directory")
}

/// One that knows a single secret.
pub fn redactor() -> Arc<Redactor> {
    let env = vec![("MY_TOKEN".to_owned(), "canary-12345".to_owned())];
    Arc::new(Redactor::new(&Secrets { env, ..Secrets::default() }).expect("no patterns"))
}

pub fn task(n: u32) -> NewTask {
    NewTask {
        task_id: format!("task-1769047200000-0000000{n}"),
        description: format!("Do part {n}"),
        tool: "bash".into(),
        mode: TaskMode::Write,
        prompt_template: None,
        command: Some("true".into()),
        run: Some(Run::Argv(vec!["true".into()])),
        on_error: None,
        origin: Origin::Queue,
        pin: Pin::default(),
    }
}

pub fn start(driver: Driver) -> Command {
    Command::Start {
        driver,
        mode: Mode::Auto,
        settings: Box::new(sample_settings()),
        checks: vec![sample_check()],
        programs: Vec::new(),
        busy_with: None,
    }
}

impl World {
    /// A created loop with two tasks, drawn.
    pub fn created() -> Self {
        let dir = place();
        let views = Views::new(dir.path().to_owned(), redactor());
        let (state, said) = (State::New, Vec::new());
        let mut world = Self { dir, views, state, seq: 0, now: At(START_MS), said };
        world.person(Command::Create {
            id: ID.into(),
            title: "Implement user authentication".into(),
            description: "Add login/logout".into(),
            max_iterations: 10,
            max_iterations_ceiling: 1000,
            parent: None,
        });
        for n in 1..=2 {
            world.person(Command::AddTask { task: task(n), place: Place::Last });
        }
        assert_eq!(world.draw(), Seen::default());
        world
    }

    /// In one of the situations of the ownership table.
    pub fn named(name: &str) -> Self {
        let mut world = Self::created();
        let external = Driver::External { runner: None };
        let driver = if name.starts_with("external") { external } else { Driver::Engine };
        if name != "created" {
            world.person(start(driver));
        }
        match name {
            "created" | "engine running" | "external running" => {}
            "engine paused" | "external paused" => {
                world.person(Command::Pause { how: PauseHow::Now });
            }
            "engine failed" | "external failed" => world.person(Command::Stop { why: None }),
            "engine completed" | "external completed" => {
                world.person(Command::Pause { how: PauseHow::Now });
                world.person(Command::Complete { force: Some("shown".into()) });
            }
            other => panic!("{other}"),
        }
        assert_eq!(world.draw(), Seen::default());
        world
    }

    pub fn say(&mut self, by: By, command: Command) -> Result<(), Refusal> {
        self.now = self.now.plus(1000);
        let events = decide(&self.state, &Said { by, at: self.now, command })?;
        for event in &events {
            evolve(&mut self.state, event, self.now);
            self.seq += 1;
        }
        Ok(())
    }

    pub fn person(&mut self, command: Command) {
        self.say(By::Person, command).expect("a person may");
    }

    pub fn draw(&mut self) -> Seen {
        self.views.draw(ID, &self.state, self.seq)
    }

    /// Draws and says what edits ask for, until nothing is left to say; answers all that was seen.
    pub fn turn(&mut self) -> Seen {
        let mut all = Seen::default();
        loop {
            let seen = self.draw();
            all.notices.extend(seen.notices);
            if seen.wishes.is_empty() {
                return all;
            }
            for (run, wish) in seen.wishes {
                assert_eq!(run, ID);
                let command = match wish.clone() {
                    Wish::StartExternal => start(Driver::External { runner: None }),
                    Wish::Complete => Command::Complete { force: None },
                    Wish::Command(command) => *command,
                };
                let answer = self.say(By::File, command);
                self.said.push((wish.clone(), answer));
                all.wishes.push((run, wish));
            }
        }
    }

    /// As the host does when it hears that a file changed.
    pub fn heard(&mut self, view: View) -> Seen {
        let seen = self.views.changed_outside(&view.relative(ID));
        assert_eq!(seen, Seen::default(), "an edit is judged when it is drawn over");
        assert_eq!(self.views.due(self.now), [ID], "it is due at once");
        self.turn()
    }

    pub fn path(&self, view: View) -> PathBuf {
        view.path(self.dir.path(), ID)
    }

    pub fn bytes(&self, view: View) -> Vec<u8> {
        fs::read(self.path(view)).expect("there")
    }

    pub fn text(&self, view: View) -> String {
        String::from_utf8(self.bytes(view)).expect("text")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes(View::Json)).expect("a document")
    }

    pub fn write(&self, view: View, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(view), bytes).expect("written");
    }

    /// Edits the document as an outside skill does, and lets the host hear of it.
    pub fn edit(&mut self, change: impl FnOnce(&mut Value)) -> Seen {
        let mut document = self.json();
        change(&mut document);
        self.write(View::Json, serde_json::to_vec_pretty(&document).expect("JSON"));
        self.heard(View::Json)
    }

    /// The names of refused edits.
    pub fn refused(&self) -> Vec<String> {
        let dir = fs::read_dir(self.dir.path().join("refused"));
        let mut names: Vec<String> = dir
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// What the views show is what the state draws, byte for byte, and nothing else lies there.
    pub fn check_drawn(&mut self) {
        self.views.look_late(Age::Any);
        let life = self.state.life().expect("alive");
        for (view, bytes) in loopwright_runtime::views::draw_all(life, self.seq) {
            assert!(self.bytes(view) == bytes, "{view:?} is not the fold");
        }
        for entry in fs::read_dir(self.dir.path()).expect("readable") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(!name.starts_with(".lw-view"), "{name} was left");
        }
    }
}

/// The changes of a wish that is a report.
pub fn changes(wish: &Wish) -> Vec<Change> {
    let Wish::Command(command) = wish else { panic!("no report: {wish:?}") };
    let Command::Report(report) = command.as_ref() else { panic!("no report: {command:?}") };
    report.changes.clone()
}
