//! Whole lives of lifecycles in the fake world, by seed: their turns and calls are real runs of the
//! engine, what the hands would read is drawn from the kernel's own samples, people say whatever
//! fits, engines and shims die at random, and every invariant is looked at after every tick.

use std::collections::BTreeSet;

use journal::Journal as _;
use kernel::call;
use kernel::lifecycle::{self, Command, samples};
use kernel::machine::{By, Machine as _, Said};
use kernel::run::{self, State};
use kernel::turn;
use runtime::engine::{Child, Halt, LifeScene, Made, Ready};

use crate::invariants;
use crate::turns::{answered, say};
use crate::world::{Luck, World};

/// Ticks a life may take: far more than any bounded run needs, so reaching it means a hang.
const TICKS_MAX: usize = 8_000;
/// How often people speak while something happens, as one in so many ticks.
const SPEAKS: usize = 12;
/// How often the world answers otherwise than one would hope, as one in so many.
const ODD: usize = 5;
/// The lifecycle of every life.
pub const LIFECYCLE: &str = "lc-sim";

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

/// Lives one lifecycle to its end.
///
/// # Errors
/// The invariant that broke, with the seed to see it again.
pub fn live(seed: u64, luck: Luck) -> Result<Ended, String> {
    let told = |why: String| format!("seed {seed}: {why}");
    let mut world = World::new(seed, luck).map_err(|why| told(why.to_string()))?;
    let source =
        if world.dice().once_in(2) { lifecycle::Source::Text } else { lifecycle::Source::File };
    let mut begin = samples::begin(source);
    begin.options.confirm_expiry_ms = None;
    let begin = Box::new(begin);
    let start = Command::UserInputRequirement { begin, busy_with: None };
    let heard = say(&mut world, LIFECYCLE, By::Person, run::Command::Lifecycle(start));
    if let Err(reason) = heard.map_err(told)? {
        return Err(told(format!("a start is refused {reason}")));
    }
    let mut ended = Ended::default();
    for _ in 0..TICKS_MAX {
        let Some(State::Lifecycle(state)) = world.state(LIFECYCLE) else {
            return Err(told("the lifecycle is gone".to_owned()));
        };
        ended.states.insert(state.name());
        let waits = !state.at_work() && !state.ended();
        let speaks = if waits { !world.dice().once_in(ODD) } else { world.dice().once_in(SPEAKS) };
        if speaks {
            speak(&mut world, &state).map_err(told)?;
        }
        if !answered(&mut world).map_err(told)? && !of_turns(&mut world).map_err(told)? {
            let went_on = world.tick().map_err(|why| told(why.to_string()))?;
            if !went_on {
                invariants::invariant_nothing_hangs(&world).map_err(told)?;
            }
            if !went_on && state.ended() {
                (ended.lives, ended.story) = (world.lives, invariants::story(&world, LIFECYCLE));
                return Ok(ended);
            }
        }
        invariants::all(&world).map_err(told)?;
    }
    Err(told(format!("no end in {TICKS_MAX} ticks")))
}

/// A person says something that may fit; a refusal is fine.
fn speak(world: &mut World, state: &lifecycle::State) -> Result<(), String> {
    let held = state.life().is_some_and(|life| life.body.hold.is_some());
    let all = samples::sample_commands(state).into_iter().map(|(_, said)| said);
    let mut all: Vec<Said<Command>> = all.filter(|said| !said.command.is_engines()).collect();
    // Runs that are left, held or reopened at every step get nowhere.
    let slows = |said: &Said<Command>| {
        matches!(
            said.command,
            Command::UserCancel
                | Command::UserAbort { .. }
                | Command::ParentCancel
                | Command::Pause { .. }
                | Command::UserModify { .. }
                | Command::Amend(_)
        )
    };
    if held {
        all.retain(|said| matches!(said.command, Command::Resume));
    } else if !world.dice().once_in(ODD * ODD) {
        all.retain(|said| !slows(said));
    }
    if all.is_empty() {
        return Ok(());
    }
    let said = world.dice().one_of(&all).clone();
    say(world, LIFECYCLE, By::Person, run::Command::Lifecycle(said.command)).map(drop)
}

/// Whether a person said something to a turn that waits for one.
fn of_turns(world: &mut World) -> Result<bool, String> {
    let heads = world.engine.journal().heads().unwrap_or_default();
    let turns = heads.into_iter().filter(|head| !head.ended && head.machine == "turn");
    let waiting: Vec<(String, turn::State)> = turns
        .filter_map(|head| match world.state(&head.run) {
            Some(State::Turn(state)) if state.life().is_some_and(turn::Life::waits) => {
                Some((head.run, state))
            }
            Some(_) | None => None,
        })
        .collect();
    if waiting.is_empty() || world.dice().once_in(ODD) {
        return Ok(false);
    }
    let (run, state) = world.dice().one_of(&waiting).clone();
    let all: Vec<turn::Command> = turn::samples::sample_commands(&state)
        .into_iter()
        .map(|(_, said)| said.command)
        .filter(|command| {
            matches!(
                command,
                turn::Command::Confirm(_)
                    | turn::Command::ClarificationAnswer { .. }
                    | turn::Command::Cancel
            )
        })
        .collect();
    let command = world.dice().one_of(&all).clone();
    say(world, &run, By::Person, run::Command::Turn(command)).map(|heard| heard.is_ok())
}

impl World {
    /// Makes the start of a lifecycle's turn, or finds nobody to do it.
    pub(crate) fn turn_of_lifecycle(
        &mut self,
        job: String,
        run: String,
        slot: String,
    ) -> Result<(), Halt> {
        let ready = if self.dice().once_in(ODD) {
            Err(Box::new(turn::Fault::new("E001", "missing")))
        } else {
            let profile = if slot.starts_with("plan/") {
                turn::Profile::LifecyclePlan
            } else {
                turn::Profile::LifecycleTask
            };
            let start = turn::Start { profile, ..turn::samples::start() };
            Ok(Ready::Turn(Box::new(start)))
        };
        self.engine.made(Made { job, run, slot, ready });
        self.look_again()
    }

    /// Does for a lifecycle what is no run of its own.
    pub(crate) fn lifecycle_acts(&mut self, scene: &LifeScene) -> Result<(), Halt> {
        match self.told_of(scene, |_| true) {
            Some(command) => self.land_on(scene, command),
            None => Err(Halt::Broken(format!("no end fits {}", scene.slot))),
        }
    }

    /// Reads what a child left: a call of which nobody can tell is told as such.
    pub(crate) fn lifecycle_reads(&mut self, scene: &LifeScene, child: &Child) -> Result<(), Halt> {
        let unknown = matches!(child.state, State::Call(call::State::Unknown { .. }));
        let rolls = scene.slot.starts_with("rollback/");
        if unknown && rolls {
            return Ok(());
        }
        let fits = |command: &Command| matches!(command, Command::CallUnknown { .. }) == unknown;
        match self.told_of(scene, fits) {
            Some(command) => self.land_on(scene, command),
            None => Err(Halt::Broken(format!("no end fits {}", scene.slot))),
        }
    }

    fn land_on(&mut self, scene: &LifeScene, command: Command) -> Result<(), Halt> {
        self.land(&scene.run, scene.key.clone(), run::Command::Lifecycle(command))
    }

    /// One of the ends that the samples have for what is owed here, the good one mostly.
    fn told_of(&mut self, scene: &LifeScene, fits: impl Fn(&Command) -> bool) -> Option<Command> {
        let state = lifecycle::State::Alive(Box::new(scene.life.clone()));
        let beside = |command: &Command| {
            matches!(
                command,
                Command::Settled { .. } | Command::Due { .. } | Command::SourceChanged { .. }
            )
        };
        let of_key = |command: &Command| command.is_engines() && !beside(command);
        let ends: Vec<Command> = samples::sample_commands(&state)
            .into_iter()
            .filter(|(_, said)| of_key(&said.command) && fits(&said.command))
            .filter(|(_, said)| lifecycle::Lifecycle::decide(&state, said).is_ok())
            .map(|(_, said)| said.command)
            .collect();
        let first = ends.first()?.clone();
        Some(if self.dice().once_in(ODD) { self.dice().one_of(&ends).clone() } else { first })
    }
}
