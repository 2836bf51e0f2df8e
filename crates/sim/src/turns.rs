//! Whole lives of turns in the fake world, by seed: what the hands would read is drawn from the
//! kernel's own samples, people say whatever fits, engines and shims die at random, and every
//! invariant is looked at after every tick.

use std::collections::BTreeSet;

use journal::Journal as _;
use kernel::call::{
    self, Answered, Class, GRACE_MS, OnUnknown, Outcome, Request, SettleAs, TakeBack,
};
use kernel::machine::{By, Said};
use kernel::policy::grant::Scope;
use kernel::run::{self, State};
use kernel::turn::{self, Ask, Command, Ended as Told, Fault, Life, Spent, samples};
use runtime::engine::{Halt, Made, Ready, Scene, Wanted};

use crate::invariants;
use crate::world::{Luck, World};

/// Ticks a life may take: far more than any bounded turn needs, so reaching it means a hang.
const TICKS_MAX: usize = 4_000;
/// How often people speak while something happens, as one in so many ticks.
const SPEAKS: usize = 10;
/// How often the world answers otherwise than one would hope, as one in so many.
const ODD: usize = 6;
/// The turn of every life.
pub const TURN: &str = "turn-sim";

/// How a life went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The states it was seen in.
    pub states: BTreeSet<&'static str>,
    /// Engine lives it took.
    pub lives: u32,
    /// Names of its facts.
    pub story: Vec<String>,
}

/// Lives one turn to its end.
///
/// # Errors
/// The invariant that broke, with the seed to see it again.
pub fn live(seed: u64, luck: Luck) -> Result<Ended, String> {
    let told = |why: String| format!("seed {seed}: {why}");
    let mut world = World::new(seed, luck).map_err(|why| told(why.to_string()))?;
    let mut start = turn::Start { id: TURN.to_owned(), ..samples::start() };
    if !world.dice().once_in(ODD) {
        start.limits.question_expiry_ms = 0;
    }
    let asked = say(&mut world, TURN, By::Person, asks(start)).map_err(told)?;
    if let Err(reason) = asked {
        return Err(told(format!("a start is refused {reason}")));
    }
    let mut ended = Ended::default();
    for _ in 0..TICKS_MAX {
        let Some(State::Turn(state)) = world.state(TURN) else {
            return Err(told("the turn is gone".to_owned()));
        };
        ended.states.insert(state.name());
        let waits = state.life().is_some_and(|life| life.waits() || life.body.hold.is_some());
        // Who is asked mostly answers before the question closes by itself.
        let speaks = if waits { !world.dice().once_in(ODD) } else { world.dice().once_in(SPEAKS) };
        if speaks {
            speak(&mut world, &state).map_err(told)?;
        }
        if !answered(&mut world).map_err(told)? {
            let went_on = world.tick().map_err(|why| told(why.to_string()))?;
            if !went_on {
                invariants::invariant_nothing_hangs(&world).map_err(told)?;
            }
            if !went_on && state.ended() {
                (ended.lives, ended.story) = (world.lives, invariants::story(&world, TURN));
                return Ok(ended);
            }
        }
        invariants::all(&world).map_err(told)?;
    }
    Err(told(format!("no end in {TICKS_MAX} ticks")))
}

fn asks(start: turn::Start) -> run::Command {
    run::Command::Turn(Command::UserMessage(Box::new(start)))
}

pub(crate) type Heard = Result<(), &'static str>;

pub(crate) fn say(
    world: &mut World,
    run: &str,
    by: By,
    command: run::Command,
) -> Result<Heard, String> {
    let answer = world.say(by, run, command).map_err(|why| why.to_string())?;
    Ok(answer.map(drop).map_err(|refused| refused.refused.reason))
}

/// A person says something that may fit; a refusal is fine.
fn speak(world: &mut World, state: &turn::State) -> Result<(), String> {
    let held = state.life().is_some_and(|life| life.body.hold.is_some());
    let fits = |said: &Said<Command>| match &said.command {
        Command::Resume => held,
        Command::UserMessage(_)
        | Command::ToolCallResult { .. }
        | Command::Timeout { .. }
        | Command::Cancel
        | Command::Pause { .. } => false,
        Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => !held,
    };
    let all = samples::sample_commands(state).into_iter().map(|(_, said)| said);
    let mut all: Vec<Said<Command>> = all.collect();
    // Turns that are cancelled or held at every step get nowhere.
    if !world.dice().once_in(ODD * ODD) {
        all.retain(fits);
    }
    if all.is_empty() {
        return Ok(());
    }
    let said = world.dice().one_of(&all).clone();
    // Whoever speaks here is a person, whatever the sample says.
    say(world, TURN, By::Person, run::Command::Turn(said.command)).map(drop)
}

/// Whether a person mostly answered a call that waits for one.
pub(crate) fn answered(world: &mut World) -> Result<bool, String> {
    let open = waiting(world);
    if open.is_empty() || world.dice().once_in(ODD) {
        return Ok(false);
    }
    let (call, command) = world.dice().one_of(&open).clone();
    say(world, &call, By::Person, run::Command::Call(command)).map(|_| true)
}

/// Calls that wait for a person, each with a word that lets them go on.
fn waiting(world: &mut World) -> Vec<(String, call::Command)> {
    let heads = world.engine.journal().heads().unwrap_or_default();
    let mut open = Vec::new();
    for head in heads.into_iter().filter(|head| !head.ended && head.machine == "call") {
        let Some(State::Call(state)) = world.state(&head.run) else { continue };
        let odd = world.dice().once_in(ODD);
        let note = "seen".to_owned();
        let command = match state {
            call::State::Asked { .. } if odd => call::Command::Deny { note },
            call::State::Asked { facts, prompt, .. } => call::Command::Allow(Answered {
                prompt,
                hash: facts.request_hash.clone(),
                scope: Scope::Once,
                note: odd.then(|| "seen".to_owned()),
            }),
            call::State::Unknown { gate: call::UnknownGate::AskPerson { .. }, .. } => {
                let how = if odd { SettleAs::DidNotHappen } else { SettleAs::Happened };
                let foreign = call::Foreign::Refuse;
                let undo = TakeBack { call: head.run.clone(), foreign };
                call::Command::Settle { how, note, undo }
            }
            call::State::New
            | call::State::Denied { .. }
            | call::State::Allowed { .. }
            | call::State::Started { .. }
            | call::State::Unknown { .. }
            | call::State::Settled { .. }
            | call::State::Undoing { .. }
            | call::State::Undone { .. } => continue,
        };
        open.push((head.run, command));
    }
    open
}

impl World {
    /// Does for a turn what is no call.
    pub(crate) fn turn_acts(&mut self, scene: &Scene) -> Result<(), Halt> {
        let good = !self.dice().once_in(ODD * ODD);
        let told = self.drawn(&scene.life, good);
        self.turn_hears(scene, told)
    }

    /// Nobody of this world does what a loop's turn would be for; a lifecycle's has its own life.
    pub(crate) fn turn_starts(
        &mut self,
        job: String,
        run: String,
        slot: String,
    ) -> Result<(), Halt> {
        if let Some(State::Lifecycle(_)) = self.state(&run) {
            return self.turn_of_lifecycle(job, run, slot);
        }
        let ready = Err(Box::new(Fault::new("E001", "missing")));
        self.engine.made(Made { job, run, slot, ready });
        self.look_again()
    }

    /// Makes the request of a call, which is always the same command in this world.
    pub(crate) fn turn_asks(&mut self, scene: Scene, ask: &Ask) -> Result<(), Halt> {
        if *ask == Ask::Commit {
            return self.turn_acts(&scene);
        }
        let ready = if self.dice().once_in(ODD * ODD) {
            let (code, kind) = ("E_IO".to_owned(), "write".to_owned());
            Err(Box::new(Fault { code, kind, ..Fault::default() }))
        } else {
            let request = Box::new(request(&scene.slot));
            Ok(Ready::Call(Wanted { request, judged_as: None }))
        };
        let Scene { key: job, run, slot, .. } = scene;
        self.engine.made(Made { job, run, slot, ready });
        self.look_again()
    }

    /// Reads what a call left.
    pub(crate) fn turn_reads(&mut self, scene: &Scene, left: &call::State) -> Result<(), Halt> {
        let told = match left {
            call::State::Settled { outcome: Outcome::Ok, .. } => self.drawn(&scene.life, true),
            call::State::Settled { outcome: Outcome::Stopped, .. } => Told::Never,
            call::State::Settled {
                outcome: Outcome::Failed(_) | Outcome::TimedOut { .. }, ..
            }
            | call::State::Denied { .. }
            | call::State::Undone { .. } => self.drawn(&scene.life, false),
            call::State::Asked { .. } => Told::Waits,
            call::State::Allowed { .. } | call::State::Started { .. } => Told::Allowed,
            call::State::New | call::State::Unknown { .. } | call::State::Undoing { .. } => {
                Told::Unknown
            }
        };
        self.turn_hears(scene, told)
    }

    fn turn_hears(&mut self, scene: &Scene, ended: Told) -> Result<(), Halt> {
        let spent = Spent::default();
        let command = Command::ToolCallResult { key: scene.slot.clone(), ended, spent };
        self.land(&scene.run, scene.key.clone(), run::Command::Turn(command))
    }

    /// One of the ends that the samples have for what is awaited here.
    fn drawn(&mut self, life: &Life, good: bool) -> Told {
        let state = turn::State::Begun(Box::new(life.clone()));
        let ends: Vec<Told> = samples::sample_commands(&state)
            .into_iter()
            .filter_map(|(_, said)| match said.command {
                Command::ToolCallResult { ended, .. } => Some(ended),
                Command::UserMessage(_)
                | Command::ClarificationAnswer { .. }
                | Command::ToolCallRequest(_)
                | Command::Confirm(_)
                | Command::Timeout { .. }
                | Command::Cancel
                | Command::Pause { .. }
                | Command::Resume
                | Command::EditPlan { .. }
                | Command::SkipStep { .. } => None,
            })
            .filter(|ended| match ended {
                Told::Ok(_) => good,
                Told::Failed(_) => !good,
                Told::Never | Told::Unknown | Told::Waits | Told::Allowed => false,
            })
            .collect();
        // The first is the one that everybody hopes for.
        match ends.first() {
            None => Told::Never,
            Some(first) if good && !self.dice().once_in(ODD) => first.clone(),
            Some(_) => self.dice().one_of(&ends).clone(),
        }
    }
}

fn request(slot: &str) -> Request {
    Request {
        name: call::RUN.to_owned(),
        version: call::TOOL_VERSION.to_owned(),
        argv: vec!["true".to_owned(), slot.to_owned()],
        agent: None,
        args: None,
        cwd: ".".to_owned(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class: Class::Once,
        deadline_ms: 600_000,
        idle_ms: None,
        grace_ms: GRACE_MS,
        on_unknown: OnUnknown::Tell,
        given: None,
    }
}
