//! What must hold whatever is said: random commands to random loops, and random auto runs. The
//! generator is small and seeded, so that a failure can be repeated.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec;

use super::super::samples::{sample_check, sample_commands, sample_settings};
use super::super::*;
use super::world::*;
use crate::machine::{At, By, Said};
use crate::owed::{Owed, Posture};

/// Random command sequences, and how long each is.
const SEQUENCES: u64 = 100_000;
const SEQUENCE_LEN: u64 = 8;
/// Random auto runs.
const RUNS: u64 = 100_000;

/// xorshift64*: enough to wander, small enough to read.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides
    }
}

/// A random end of the present leg.
fn random_end(dice: &mut Dice, leg: &Leg) -> LegEnd {
    match (leg, dice.roll(8)) {
        (_, 0) => failed(),
        (Leg::Check(_), 1) => red(),
        (Leg::Check(_), 2) => no_tests(),
        (Leg::Check(_), 3) => unparsed(),
        (Leg::Check(_), 4) => moved(),
        (Leg::Check(_), _) => LegEnd::Ok(Gave::Check(Box::new(report(Verdict::Passed, 1, 0)))),
        (Leg::Seal, 1 | 2) => LegEnd::Ok(Gave::Digest("other".into())),
        (Leg::Seal, _) => LegEnd::Ok(Gave::Digest("tree".into())),
        (Leg::Breakdown, 1) => LegEnd::Ok(Gave::Tasks(vec![])),
        (Leg::Breakdown, n) => {
            let tasks = (0..n).map(|n| bash_task(100 + usize::try_from(n).unwrap_or(0)));
            LegEnd::Ok(Gave::Tasks(tasks.collect()))
        }
        (Leg::Work, _) => LegEnd::Ok(worked()),
        (Leg::Explore, n) => {
            let point = if n % 2 == 0 { "src/a.rs:f:1" } else { "" };
            LegEnd::Ok(Gave::Hypotheses(vec![hypothesis(point, 1)]))
        }
        (Leg::Instrument, _) => LegEnd::Ok(Gave::Instrumented { files_changed: vec![] }),
        (Leg::Reproduce, _) => LegEnd::Ok(Gave::Reproduced(Box::default())),
        (Leg::Analyze, n) => {
            let status = match n {
                1 | 2 => HypothesisStatus::Confirmed,
                3 | 4 => HypothesisStatus::Rejected,
                _ => HypothesisStatus::Inconclusive,
            };
            let all = (1..20).map(|n| found(&format!("H{n}"), status, true));
            LegEnd::Ok(Gave::Analysis(all.collect()))
        }
        (Leg::Restore, _) => LegEnd::Ok(restored(false, &[])),
    }
}

/// A random command: mostly one that fits, sometimes an old or foreign one.
fn random_command(dice: &mut Dice, state: &State) -> Said<Command> {
    let action = state.life().and_then(|life| life.phase.action());
    if let (Some(action), 0..3) = (action, dice.roll(6)) {
        let leg = action.leg().cloned().unwrap_or(Leg::Work);
        let n = action.n.saturating_sub(u32::from(dice.roll(8) == 0));
        let command = match action.child {
            None if leg != Leg::Seal && dice.roll(4) > 0 => {
                Command::LegBegan { n, leg, child: format!("call-{n}"), head: None }
            }
            _ => Command::LegEnded { n, end: random_end(dice, &leg), leg },
        };
        let at = state.life().map_or(At(0), |life| life.body.updated_at.plus(5));
        return Said { by: By::Engine, at, command };
    }
    let mut all = sample_commands(state);
    let pick = dice.roll(u64::try_from(all.len()).unwrap_or(1));
    let (_, mut said) = all.swap_remove(usize::try_from(pick).unwrap_or(0));
    said.at = state.life().map_or(At(0), |life| life.body.updated_at.plus(5));
    said.by = match dice.roll(12) {
        0 => By::Guest,
        1 => By::Agent { call: "call-1".into() },
        2 => By::Parent { run: "s-1".into() },
        3 => By::File,
        _ => said.by,
    };
    if let Command::Delete | Command::Stop { .. } = said.command
        && dice.roll(3) > 0
    {
        said.command = Command::Pause { how: PauseHow::Finish };
    }
    said
}

/// Everything that must hold in a state that was reached.
fn holds(state: &State, counted: u32) {
    let owes = owed(state);
    let children = owes.iter().filter(|owed| matches!(owed, Owed::Child { .. })).count();
    assert!(children <= 1, "one action: {owes:?}");
    let Some(life) = state.life() else { return };
    let Life { body, phase } = life;
    let run = |owed: &Owed| matches!(owed, Owed::Child { posture: Posture::Run, .. });
    let acting = matches!(phase, Phase::Acting(_));
    assert!(acting || !owes.iter().any(run), "no leg is ordered outside Acting");
    if phase.status() == "running" {
        assert_eq!(owes.len(), 1, "no orphan status: {phase:?}");
        let view = view::draw(life, 1);
        assert!(view["completed_at"].is_null() && view["failure_reason"].is_null());
    }
    assert_eq!(body.iteration, counted, "counted once");
    assert!(body.iteration <= body.max_iterations, "never over the bound");
    if let Phase::Failed { reason, .. } = phase {
        assert!(!reason.is_empty(), "an end has its reason");
    }
    if let Phase::Completed { how: How::Validated { digest }, .. } = phase {
        let proof = body.work().and_then(Work::fresh).expect("fresh");
        assert!(proof.passed() && proof.digest == *digest, "done is proven");
        assert!(proof.verdict == Verdict::Accepted || proof.counts.passed > 0);
    }
    let in_progress = body.tasks.iter().filter(|t| t.status == TaskStatus::InProgress).count();
    let held = phase.action().is_some_and(|action| action.kind == Kind::Develop);
    assert!(in_progress <= usize::from(held), "nobody is at it: {phase:?}");
    let mut ids: alloc::vec::Vec<&str> = body.tasks.iter().map(|task| task.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), body.tasks.len(), "no number twice");
}

/// From a state that stands still only a command that says so leads on.
fn pause_wins(before: &State, after: &State, command: &Command) {
    let still = matches!(before.name(), "paused" | "failed" | "completed");
    if still && after.name() == "running" {
        let may = matches!(
            command,
            Command::Start { .. }
                | Command::Resume { .. }
                | Command::Retry { .. }
                | Command::Reopen { .. }
                | Command::Complete { .. }
                | Command::Answer { .. }
        );
        assert!(may, "{} led from {} to running", command.name(), before.variant());
    }
}

fn counted(events: &[Event]) -> u32 {
    let one = |event: &&Event| matches!(event, Event::ActionEnded { counted: true, .. });
    u32::try_from(events.iter().filter(one).count()).unwrap_or(0)
}

#[test]
fn invariant_all_hold_under_random_commands() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let checks = vec![sample_check()];
    let mode = |n| if n == 0 { Mode::Auto } else { Mode::Interactive };
    for _ in 0..SEQUENCES {
        let max_iterations = 1 + u32::try_from(dice.roll(4)).unwrap_or(0);
        let tasks = usize::try_from(dice.roll(3)).unwrap_or(0);
        let setup = Setup { tasks, max_iterations, mode: mode(dice.roll(2)), ..Setup::default() };
        let setup = Setup { checks: checks.clone(), ..setup };
        let mut world = World::started(setup);
        let mut count = counted(&world.events);
        for _ in 0..SEQUENCE_LEN {
            let said = random_command(&mut dice, &world.state);
            let Ok(events) = super::super::decide::ask(&world.state, &said) else { continue };
            let before = world.state.clone();
            for event in &events {
                evolve(&mut world.state, event, said.at);
            }
            count += counted(&events);
            holds(&world.state, count);
            pause_wins(&before, &world.state, &said.command);
        }
    }
}

#[test]
fn invariant_choice_ends() {
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    for _ in 0..RUNS {
        let settings = Settings {
            debug_rounds_max: u32::try_from(dice.roll(3)).unwrap_or(0),
            fix_tasks_max: u32::try_from(dice.roll(3)).unwrap_or(0),
            error_limit: 1 + u32::try_from(dice.roll(3)).unwrap_or(0),
            ..sample_settings()
        };
        let bound = u32::try_from(dice.roll(6)).unwrap_or(0) + 1;
        let allowed = bound + settings.error_limit + 3;
        let tasks = usize::try_from(dice.roll(3)).unwrap_or(0);
        let checks = if dice.roll(5) == 0 { vec![] } else { vec![sample_check()] };
        let max_iterations = bound;
        let setup = Setup { tasks, max_iterations, settings, checks, ..Setup::default() };
        let mut world = World::started(setup);
        let mut steps = 0;
        while let Phase::Acting(action) = &world.life().phase {
            let leg = action.leg().expect("an owed leg").clone();
            if leg == Leg::Instrument && action.child.is_none() {
                world.began();
            }
            world.end(random_end(&mut dice, &leg));
            steps += 1;
            assert!(steps < 200, "it ends");
        }
        let chosen = u32::try_from(world.chosen().len()).unwrap_or(u32::MAX);
        let last = u32::from(!matches!(world.life().phase, Phase::Completed { .. }));
        assert!(chosen + last <= allowed, "{chosen} choices, {allowed} allowed");
        assert!(matches!(world.state.name(), "completed" | "failed" | "paused"));
    }
}

#[test]
fn invariant_facts_fold_to_the_same_state() {
    let mut dice = Dice(0xA076_1D64_78BD_642F);
    for _ in 0..300 {
        let mut state = State::New;
        let mut journal = vec![];
        for _ in 0..40 {
            let said = random_command(&mut dice, &state);
            let Ok(events) = super::super::decide::ask(&state, &said) else { continue };
            for event in events {
                evolve(&mut state, &event, said.at);
                journal.push((serde_json::to_string(&event).unwrap(), said.at));
            }
        }
        let mut folded = State::New;
        for (text, at) in &journal {
            let event: Event = serde_json::from_str(text).unwrap();
            evolve(&mut folded, &event, *at);
        }
        assert_eq!(folded, state);
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
    }
}

#[test]
fn evolve_is_total() {
    // Any fact in any state: nothing panics, and a deleted loop stays deleted.
    let mut facts = vec![Event::LoopDeleted, Event::PauseCut, Event::ViewsRemoved];
    for (_, state) in samples::sample_states() {
        for (_, said) in sample_commands(&state) {
            facts.extend(decide(&state, &said).unwrap_or_default());
        }
    }
    for (_, state) in samples::sample_states() {
        for fact in &facts {
            let mut next = state.clone();
            evolve(&mut next, fact, At(1));
            assert!(state.variant() != "Deleted" || next.variant() == "Deleted");
        }
    }
}
