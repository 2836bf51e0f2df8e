//! A lifecycle that is led through its life by hand: what is said is accepted, or the test fails.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{self, sample_commands, sample_states};
use super::super::*;
use crate::machine::{At, By, Refusal as _, Said};
use crate::owed::Owed;

/// A lifecycle, and everything it recorded.
#[derive(Clone)]
pub struct World {
    pub state: State,
    pub events: Vec<Event>,
    pub now: At,
}

impl World {
    /// Its plan waits for a yes, and then has it.
    pub fn at_work(plan: Plan, change: impl FnOnce(&mut Begin)) -> Self {
        let mut begin = samples::begin(Source::Text);
        begin.options.confirm_expiry_ms = None;
        change(&mut begin);
        let mut world = Self { state: State::New, events: Vec::new(), now: At(1) };
        let begin = Box::new(begin);
        world.say(By::Person, Command::UserInputRequirement { begin, busy_with: None });
        let key = world.key();
        let (plan, programs) = (Box::new(plan), Vec::new());
        world.engine(Command::PlanReady { key, plan, spent: Spent::default(), programs });
        world.label("confirm");
        world
    }

    pub fn phase(&self) -> &Phase {
        &self.state.life().expect("begun").phase
    }

    pub fn work(&self) -> &Work {
        self.phase().work().expect("at work")
    }

    pub fn key(&self) -> String {
        self.phase().step_key().expect("a step is owed")
    }

    /// The key of the only child or effect that is owed.
    pub fn owed(&self) -> Vec<String> {
        let slots = owed(&self.state).into_iter().map(|owed| match owed {
            Owed::Child { slot, .. }
            | Owed::Timer { slot, .. }
            | Owed::Question { slot, .. }
            | Owed::Effect { slot, .. } => slot,
        });
        slots.collect()
    }

    pub fn try_say(&mut self, by: By, command: Command) -> Result<(), &'static str> {
        self.now = self.now.plus(1);
        let said = Said { by, at: self.now, command };
        let events = decide(&self.state, &said).map_err(|refusal| refusal.reason())?;
        for event in events {
            evolve(&mut self.state, &event, said.at);
            self.events.push(event);
        }
        Ok(())
    }

    pub fn say(&mut self, by: By, command: Command) {
        let name = command.name();
        let state = self.state.name();
        self.try_say(by, command).unwrap_or_else(|why| panic!("{name} in {state}: {why}"));
    }

    pub fn engine(&mut self, command: Command) {
        self.say(By::Engine, command);
    }

    /// Says the sample command of that label, with data that suits the state.
    pub fn label(&mut self, label: &str) {
        let found = sample_commands(&self.state).into_iter().find(|(name, _)| *name == label);
        let (_, said) = found.unwrap_or_else(|| panic!("no label {label}"));
        self.say(said.by, said.command);
    }

    pub fn labels(&mut self, labels: &[&str]) {
        labels.iter().for_each(|label| self.label(label));
    }

    /// The check under way ends so, on these files.
    pub fn check(&mut self, verdict: Verdict, digest: &str) {
        let check = self.check_now();
        let key = self.key();
        let evidence = samples::evidence(&key, &check, verdict, digest);
        self.engine(Command::Checked { key, end: CheckEnd::Ran(Box::new(evidence)) });
    }

    fn check_now(&self) -> Check {
        let task = self.phase().current_task().and_then(|id| self.work().task(id));
        match task {
            Some(task) => self.work().checks_of(task).swap_remove(0),
            None => samples::check("test"),
        }
    }

    /// The turn under way is done, with a pass of the first check on these files.
    pub fn proved(&mut self, digest: &str) {
        let (key, check) = (self.key(), self.check_now());
        let evidence = samples::evidence(&key, &check, Verdict::Pass, digest);
        self.turn(TurnOutcome::Completed, &["a.rs"], Vec::from([evidence]));
    }

    pub fn turn(&mut self, outcome: TurnOutcome, files: &[&str], evidence: Vec<Evidence>) {
        let key = self.key();
        let end = TurnEnd {
            turn: "turn-1".into(),
            outcome,
            files_changed: files.iter().map(|file| String::from(*file)).collect(),
            evidence,
            spent: Spent { wall_ms: 1, ..Spent::default() },
            claim: None,
        };
        self.engine(Command::TurnEnded { key, end: Box::new(end) });
    }

    /// A turn that fails as this.
    pub fn fails(&mut self, signature: &str) {
        let failure = Failure {
            code: "E_BUILD_FAIL".into(),
            kind: "check".into(),
            summary: signature.into(),
            signature: signature.into(),
            repeat: false,
            check: None,
            errors: Vec::new(),
            digest: None,
        };
        let fault = TurnFault { failure, reset_at: None, agent: None };
        self.turn(TurnOutcome::Blocked(Box::new(fault)), &["a.rs"], Vec::new());
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.events.iter().map(Event::name).collect()
    }

    pub fn count(&self, name: &str) -> usize {
        self.names().into_iter().filter(|own| *own == name).count()
    }
}

/// The sample state of that label.
pub fn sample(label: &str) -> State {
    let found = sample_states().into_iter().find(|(name, _)| *name == label);
    found.unwrap_or_else(|| panic!("no sample {label}")).1
}
