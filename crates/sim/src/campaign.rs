//! Whole lives of loops in the fake world, by seed: people steer at random, engines and shims die
//! at random, and every invariant is looked at after every tick.

use kernel::loops::{
    Agent, Check, Command, Driver, Level, Mode, NewTask, OnError, OnNoTests, Origin, PauseHow,
    Place, Run, Settings, TaskMode,
};
use kernel::machine::By;
use kernel::policy::grant::Pin;
use kernel::run;

use crate::invariants;
use crate::world::{Luck, World};

/// Ticks a life may take: far more than any bounded loop needs, so reaching it means a hang.
const TICKS_MAX: usize = 4_000;
/// The loop of every life.
pub const LOOP: &str = "loop-sim";

/// How a life ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The loop's status.
    pub status: &'static str,
    /// Engine lives it took.
    pub lives: u32,
    /// Ticks it took.
    pub ticks: usize,
    /// Names of the loop's facts.
    pub story: Vec<String>,
}

/// What happens to a life besides chance.
#[derive(Clone, Debug, Default)]
pub struct Fate {
    /// Whether people steer at random.
    pub people: bool,
    /// Ticks after which the engine dies.
    pub crash_after: Vec<usize>,
}

/// Lives one loop with `tasks` tasks.
///
/// # Errors
/// The invariant that broke, with the seed to see it again.
pub fn live(seed: u64, luck: Luck, tasks: usize, fate: &Fate) -> Result<Ended, String> {
    let told = |why: String| format!("seed {seed}, {fate:?}: {why}");
    let mut world = World::new(seed, luck).map_err(|why| told(why.to_string()))?;
    set_up(&mut world, tasks).map_err(told)?;
    for tick in 0..TICKS_MAX {
        if fate.crash_after.contains(&tick) {
            world.crash().map_err(|why| told(why.to_string()))?;
        }
        if fate.people && world.dice().once_in(12) {
            steer(&mut world).map_err(told)?;
        }
        let went_on = world.tick().map_err(|why| told(why.to_string()))?;
        invariants::all(&world).map_err(told)?;
        if !went_on {
            invariants::invariant_nothing_hangs(&world).map_err(told)?;
            let state = world.state(LOOP).ok_or_else(|| told("the loop is gone".to_owned()))?;
            let story = invariants::story(&world, LOOP);
            return Ok(Ended { status: state.status(), lives: world.lives, ticks: tick, story });
        }
    }
    Err(told(format!("no end in {TICKS_MAX} ticks")))
}

fn set_up(world: &mut World, tasks: usize) -> Result<(), String> {
    say(world, create(LOOP))?;
    for index in 0..tasks {
        say(world, Command::AddTask { task: task(index), place: Place::Last })?;
    }
    say(world, start())
}

fn say(world: &mut World, command: Command) -> Result<(), String> {
    let answer = world.say(By::Person, LOOP, run::Command::Loop(command));
    match answer.map_err(|why| why.to_string())? {
        Ok(_) => Ok(()),
        Err(refused) => Err(format!("refused {}", refused.refused.reason)),
    }
}

/// A person does something at random; a refusal is fine.
fn steer(world: &mut World) -> Result<(), String> {
    let commands = [
        Command::Pause { how: PauseHow::Finish },
        Command::Pause { how: PauseHow::Now },
        Command::Resume { busy_with: None },
        Command::Resume { busy_with: None },
        Command::Resume { busy_with: None },
        Command::Retry { busy_with: None },
        Command::Stop { why: None },
        Command::Complete { force: Some("enough".to_owned()) },
    ];
    let command = world.dice().one_of(&commands).clone();
    world
        .say(By::Person, LOOP, run::Command::Loop(command))
        .map(drop)
        .map_err(|why| why.to_string())
}

/// A loop of this id.
pub(crate) fn create(id: &str) -> Command {
    Command::Create {
        id: id.to_owned(),
        title: "sim".to_owned(),
        description: "sim".to_owned(),
        max_iterations: 12,
        max_iterations_ceiling: 1000,
        parent: None,
    }
}

/// A task of its own words.
pub(crate) fn task(index: usize) -> NewTask {
    NewTask {
        task_id: format!("task-1-{index:08x}"),
        description: format!("task {index}"),
        tool: "bash".to_owned(),
        mode: TaskMode::Write,
        prompt_template: None,
        command: Some(format!("true {index}")),
        run: Some(Run::Argv(vec!["true".to_owned(), index.to_string()])),
        on_error: None,
        origin: Origin::Queue,
        pin: Pin::default(),
    }
}

/// A Start of the engine with one check.
pub(crate) fn start() -> Command {
    Command::Start {
        driver: Driver::Engine,
        mode: Mode::Auto,
        settings: Box::new(Settings {
            error_limit: 3,
            debug_rounds_max: 0,
            fix_tasks_max: 0,
            on_no_tests: OnNoTests::Ask,
            on_error: OnError::Continue,
            coverage_min_tenths: 0,
            develop_timeout_ms: 600_000,
            debug_timeout_ms: 600_000,
            grace_ms: 10_000,
            lease_ms: 600_000,
            default_tool: "gemini".to_owned(),
            resume_at_reset: Vec::new(),
            agents: vec![Agent {
                name: "gemini".to_owned(),
                kind: kernel::agent::Kind::Script,
                talk: None,
                model: None,
                idle_ms: None,
            }],
            lang: "en".to_owned(),
        }),
        checks: vec![Check {
            id: "test".to_owned(),
            argv: vec!["true".to_owned()],
            cwd: ".".to_owned(),
            level: Level::Test,
            required: true,
            timeout_ms: 300_000,
            parser: "exit".to_owned(),
            collect: Vec::new(),
            definition_hash: None,
        }],
        programs: Vec::new(),
        busy_with: None,
    }
}
