//! Several loops over one work tree in the fake world, by seed: people start and steer all of them
//! at random, engines, shims, disks and clocks fail at random, and only one may hold the tree.

use journal::Failure;
use kernel::loops::{Command, PauseHow, Place};
use kernel::machine::{At, By};
use kernel::run::{self, State};
use runtime::engine::Halt;

use crate::campaign::{create, start, task};
use crate::invariants;
use crate::world::{Luck, World};

/// Ticks a life may take; reaching it means a hang.
const TICKS_MAX: usize = 6_000;
/// Ticks during which people speak; after that the world comes to rest.
const PEOPLE_UNTIL: usize = 400;
/// How far a clock jumps at most.
const JUMP_MS_MAX: u64 = 48 * 3_600_000;

/// How a crowd's life went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Starts, resumes and retries that were refused because another loop held the tree.
    pub busy: usize,
    /// Loops that were completed.
    pub completed: usize,
    /// Engine lives it took.
    pub lives: u32,
    /// Halts for a failing disk.
    pub halts: u32,
}

/// Lives `loops` loops.
///
/// # Errors
/// The invariant that broke, with the seed to see it again.
pub fn live(seed: u64, luck: Luck, loops: usize) -> Result<Ended, String> {
    let told = |why: String| format!("seed {seed}, {loops} loops: {why}");
    let world = World::new(seed, luck).map_err(|why| told(why.to_string()))?;
    let mut crowd = Crowd { world, ended: Ended::default() };
    for index in 0..loops {
        crowd.make(&name(index)).map_err(told)?;
    }
    for tick in 0..TICKS_MAX {
        if tick < PEOPLE_UNTIL {
            crowd.trouble();
            crowd.steer(loops).map_err(told)?;
        }
        let went_on = crowd.tick().map_err(told)?;
        invariants::all(&crowd.world).map_err(told)?;
        if !went_on && tick >= PEOPLE_UNTIL {
            invariants::invariant_nothing_hangs(&crowd.world).map_err(told)?;
            return Ok(crowd.end(loops));
        }
    }
    Err(told(format!("no end in {TICKS_MAX} ticks")))
}

fn name(index: usize) -> String {
    format!("loop-{index}")
}

struct Crowd {
    world: World,
    ended: Ended,
}

impl Crowd {
    fn make(&mut self, id: &str) -> Result<(), String> {
        self.say(id, create(id))?;
        for index in 0..2 {
            self.say(id, Command::AddTask { task: task(index), place: Place::Last })?;
        }
        Ok(())
    }

    fn say(&mut self, id: &str, command: Command) -> Result<(), String> {
        match self.world.say(By::Person, id, run::Command::Loop(command)) {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(refused)) => {
                self.ended.busy += usize::from(refused.refused.reason == "busy");
                Ok(())
            }
            Err(halt) => self.halted(&halt),
        }
    }

    /// A person says something to one of them; a refusal is fine.
    fn steer(&mut self, loops: usize) -> Result<(), String> {
        if !self.world.dice().once_in(4) {
            return Ok(());
        }
        let id = name(self.world.dice().below(loops));
        let question = match self.world.state(&id) {
            Some(State::Loop(state)) => state.open_question(),
            Some(
                State::Call(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_),
            )
            | None => None,
        };
        let answer = |key: &str| Command::Answer {
            q: question.as_ref().map_or(0, |(q, _)| *q),
            key: key.to_owned(),
            text: None,
            hash: None,
            task_id: String::new(),
        };
        let commands = [
            start(),
            Command::Resume { busy_with: None },
            Command::Retry { busy_with: None },
            Command::Reopen { busy_with: None },
            Command::Complete { force: None },
            Command::Pause { how: PauseHow::Finish },
            Command::Pause { how: PauseHow::Now },
            Command::Stop { why: None },
            answer("validate_again"),
            answer("accept"),
        ];
        let command = self.world.dice().one_of(&commands).clone();
        self.say(&id, command)
    }

    /// A disk that fails at one of the next appends, or a clock that jumps.
    fn trouble(&mut self) {
        if self.world.dice().once_in(40) {
            let nth = 1 + self.world.dice().next() % 5;
            let kinds = [Failure::SyncLost, Failure::SyncKept, Failure::NoSpace];
            let kind = *self.world.dice().one_of(&kinds);
            self.world.disk.fail_append(nth, kind);
        }
        if self.world.dice().once_in(40) {
            let jump = self.world.dice().next() % JUMP_MS_MAX;
            let now = self.world.now();
            let back = self.world.dice().once_in(2);
            let to = if back { At(now.0.saturating_sub(jump)) } else { now.plus(jump) };
            self.world.set_clock(to);
        }
    }

    fn tick(&mut self) -> Result<bool, String> {
        match self.world.tick() {
            Ok(went_on) => Ok(went_on),
            Err(halt) => self.halted(&halt).map(|()| true),
        }
    }

    fn halted(&mut self, halt: &Halt) -> Result<(), String> {
        let Halt::Journal(journal::Fault::SyncFailed { .. } | journal::Fault::NoSpace { .. }) =
            halt
        else {
            return Err(format!("invariant_halt_has_a_name: {halt}"));
        };
        self.ended.halts += 1;
        // Opening again may meet the next failure; a disk that fails for ever is not this story.
        while let Err(halt) = self.world.crash() {
            if !matches!(halt, Halt::Journal(_)) {
                return Err(format!("could not open again: {halt}"));
            }
        }
        Ok(())
    }

    fn end(mut self, loops: usize) -> Ended {
        let done = |index: &usize| {
            self.world.state(&name(*index)).is_some_and(|state| state.status() == "completed")
        };
        self.ended.completed = (0..loops).filter(done).count();
        self.ended.lives = self.world.lives;
        self.ended
    }
}

/// Pauses one loop at its seal, starts another, and says what a Resume and a Complete of the first
/// are refused with.
///
/// # Errors
/// The invariant that broke.
pub fn second_holder() -> Result<Vec<&'static str>, String> {
    let calm = Luck { engine_crash: usize::MAX, shim_crash: usize::MAX, failure: usize::MAX };
    let world = World::new(1, calm).map_err(|why| why.to_string())?;
    let mut crowd = Crowd { world, ended: Ended::default() };
    let (first, second) = (name(0), name(1));
    crowd.make(&first)?;
    crowd.make(&second)?;
    crowd.say(&first, start())?;
    while !at_seal(&crowd.world, &first) {
        crowd.tick()?;
    }
    crowd.say(&first, Command::Pause { how: PauseHow::Finish })?;
    crowd.say(&second, start())?;
    let mut reasons = Vec::new();
    for command in [Command::Resume { busy_with: None }, Command::Complete { force: None }] {
        let answer = crowd.world.say(By::Person, &first, run::Command::Loop(command));
        let answer = answer.map_err(|why| why.to_string())?;
        reasons.extend(answer.err().map(|refused| refused.refused.reason));
        invariants::all(&crowd.world)?;
    }
    Ok(reasons)
}

fn at_seal(world: &World, id: &str) -> bool {
    let Some(State::Loop(state)) = world.state(id) else { return false };
    state.awaited().is_some_and(|(_, _, leg)| leg == kernel::loops::Leg::Seal)
}
