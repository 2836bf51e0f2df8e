//! A workspace of its own with a home of its own, the real binary in it, and a journal with two
//! loops and two calls, if wanted also turns, made by the machines themselves. Asserts nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use journal::{Journal as _, Owner, Sqlite};
use kernel::call::{self, Ask, Budget, Ended, Exit, ParentNow, Prep, Request, Rules};
use kernel::loops;
use kernel::machine::{At, By, Said};
use kernel::policy::Verdict;
use kernel::run::{Command as Word, Kind};
use serde_json::Value;

use crate::turned::{self, batch};

/// The loops and calls of a filled house.
pub const LOOPS: [&str; 2] =
    ["loop-v2-20260122T020000-1a2b3c4d", "loop-v2-20260122T030000-5e6f7a8b"];
pub const CALLS: [&str; 2] = ["call-0001aaaa", "call-0002bbbb"];

/// A workspace, its home, and what holds them.
pub struct House {
    _temp: tempfile::TempDir,
    pub home: PathBuf,
    pub work: PathBuf,
}

/// What the binary answered.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("no JSON: {}", self.out))
    }
}

impl House {
    pub fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (home, work) = (top.join("home"), top.join("work"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        Self { _temp: temp, home, work }
    }

    /// A house with a journal.
    pub fn filled() -> Self {
        let house = Self::new();
        assert_eq!(house.run(&["workspace", "trust"]).code, 0);
        fill(&house.state().join("journal"));
        house
    }

    /// The same with turns in it.
    pub fn turned() -> Self {
        let house = Self::filled();
        turned::fill(&house.state().join("journal"));
        house
    }

    pub fn state(&self) -> PathBuf {
        self.work.join(".loop")
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.args(args).current_dir(&self.work).env_clear().env("HOME", &self.home);
        command.env("PATH", "/usr/bin:/bin").env("API_TOKEN", SECRET).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Self::ran(&mut self.command(args))
    }

    /// The same with one more variable.
    pub fn run_with(&self, args: &[&str], name: &str, value: &str) -> Ran {
        Self::ran(self.command(args).env(name, value))
    }

    fn ran(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().expect("it exits by itself");
        Ran { code, out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// A value of the environment that must never be seen.
pub const SECRET: &str = "canary-secret-value";

fn fill(dir: &Path) {
    let owner = Owner { pid: std::process::id(), version: "test".into(), since_ms: 0 };
    let mut journal = Sqlite::open(dir, &owner).unwrap();
    for (n, id) in LOOPS.iter().enumerate() {
        let create = loops::Command::Create {
            id: (*id).into(),
            title: format!("task {n}"),
            description: format!("make it work {n}"),
            max_iterations: 10,
            max_iterations_ceiling: 1000,
            parent: None,
        };
        live(&mut journal, id, None, vec![Word::Loop(create)]);
    }
    for (n, id) in CALLS.iter().enumerate() {
        live(&mut journal, id, Some(LOOPS[0]), call_words(n, id));
    }
}

/// A call that ran to its end; the second one was asked and waits.
fn call_words(n: usize, id: &str) -> Vec<Word> {
    let request = Request {
        name: "run".into(),
        version: "1.0.0".into(),
        argv: vec!["echo".into(), SECRET.into()],
        agent: None,
        args: None,
        cwd: ".".into(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: call::Class::Once,
        deadline_ms: 60_000,
        idle_ms: None,
        grace_ms: 1_000,
        on_unknown: call::OnUnknown::Wait,
        given: None,
    };
    let rule = "test".to_owned();
    let verdict = if n == 0 { Verdict::Allow { rule } } else { Verdict::Ask { rule } };
    let ask = Ask {
        key: format!("{}/{id}", LOOPS[0]),
        request,
        parent: Some(LOOPS[0].into()),
        parent_now: ParentNow::Active,
        verdict,
        shown: None,
        pin: None,
        budget: Budget::Left,
        rules: Rules::default(),
    };
    let mut words = vec![Word::Call(call::Command::Ask(Box::new(ask)))];
    if n == 0 {
        let prep = Prep { tree_before: None, program: None, sandbox: "none".into(), unkept: None };
        words.push(Word::Call(call::Command::Prepared { attempt: 1, epoch: 1, prep }));
        let exit = Box::new(ended());
        words.push(Word::Call(call::Command::Exited { attempt: 1, epoch: 1, exit }));
    }
    words
}

fn ended() -> Exit {
    Exit {
        ended: Ended::Exit,
        exit_code: Some(0),
        signal: None,
        started_at: At(1_000),
        ended_at: At(2_000),
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "none".into(),
        held: Box::default(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: vec!["src/a.rs".into()],
        changes: None,
        agent: None,
        done: None,
    }
}

/// Says each word to the run and records what it accepts.
fn live(journal: &mut Sqlite, id: &str, parent: Option<&str>, words: Vec<Word>) {
    let kind = words.first().map_or(Kind::Call, Word::kind);
    let (mut state, mut seq) = (kind.unborn(), 0);
    for word in words {
        let at = At(1_770_000_000_000 + seq * 1000);
        let by = match word {
            Word::Loop(_)
            | Word::Collab(_)
            | Word::Grant(_)
            | Word::Turn(_)
            | Word::Lifecycle(_)
            | Word::Session(_) => By::Person,
            Word::Call(call::Command::Ask(_)) => By::Parent { run: LOOPS[0].into() },
            Word::Call(_) => By::Engine,
        };
        let events = state.decide(Said { by, at, command: word }).unwrap();
        let batch = batch(&mut state, id, parent, seq, at, &events);
        seq += events.len() as u64;
        journal.append(&batch).unwrap();
    }
}
