//! The call machine as a subject: every class, verdict and end, with one retry and few looks, so
//! that all of it can be walked to the last state.

use std::collections::BTreeSet;

use kernel::call::{
    Ask, Call, Class, Command, Event, Facts, Grant, Prep, RELAUNCHES_MAX, Refusal, Rules, State,
    UndoResult, allowed, evolve, samples,
};
use kernel::machine::{At, By, Machine as _, Refusal as _, Said};
use kernel::owed::Owed;
use kernel::policy::Verdict;

use super::holds::{
    ends_are_quiet, invariant_no_orphan, invariant_once, invariant_unknown_never_reruns, proof,
    record_before_act,
};
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// The one moment of a walk; nothing in a call's rules compares moments.
const NOW: At = At(1_005_000);
/// Undos a walk tries: one more than one, so that a second key is seen.
const UNDOS_MAX: u32 = 2;
/// One retry shows what two would.
const RETRY_DELAYS_MS: [u64; 1] = [200];
/// A second look is enough to tell the last from the others.
const PROBE_DELAYS_MS: [u64; 2] = [0, 2_000];

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let states = "New Asked Denied Allowed Started Settled Unknown Undoing Undone";
    let events = "Asked Allowed Denied Started RetryScheduled RetryDue NeverLaunched StopBegun \
                  Settled OutcomeUnknown Reattached ProbeScheduled ProbeDue PersonAsked UndoBegun \
                  Undone UndoFailed";
    let refusals = "not_now ended not_owed stale_approval needs_person key_reused invalid_args \
                    unknown_tool budget parent_over already_stopping nothing_to_undo cannot_undo \
                    settle_first undo_in_progress";
    Coverage { states: words(states), events: words(events), refusals: words(refusals) }
}

pub fn words(text: &'static str) -> BTreeSet<&'static str> {
    text.split_whitespace().collect()
}

/// The machine with its bounds.
#[derive(Debug, Default)]
pub struct Calls;

/// What a life of a call has done to the world.
#[derive(Debug, Default)]
pub struct Past {
    /// Starts that may have acted.
    acted: u32,
    /// Starts that are proven to have launched nothing.
    never: u32,
    /// The last undo's number.
    undos: u32,
    /// What the life has spent so far.
    spent: (u32, u64),
}

fn rules() -> Rules {
    Rules {
        retry_delays_ms: RETRY_DELAYS_MS.to_vec(),
        probe_delays_ms: PROBE_DELAYS_MS.to_vec(),
        ask_expiry_ms: 1_000,
    }
}

/// The asks that a new call is walked with.
fn asks() -> Vec<Said<Command>> {
    let mut all = Vec::new();
    for (_, said) in samples::sample_commands(&State::New) {
        let Command::Ask(ask) = &said.command else {
            all.push(said);
            continue;
        };
        for class in [Class::Once, Class::Read, Class::Guarded] {
            let mut ask: Ask = Ask::clone(ask);
            ask.request.class = class;
            ask.rules = rules();
            let command = Command::Ask(Box::new(ask));
            all.push(Said { command, ..said.clone() });
        }
    }
    all
}

/// A call of this class that was asked and waits for a yes. No tool of this build is of each
/// class, so the fact is put together instead of decided.
fn asked(class: Class) -> State {
    let mut state = State::New;
    for said in asks() {
        let Ok(events) = Call::decide(&State::New, &said) else { continue };
        let Some(Event::Asked { facts, prompt, expires: expires @ Some(_) }) = events.first()
        else {
            continue;
        };
        let mut facts: Facts = Facts::clone(facts);
        facts.request.class = class;
        let event =
            Event::Asked { facts: Box::new(facts), prompt: prompt.clone(), expires: *expires };
        evolve(&mut state, &event, NOW);
        break;
    }
    state
}

/// What the samples lack: a sandbox, an undo beyond the first.
fn more(state: &State) -> Vec<Command> {
    let attempt = state.attempt().unwrap_or(1);
    let prep =
        Prep { tree_before: None, program: None, sandbox: "landlock".to_owned(), unkept: None };
    let mut all = vec![Command::Prepared { attempt, epoch: 1, prep }];
    if let State::Undoing { n, .. } = state {
        all.push(Command::UndoEnded { n: *n, result: UndoResult::Ok });
        all.push(Command::UndoEnded { n: *n, result: UndoResult::Failed });
    }
    all
}

pub(super) fn class(state: &State) -> Option<Class> {
    state.facts().map(|facts| facts.request.class)
}

/// What is charged so far: attempts and time.
fn spent(state: &State) -> Option<(u32, u64)> {
    match state {
        State::Allowed { attempt, active_ms, .. }
        | State::Started { attempt, active_ms, .. }
        | State::Unknown { attempt, active_ms, .. } => Some((attempt - 1, *active_ms)),
        State::Settled { charge, .. } => Some((charge.attempts, charge.active_ms)),
        State::Undoing { from, .. } => spent(from),
        State::New | State::Asked { .. } | State::Denied { .. } | State::Undone { .. } => None,
    }
}

/// Drops what is kept for people and looked at by no rule once it is recorded: who allowed it, what
/// was measured, and what it cost.
fn forget(state: &mut State) {
    match state {
        State::Settled { facts, exit, charge, .. } => {
            judged(facts);
            *exit = None;
            charge.active_ms = 0;
        }
        State::Allowed { facts, grant, active_ms, .. }
        | State::Started { facts, grant, active_ms, .. }
        | State::Unknown { facts, grant, active_ms, .. } => {
            judged(facts);
            *grant = Grant::Rule(String::new());
            *active_ms = 0;
        }
        State::Undoing { from, .. } => forget(from),
        State::Asked { facts, .. } | State::Denied { facts, .. } | State::Undone { facts, .. } => {
            judged(facts);
        }
        State::New => {}
    }
}

fn judged(facts: &mut Facts) {
    facts.verdict = Verdict::Allow { rule: String::new() };
}

/// A timer that the state owes, as it falls due.
fn owed_timer(state: &State) -> Option<Said<Command>> {
    Call::owed(state).into_iter().find_map(|owed| match owed {
        Owed::Timer { slot, due } => {
            Some(Said { by: By::Timer, at: due, command: Command::Timeout { slot } })
        }
        Owed::Effect { .. } | Owed::Question { .. } | Owed::Child { .. } => None,
    })
}

pub fn broken<T>(name: &str, what: impl std::fmt::Debug) -> Result<T, String> {
    Err(format!("{name}: {what:?}"))
}

impl Subject for Calls {
    type Machine = Call;
    type Past = Past;

    fn roots(&self) -> Vec<State> {
        vec![State::New, asked(Class::Guarded), asked(Class::Converge)]
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        if *state == State::New {
            return asks();
        }
        let mut all: Vec<_> =
            samples::sample_commands(state).into_iter().map(|(_, said)| said).collect();
        let more = more(state).into_iter();
        all.extend(more.map(|command| Said { by: By::Engine, at: NOW, command }));
        all.iter_mut().for_each(|said| said.at = NOW);
        all
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        if let (Some(timer), true) = (owed_timer(state), dice.once_in(6)) {
            return timer;
        }
        let mut all = self.alphabet(state);
        // Mostly what moves it, and rarely one of the words that end it before anything happened.
        let mut wanted = if dice.once_in(6) { Vec::new() } else { allowed(state) };
        if !dice.once_in(6) {
            wanted.retain(|name| !["Deny", "Stop", "Settle", "Undo"].contains(name));
        }
        if wanted.is_empty() {
            wanted.extend(Command::NAMES);
        }
        let name = *dice.one_of(&wanted);
        all.retain(|said| said.command.name() == name);
        let at = dice.below(all.len());
        let mut said = all.swap_remove(at);
        said.at = NOW.plus(dice.next() % 400_000);
        said
    }

    fn canon(&self, state: &State) -> String {
        let mut state = state.clone();
        forget(&mut state);
        format!("{state:?}")
    }

    fn within(&self, state: &State) -> bool {
        match state {
            State::Settled { undos, .. } | State::Unknown { undos, .. } => *undos < UNDOS_MAX,
            State::New
            | State::Asked { .. }
            | State::Denied { .. }
            | State::Allowed { .. }
            | State::Started { .. }
            | State::Undoing { .. }
            | State::Undone { .. } => true,
        }
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        (!list.is_empty() || refusal.reason() == "not_now").then_some(list)
    }

    fn worth_listing(&self, _: &Said<Command>, events: &[Event]) -> bool {
        !events.is_empty()
    }

    fn voice(&self, _: &Said<Command>) -> String {
        String::new()
    }

    fn stands(&self, state: &State) -> Result<(), String> {
        for owed in Call::owed(state) {
            match owed {
                // A timer that is owed is taken, and only once.
                Owed::Timer { slot, due } => {
                    let said = Said { by: By::Timer, at: due, command: Command::Timeout { slot } };
                    let Ok(events) = Call::decide(state, &said) else {
                        return broken("invariant_owed_timer_is_taken", &said.command);
                    };
                    let mut after = state.clone();
                    events.iter().for_each(|event| evolve(&mut after, event, due));
                    if Call::decide(&after, &said).is_ok() {
                        return broken("invariant_timer_fires_once", &said.command);
                    }
                }
                Owed::Effect { effect, .. } => record_before_act(state, &effect)?,
                Owed::Question { .. } | Owed::Child { .. } => {}
            }
        }
        ends_are_quiet(state)
    }

    fn moved(&self, step: &Step<'_, Self>) -> Result<(), String> {
        invariant_unknown_never_reruns(step)?;
        invariant_once(step)?;
        invariant_no_orphan(step)?;
        if let (Some(before), Some(after)) = (spent(step.before), spent(step.after))
            && (after.0 < before.0 || after.1 < before.1)
        {
            return broken("invariant_charge_monotonic", (before, after));
        }
        let over = matches!(step.before, State::Denied { .. } | State::Undone { .. });
        if over && step.after != step.before {
            return broken("invariant_final_is_final", step.after);
        }
        Ok(())
    }

    fn remember(&self, past: &mut Past, step: &Step<'_, Self>) -> Result<(), String> {
        for event in step.events {
            if let Event::Started { .. } = event {
                past.acted += 1;
            } else if let Event::UndoBegun { n, .. } = event {
                if *n != past.undos + 1 {
                    return broken("invariant_undo_keys_are_never_reused", n);
                }
                past.undos = *n;
            }
        }
        if proof(&step.said.command) {
            past.acted -= 1;
            past.never += 1;
        }
        let limit = match class(step.after) {
            Some(Class::Once | Class::Guarded) | None => 1,
            Some(Class::Read) => 1 + u32::try_from(RETRY_DELAYS_MS.len()).unwrap_or(u32::MAX),
            Some(Class::Converge) => 1 + kernel::call::CONVERGE_RESTARTS_MAX,
        };
        if past.acted > limit {
            return broken("invariant_once, invariant_reads_bounded", past.acted);
        }
        if past.never > RELAUNCHES_MAX + 1 {
            return broken("invariant_relaunches_bounded", past.never);
        }
        let now = spent(step.after).unwrap_or(past.spent);
        if now.0 < past.spent.0 || now.1 < past.spent.1 {
            return broken("invariant_charge_monotonic", (past.spent, now));
        }
        past.spent = now;
        Ok(())
    }
}
