//! The turn machine as a subject: walked from its samples, and lived at random.

use std::collections::BTreeSet;

use kernel::machine::{By, Refusal as _, Said};
use kernel::turn::{
    Command, Ended, Event, Refusal, State, Status, Step as PlanStep, Turn, samples, timers,
};
use serde_json::Value;

use super::super::call::{broken, words};
use super::holds;
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// Numbers from here on are moments, which no rule tells apart in a walk.
const MOMENTS: u64 = 900;

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let states = "INTAKE CLARIFYING CONTEXT_BUILDING PLANNING AWAITING_CONFIRMATION EXECUTING \
                  VERIFYING RECOVERING SUMMARIZING DONE";
    let events = "Asked IntakeAssessed Denied QuestionsAsked Failed Answered ContextBuilt \
                  ContextCut PlanRejected PlanAccepted ConfirmationAsked PlannerDegraded Confirmed \
                  Declined ConfirmationExpired PlanEdited PromptVoided StepStarted StepDone \
                  StepFailed StepBlocked StepSkipped Degraded CallAsked CallDenied CallUnknown \
                  CallWaits CallAllowed CallRecorded ReplanAsked ExecutionFinished CheckStale \
                  VerificationPassed VerificationFailed FixStepAdded UndoRecorded PlanPatched \
                  HelpGiven GaveUp AnswerTaken AnswerRejected Summarised GitDeclined GitSettled \
                  Ended Cancelled Held Resumed Reowed QuestionsParked";
    let refusals = "not_now ended not_owed question_closed stale_approval needs_person \
                    scope_too_wide bad_request bad_patch ask_by_control pause_first held not_held \
                    step_in_progress step_is_done no_such empty_message";
    Coverage { states: words(states), events: words(events), refusals: words(refusals) }
}

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Turns;

/// What a life of a turn has owed.
#[derive(Debug, Default)]
pub struct Past {
    /// Effects whose result is in: their keys are never owed again.
    closed: BTreeSet<String>,
}

impl Subject for Turns {
    type Machine = Turn;
    type Past = Past;

    fn roots(&self) -> Vec<State> {
        samples::sample_states().into_iter().map(|(_, state)| state).collect()
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        let samples = samples::sample_commands(state).into_iter().map(|(_, said)| said);
        samples.chain(later(state)).collect()
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        let mut all = self.alphabet(state);
        let held = state.life().is_some_and(|life| life.body.hold.is_some());
        // Turns that are cancelled or held at every step get nowhere.
        let cuts =
            |said: &Said<Command>| matches!(said.command, Command::Cancel | Command::Pause { .. });
        if !held && !dice.once_in(8) {
            all.retain(|said| !cuts(said));
        }
        if held && dice.once_in(2) {
            let steers = |said: &Said<Command>| {
                matches!(said.command, Command::Resume | Command::Pause { .. })
            };
            all.retain(steers);
        }
        let reports = |said: &Said<Command>| matches!(said.command, Command::ToolCallResult { .. });
        if dice.once_in(2) && all.iter().any(reports) {
            all.retain(reports);
        }
        let due = state.life().map(timers).unwrap_or_default();
        if !due.is_empty() && dice.once_in(8) {
            let timer = |said: &Said<Command>| matches!(said.command, Command::Timeout { .. });
            if all.iter().any(timer) {
                all.retain(timer);
            }
        }
        let at = dice.below(all.len());
        all.swap_remove(at)
    }

    fn canon(&self, state: &State) -> String {
        let mut value = serde_json::to_value(state).unwrap_or_default();
        forget(&mut value);
        value.to_string()
    }

    fn within(&self, _: &State) -> bool {
        true
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        (!list.is_empty() || refusal.reason() == "not_now").then_some(list)
    }

    fn worth_listing(&self, said: &Said<Command>, events: &[Event]) -> bool {
        let engines =
            matches!(said.command, Command::ToolCallResult { .. } | Command::Timeout { .. });
        !events.is_empty() && !engines
    }

    fn voice(&self, said: &Said<Command>) -> String {
        said.by.word().to_owned()
    }

    fn stands(&self, state: &State) -> Result<(), String> {
        holds::stands(state)
    }

    fn moved(&self, step: &Step<'_, Self>) -> Result<(), String> {
        holds::moved(step)
    }

    fn remember(&self, past: &mut Past, step: &Step<'_, Self>) -> Result<(), String> {
        if let Command::ToolCallResult { key, ended, .. } = &step.said.command
            && !matches!(ended, Ended::Unknown | Ended::Waits | Ended::Allowed)
        {
            past.closed.insert(key.clone());
        }
        if let Some(again) = holds::effects(step.after).intersection(&past.closed).next() {
            return broken("invariant_owed_keys_are_never_reused", again);
        }
        Ok(())
    }
}

/// A skip where the steps of the samples' own plan cannot be skipped and another one can: what is
/// told as possible goes by the turn's own plan.
fn later(state: &State) -> Option<Said<Command>> {
    let life = state.life()?;
    let steps = life.body.work.as_deref()?.plan.steps.iter();
    let open = |step: &&PlanStep| matches!(step.status, Status::Pending | Status::Blocked);
    let open: Vec<&PlanStep> = steps.filter(open).collect();
    if open.iter().any(|step| ["s1", "s2"].contains(&step.step_id.as_str())) {
        return None;
    }
    let step = open.first()?.step_id.clone();
    let command = Command::SkipStep { step, reason: "not needed".to_owned() };
    Some(Said { by: By::Person, at: life.body.updated_at.plus(1), command })
}

/// Drops moments and what was counted of them.
fn forget(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|n| n >= MOMENTS) => {
            *value = Value::from(0);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        Value::Object(members) => {
            for name in ["active_ms", "left_ms", "created_at"] {
                members.remove(name);
            }
            members.values_mut().for_each(forget);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
