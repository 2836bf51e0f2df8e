//! A session that tests talk to: says, answers and tells, and keeps what was recorded.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::super::samples::{NOW, outcomes, setup};
use super::super::{Command, Event, Name, Refusal, Setup, State, decide, evolve, slots, vars};
use crate::machine::{By, Refusal as _, Said};

pub struct World {
    pub state: State,
    pub events: Vec<Event>,
    said: u32,
}

impl World {
    pub fn new() -> Self {
        let mut world = Self { state: State::New, events: Vec::new(), said: 0 };
        world.by(By::Person, Command::Open { key: "git:main".to_string() }).expect("opens");
        world.events.clear();
        world
    }

    pub fn by(&mut self, by: By, command: Command) -> Result<Vec<&'static str>, Refusal> {
        let said = Said { by, at: NOW, command };
        let events = decide(&self.state, &said)?;
        for event in &events {
            evolve(&mut self.state, event, NOW);
        }
        let names = events.iter().map(Event::name).collect();
        self.events.extend(events);
        Ok(names)
    }

    fn id(&mut self) -> String {
        self.said += 1;
        alloc::format!("i{}", self.said)
    }

    pub fn run_with(
        &mut self,
        name: Name,
        text: &str,
        setup: Setup,
    ) -> Result<Vec<&'static str>, Refusal> {
        let (text, flags, input_id) = (text.to_string(), Vec::new(), self.id());
        let setup = Box::new(setup);
        self.by(By::Person, Command::Run { name, text, flags, input_id, setup })
    }

    pub fn run(&mut self, name: Name, text: &str) -> Result<Vec<&'static str>, Refusal> {
        self.run_with(name, text, setup())
    }

    pub fn types(&mut self, text: &str) -> Result<Vec<&'static str>, Refusal> {
        let (input_id, setup) = (self.id(), Box::new(setup()));
        let (text, meant) = (text.to_string(), Vec::new());
        self.by(By::Person, Command::Say { text, input_id, meant, setup })
    }

    pub fn answer(&mut self, key: &str) -> Result<Vec<&'static str>, Refusal> {
        let life = self.state.life().expect("open");
        let question = life.questions().last().map(|q| q.id.clone()).unwrap_or_default();
        let (key, text) = (key.to_string(), None);
        self.by(By::Person, Command::Answer { question, key, text, hash: None })
    }

    pub fn told(&mut self, label: &str) -> Result<Vec<&'static str>, Refusal> {
        let life = self.state.life().expect("open");
        let slot = match &life.unit {
            super::super::Unit::Ending { children, .. } => children[0].clone(),
            super::super::Unit::At { .. } => slots(life).pop().expect("something is owed").0,
        };
        let found = outcomes().into_iter().find(|(known, _)| *known == label);
        let outcome = found.expect("a known outcome").1;
        self.by(By::Engine, Command::Told { slot, outcome })
    }

    pub fn vars(&self) -> Value {
        vars(self.state.life().expect("open"))
    }

    pub fn var(&self, name: &str) -> String {
        let value = self.vars()[name].clone();
        value.as_str().map_or_else(|| value.to_string(), ToString::to_string)
    }

    pub fn kind(&self) -> &'static str {
        let life = self.state.life().expect("open");
        life.questions().last().map_or("none", |q| q.kind.word())
    }
}

pub fn reason(refused: Result<Vec<&'static str>, Refusal>) -> &'static str {
    match refused {
        Ok(_) => "accepted",
        Err(refusal) => refusal.reason(),
    }
}

pub const TWEAK: &str = "Rename `load_cfg` to `load_config` in src/config.rs";
pub const LIGHT: &str = "Add a `--json` flag to the status command; it should print one JSON \
     object and exit code must be 0, errors should go to stderr, only touch the cli module, no \
     new dependencies";

/// A silent flow whose driver runs.
pub fn developing() -> World {
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("starts");
    world.answer("silent").expect("confirmed");
    for label in [
        "Told kb ok",
        "Told words",
        "Told draft",
        "Told report done",
        "Told package executable",
        "Told package executable",
    ] {
        world.told(label).expect(label);
    }
    assert_eq!(world.state.variant(), "Running");
    world
}
