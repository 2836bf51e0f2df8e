//! A run on disk without an engine: its pages are drawn, and what edits ask for is decided by the
//! machine itself.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::lifecycle::samples::sample_states;
use kernel::lifecycle::{Command, NoteKind, State, decide, evolve};
use kernel::machine::{At, By, Said};
use loopwright_runtime::redact::{Redactor, Secrets};
use loopwright_runtime::views::Notice;
use loopwright_runtime::views::context::{Contexts, PAGE, Place};
use loopwright_runtime::words::Lang;

/// The id of the sample run.
pub const RUN: &str = "lc-1";

/// One run and its pages.
pub struct World {
    pub dir: tempfile::TempDir,
    pub contexts: Contexts,
    pub state: State,
    pub notices: Vec<Notice>,
    pub taken: Vec<Command>,
    now: u64,
}

impl World {
    /// A run in the state of that name.
    pub fn new(name: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (_, state) = sample_states().into_iter().find(|(known, _)| *known == name).unwrap();
        let contexts = keeper(&dir);
        let (notices, taken) = (Vec::new(), Vec::new());
        let mut world = Self { dir, contexts, state, notices, taken, now: 1_000_000 };
        world.turn();
        world
    }

    /// Another engine takes over.
    pub fn restart(&mut self) {
        self.contexts = keeper(&self.dir);
    }

    pub fn loop_dir(&self) -> PathBuf {
        self.dir.path().join(".loop")
    }

    pub fn main(&self) -> PathBuf {
        self.loop_dir().join(PAGE)
    }

    pub fn own(&self) -> PathBuf {
        self.loop_dir().join("runs").join(RUN).join(PAGE)
    }

    pub fn text(&self) -> String {
        fs::read_to_string(self.main()).unwrap()
    }

    /// The run's position.
    pub fn seq(&self) -> u64 {
        self.state.life().unwrap().body.seq
    }

    /// Draws until nothing is asked for any more, as the host does after each batch.
    pub fn turn(&mut self) {
        for _ in 0..100 {
            let quiet = !self.step();
            if quiet && self.contexts.due(At(self.now + 300)).is_empty() {
                return;
            }
        }
        panic!("it never comes to rest");
    }

    /// Draws once and says what edits ask for; answers whether they asked for anything.
    pub fn step(&mut self) -> bool {
        self.now += 300;
        let (seq, now) = (self.seq(), At(self.now));
        let seen = self.contexts.draw(RUN, (&self.state, seq), Place::Main, Vec::new(), now);
        self.notices.extend(seen.notices);
        for command in &seen.commands {
            self.say(By::File, command.clone());
        }
        let asked = !seen.commands.is_empty();
        self.taken.extend(seen.commands);
        asked
    }

    /// Says something to the machine.
    pub fn say(&mut self, by: By, command: Command) {
        let said = Said { by, at: At(self.now), command };
        for event in decide(&self.state, &said).unwrap() {
            evolve(&mut self.state, &event, At(self.now));
        }
    }

    /// Notes something, as the engine does while it works.
    pub fn note(&mut self, text: &str) {
        let (kind, task, text) = (NoteKind::Progress, None, text.to_owned());
        self.say(By::Person, Command::Note { kind, task, text });
    }

    /// Replaces a part of the page, as an editor does.
    pub fn edit(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{from} is not in\n{text}");
        self.save(text.replacen(from, to, 1).as_bytes());
    }

    /// Saves the page whole.
    pub fn save(&self, bytes: &[u8]) {
        let temp = self.main().with_extension("editor");
        fs::write(&temp, bytes).unwrap();
        fs::rename(&temp, self.main()).unwrap();
    }

    /// Refused edits that are kept.
    pub fn refused(&self) -> Vec<Vec<u8>> {
        let all = fs::read_dir(self.loop_dir().join("refused")).into_iter().flatten().flatten();
        all.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
            .map(|entry| fs::read(entry.path()).unwrap())
            .collect()
    }
}

fn keeper(dir: &tempfile::TempDir) -> Contexts {
    let loop_dir = dir.path().join(".loop");
    fs::create_dir_all(&loop_dir).unwrap();
    let secrets = vec![("MY_TOKEN".to_owned(), "canary-12345".to_owned())];
    let redactor = Redactor::new(&Secrets { env: secrets, ..Secrets::default() }).unwrap();
    Contexts::new(loop_dir.clone(), loop_dir.join(PAGE), Lang::En, Arc::new(redactor))
}
