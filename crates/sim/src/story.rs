//! Scripted lives: people speak at set points of the loop's own story, so that the same script can
//! be played in a calm world and in one where engines and disks fail at any index, and the two
//! stories compared.

use journal::{Failure, Fault, Journal as _};
use kernel::call::{self, SettleAs};
use kernel::loops::{Command, PauseHow, Place};
use kernel::machine::By;
use kernel::run;
use runtime::engine::Halt;

use crate::campaign::{LOOP, create, start, task};
use crate::invariants;
use crate::world::{Luck, World};

/// Ticks a story may take; reaching it means a hang.
const TICKS_MAX: usize = 2_000;
/// A world in which only what the script says goes wrong.
const CALM: Luck = Luck { engine_crash: usize::MAX, shim_crash: usize::MAX, failure: usize::MAX };

/// When a line is said.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// At once.
    Now,
    /// When the loop has so many facts of this name.
    Fact(&'static str, usize),
    /// When nothing is left to happen by itself.
    Quiet,
}

/// What is said.
#[derive(Clone, Debug)]
pub enum What {
    /// A person's command to the loop.
    Say(Command),
    /// A person's word about the unknown call of this key.
    Settle(&'static str, SettleAs),
}

/// A script.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its name.
    pub name: &'static str,
    /// Keys of calls that fail.
    pub failing: &'static [&'static str],
    /// Keys of calls that die without a record.
    pub dying: &'static [&'static str],
    /// What people say, in order.
    pub lines: Vec<(When, What)>,
}

/// What goes wrong besides the script.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    /// Ticks after which the engine dies.
    pub crash_after: Vec<usize>,
    /// The append that fails, counted from 1, and how.
    pub append: Option<(u64, Failure)>,
}

/// How a story went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The loop's status at the end.
    pub status: &'static str,
    /// Names of the loop's facts.
    pub story: Vec<String>,
    /// Ticks it took.
    pub ticks: usize,
    /// Appends it took.
    pub appends: u64,
    /// Halts it saw.
    pub halts: u32,
}

/// Every script.
#[must_use]
pub fn scripts() -> Vec<Script> {
    let pause = |how| What::Say(Command::Pause { how });
    let resume = || What::Say(Command::Resume { busy_with: None });
    let plain = |name| Script { name, failing: &[], dying: &[], lines: begin() };
    let with = |script: Script, lines: Vec<(When, What)>| Script {
        lines: [script.lines, lines].concat(),
        ..script
    };
    vec![
        with(
            plain("paused twice"),
            vec![
                (When::Fact("LegBegan", 1), pause(PauseHow::Finish)),
                (When::Quiet, resume()),
                (When::Fact("LegBegan", 2), pause(PauseHow::Now)),
                (When::Quiet, resume()),
            ],
        ),
        with(
            plain("stopped and tried again"),
            vec![
                (When::Fact("LegBegan", 2), What::Say(Command::Stop { why: None })),
                (When::Quiet, What::Say(Command::Retry { busy_with: None })),
            ],
        ),
        with(
            Script { failing: &["loop-sim/a4/c1"], ..plain("red, then green") },
            vec![(When::Quiet, resume())],
        ),
        with(
            Script { dying: &["loop-sim/a2/work"], ..plain("unknown, settled by a person") },
            vec![(When::Quiet, What::Settle("loop-sim/a2/work", SettleAs::Happened))],
        ),
        with(
            Script { dying: &["loop-sim/a3/work"], ..plain("unknown while stopped") },
            vec![
                (When::Quiet, What::Say(Command::Stop { why: None })),
                (When::Quiet, What::Settle("loop-sim/a3/work", SettleAs::DidNotHappen)),
                (When::Quiet, What::Say(Command::Retry { busy_with: None })),
            ],
        ),
    ]
}

fn begin() -> Vec<(When, What)> {
    let mut all = vec![create(LOOP)];
    all.extend((0..2).map(|n| Command::AddTask { task: task(n), place: Place::Last }));
    all.push(start());
    all.into_iter().map(|command| (When::Now, What::Say(command))).collect()
}

/// Plays a script.
///
/// # Errors
/// The invariant that broke, or the line that was refused, with the trouble to see it again.
pub fn play(script: &Script, trouble: &Trouble) -> Result<Told, String> {
    let told = |why: String| format!("{}, {trouble:?}: {why}", script.name);
    let mut stage = Stage::new(script, trouble).map_err(&told)?;
    let mut quiet = false;
    for tick in 0..TICKS_MAX {
        if trouble.crash_after.contains(&tick) {
            stage.world.crash().map_err(|why| told(why.to_string()))?;
        }
        while stage.due(quiet) {
            stage.speak().map_err(&told)?;
            quiet = false;
        }
        quiet = !stage.tick().map_err(&told)?;
        invariants::all(&stage.world).map_err(&told)?;
        if quiet && stage.over() {
            return stage.end(tick).map_err(&told);
        }
        if quiet && !stage.due(quiet) {
            return Err(told("invariant_nothing_hangs: a line waits for ever".to_owned()));
        }
    }
    Err(told(format!("no end in {TICKS_MAX} ticks")))
}

struct Stage<'a> {
    script: &'a Script,
    next: usize,
    world: World,
    halts: u32,
}

impl<'a> Stage<'a> {
    fn new(script: &'a Script, trouble: &Trouble) -> Result<Self, String> {
        let mut world = World::new(1, CALM).map_err(|why| why.to_string())?;
        world.failing.extend(script.failing.iter().map(|key| (*key).to_owned()));
        world.dying.extend(script.dying.iter().map(|key| (*key).to_owned()));
        if let Some((nth, failure)) = trouble.append {
            world.disk.fail_append(nth, failure);
        }
        Ok(Self { script, next: 0, world, halts: 0 })
    }

    fn over(&self) -> bool {
        self.next == self.script.lines.len()
    }

    fn due(&self, quiet: bool) -> bool {
        self.script.lines.get(self.next).is_some_and(|(when, _)| match when {
            When::Now => true,
            When::Fact(name, times) => {
                let story = invariants::story(&self.world, LOOP);
                story.iter().filter(|fact| fact == name).count() >= *times
            }
            When::Quiet => quiet,
        })
    }

    /// Says the next line. Where no answer came because the engine halted, the journal tells
    /// whether it was heard; if not it is said again, as a person would.
    fn speak(&mut self) -> Result<(), String> {
        let (run, command) = match &self.script.lines[self.next].1 {
            What::Say(command) => (LOOP.to_owned(), run::Command::Loop(command.clone())),
            What::Settle(key, how) => {
                let found = self.world.engine.journal().find_key(key);
                let call = found.ok().flatten().ok_or_else(|| format!("no call of {key}"))?;
                let undo = call::TakeBack { call: call.clone(), foreign: call::Foreign::Refuse };
                let settle = call::Command::Settle { how: *how, note: "looked".to_owned(), undo };
                (call, run::Command::Call(settle))
            }
        };
        self.next += 1;
        let before = self.facts(&run);
        match self.world.say(By::Person, &run, command.clone()) {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(refused)) => return Err(format!("refused {:?}", refused.refused)),
            Err(halt) => self.halted(&halt)?,
        }
        if self.facts(&run) > before {
            return Ok(());
        }
        match self.world.say(By::Person, &run, command).map_err(|why| why.to_string())? {
            Ok(_) => Ok(()),
            Err(refused) => Err(format!("refused after a halt {:?}", refused.refused)),
        }
    }

    fn facts(&self, run: &str) -> usize {
        invariants::story(&self.world, run).len()
    }

    fn tick(&mut self) -> Result<bool, String> {
        match self.world.tick() {
            Ok(went_on) => Ok(went_on),
            Err(halt) => self.halted(&halt).map(|()| true),
        }
    }

    /// A failed append stops the engine under its own name; the next one goes on.
    fn halted(&mut self, halt: &Halt) -> Result<(), String> {
        let Halt::Journal(Fault::SyncFailed { .. } | Fault::NoSpace { .. }) = halt else {
            return Err(format!("invariant_halt_has_a_name: {halt}"));
        };
        self.halts += 1;
        self.world.crash().map_err(|why| format!("could not open again: {why}"))
    }

    fn end(self, ticks: usize) -> Result<Told, String> {
        invariants::invariant_nothing_hangs(&self.world)?;
        let state = self.world.state(LOOP).ok_or("the loop is gone")?;
        let story = invariants::story(&self.world, LOOP);
        let appends = self.world.disk.appends();
        Ok(Told { status: state.status(), story, ticks, appends, halts: self.halts })
    }
}
