//! Whole auto runs at random, by seed: a loop that nobody steers, with any bounds and any ends of
//! its legs, comes to its end within the number of choices that the rules promise.

use kernel::loops::{
    Command, Driver, Event, Leg, LegEnd, Mode, OnError, OnNoTests, Phase, Place, Settings, State,
    decide, evolve, samples,
};
use kernel::machine::{At, By, Said};

use super::ends;
use crate::dice::Dice;

/// Choices beyond the counted ones and the failing inits: two missed seals and the last word.
const OVER: usize = 3;
/// Legs of one choice are few; a run with more has no end.
const LEGS_MAX: usize = 400;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ended {
    /// `completed`, or `failed` or `paused` with the reason.
    pub how: String,
    /// Choices it made.
    pub choices: usize,
}

struct Auto {
    state: State,
    at: u64,
    facts: Vec<(String, At)>,
    choices: usize,
}

impl Auto {
    fn say(&mut self, by: By, command: Command) -> Result<(), String> {
        self.at += 5;
        let told = format!("{command:?}");
        let said = Said { by, at: At(self.at), command };
        let events =
            decide(&self.state, &said).map_err(|why| format!("{told} was refused: {why:?}"))?;
        for event in events {
            self.choices += usize::from(matches!(
                event,
                Event::ActionChosen { .. } | Event::LoopPaused { .. } | Event::LoopFailed { .. }
            ));
            let fact = serde_json::to_string(&event).map_err(|why| why.to_string())?;
            self.facts.push((fact, said.at));
            evolve(&mut self.state, &event, said.at);
        }
        Ok(())
    }

    /// What was written down makes the same loop again.
    fn folds(&self) -> Result<(), String> {
        let mut again = State::New;
        for (fact, at) in &self.facts {
            let event: Event =
                serde_json::from_str(fact).map_err(|why| format!("{fact}: {why}"))?;
            evolve(&mut again, &event, *at);
        }
        if again == self.state { Ok(()) } else { Err("its facts tell another story".to_owned()) }
    }
}

fn small(dice: &mut Dice, from: u32, sides: usize) -> u32 {
    from + u32::try_from(dice.below(sides)).unwrap_or(0)
}

fn settings(dice: &mut Dice) -> Settings {
    Settings {
        error_limit: small(dice, 1, 4),
        debug_rounds_max: small(dice, 0, 4),
        fix_tasks_max: small(dice, 0, 3),
        on_no_tests: *dice.one_of(&[OnNoTests::AddTask, OnNoTests::AddTask, OnNoTests::Ask]),
        on_error: *dice.one_of(&[
            OnError::Continue,
            OnError::Continue,
            OnError::Continue,
            OnError::Pause,
            OnError::FailFast,
        ]),
        coverage_min_tenths: if dice.once_in(6) { 800 } else { 0 },
        ..samples::sample_settings()
    }
}

/// One end of a leg. Each run has its own luck, so that some fail at everything and some at
/// nothing.
fn end(dice: &mut Dice, leg: &Leg, luck: usize, now: At) -> LegEnd {
    if dice.below(10) < luck {
        return LegEnd::Ok(dice.one_of(&ends::good(leg)).clone());
    }
    let all: Vec<LegEnd> = ends::of(leg, now)
        .into_iter()
        // Blocked and cancelled stand still at once; what goes on is what could go on for ever.
        .filter(|end| dice.once_in(8) || !matches!(end, LegEnd::Blocked { .. } | LegEnd::Cancelled))
        .collect();
    dice.one_of(&all).clone()
}

/// Lives one auto run to its end.
///
/// # Errors
/// What does not hold, with the seed.
pub fn live(seed: u64) -> Result<Ended, String> {
    run(&mut Dice::new(seed)).map_err(|why| format!("seed {seed}: {why}"))
}

fn run(dice: &mut Dice) -> Result<Ended, String> {
    let mut auto = Auto { state: State::New, at: 1_000, facts: Vec::new(), choices: 0 };
    let settings = settings(dice);
    let max_iterations = small(dice, 1, 12);
    let allowed = usize::try_from(max_iterations + settings.error_limit).unwrap_or(0) + OVER;
    auto.say(
        By::Person,
        Command::Create {
            id: "loop-auto".to_owned(),
            title: "Auto".to_owned(),
            description: "Auto".to_owned(),
            max_iterations,
            max_iterations_ceiling: 1000,
            parent: None,
        },
    )?;
    for n in 0..dice.below(5) {
        let task = ends::task(&format!("q{n}"));
        auto.say(By::Person, Command::AddTask { task, place: Place::Last })?;
    }
    let checks = if dice.once_in(8) { vec![] } else { vec![samples::sample_check()] };
    auto.say(
        By::Person,
        Command::Start {
            driver: Driver::Engine,
            mode: Mode::Auto,
            settings: Box::new(settings),
            checks,
            programs: vec![],
            busy_with: None,
        },
    )?;
    let luck = dice.below(10);
    for _ in 0..LEGS_MAX {
        let Some((_, n, leg)) = auto.state.awaited() else { break };
        if leg != Leg::Seal {
            let child = format!("call-{n}-{}", auto.at);
            auto.say(By::Engine, Command::LegBegan { n, leg: leg.clone(), child, head: None })?;
        }
        let end = end(dice, &leg, luck, At(auto.at));
        auto.say(By::Engine, Command::LegEnded { n, leg, end })?;
    }
    auto.folds()?;
    let life = auto.state.life().ok_or("it is gone")?;
    let how = match &life.phase {
        Phase::Completed { .. } => "completed".to_owned(),
        Phase::Failed { kind, .. } => format!("failed {}", kind.word()),
        Phase::Paused(paused) => format!("paused {}", paused.reason.word()),
        Phase::Created | Phase::Acting(_) | Phase::Choosing { .. } | Phase::Lent { .. } => {
            return Err(format!("it goes on for ever: {:?}", life.phase));
        }
    };
    if auto.choices > allowed {
        return Err(format!("{} choices, {allowed} allowed; {how}", auto.choices));
    }
    if life.body.iteration > life.body.max_iterations {
        return Err(format!("{} actions counted", life.body.iteration));
    }
    Ok(Ended { how, choices: auto.choices })
}
