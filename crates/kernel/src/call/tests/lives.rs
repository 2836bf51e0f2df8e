//! What must hold over long random lives: any state, any command, any order. The numbers come from
//! a small generator with fixed seeds, so a life that fails can be lived again.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{sample_group, sample_states};
use super::super::{
    Call, Class, Command, Event, Finding, Launch, Outcome, RELAUNCHES_MAX, RETRY_DELAYS_MS, State,
};
use super::describe::{apply, short};
use crate::machine::{At, By, Machine, Said};
use crate::owed::{Effect, Owed};

/// Lives for the proof that nothing panics.
const LIVES: u64 = 100_000;
/// Lives for each named invariant; the same seeds, fewer of them.
const LIVES_EACH: u64 = 6_000;
/// Commands a life; enough to be asked, lost, probed, launched again and taken back.
const STEPS: u64 = 16;
/// How far the clock moves at most between two commands.
const STEP_MS_MAX: u64 = 400_000;

/// Xorshift: small, deterministic, good enough to shuffle.
struct Dice(u64);

impl Dice {
    /// The first rolls of neighbouring seeds are alike, so they are thrown away.
    fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            dice.roll(2);
        }
        dice
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn pick<T>(&mut self, list: &[T]) -> usize {
        usize::try_from(self.roll(list.len() as u64)).unwrap()
    }
}

/// One accepted command.
struct Step<'a> {
    before: &'a State,
    said: &'a Said<Command>,
    events: &'a [Event],
    after: &'a State,
}

/// Lives one life and shows each accepted step; answers with its last state.
fn live(seed: u64, starts: &[(&str, State)], watch: &mut dyn FnMut(&Step<'_>)) -> State {
    let mut dice = Dice::new(seed);
    let mut state = starts[dice.pick(starts)].1.clone();
    let mut now = At(1_005_000);
    for _ in 0..STEPS {
        now = now.plus(dice.roll(STEP_MS_MAX));
        let Some(mut said) = next_command(&mut dice, &state) else { continue };
        said.at = now;
        let Ok(events) = Call::decide(&state, &said) else { continue };
        let after = apply(&state, &events, &said);
        watch(&Step { before: &state, said: &said, events: &events, after: &after });
        state = after;
    }
    state
}

/// Mostly something is said that moves the call, and rarely one of the two words that end it before
/// anything happened, so that lives get somewhere; else anything is said.
fn next_command(dice: &mut Dice, state: &State) -> Option<Said<Command>> {
    let mut wanted = Command::NAMES.to_vec();
    if dice.roll(4) > 0 {
        wanted = super::super::allowed(state);
        if dice.roll(8) > 0 {
            wanted.retain(|name| !["Deny", "Stop"].contains(name));
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let name = wanted[dice.pick(&wanted)];
    let mut group = sample_group(state, group_of(name));
    group.retain(|(_, said)| said.command.name() == name);
    let index = dice.pick(&group);
    Some(group.swap_remove(index).1)
}

/// The group of samples that a command is in.
fn group_of(name: &str) -> usize {
    match name {
        "Ask" => 0,
        "Allow" | "Deny" | "Stop" => 1,
        "Prepared" | "PrepareFailed" => 2,
        "Exited" => 3,
        "Lost" => 4,
        "Probed" => 5,
        "Settle" => 6,
        "Timeout" => 7,
        "Undo" | "UndoEnded" => 8,
        other => panic!("no group holds {other}"),
    }
}

/// The states a call can be in when nothing has happened to it yet, one a class.
fn births() -> Vec<(&'static str, State)> {
    let mut list = sample_states();
    list.retain(|(name, _)| {
        ["New", "Asked", "Allowed Ready", "Allowed Ready, Read"].contains(name)
    });
    for class in [Class::Converge, Class::Guarded] {
        let mut state = list[2].1.clone();
        if let State::Allowed { facts, .. } = &mut state {
            facts.request.class = class;
        }
        list.push(("Allowed Ready, other class", state));
    }
    list
}

fn class(state: &State) -> Option<Class> {
    state.facts().map(|facts| facts.request.class)
}

#[test]
fn invariant_no_life_panics() {
    let starts = sample_states();
    let mut ends = alloc::collections::BTreeMap::<String, u64>::new();
    for seed in 0..LIVES {
        let end = live(seed, &starts, &mut |_| {});
        *ends.entry(short(&end)).or_default() += 1;
    }
    for name in ["Undone", "Ok", "Stopped", "Ok by probe", "Ok by person", "Unknown AskPerson"] {
        assert!(ends.contains_key(name), "no life ends in {name}: {ends:?}");
    }
}

/// Starts that may have acted: those on record without the ones proven never launched.
fn starts_that_may_have_acted(seed: u64, births: &[(&str, State)]) -> (State, u32, u32) {
    let (mut started, mut never, mut highest) = (0_u32, 0_u32, 0_u32);
    let end = live(seed, births, &mut |step| {
        for event in step.events {
            started += u32::from(event.name() == "Started");
            never += u32::from(event.name() == "NeverLaunched");
        }
        highest = highest.max(started - never);
    });
    (end, highest, never)
}

#[test]
fn invariant_once() {
    let births = births();
    let mut seen = 0;
    for seed in 0..LIVES_EACH {
        let (end, acted, _) = starts_that_may_have_acted(seed, &births);
        if let Some(Class::Once | Class::Guarded) = class(&end) {
            seen += acted;
            assert!(acted <= 1, "life {seed} may have acted {acted} times: {}", short(&end));
        }
    }
    assert!(seen > 1_000, "only {seen} starts were seen");
}

#[test]
fn invariant_reads_bounded() {
    let births = births();
    let bound = 1 + u32::try_from(RETRY_DELAYS_MS.len()).unwrap();
    let mut most = 0;
    for seed in 0..LIVES_EACH {
        let (end, acted, never) = starts_that_may_have_acted(seed, &births);
        assert!(never <= RELAUNCHES_MAX, "life {seed} was launched again {never} times");
        if class(&end) == Some(Class::Read) {
            most = most.max(acted);
            assert!(acted <= bound, "life {seed} read {acted} times");
        }
    }
    assert!(most > 1, "no read was ever tried again");
}

#[test]
fn invariant_unknown_never_reruns() {
    let starts = sample_states();
    let mut left = 0;
    for seed in 0..LIVES_EACH {
        live(seed, &starts, &mut |step| {
            let (State::Unknown { .. }, next) = (step.before, step.after) else { return };
            let proof = match &step.said.command {
                Command::Probed { finding, .. } => Some(finding),
                Command::Ask(_)
                | Command::Allow(_)
                | Command::Deny { .. }
                | Command::Prepared { .. }
                | Command::PrepareFailed { .. }
                | Command::Exited { .. }
                | Command::Lost { .. }
                | Command::Settle { .. }
                | Command::Stop(_)
                | Command::Timeout { .. }
                | Command::Undo(_)
                | Command::UndoEnded { .. } => None,
            };
            match next.name() {
                "Unknown" => {}
                "Allowed" => assert_eq!(proof, Some(&Finding::NeverLaunched), "life {seed}"),
                "Started" => assert_eq!(proof, Some(&Finding::Running), "life {seed}"),
                "Settled" | "Undoing" => {
                    let by = step.said.command.name();
                    let fair = ["Probed", "Exited", "Settle", "Undo"].contains(&by);
                    assert!(fair, "life {seed} left by {by}");
                }
                other => panic!("life {seed} went from Unknown to {other}"),
            }
            left += u32::from(next.name() != "Unknown");
        });
    }
    assert!(left > 1_000, "only {left} lives left Unknown");
}

/// What is charged so far: attempts and time.
fn spent(state: &State) -> Option<(u32, u64)> {
    match state {
        State::Allowed { attempt, active_ms, .. } => Some((attempt - 1, *active_ms)),
        State::Started { attempt, active_ms, .. } | State::Unknown { attempt, active_ms, .. } => {
            Some((attempt - 1, *active_ms))
        }
        State::Settled { charge, .. } => Some((charge.attempts, charge.active_ms)),
        State::Undoing { from, .. } => spent(from),
        State::New | State::Asked { .. } | State::Denied { .. } | State::Undone { .. } => None,
    }
}

#[test]
fn invariant_charge_monotonic() {
    let births = births();
    let mut charged = 0;
    for seed in 0..LIVES_EACH {
        live(seed, &births, &mut |step| {
            let (Some(before), Some(after)) = (spent(step.before), spent(step.after)) else {
                return;
            };
            assert!(
                after.0 >= before.0 && after.1 >= before.1,
                "life {seed}: {before:?} {after:?}"
            );
            charged += u32::from(after.1 > before.1);
        });
    }
    assert!(charged > 1_000, "only {charged} charges were seen");
}

#[test]
fn invariant_no_orphan() {
    let starts = sample_states();
    let mut ended = 0;
    for seed in 0..LIVES_EACH {
        live(seed, &starts, &mut |step| {
            let Command::Exited { exit, .. } = &step.said.command else { return };
            let State::Settled { outcome, .. } = step.after else { return };
            match outcome {
                Outcome::Stopped | Outcome::TimedOut { .. } => {
                    ended += 1;
                    assert!(exit.survivors.is_empty(), "life {seed} left {:?}", exit.survivors);
                }
                Outcome::Ok | Outcome::Failed(_) => {}
            }
        });
    }
    assert!(ended > 100, "only {ended} were stopped");
}

#[test]
fn invariant_record_before_act() {
    let births = births();
    for seed in 0..LIVES_EACH {
        let mut recorded: Option<(u32, u64)> = None;
        live(seed, &births, &mut |step| {
            for event in step.events {
                if let Event::Started { attempt, epoch, .. } = event {
                    recorded = Some((*attempt, *epoch));
                }
            }
            for owed in Call::owed(step.after) {
                let Owed::Effect { effect, .. } = owed else { continue };
                match effect {
                    Effect::Act { attempt, epoch }
                    | Effect::Kill { attempt, epoch }
                    | Effect::Probe { attempt, epoch, .. } => {
                        assert_eq!(recorded, Some((attempt, epoch)), "life {seed}");
                    }
                    Effect::Prepare { attempt } => {
                        assert!(recorded.is_none_or(|(last, _)| last < attempt), "life {seed}");
                    }
                    Effect::Gate
                    | Effect::Seal
                    | Effect::RemoveViews
                    | Effect::Turn(_)
                    | Effect::Session(_)
                    | Effect::Lifecycle(_) => {
                        panic!("life {seed} owes {effect:?}")
                    }
                }
            }
        });
    }
}

#[test]
fn invariant_every_owed_timer_is_taken_once() {
    let starts = sample_states();
    for seed in 0..LIVES_EACH / 4 {
        live(seed, &starts, &mut |step| {
            for owed in Call::owed(step.after) {
                let Owed::Timer { slot, due } = owed else { continue };
                let said = Said { by: By::Timer, at: due, command: Command::Timeout { slot } };
                let events = Call::decide(step.after, &said).expect("an owed timer is taken");
                let next = apply(step.after, &events, &said);
                assert!(Call::decide(&next, &said).is_err(), "life {seed} took a timer twice");
            }
        });
    }
}

#[test]
fn invariant_undo_keys_are_never_reused() {
    let births = births();
    let mut most = 0;
    for seed in 0..LIVES_EACH {
        let mut last = 0;
        live(seed, &births, &mut |step| {
            for event in step.events {
                if let Event::UndoBegun { n, .. } = event {
                    assert_eq!(*n, last + 1, "life {seed}");
                    last = *n;
                }
            }
        });
        most = most.max(last);
    }
    assert!(most > 1, "no life undid twice");
}

#[test]
fn invariant_unlaunched_is_silent() {
    let starts = sample_states();
    for (name, state) in starts {
        let State::Started { attempt, relaunches, .. } = &state else { continue };
        if *relaunches == RELAUNCHES_MAX || name.contains("for a Stop") {
            continue;
        }
        let command = Command::Lost { attempt: *attempt, launch: Launch::Never };
        let said = Said { by: By::Engine, at: At(1_005_000), command };
        let events = Call::decide(&state, &said).unwrap();
        let next = apply(&state, &events, &said);
        assert!(!next.ended() && next.result().is_none(), "{name} told its owner {}", short(&next));
    }
}
